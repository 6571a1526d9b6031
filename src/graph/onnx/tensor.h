// SPDX-License-Identifier: MIT
// TensorProto, and the files that hold its external data.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "graph/ir/tensor.h"

namespace hipwright::graph::onnx {

// Files below a directory, each mapped once.
class ExternalData {
 public:
  // An empty directory: every request is an error.
  explicit ExternalData(std::filesystem::path directory) : directory_(std::move(directory)) {}
  // Errors: the location is absolute or leaves the directory (also through a link), the file is
  // missing or too short.
  Result<std::string> read(const std::map<std::string, std::string>& entries, std::uint64_t size);

 private:
  std::filesystem::path directory_;
  std::map<std::string, MappedFile> files_;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
Result<NamedTensor> read_tensor(std::string_view message, ExternalData& external);

}  // namespace hipwright::graph::onnx
