// SPDX-License-Identifier: MIT
// ONNX models, read and written: IR versions 3 to 12, opsets 13 to 23 of the default domain.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph::onnx {

constexpr std::int64_t kLeastOpset = 13, kMostOpset = 23;

// The graph holds check(). Errors name the file and what in it is invalid or unsupported: a
// damaged message, a cycle, a tensor without the bytes that its shape needs, subgraphs, sequences,
// strings. External data is read from files below the model's directory only.
Result<Graph> read_model(const std::filesystem::path& path);
// `directory`: where external data is; empty: external data is an error.
Result<Graph> parse_model(std::string_view bytes, const std::string& origin,
                          const std::filesystem::path& directory = {});
// One tensor, as in ONNX's test data.
Result<Tensor> parse_tensor(std::string_view bytes, const std::string& origin);

// Weights go into the file, or into `<path>.data` when they have more than `most_inside` bytes:
// messages end at 2 GiB.
Status write_model(const Graph& graph, const std::filesystem::path& path,
                   std::uint64_t most_inside = std::uint64_t{1} << 30);
// With all weights inside.
std::string model_bytes(const Graph& graph);
std::string tensor_bytes(const Tensor& tensor, std::string_view name);

}  // namespace hipwright::graph::onnx
