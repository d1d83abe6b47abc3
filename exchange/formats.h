// The formats that open_writer() knows.
#pragma once

#include "exchange/writer.h"

namespace sinew::exchange {

Result<std::unique_ptr<Writer>> open_point_cache(const WriterOptions& options, bool mdd);
// A file a frame; `ending` is "ply" or "obj".
Result<std::unique_ptr<Writer>> open_sequence(const WriterOptions& options,
                                              const std::string& ending);
Result<std::unique_ptr<Writer>> open_usda(const WriterOptions& options);
// Binary (.glb) or text with everything inside (.gltf).
Result<std::unique_ptr<Writer>> open_gltf(const WriterOptions& options, bool binary);

}  // namespace sinew::exchange
