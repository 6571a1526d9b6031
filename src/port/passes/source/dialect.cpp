// SPDX-License-Identifier: MIT
// Code that NVIDIA's compiler and headers accept and AMD's reject: the language is the same,
// its limits are not.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "port/source/scope.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const std::array kOnlyInHip = {Name("__lane_id"),     Name("__lanemask_eq"), Name("__lanemask_ge"),
                               Name("__lanemask_gt"), Name("__lanemask_le"), Name("__lanemask_lt"),
                               Name("__ballot64")};

const Name kRegister("register"), kAsm("asm"), kResult("CUresult"), kMin("min"), kMax("max"),
    kCase("case"), kAtomicMax("atomicMax"), kAtomicMin("atomicMin");
const std::array kOfMathHeader = {Name("isfinite"), Name("isinf"), Name("isnan"), Name("signbit")};

// CUDA has these in host code, HIP in device code only.
const std::array kOfHostMath = {
    Name("rsqrt"),   Name("rsqrtf"),   Name("rcbrt"),      Name("rcbrtf"),      Name("sinpi"),
    Name("sinpif"),  Name("cospi"),    Name("cospif"),     Name("sincospi"),    Name("sincospif"),
    Name("normcdf"), Name("normcdff"), Name("normcdfinv"), Name("normcdfinvf"), Name("erfinv"),
    Name("erfinvf"), Name("erfcinv"),  Name("erfcinvf"),   Name("erfcx"),       Name("erfcxf")};

bool is_call(const cu::File& file, cu::TokenIndex at) {
  if (!file.is(at + 1, "(")) return false;
  return at == 0 || !(file.is(at - 1, ".") || file.is(at - 1, "->") || file.is(at - 1, "::"));
}

// `register` means nothing in C++, and C++17 removed it: an error in clang, a warning in
// nvcc. With asm it names the register of a variable and stays.
void drop_register(SourceContext& context) {
  const cu::File& file = context.file;
  if (context.source.path().ends_with(".c")) return;
  for (const cu::TokenIndex at : file.occurrences(kRegister)) {
    const cu::TokenIndex next = at + 1;
    if (next >= file.tokens().size() || file.tokens()[next].kind != cu::Kind::kName) continue;
    if (context.is_settled(at)) continue;
    const cu::TokenRange statement = file.statement(at);
    const auto asms = file.occurrences(kAsm);
    if (std::ranges::any_of(asms, [&](cu::TokenIndex each) { return statement.contains(each); }))
      continue;
    if (context.is_dual()) {
      context.shim().is_included = true;
      context.shim().warnings.insert("-Wregister");
      return;
    }
    const Span word = file.span(at);
    const std::string_view blank = file.text().substr(word.end, file.span(next).begin - word.end);
    const bool is_one_line = blank.find_first_not_of(" \t") == std::string_view::npos;
    context.change({word.begin, is_one_line ? file.span(next).begin : word.end}, "", "HP215",
                   "C++17 removed register");
  }
}

// `kernel << < blocks, threads >> > (…)`, as formatters write it: nvcc accepts it as a launch.
void join_launch_brackets(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  const auto is_split = [&](cu::TokenIndex at, const char* two, const char* one) {
    return at + 1 < tokens.size() && file.is(at, two) && file.is(at + 1, one);
  };
  const auto join = [&](cu::TokenIndex at, std::string_view whole) {
    context.change_neutrally({file.span(at).begin, file.span(at + 1).end}, std::string(whole),
                             "HP215", "launch brackets must be written together");
  };
  for (cu::TokenIndex at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kPunct || !is_split(at, "<<", "<") || context.is_settled(at))
      continue;
    for (cu::TokenIndex end = at + 2; end + 2 < tokens.size(); ++end) {
      if (file.is(end, ";") || file.is(end, "{") || file.is(end, "}")) break;
      if (file.is(end, "(") && file.partner(end) != cu::kNoToken) end = file.partner(end);
      if (!is_split(end, ">>", ">") || !file.is(end + 2, "(")) continue;
      join(at, "<<<");
      join(end, ">>>");
      break;
    }
  }
}

// kernel<<<grid, {16, 16}>>>(…): nvcc knows that dim3 is meant.
void name_launch_sizes(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kPunct || !file.is(at, "<<<") || context.is_settled(at) ||
        file.partner(at) == cu::kNoToken)
      continue;
    const std::vector<cu::TokenRange> sizes = file.arguments(at);
    for (std::size_t i = 0; i < sizes.size() && i < 2; ++i) {
      if (sizes[i].empty() || !file.is(sizes[i].begin, "{")) continue;
      const std::size_t place = file.span(sizes[i].begin).begin;
      context.change_neutrally({place, place}, "dim3", "HP215", "clang requires the type");
    }
  }
}

// "text"NAME: nvcc and gcc see a macro after the string, clang a literal suffix.
void part_literals(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kString || context.is_settled(at)) continue;
    const std::string_view text = file.text(at);
    const std::size_t quote = text.rfind('"');
    if (quote == text.find('"')) continue;  // it is never closed
    std::string_view suffix = text.substr(quote + 1);
    std::size_t place = file.span(at).begin + quote + 1;
    if (suffix.empty() && at + 1 < tokens.size() && tokens[at + 1].kind == cu::Kind::kName &&
        file.span(at + 1).begin == file.span(at).end) {
      suffix = file.text(at + 1);
      place = file.span(at).end;
    }
    if (suffix.empty()) continue;
    // Those of the language and of the program are lower case, or begin with an underscore; none
    // stands right before another literal.
    const cu::TokenIndex next = place == file.span(at).end ? at + 2 : at + 1;
    const bool is_macro = (suffix.size() > 1 && suffix.front() >= 'A' && suffix.front() <= 'Z') ||
                          file.macro_named(suffix) != nullptr ||
                          (next < tokens.size() && tokens[next].kind == cu::Kind::kString &&
                           file.span(next).begin == place + suffix.size());
    if (!is_macro) continue;
    if (context.is_dual() && !suffix.starts_with('_')) {  // which clang takes for a literal's
      context.shim().is_included = true;
      context.shim().warnings.insert("-Wreserved-user-defined-literal");
      continue;
    }
    context.change({place, place}, " ", "HP215", "clang requires a space after a string literal");
  }
}

// CUDA distinguishes some errors that HIP does not: of two cases for one value the first is kept.
// What follows the other's label can still be reached as before, by falling through.
void drop_cases(SourceContext& context) {
  const cu::File& file = context.file;
  std::set<std::pair<cu::TokenIndex, std::string_view>> seen;  // by the switch
  for (const cu::TokenIndex at : file.occurrences(kCase)) {
    if (!file.is(at + 2, ":") || context.is_settled(at)) continue;
    const std::string_view name = file.text(at + 1);
    const api::Entry* entry = api::find(name);
    if (entry == nullptr || !entry->mapped() || context.own.has(name, context.source, at + 1))
      continue;
    if (seen.emplace(file.enclosing(at), entry->hip).second) continue;
    context.change({file.span(at).begin, file.span(at + 2).end}, "", "HP215",
                   fmt::format("{} is {}, which already has a case", name, entry->hip));
  }
}

// CUDA has two error types, HIP one: overloads for each become duplicates.
void drop_twins(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kResult) || context.own.has("CUresult", context.source, 0)) return;
  const auto parameters = [&](const cu::Function& function) {
    std::vector<std::string_view> words;
    for (cu::TokenIndex at = function.parameters.begin; at < function.parameters.end; ++at) {
      const std::string_view word = file.text(at);
      words.push_back(word == "CUresult" || word == "cudaError" ? "cudaError_t" : word);
    }
    return words;
  };
  for (const cu::Function& function : file.functions()) {
    if (function.body.empty() || !std::ranges::any_of(file.occurrences(kResult), [&](auto at) {
          return function.parameters.contains(at);
        }))
      continue;
    const auto is_twin = [&](const cu::Function& other) {
      return &other != &function && !other.body.empty() &&
             file.text(other.name) == file.text(function.name) &&
             parameters(other) == parameters(function);
    };
    if (std::ranges::none_of(file.functions(), is_twin) || context.is_settled(function.name))
      continue;
    context.change(
        {file.span(function.head).begin, file.span(function.body.end).end}, "", "HP215",
        "CUresult and cudaError_t are the same type in HIP, so this overload is a duplicate");
  }
}

// float* and float, double* and double.
bool takes_floating_point(const cu::File& file, const cu::Function& function) {
  std::vector<std::string_view> types(1);
  bool is_pointer = false;
  for (cu::TokenIndex at = function.parameters.begin; at < function.parameters.end; ++at) {
    const std::string_view word = file.text(at);
    if (word == ",") {
      if (types.size() == 2) return false;
      types.emplace_back();
    } else if (word == "float" || word == "double") {
      types.back() = word;
    } else if (word == "*" && types.size() == 1 && !is_pointer) {
      is_pointer = true;
    } else if (word != "const" &&
               (types.back().empty() || file.tokens()[at].kind != cu::Kind::kName)) {
      return false;
    }
  }
  return is_pointer && types.size() == 2 && types[0] == types[1] && !types[0].empty();
}

// CUDA has atomicMax and atomicMin for integers, HIP for floats and doubles as well: a program's
// own is one too many.
void drop_atomics(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kAtomicMax) && !file.has(kAtomicMin)) return;
  for (const cu::Function& function : file.functions()) {
    if (function.body.empty() || !function.template_parameters.empty() ||
        function.name == cu::kNoToken)
      continue;
    const std::string_view name = file.text(function.name);
    if ((name != "atomicMax" && name != "atomicMin") || !takes_floating_point(file, function) ||
        !scope_at(file, function.name).path.empty() || context.is_settled(function.name))
      continue;
    context.change({file.span(function.head).begin, file.span(function.body.end).end}, "", "HP215",
                   fmt::format("HIP already defines this {}", name));
  }
}

// HIP's host code has min and max of int only, which convert other types.
bool takes_least_or_most(const SourceContext& context) {
  const cu::File& file = context.file;
  return std::ranges::any_of(std::array{kMin, kMax}, [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name), [&](cu::TokenIndex at) {
      return is_call(file, at) && !context.own.has(file.text(at), context.source, at);
    });
  });
}

bool calls_host_math(const SourceContext& context) {
  const cu::File& file = context.file;
  return std::ranges::any_of(kOfHostMath, [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name), [&](cu::TokenIndex at) {
      if (!is_call(file, at) || context.own.has(file.text(at), context.source, at)) return false;
      const cu::Function* function = file.function_at(at);
      return function == nullptr || !function->is_device() ||
             (function->qualifiers & cu::kHost) != 0;
    });
  });
}

// CUDA's runtime header includes <math.h>, HIP's <cmath>, which need not declare these outside
// std.
bool asks_math_header(const cu::File& file) {
  const bool has_header = std::ranges::any_of(
      file.includes(), [](const cu::Include& include) { return include.path == "math.h"; });
  return !has_header && std::ranges::any_of(kOfMathHeader, [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name),
                               [&](cu::TokenIndex at) { return is_call(file, at); });
  });
}

// __device__ unsigned __lane_id() { … }: the project's own, outside all namespaces and classes.
bool is_defined_by_project(const SourceContext& context, const Name& name) {
  const std::vector<bool> read = context.own.graph().read_together(context.source);
  for (std::size_t i = 0; i < context.tree.files.size(); ++i) {
    const cu::File* file = read[i] ? context.tree.files[i]->cuda() : nullptr;
    if (file == nullptr || !file->has(name)) continue;
    for (const cu::Function& function : file->functions())
      if (file->is(function.name, name) && file->enclosing(function.name) == cu::kNoToken)
        return true;
  }
  return false;
}

// HIP's header has these functions, which CUDA's has not.
void rename_namesakes(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Name& name : kOnlyInHip) {
    if (!file.has(name) || !is_defined_by_project(context, name)) continue;
    for (const cu::TokenIndex at : file.occurrences(name)) {
      const bool is_member =
          at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->") || file.is(at - 1, "::"));
      if (!is_member && !context.is_settled(at))
        context.rename(at, fmt::format("own{}", file.text(at)), "HP215",
                       "HIP's header declares this name");
    }
  }
}

bool is_of_cuda(const SourceContext& context) {
  const std::string_view path = context.source.path();
  return path.ends_with(".cu") || path.ends_with(".cuh") ||
         std::ranges::any_of(context.file.includes(), [](const cu::Include& include) {
           return api::find_header(include.path) != nullptr;
         });
}

void apply(SourceContext& context) {
  drop_twins(context);
  drop_cases(context);
  if (!is_of_cuda(context)) return;
  drop_atomics(context);
  drop_register(context);
  rename_namesakes(context);
  join_launch_brackets(context);
  name_launch_sizes(context);
  part_literals(context);
  if (takes_least_or_most(context) || asks_math_header(context.file) || calls_host_math(context))
    context.needs.compat = true;
}

}  // namespace

Pass dialect() {
  return {.codes = {"HP215"},
          .after = {"names", "calls", "vector_operators"},  // it removes whole functions
          .before = {"headers"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
