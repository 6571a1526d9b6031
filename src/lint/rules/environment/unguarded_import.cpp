// SPDX-License-Identifier: MIT
// An NVIDIA-only module is imported on ROCm, too.
//
// ## What it finds
//
// `import pynvml`, `from flash_attn import …`, `import xformers`, `import triton.….nvidia`, `from
// triton.language.extra.cuda import …`, `from cuda import cudart` and similar imports at module
// level, with nothing around them that catches the failure or checks the platform. Also
// `from engine.engine_flash_attn import …`, a package's own copy of such a library that only its
// CUDA build contains, and modules of the project with "cutedsl" in their names. The confidence is
// low in tests, and for modules that AMD provides builds of (flash_attn, xformers,
// transformer_engine, flashinfer); otherwise medium, because the importer of the file may have
// checked the platform.
//
// ## Why it matters
//
// On a ROCm machine the module is missing, or is installed and fails when it looks for libcuda or
// NVML: the whole program cannot be imported, although most of it would run.
//
// ## Example
//
// ```python
// import pynvml
// ```
//
// ## Use instead
//
// ```python
// try:
//     import pynvml
// except ImportError:
//     pynvml = None
// ```
//
// ## When it is not a bug
//
// - The import is in a `try` that catches ImportError, under a platform check, under
//   `TYPE_CHECKING`, in a function that only NVIDIA code calls, or after a test that the module is
//   available.
// - The module is the project's own: its sources are in the tree.
// - The file is NVIDIA-only: its name or directory says so, or its kernels are written in an NVIDIA
//   language.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/path.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

struct Module {
  Name name;
  std::string_view instead;
  bool exists_on_rocm = false;  // AMD's builds of it provide the same module
};
const std::vector<Module> kModules = {
    {Name("pynvml"), "use amdsmi on ROCm"},
    {Name("flash_attn"), "fall back to torch's scaled_dot_product_attention", true},
    {Name("flash_attn_interface"), "it requires Hopper; fall back to flash_attn or SDPA"},
    {Name("flash_attn_2_cuda"), "it is flash_attn's CUDA extension"},
    {Name("flash_attn_cuda"), "it is flash_attn's CUDA extension"},
    {Name("dropout_layer_norm"), "it is a CUDA extension of flash_attn"},
    {Name("fused_dense_lib"), "it is a CUDA extension of flash_attn"},
    {Name("xentropy_cuda_lib"), "it is a CUDA extension of flash_attn"},
    {Name("deep_ep"), "it is NVIDIA-only"},
    {Name("pycuda"), "it is NVIDIA-only"},
    {Name("py3nvml"), "use amdsmi on ROCm"},
    {Name("xformers"), "fall back to torch's scaled_dot_product_attention", true},
    {Name("transformer_engine"), "import it in a try block and do without it", true},
    {Name("tensorrt"), "it is NVIDIA-only"},
    {Name("tensorrt_llm"), "it is NVIDIA-only"},
    {Name("torch_tensorrt"), "it is NVIDIA-only"},
    {Name("flashinfer"), "fall back to another backend", true},
    {Name("deep_gemm"), "it is NVIDIA-only"},
    {Name("nvtx"), "torch.cuda.nvtx works on ROCm"},
    {Name("nvidia"), "nvidia's Python packages are NVIDIA-only"},
};
constexpr std::string_view kOwnBuild = "_flash_attn";
constexpr std::array<std::string_view, 2> kCuteWords = {"cutedsl", "cute_dsl"};
const Name kTypeChecking("TYPE_CHECKING");
const std::array kKernelWords = {Name("cutlass"), Name("cute"), Name("nvvm")};

// The module that a kImport or kFromImport names at `at`: "import a, MODULE", "from MODULE.x
// import".
bool imports(const File& file, const Statement& statement, TokenIndex at) {
  if (statement.kind == StatementKind::kFromImport) return at == statement.tokens.begin + 1;
  if (statement.kind != StatementKind::kImport) return false;
  return at == statement.tokens.begin + 1 || file.is(at - 1, ",");
}

bool for_type_checkers(const File& file, StatementIndex index) {
  for (StatementIndex at = file.statements()[index].parent; at != kNoStatement;
       at = file.statements()[at].parent) {
    const TokenRange header = file.statements()[at].tokens;
    for (TokenIndex token = header.begin; token < header.end; ++token)
      if (file.is(token, kTypeChecking)) return true;
  }
  return false;
}

// if is_flashinfer_available(): …, if ENABLE_JIT_DEEPGEMM: …: a test for the module.
bool is_asked_for(const File& file, StatementIndex index, std::string_view module) {
  std::string joined(module);
  std::erase(joined, '_');
  for (StatementIndex at = file.statements()[index].parent; at != kNoStatement;
       at = file.statements()[at].parent) {
    const TokenRange header = file.statements()[at].tokens;
    if (has_word(file, header, module) || has_word(file, header, joined) ||
        has_word(file, header, "available"))
      return true;
  }
  return false;
}

// Kernels written in an NVIDIA language: the importer has made the choice.
bool is_kernel_source(const File& file) {
  return std::ranges::any_of(kKernelWords, [&](const Name& word) { return file.has(word); });
}

// attention/xformers.py: the file is selected for the module it imports.
bool is_the_modules_backend(std::string_view path, std::string_view module) {
  std::string joined(module);
  std::erase(joined, '_');
  const std::string_view name = project::name_of(path);
  return name.starts_with(module) || name.starts_with(joined);
}

// A module of the project itself: its package or file is in the tree.
bool is_own_package(const PythonCheck& check, std::string_view module) {
  if (check.facts.own_modules != nullptr && check.facts.own_modules->contains(module)) return true;
  const std::string path = "/" + check.facts.path;
  return path.find(fmt::format("/{}/", module)) != std::string::npos;
}

// The first token of the imported path: for triton.backends.nvidia the token of triton.
TokenIndex import_at(const File& file, const Module& module, TokenIndex at) {
  if (module.name.text() != "nvidia" || !file.is(at - 1, ".")) return at;
  TokenIndex first = at;
  while (first >= 2 && file.is(first - 1, ".")) first -= 2;
  return file.is(first, "triton") ? first : at;
}

void look_at(PythonCheck& check, StatementIndex index, TokenRange name, const Module& module) {
  const File& file = check.file;
  // A function imports when it is called, after the choice was made.
  if (file.enclosing_def(index) != kNoStatement) return;
  if (file.runs_on_rocm(index) == Truth::kNo) return;
  if (file.guarded_by_try(index, "ImportError") || for_type_checkers(file, index)) return;
  if (is_asked_for(file, index, module.name.text()) ||
      is_the_modules_backend(check.facts.path, module.name.text()))
    return;
  if (is_own_package(check, file.text(file.statements()[index].tokens.begin + 1))) return;
  // Who imports this file may have made the choice; an optional module may be installed.
  const bool may_be_there = check.facts.is_test || module.exists_on_rocm;
  check.report(file.span(name), may_be_there ? Confidence::kLow : Confidence::kMedium,
               fmt::format("{} is imported on ROCm, too, where it {} missing; {}", file.text(name),
                           module.exists_on_rocm ? "may be" : "is", module.instead));
}

// engine.engine_flash_attn, or engine_flash_attn alone: up to the name of the library.
TokenRange own_build(const File& file, const Statement& statement, std::string_view library) {
  const TokenIndex first = statement.tokens.begin + 1;
  const std::string_view top = file.text(first);
  for (TokenIndex at = first; at < statement.tokens.end; at += 2) {
    const std::string_view part = file.text(at);
    const bool is_its = part.size() > library.size() + 1 && part.ends_with(library) &&
                        part[part.size() - library.size() - 1] == '_' &&
                        (at == first || part.starts_with(top));
    if (is_its) return {first, at + 1};
    if (!file.is(at + 1, ".")) break;
  }
  return {};
}

void find_own_builds(PythonCheck& check, const Module& module) {
  const File& file = check.file;
  if (file.text().find(kOwnBuild) == std::string_view::npos) return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kImport && statement.kind != StatementKind::kFromImport)
      continue;
    const TokenRange name = own_build(file, statement, module.name.text());
    if (!name.empty()) look_at(check, index, name, module);
  }
}

// A module of the project that is written in CuTe DSL by its name: it imports NVIDIA's compiler
// when it is loaded.
const Module kCuteDsl = {Name("cutedsl"), "its kernels need NVIDIA's compiler"};

TokenRange cute_module(const File& file, const Statement& statement) {
  const TokenIndex first = statement.tokens.begin + 1;
  for (TokenIndex at = first; at < statement.tokens.end && !file.is(at, "import"); ++at)
    if (file.tokens()[at].kind == Kind::kName &&
        (contains_word(file.text(at), "cutedsl") || contains_word(file.text(at), "cute_dsl")))
      return {first, at + 1};
  return {};
}

void find_cute_modules(PythonCheck& check) {
  const File& file = check.file;
  if (file.text().find(kCuteWords[0]) == std::string_view::npos &&
      file.text().find(kCuteWords[1]) == std::string_view::npos)
    return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kImport && statement.kind != StatementKind::kFromImport)
      continue;
    const TokenRange name = cute_module(file, statement);
    if (!name.empty()) look_at(check, index, name, kCuteDsl);
  }
}

// import cuda, from cuda.bindings import …: NVIDIA's own Python package; from
// triton.language.extra.cuda import …: Triton's part for NVIDIA.
const Module kCudaPackage = {Name("cuda"), "it is NVIDIA's Python package"};
const Module kTritonCuda = {Name("cuda"),
                            "triton.language.extra provides what all platforms share"};
constexpr std::array<std::string_view, 3> kCudaWords = {"import cuda", "from cuda", "extra.cuda"};

void find_cuda_package(PythonCheck& check) {
  const File& file = check.file;
  if (std::ranges::none_of(kCudaWords, [&](std::string_view words) {
        return file.text().find(words) != std::string_view::npos;
      }))
    return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    const TokenIndex first = statement.tokens.begin + 1;
    if (statement.kind != StatementKind::kImport && statement.kind != StatementKind::kFromImport)
      continue;
    const TokenRange name = file.dotted(first);
    // cuda.tile is a kernel language: code that imports it is for NVIDIA.
    if (file.is(first + 2, "tile")) return;
    if (file.is(first, kCudaPackage.name)) look_at(check, index, name, kCudaPackage);
    if (file.compact(name).starts_with("triton.language.extra.cuda"))
      look_at(check, index, name, kTritonCuda);
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || is_kernel_source(file)) return;
  find_cute_modules(check);
  find_cuda_package(check);
  for (const Module& module : kModules) {
    for (const TokenIndex place : file.occurrences(module.name)) {
      const TokenIndex at = import_at(file, module, place);
      const StatementIndex index = file.statement_at(at);
      if (index != kNoStatement && imports(file, file.statements()[index], at))
        look_at(check, index, {at, place + 1}, module);
    }
    if (kOwnBuild.substr(1) == module.name.text()) find_own_builds(check, module);
  }
}

}  // namespace

Rule unguarded_import() {
  std::vector<Name> triggers;
  for (const Module& module : kModules) triggers.push_back(module.name);
  return {.code = "HW711",
          .name = "unguarded-import",
          .summary = "NVIDIA-only module imported on all platforms",
          .severity = Severity::kError,
          .triggers = std::move(triggers),
          .words = {kOwnBuild, kCuteWords[0], kCuteWords[1], kCudaWords[0], kCudaWords[1],
                    kCudaWords[2]},
          .python = find};
}

}  // namespace hipwright::lint::rules
