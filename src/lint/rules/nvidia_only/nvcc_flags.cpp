// SPDX-License-Identifier: MIT
// nvcc-only flags are passed to every compiler.
//
// ## What it finds
//
// `--use_fast_math`, `-gencode`, `--expt-relaxed-constexpr`, `-Xptxas`, `--threads` and others in
// setup.py and other Python code that compiles extensions, in CMake files, Makefiles and
// pyproject.toml, where nothing keeps them from AMD's compiler. In Python also CUDA libraries
// passed to the linker: `-lcurand`, `-lcublas`, `-lcudart`.
//
// ## Why it matters
//
// In a ROCm build, PyTorch passes the list called "nvcc" to hipcc, and CMake does the same with
// options that are not bound to a language. hipcc stops at the first unknown flag, and the linker
// does not find libcurand.
//
// ## Example
//
// ```python
// CUDAExtension("ops", sources, extra_compile_args={"nvcc": ["-O3", "--use_fast_math"]})
// ```
//
// ## Use instead
//
// ```python
// fast = ["-fgpu-flush-denormals-to-zero"] if torch.version.hip else ["--use_fast_math"]
// CUDAExtension("ops", sources, extra_compile_args={"nvcc": ["-O3"] + fast})
// ```
//
// No fix is offered, because the replacement depends on the purpose of each flag. `--use_fast_math`
// becomes `-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt
// -fgpu-approx-transcendentals`: `-ffast-math` would also assume that no number is infinite or NaN,
// on the host too. `-gencode` becomes `--offload-arch`, and the `--expt-…` flags can be dropped.
//
// ## When it is not a bug
//
// - A ROCm branch has other flags, or CMake binds them to CUDA (`CMAKE_CUDA_FLAGS`,
//   `$<COMPILE_LANGUAGE:CUDA>`).
// - `-O3`, `-std=c++17`, `-D…` and `-U…` are the same for both.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/build/cmake_values.h"
#include "syntax/build/cmake_commands.h"
#include "syntax/text_lines.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

// clang's driver rejects each of these. It parses -use_fast_math as -u, -lineinfo as -l, and
// accepts -Xcompiler.
constexpr std::array<std::string_view, 22> kFlags = {"--use_fast_math",
                                                     "-gencode",
                                                     "--generate-code",
                                                     "--gpu-architecture",
                                                     "--expt-relaxed-constexpr",
                                                     "-expt-relaxed-constexpr",
                                                     "--expt-extended-lambda",
                                                     "-expt-extended-lambda",
                                                     "--extended-lambda",
                                                     "-Xptxas",
                                                     "--ptxas-options",
                                                     "-Xfatbin",
                                                     "--generate-line-info",
                                                     "--threads",
                                                     "--split-compile",
                                                     "-Xcudafe",
                                                     "--compiler-options",
                                                     "-maxrregcount",
                                                     "--maxrregcount",
                                                     "--default-stream",
                                                     "--prec-div",
                                                     "--fmad"};

// CUDA libraries that ROCm has under another name, or not at all.
struct Library {
  std::string_view flag;
  std::string_view instead;
};
constexpr auto kLibraries = std::to_array<Library>({
    {"-lcurand", "-lhiprand"},
    {"-lcublas", "-lhipblas"},
    {"-lcublasLt", "-lhipblaslt"},
    {"-lcusparse", "-lhipsparse"},
    {"-lcusparseLt", "-lhipsparselt"},
    {"-lcusolver", "-lhipsolver"},
    {"-lcufft", "-lhipfft"},
    {"-lcudnn", "-lMIOpen"},
    {"-lcudart", "-lamdhip64"},
    {"-lcuda", "-lamdhip64"},
    {"-lnvrtc", "-lhiprtc"},
    {"-lnvToolsExt", "-lroctx64"},
    {"-lnvidia-ml", "-lamd_smi"},
    {"-lcufile", ""},
});
constexpr std::array<std::string_view, 9> kLibraryWords = {
    "-lcurand", "-lcublas", "-lcusparse", "-lcusolver",  "-lcufft",
    "-lcudnn",  "-lcuda",   "-lnvrtc",    "-lnvToolsExt"};

const Library* library_at(std::string_view word) {
  const auto found = std::ranges::find(kLibraries, word, &Library::flag);
  return found == kLibraries.end() ? nullptr : &*found;
}

const std::array kPythonWords = {Name("extra_compile_args"), Name("extra_cuda_cflags"),
                                 Name("CUDAExtension"),      Name("nvcc_args"),
                                 Name("nvcc_flags"),         Name("NVCC_FLAGS"),
                                 Name("cuda_flags"),         Name("extra_nvcc_flags")};

// The flag that a word begins with: "-gencode=arch=…", "--threads=4", "-gencode".
std::string_view flag_at(std::string_view word) {
  for (const std::string_view flag : kFlags)
    if (word.starts_with(flag) &&
        (word.size() == flag.size() || word[flag.size()] == '=' || word[flag.size()] == ' '))
      return flag;
  return word.starts_with("-arch=sm_") || word.starts_with("-arch=compute_") ? "-arch"
                                                                             : std::string_view();
}

std::string message(std::string_view flag) {
  return fmt::format("hipcc rejects {}; do not pass it in ROCm builds", flag);
}

std::string message(const Library& library) {
  return library.instead.empty()
             ? fmt::format("ROCm has no {}; do not link it in ROCm builds", library.flag)
             : fmt::format("use {} instead of {} on ROCm", library.instead, library.flag);
}

// remove("-gencode"), filter(…, ["-gencode"]): an argument of a call that takes flags out.
bool is_taken_out(const File& file, TokenIndex at) {
  for (TokenIndex open = file.enclosing(at); open != kNoToken; open = file.enclosing(open))
    if (open > 0 && file.is(open, "(") && file.tokens()[open - 1].kind == Kind::kName)
      for (const std::string_view word : {"remove", "filter", "replace", "discard"})
        if (contains_word(file.text(open - 1), word)) return true;
  return false;
}

// Whether the list holds the flags of a single NVIDIA GPU: ["--use_fast_math", "-DKERNELS_HOPPER"].
bool is_for_nvidia_target(const File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken || !file.is(open, "[") || file.partner(open) == kNoToken) return false;
  for (TokenIndex each = open + 1; each < file.partner(open); ++each)
    if (file.tokens()[each].kind == Kind::kString && file.string_value(each).starts_with("-D") &&
        (contains_word(file.text(each), "hopper") || contains_word(file.text(each), "blackwell")))
      return true;
  return false;
}

// An element of a list, or the operand of +=; not a flag that is searched for or removed.
bool is_given(const File& file, TokenIndex at) {
  if (is_taken_out(file, at) || is_for_nvidia_target(file, at)) return false;
  const std::string_view before = at > 0 ? file.text(at - 1) : std::string_view();
  if (before == "in" || before == "==" || before == "!=" || before == "not") return false;
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken) return before == "+=" || before == "=";
  if (file.is(open, "[")) return !file.is(open - 1, "in");
  if (!file.is(open, "(") || open == 0) return false;
  return file.is(open - 1, "append") || file.is(open - 1, "=") || file.is(open - 1, "+=");
}

bool is_of_rocm(std::string_view name) {
  return contains_word(name, "rocm") || contains_word(name, "is_hip") ||
         contains_word(name, "hipcc");
}

template <class Wanted>
bool speaks_of_rocm(const File& file, Wanted wanted) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.tokens()[at].kind == Kind::kName && is_of_rocm(file.text(at)) && wanted(at))
      return true;
  return false;
}

// An argument of the project's own function, which may choose among them.
bool is_for_own_function(const File& file, TokenIndex at) {
  TokenIndex open = file.enclosing(at);
  while (open != kNoToken && !file.is(open, "(")) open = file.enclosing(open);
  if (open == kNoToken || open == 0 || file.tokens()[open - 1].kind != Kind::kName) return false;
  const std::string_view callee = file.text(open - 1);
  return callee != "append" && callee != "extend" && callee != "load" && callee != "load_inline" &&
         !callee.ends_with("Extension");
}

// The code that decides whether a flag is passed: the enclosing function; at the top level of a
// script the outermost enclosing statement, because a script tests for many things in sequence.
bool is_asked_for_rocm(const File& file, StatementIndex index) {
  const FunctionScope scope(file, index);
  TokenRange where = scope.tokens();
  if (!scope.is_function()) {
    const auto all = file.statements();
    StatementIndex first = index;
    const auto go_to_top = [&] {
      while (all[first].parent != kNoStatement) first = all[first].parent;
    };
    go_to_top();
    // An else belongs to its if.
    while (first > 0 &&
           (all[first].kind == StatementKind::kElse || all[first].kind == StatementKind::kElif)) {
      --first;
      go_to_top();
    }
    where = {all[first].tokens.begin, all[index].tokens.end};
  }
  const auto is_in = [&](TokenIndex each) { return where.contains(each); };
  return speaks_of_rocm(file, is_in) || std::ranges::any_of(platform_questions(), [&](auto& name) {
           return std::ranges::any_of(file.occurrences(name), is_in);
         });
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check)) return;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString) continue;
    const std::string value = file.string_value(at);
    const std::string_view flag = flag_at(value);
    const Library* library = flag.empty() ? library_at(value) : nullptr;
    if (flag.empty() && library == nullptr) continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || !is_given(file, at)) continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo) continue;
    // A file for ROCm that also builds for CUDA has a list for each.
    const bool for_rocm =
        check.facts.is_rocm_specific && !speaks_of_rocm(file, [](TokenIndex) { return true; });
    if (!for_rocm && is_asked_for_rocm(file, index)) continue;
    const bool may_be_chosen = check.facts.is_test || is_for_own_function(file, at) ||
                               speaks_of_rocm(file, [](TokenIndex) { return true; }) ||
                               mentions(file, FunctionScope(file, index), platform_questions());
    check.report(file.span(at),
                 for_rocm        ? Confidence::kHigh
                 : may_be_chosen ? Confidence::kLow
                                 : Confidence::kMedium,
                 library != nullptr ? message(*library) : message(flag));
  }
}

// --- CMake ---

// The branches of if() that AMD builds take, from the outside in.
class Branches {
 public:
  void enter(const syntax::build::CMakeCommand& command) {
    if (command.name == "if") {
      const Truth holds = evaluate_cmake_condition(command.arguments, amd_);
      open_.push_back({holds, holds});
    } else if (!open_.empty() && command.name == "elseif") {
      const Truth holds = evaluate_cmake_condition(command.arguments, amd_);
      open_.back().now = holds & !open_.back().before;
      open_.back().before = open_.back().before | holds;
    } else if (!open_.empty() && command.name == "else") {
      open_.back().now = !open_.back().before;
    } else if (!open_.empty() && command.name == "endif") {
      open_.pop_back();
    }
  }
  bool taken() const {
    return std::ranges::none_of(open_, [](const Open& each) { return each.now == Truth::kNo; });
  }

 private:
  struct Open {
    Truth now, before;
  };
  project::CMakeVariables amd_{project::Platform::kAmd};
  std::vector<Open> open_;
};

// Bound to CUDA by the variable's name, by CMake, or by a word of a condition; or only read.
bool is_bound_to_cuda(const syntax::build::CMakeCommand& command) {
  static constexpr std::array<std::string_view, 9> kGive = {"set",
                                                            "list",
                                                            "add_compile_options",
                                                            "target_compile_options",
                                                            "add_definitions",
                                                            "string",
                                                            "option",
                                                            "set_source_files_properties",
                                                            "set_property"};
  if (!is_any(command.name, kGive)) return true;
  if (command.name == "string" && command.text(0) != "APPEND") return true;
  if (command.name == "list" && command.text(0) != "APPEND" && command.text(0) != "PREPEND")
    return true;
  return std::ranges::any_of(command.arguments, [](const syntax::build::CMakeArgument& argument) {
    return contains_word(argument.text, "cuda") || contains_word(argument.text, "nvcc") ||
           contains_word(argument.text, "nvidia") ||
           argument.text.find("DEBUG") != std::string_view::npos;
  });
}

void find_in_cmake(TextCheck& check) {
  const auto commands = syntax::build::read_cmake(check.text);
  const bool knows_hip = contains_word(check.text, "hip") || contains_word(check.text, "rocm");
  Branches branches;
  int definitions = 0;  // enclosing functions and macros, whose callers have made the choice
  for (const syntax::build::CMakeCommand& command : commands.list) {
    branches.enter(command);
    definitions += command.name == "function" || command.name == "macro";
    definitions -= command.name == "endfunction" || command.name == "endmacro";
    // list(REMOVE_ITEM FLAGS --prec-div=false) takes the flag away.
    const bool is_removed = command.name == "list" && command.text(0) == "REMOVE_ITEM";
    if (!branches.taken() || is_removed) continue;
    for (const syntax::build::CMakeArgument& argument : command.arguments) {
      std::string_view text = argument.text;
      const std::size_t dash = text.find('-');
      if (dash == std::string_view::npos) continue;
      const std::string_view flag = flag_at(text.substr(dash));
      if (flag.empty() || (dash > 0 && text[dash - 1] != ' ' && text[dash - 1] != ':')) continue;
      // HIP_CUDA_FLAGS: of HIP on NVIDIA's GPUs.
      const bool for_hip = std::ranges::any_of(command.arguments, [](const auto& each) {
        return (contains_word(each.text, "hip_") || contains_word(each.text, "hipcc")) &&
               !contains_word(each.text, "cuda");
      });
      if (!for_hip && is_bound_to_cuda(command)) continue;
      check.report(argument.span,
                   for_hip                         ? Confidence::kHigh
                   : knows_hip && definitions == 0 ? Confidence::kMedium
                                                   : Confidence::kLow,
                   message(flag));
      break;
    }
  }
}

// --- Makefiles and TOML ---

// The branches of a makefile: ifeq ($(BACKEND),cuda) … else … endif
class MakeBranches {
 public:
  // Is the line in a branch for CUDA alone?
  bool is_for_cuda(std::string_view line) {
    const std::string_view word = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (word.starts_with("ifeq") || word.starts_with("ifdef"))
      open_.push_back(contains_word(word, "cuda") && !contains_word(word, "hip"));
    else if (word.starts_with("ifneq") || word.starts_with("ifndef"))
      open_.push_back(false);
    else if (word.starts_with("else") && !open_.empty())
      open_.back() = false;
    else if (word.starts_with("endif") && !open_.empty())
      open_.pop_back();
    return std::ranges::find(open_, true) != open_.end();
  }

 private:
  std::vector<bool> open_;
};

void find_in_lines(TextCheck& check) {
  const bool knows_hip = contains_word(check.text, "hip") || contains_word(check.text, "rocm");
  MakeBranches branches;
  syntax::for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    line = line.substr(0, line.find('#'));
    if (branches.is_for_cuda(line)) return;
    for (std::size_t at = line.find('-'); at != line.npos; at = line.find('-', at + 1)) {
      if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '"' && line[at - 1] != '\'' &&
          line[at - 1] != '=' && line[at - 1] != '\t')
        continue;
      std::string_view word = line.substr(at);
      word = word.substr(0, word.find_first_of(" \"',)"));
      const std::string_view flag = flag_at(word);
      if (flag.empty()) continue;
      const std::string_view before = line.substr(0, at);
      const bool for_hip = contains_word(before, "hip");
      if (!for_hip && (contains_word(before, "nvcc") || contains_word(before, "cuda"))) return;
      check.report({begin + at, begin + at + word.size()},
                   for_hip     ? Confidence::kHigh
                   : knows_hip ? Confidence::kMedium
                               : Confidence::kLow,
                   message(flag));
      return;
    }
  });
}

void find_in_text(TextCheck& check) {
  const std::string_view path = check.facts.path;
  if (check.facts.is_nvidia_specific) return;
  if (path.ends_with("CMakeLists.txt") || path.ends_with(".cmake")) return find_in_cmake(check);
  find_in_lines(check);
}

}  // namespace

Rule nvcc_flags() {
  return {.code = "HW804",
          .name = "nvcc-flags",
          .summary = "nvcc-only flags passed to every compiler",
          .triggers = {kPythonWords.begin(), kPythonWords.end()},
          .words = {kLibraryWords.begin(), kLibraryWords.end()},
          .python = find,
          .text = find_in_text,
          .text_files = {"CMakeLists.txt", "*.cmake", "Makefile*", "*.mk", "pyproject.toml"}};
}

}  // namespace hipwright::lint::rules
