// A program that the tests start: one that can be killed while it saves, and one whose memory can
// be measured alone.
//
//   document_helper save FILE        saves two documents to FILE in turn, without an end; a line on
//                                    standard output for each completed save
//   document_helper parse KIND MB    parses a hostile text and prints its error, the peak of the
//                                    memory in KB and the seconds, in three lines
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "graph/atomic_file.h"
#include "graph/document.h"
#include "graph/registry.h"
#include "tests/graph/document_samples.h"

namespace sinew::testing {
namespace {

int save_forever(const char* file) {
  const std::string contents[] = {write_document(large_document(0)),
                                  write_document(large_document(1))};
  for (size_t round = 0;; ++round) {
    if (const auto saved = write_file_atomically(file, contents[round % 2]); !saved) {
      fmt::print(stderr, "{}\n", saved.error());
      return 1;
    }
    if (::write(STDOUT_FILENO, "saved\n", 6) != 6) return 1;
  }
}

std::string repeated(const std::string& head, const std::string& part, size_t bytes) {
  std::string text;
  text.reserve(bytes + part.size());
  text += head;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

std::string hostile_text(const std::string& kind, size_t bytes) {
  const std::string begin = "{\"sinew\": 1, \"x\": ";
  if (kind == "brackets") return repeated("", "[", bytes);
  if (kind == "braces") return repeated("", "{\"a\":", bytes);
  if (kind == "objects") return repeated("", "{},", bytes);
  if (kind == "objects-in-list") return repeated(begin + "[", "{},", bytes);
  if (kind == "lists-in-list") return repeated(begin + "[", "[],", bytes);
  if (kind == "string") return repeated(begin + "\"", "a", bytes);
  if (kind == "strings") return repeated(begin + "[", "\"aaaaaaaaaaaaaaaa\",", bytes);
  if (kind == "long-strings") {
    return repeated(begin + "[", "\"" + std::string(1 << 20, 'a') + "\",", bytes);
  }
  if (kind == "numbers") return repeated(begin + "[", "1,", bytes);
  if (kind == "digits") return repeated(begin, "1", bytes);
  if (kind == "blanks") return repeated(begin, " ", bytes);
  if (kind == "garbage") return repeated("", "\x80\xff\x01z", bytes);
  if (kind == "nodes")
    return repeated("{\"sinew\":1,\"nodes\":[", "{\"id\":\"a\",\"type\":\"b\"},", bytes);
  if (kind == "links") return repeated("{\"sinew\":1,\"links\":[", "\"a.b->c.d\",", bytes);
  // As much as is let through in one kind, closed, so that everything after the parser runs, too.
  if (kind == "most-nodes" || kind == "most-groups" || kind == "most-tags") {
    std::string text = kind == "most-nodes"    ? "{\"sinew\":1,\"nodes\":["
                       : kind == "most-groups" ? "{\"sinew\":1,\"groups\":{"
                                               : "{\"sinew\":1,\"meta\":{\"tags\":[";
    const int count = kind == "most-tags" ? 1200000 : 199990;
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      text += kind == "most-nodes"    ? fmt::format("{{\"id\":\"n{}\",\"type\":\"b\"}}", i)
              : kind == "most-groups" ? fmt::format("\"g{}\":{{}}", i)
                                      : "\"\"";
    }
    return text + (kind == "most-nodes" ? "]}" : kind == "most-groups" ? "}}" : "]}}");
  }
  if (kind == "most-links") {
    std::string text =
        "{\"sinew\":1,\"nodes\":[{\"id\":\"a\",\"type\":\"b\"}],\"links\":[\"a.b->c.d\"";
    for (int i = 1; i < 399990; ++i) text += ",\"a.b->c.d\"";
    return text + "]}";
  }
  if (kind == "most-numbers") {
    std::string text = begin + "[1";
    for (int i = 1; i < 2440000; ++i) text += ",1";
    return text + "]}";
  }
  if (kind == "most-members") {
    std::string text = begin + "{\"a\":1";
    for (int i = 0; i < 810000; ++i) text += fmt::format(",\"{}\":1", i);
    return text + "}}";
  }
  return {};
}

int parse_hostile(const std::string& kind, size_t megabytes) {
  const std::string text = hostile_text(kind, megabytes << 20);
  const Registry registry;
  const auto start = std::chrono::steady_clock::now();
  const Result<GraphDoc> document = parse_document(text, registry);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{}\n{}\n{}\n", document ? "no error" : document.error(), usage.ru_maxrss,
             seconds.count());
  return 0;
}

}  // namespace
}  // namespace sinew::testing

int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  if (task == "save" && argc == 3) return sinew::testing::save_forever(argv[2]);
  if (task == "parse" && argc == 4) {
    return sinew::testing::parse_hostile(argv[2], std::strtoul(argv[3], nullptr, 10));
  }
  fmt::print(stderr, "document_helper save FILE | parse KIND MB\n");
  return 2;
}
