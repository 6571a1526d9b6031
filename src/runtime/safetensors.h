// SPDX-License-Identifier: MIT
// The safetensors format: the length of the header (8 bytes, little-endian), the header (JSON: name
// → type, shape, position), then the tensors one after the other, without gaps.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hipwright/checkpoint.h"

namespace hipwright::runtime {

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they are in memory, and the format is little-endian");

struct StoredTensor {
  std::string name;
  DataType type = DataType::kF32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // bytes, from the end of the header
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  // in the order of their bytes
  std::map<std::string, std::string> metadata;
  std::uint64_t data_begin = 0;  // in the file
};

// Reads the header of a file and checks it against the file's size: everything that the reference
// implementation requires, and no duplicate names. Errors name `origin`, the tensor and the offset.
Result<SafetensorsHeader> read_safetensors_header(std::string_view file, const std::string& origin);

// Sorts `header.tensors` into file order, aligned types first, assigns their positions, sets
// data_begin, and returns the leading bytes of the file. The error names the tensor that cannot be
// stored.
Result<std::string> make_safetensors_header(SafetensorsHeader& header, const std::string& origin);

}  // namespace hipwright::runtime
