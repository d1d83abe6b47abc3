// Starts a program without a shell and without a copy of this process (posix_spawn), since other
// threads may be running.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// The descriptors that the program gets as its standard input, output and error; -1: /dev/null.
struct StandardEnds {
  int input = -1, output = -1, error = -1;
};

// Runs `program` with `arguments` (after its own name) and returns 0, or an errno. The program has
// no other descriptor of ours and the default reaction to every signal, and it is in a process
// group of its own, so that Ctrl-C reaches it through us only.
inline int spawn_apart(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments, const StandardEnds& ends,
                       pid_t& pid) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  const auto give = [&files](int ours, int theirs, int null_mode) {
    if (ours >= 0) {
      posix_spawn_file_actions_adddup2(&files, ours, theirs);
    } else {
      posix_spawn_file_actions_addopen(&files, theirs, "/dev/null", null_mode, 0);
    }
  };
  give(ends.input, STDIN_FILENO, O_RDONLY);
  give(ends.output, STDOUT_FILENO, O_WRONLY);
  give(ends.error, STDERR_FILENO, O_WRONLY);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawn(&pid, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace sinew
