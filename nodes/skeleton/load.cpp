// A skeleton and its motions from a file.
#include <algorithm>

#include "nodes/file_units.h"
#include "nodes/geometry/file_names.h"
#include "nodes/geometry/skeleton_files.h"

namespace sinew {
namespace {

In<std::string> file, which;
FileUnits units;
Out<Skeleton> skeleton;
Out<SkeletonClip> clip;
Out<std::string> names;
Out<float> duration;

void declare(Declaration& d) {
  d.id("skeleton.load", 1).label("Load Skeleton").category("Skeleton");
  d.doc(
      "Reads a skeleton and its clips from a file. With the same unit and axis it lies in the mesh "
      "that Load Mesh reads from that file: at rest is where the mesh was bound to it.");
  d.in(file, "file", "")
      .reads_file(skeleton_endings())
      .doc("The file; its ending says the format.");
  units.declare(d);
  d.in(which, "clip", "")
      .doc("Which of the file's motions, by its name or number. Empty: the first.");
  d.out(skeleton, "skeleton").doc("The skeleton, in metres, with y up.");
  d.out(clip, "clip").doc("The motion; of no length, at rest, if the file has none.");
  d.out(names, "clips").doc("The names of all motions in the file, a line each.");
  d.out(duration, "duration").doc("How long the motion is, in seconds.");
}

std::string names_of(const std::vector<SkeletonClip>& clips, const char* between) {
  std::string text;
  for (const SkeletonClip& one : clips) text += (text.empty() ? "" : between) + one.name;
  return text;
}

// By name, or else by number, counted from 1; an error if there is none.
const SkeletonClip* find_clip(Exec& e, const std::vector<SkeletonClip>& clips) {
  const std::string& name = e.get(which);
  const auto found = std::find_if(clips.begin(), clips.end(),
                                  [&](const SkeletonClip& one) { return one.name == name; });
  if (found != clips.end()) return &*found;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (name == std::to_string(i + 1)) return &clips[i];
  }
  if (clips.empty()) {
    e.error("there is no clip '{}': '{}' has none", name, e.get(file));
  } else {
    e.error("there is no clip '{}'; there are {}", name, names_of(clips, ", "));
  }
  return nullptr;
}

void exec(Exec& e) {
  if (e.get(file).empty()) {
    return e.error("no file is chosen; set 'file' to the name of a file with a skeleton");
  }
  if (const auto flaw = flaw_of_file_name(e.get(file))) return e.error("{}", *flaw);
  try {
    SkeletonFile loaded = stoppable(e, [&](CancelView stop) {
      return load_skeleton(e.resolve(e.get(file)), units.options(e), stop);
    });
    SkeletonClip motion;
    if (!e.get(which).empty()) {
      const SkeletonClip* const found = find_clip(e, loaded.clips);
      if (!found) return;
      motion = *found;
    } else {
      motion = loaded.clips.empty() ? SkeletonClip::at_rest(loaded.skeleton) : loaded.clips[0];
    }
    e.set(names, names_of(loaded.clips, "\n"));
    e.set(duration, static_cast<float>(motion.duration()));
    e.set(clip, std::move(motion));
    e.set(skeleton, std::move(loaded.skeleton));
  } catch (const FileError& problem) {
    e.error("{}", problem.what());
  }
}

}  // namespace
}  // namespace sinew

SINEW_NODE(skeleton_load, declare, exec)
