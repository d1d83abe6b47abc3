// The buffer of a glTF file and the accessors into it. The one place where tinygltf's model is
// filled with numbers.
#pragma once

#include <tiny_gltf.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace sinew::exchange {

class GltfBuffer {
 public:
  explicit GltfBuffer(tinygltf::Model& model) : model_(model) { model.buffers.emplace_back(); }

  // `count` elements of `type` (TINYGLTF_TYPE_VEC3, ...) of `component` (TINYGLTF_COMPONENT_...);
  // elements are a multiple of four bytes long. `target`: what it is for, 0: neither vertices nor
  // indices. Returns the accessor.
  template <class T>
  int add(std::span<const T> elements, int type, int component, int target = 0) {
    std::vector<unsigned char>& data = model_.buffers[0].data;
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = data.size();
    view.byteLength = elements.size_bytes();
    view.target = target;
    data.resize(data.size() + (elements.size_bytes() + 3) / 4 * 4);
    if (!elements.empty())
      std::memcpy(data.data() + view.byteOffset, elements.data(), elements.size_bytes());
    model_.bufferViews.push_back(std::move(view));
    tinygltf::Accessor accessor;
    accessor.bufferView = static_cast<int>(model_.bufferViews.size()) - 1;
    accessor.type = type;
    accessor.componentType = component;
    accessor.count = elements.size() * sizeof(T) /
                     static_cast<std::size_t>(
                         tinygltf::GetNumComponentsInType(static_cast<uint32_t>(type)) *
                         tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(component)));
    model_.accessors.push_back(std::move(accessor));
    return static_cast<int>(model_.accessors.size()) - 1;
  }

  // With the least and greatest of each coordinate, which positions and times must have.
  template <class T>
  int add_bounded(std::span<const T> elements, int type, int target = 0) {
    const int accessor = add(elements, type, TINYGLTF_COMPONENT_TYPE_FLOAT, target);
    const int width = tinygltf::GetNumComponentsInType(static_cast<uint32_t>(type));
    const auto* numbers = reinterpret_cast<const float*>(elements.data());
    const std::size_t count = elements.size_bytes() / sizeof(float);
    auto& made = model_.accessors.back();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t c = i % static_cast<std::size_t>(width);
      const auto x = static_cast<double>(numbers[i]);
      if (made.minValues.size() <= c) {
        made.minValues.push_back(x);
        made.maxValues.push_back(x);
      }
      made.minValues[c] = std::min(made.minValues[c], x);
      made.maxValues[c] = std::max(made.maxValues[c], x);
    }
    return accessor;
  }

 private:
  tinygltf::Model& model_;
};

}  // namespace sinew::exchange
