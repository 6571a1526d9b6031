// SPDX-License-Identifier: MIT
// Operators that the program defines for vector types and HIP's vector types already have.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "port/source/paths.h"
#include "port/source/vector_operators.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

// Are its vectors CUDA's? Others have types of these names, too.
bool is_of_cuda(const SourceContext& context, const cu::Function& function) {
  const cu::File& file = context.file;
  for (cu::TokenIndex at = function.parameters.begin; at < function.parameters.end; ++at)
    if (vector_components(file.text(at)) != 0 && context.own.has(file.text(at), context.source, at))
      return false;
  const std::string_view path = context.source.path();
  if (function.qualifiers != 0 || path.ends_with(".cu") || path.ends_with(".cuh")) return true;
  return std::ranges::any_of(file.includes(), [](const cu::Include& include) {
    return api::find_header(include.path) != nullptr || include.path.starts_with("hip/");
  });
}

const syntax::Name kOperator("operator");

std::string_view function_of(std::string_view sign) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {
      {{"+", "own_plus"},
       {"-", "own_minus"},
       {"*", "own_times"},
       {"/", "own_divided"},
       {"+=", "own_add"},
       {"-=", "own_subtract"},
       {"*=", "own_multiply"},
       {"/=", "own_divide"}}};
  for (const auto& [text, name] : kNames)
    if (text == sign) return name;
  return {};
}

std::string_view macro_of(VectorOperator kind, std::string_view sign) {
  if (kind == VectorOperator::kOtherByScalar) return "HIP_COMPAT_OWN_BY_SCALAR";
  if (kind == VectorOperator::kOtherOfScalar) return "HIP_COMPAT_OWN_OF_SCALAR";
  return sign.ends_with('=') ? kOwnAssignment : kOwnOperator;
}

// The program's operator becomes a function, and operators that go before HIP's call it.
class OwnOperators {
 public:
  explicit OwnOperators(SourceContext& context) : context_(context), file_(context.file) {}

  bool keep(const cu::Function& function, const ReadVectorOperator& read) {
    const std::string_view name = function_of(read.sign);
    if (name.empty() || is_declared_apart(function)) return false;
    context_.change({file_.span(function.name).begin, file_.span(function.name + 1).end},
                    std::string(name), "HP212", "HIP's vector types define this operator");
    const std::string line =
        fmt::format("{}({}, {}, {})", macro_of(read.kind, read.sign), read.vector, read.sign, name);
    // One template for all types of scalars.
    if (!written_.insert(line).second) return true;
    const std::size_t end = file_.span(function.body.end).end;
    context_.change({end, end}, std::string(line_break_of(file_.text())) + line, "HP212",
                    "takes precedence over HIP's operator");
    context_.needs.compat = true;
    return true;
  }

 private:
  // A second declaration would stay what it is.
  bool is_declared_apart(const cu::Function& function) const {
    return std::ranges::any_of(file_.functions(), [&](const cu::Function& other) {
      return other.body.empty() && other.name != cu::kNoToken &&
             file_.text(other.name) == "operator" &&
             file_.text(other.name + 1) == file_.text(function.name + 1);
    });
  }

  SourceContext& context_;
  const cu::File& file_;
  std::set<std::string> written_;
};

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kOperator)) return;
  OwnOperators own(context);
  for (const cu::Function& function : file.functions()) {
    const ReadVectorOperator read = read_vector_operator(file, function);
    if (read.kind == VectorOperator::kNone || context.is_settled(function.name) ||
        !is_of_cuda(context, function))
      continue;
    if (read.kind == VectorOperator::kSame) {
      const Span whole = {file.span(function.head).begin, file.span(function.body.end).end};
      context.change(whole, "", "HP212", "HIP's vector types define this operator");
    } else if (!own.keep(function, read)) {
      context.report(
          "HP212", Severity::kError, file.span(function.name),
          "HIP's vector types define this operator with another meaning",
          "Calls are ambiguous. Turn this operator into a function, or use a struct of your own.");
    }
  }
}

}  // namespace

Pass vector_operators() {
  return {.codes = {"HP212"}, .after = {"names"}, .before = {"headers"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
