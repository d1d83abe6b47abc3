// Files in formats that come through assimp.
//
// assimp is not part of this program: a damaged file, or one that is made to harm, may have it
// crash, run for ever or take all memory there is. It is part of another one, sinew-read
// (reader/main.cpp), which reads one file for us, within limits of memory and time, and answers
// through a pipe (reader_answer.h). It stands beside the program that runs, or one folder above.
// Whatever becomes of it is one line that says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "nodes/geometry/reader_answer.h"

namespace sinew {

struct ReadLimits {
  uint64_t bytes = 0;  // of memory: all that its addresses stand for
  double seconds = 0;
};

// What reading a file of that size may take: more for a larger one. SINEW_READ_MEMORY (in GB) and
// SINEW_READ_SECONDS in the environment replace them. Throws FormatError where these are no numbers
// above 0.
ReadLimits read_limits(uint64_t file_bytes);

// Vertices that are not finite are as the file says them. Both throw FormatError or Stopped.
ForeignMesh read_foreign_mesh(const std::filesystem::path& path, CancelView cancel);
Rig read_foreign_rig(const std::filesystem::path& path, CancelView cancel);

// The formats that are read, by their endings: those that artists use, and of the others those that
// SINEW_FORMATS in the environment names ("mdl,smd") or all of them ("all").
std::vector<std::string> foreign_endings();
// How to have files with that ending read, or nothing if they are read or no format is known.
std::string how_to_read(const std::string& ending);

}  // namespace sinew
