// How much this process may take.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew {

// Memory in bytes and seconds of computing. Nothing is written to files, no core is dumped, and the
// process ends with the one that started it, `parent`. When memory runs out, that is answered and
// the process ends.
void set_limits(uint64_t bytes, uint64_t seconds, int parent);

// Answers that there is not enough memory, and ends the process.
[[noreturn]] void no_memory();

// Writes to whoever asked; ends the process if nobody reads.
void answer(const void* bytes, std::size_t size);

}  // namespace sinew
