// SPDX-License-Identifier: MIT
#include "graph/cases/cases.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/table.h"
#include "graph/execute/execute.h"
#include "graph/onnx/onnx.h"
#include "graph/op.h"

namespace hipwright::graph {

namespace fs = std::filesystem;

namespace {

// What ONNX's own runner allows.
constexpr double kRelative = 1e-3, kAbsolute = 1e-7;

bool is_unsupported(const Error& error) {
  return error.message().contains("nsupported") || error.message().contains("no operator") ||
         error.message().contains("only tensors") || error.message().contains("no arithmetic");
}

CaseResult unexpected(CaseResult result, const Error& error) {
  result.outcome =
      is_unsupported(error) ? CaseResult::Outcome::kUnsupported : CaseResult::Outcome::kFail;
  result.why = error.message();
  return result;
}

bool fits(const Type& inferred, const Tensor& actual) {
  if (inferred.element != actual.type) return false;
  if (!inferred.shape) return true;
  if (inferred.shape->size() != actual.dims.size()) return false;
  for (std::size_t i = 0; i < actual.dims.size(); ++i)
    if ((*inferred.shape)[i].is_known() && (*inferred.shape)[i].size != actual.dims[i])
      return false;
  return true;
}

// Empty: the output is as expected.
std::string wrong_output(const Value& value, const Tensor& expected, const Tensor& actual) {
  if (!fits(value.type, actual))
    return fmt::format("'{}' is {}{}, but {} was inferred", value.name, to_string(actual.type),
                       dims_text(actual.dims), to_string(value.type));
  const Difference each = difference(expected, actual);
  if (!each.is_same_type)
    return fmt::format("'{}' is {}{}, expected {}{}", value.name, to_string(actual.type),
                       dims_text(actual.dims), to_string(expected.type), dims_text(expected.dims));
  const double unit = actual.type == ElementType::kBF16 ? 1e-2 : kRelative;
  if (each.has_other_specials || (each.relative > unit && each.absolute > kAbsolute))
    return fmt::format("'{}' differs by {:.3g}, relatively {:.3g}", value.name, each.absolute,
                       each.relative);
  return "";
}

Result<std::string> run_data(const Graph& graph, const fs::path& data) {
  HW_TRY(const auto inputs, read_tensors(data, "input", graph.inputs.size()));
  HW_TRY(const auto expected, read_tensors(data, "output", graph.outputs.size()));
  HW_TRY(const RunResult result, run(graph, inputs));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::string wrong =
        wrong_output(graph.values[graph.outputs[i]], expected[i], result.outputs[i]);
    if (!wrong.empty()) return wrong;
  }
  return std::string();
}

CaseResult run_case(const fs::path& directory) {
  CaseResult result{.name = directory.filename().string()};
  auto graph = onnx::read_model(directory / "model.onnx");
  if (!graph) return unexpected(std::move(result), graph.error());
  if (!graph->nodes.empty()) result.op = op_text(graph->nodes.front());
  if (const Status typed = infer_types(*graph); !typed)
    return unexpected(std::move(result), typed.error());
  for (int i = 0; fs::exists(directory / fmt::format("test_data_set_{}", i)); ++i) {
    const auto wrong = run_data(*graph, directory / fmt::format("test_data_set_{}", i));
    if (!wrong) return unexpected(std::move(result), wrong.error());
    if (wrong->empty()) continue;
    result.outcome = CaseResult::Outcome::kFail;
    result.why = *wrong;
    return result;
  }
  return result;
}

std::size_t count_of(const std::vector<CaseResult>& results, CaseResult::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(results, outcome, &CaseResult::outcome));
}

}  // namespace

Result<std::vector<Tensor>> read_tensors(const fs::path& directory, const std::string& prefix,
                                         std::size_t count) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < count; ++i) {
    const fs::path path = directory / fmt::format("{}_{}.pb", prefix, i);
    HW_TRY(const std::string bytes, read_file(path));
    HW_TRY(Tensor tensor, onnx::parse_tensor(bytes, path.string()));
    out.push_back(std::move(tensor));
  }
  return out;
}

Result<std::vector<CaseResult>> run_cases(const fs::path& directory) {
  std::vector<fs::path> cases;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(directory, code))
    if (fs::exists(entry.path() / "model.onnx")) cases.push_back(entry.path());
  if (code) return fail("cannot read the cases", directory.string(), code.message());
  if (cases.empty())
    return fail("cannot read the cases", directory.string(), "no directory in it has a model.onnx");
  std::ranges::sort(cases);
  std::vector<CaseResult> results;
  for (const fs::path& each : cases) results.push_back(run_case(each));
  return results;
}

std::string cases_text(const std::vector<CaseResult>& results, bool colour) {
  using enum CaseResult::Outcome;
  std::string text = fmt::format("{} cases: {} pass, {} fail, {} unsupported\n", results.size(),
                                 count_of(results, kPass), count_of(results, kFail),
                                 count_of(results, kUnsupported));
  if (count_of(results, kFail) == 0) return text;
  Table table({"failed case", "why"});
  for (const CaseResult& each : results)
    if (each.outcome == kFail) table.add({each.name, each.why});
  return text + table.text(colour);
}

Json cases_json(const std::vector<CaseResult>& results) {
  constexpr const char* kWords[] = {"pass", "fail", "unsupported"};
  Json list = Json::array();
  for (const CaseResult& each : results)
    list.push_back({{"name", each.name},
                    {"operator", each.op},
                    {"outcome", kWords[static_cast<int>(each.outcome)]},
                    {"why", each.why}});
  return {{"cases", list}};
}

}  // namespace hipwright::graph
