// SPDX-License-Identifier: MIT
// Safetensors files: what is accepted covers the file without holes, and can be written and read
// again as the same tensors.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/safetensors.h"

using namespace hipwright;
using namespace hipwright::runtime;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto header = read_safetensors_header(file, "fuzz");
  if (!header) return 0;
  std::uint64_t end = 0;
  for (const StoredTensor& tensor : header->tensors) {
    HW_ASSERT(tensor.begin == end && tensor.end >= tensor.begin);
    end = tensor.end;
  }
  HW_ASSERT(header->data_begin + end == size);

  SafetensorsHeader again = *header;
  const auto head = make_safetensors_header(again, "fuzz");
  HW_ASSERT(head && head->size() % 8 == 0);
  const auto read = read_safetensors_header(*head + std::string(end, '\0'), "fuzz");
  HW_ASSERT(read && read->tensors.size() == header->tensors.size());
  HW_ASSERT(read->metadata == header->metadata);
  for (const StoredTensor& tensor : header->tensors) {
    const auto found = std::ranges::find(read->tensors, tensor.name, &StoredTensor::name);
    HW_ASSERT(found != read->tensors.end() && found->type == tensor.type);
    HW_ASSERT(found->shape == tensor.shape &&
              found->end - found->begin == tensor.end - tensor.begin);
  }
  return 0;
}
