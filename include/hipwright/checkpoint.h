// SPDX-License-Identifier: MIT
// Tensors in safetensors files, saved from one device and loaded on any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/memory.h"
#include "hipwright/utilities.h"

namespace hipwright {

class Backend;

enum class DataType {
  kBool,
  kU8,
  kI8,
  kF8E4M3,
  kF8E5M2,
  kI16,
  kU16,
  kF16,
  kBF16,
  kI32,
  kU32,
  kF32,
  kI64,
  kU64,
  kF64
};
std::string_view to_string(DataType type);  // as safetensors spells it: "F32", "BF16"
std::size_t size_of(DataType type);

struct Tensor {
  DataType type = DataType::kF32;
  std::vector<std::int64_t> shape{};
  DeviceBuffer memory{};

  // Throws AMDBackendError for an invalid shape: negative, or too large.
  std::size_t elements() const;
  std::size_t bytes() const;
};

struct Checkpoint {
  std::map<std::string, Tensor> tensors{};
  std::map<std::string, std::string> metadata{};
};

// Waits for the device's work, then writes the tensors from its memory. The file appears whole or
// not at all. Throws AMDBackendError if it cannot be written.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                     Backend& backend);
// Loads every tensor into memory of `backend`, ready for every stream. The file must not be
// truncated during the call (replacing it is fine). Throws AMDBackendError with the error and its
// position if the file is invalid.
Checkpoint load_checkpoint(const std::filesystem::path& path, Backend& backend);

}  // namespace hipwright
