// SPDX-License-Identifier: MIT
// ONNX's test data: a directory with one directory for each case, of model.onnx and
// test_data_set_N/{input,output}_M.pb.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

struct CaseResult {
  enum class Outcome { kPass, kFail, kUnsupported };
  std::string name;
  Outcome outcome = Outcome::kPass;
  std::string op;   // of the first node
  std::string why;  // empty: it passes
};

// kUnsupported: an operator, a type or an opset that is not on the list. Anything else that is not
// the expected result, also a type that inference gets wrong, is kFail. Errors: no cases.
Result<std::vector<CaseResult>> run_cases(const std::filesystem::path& directory);

// "prefix_0.pb" and so on.
Result<std::vector<Tensor>> read_tensors(const std::filesystem::path& directory,
                                         const std::string& prefix, std::size_t count);

std::string cases_text(const std::vector<CaseResult>& results, bool colour);
Json cases_json(const std::vector<CaseResult>& results);

}  // namespace hipwright::graph
