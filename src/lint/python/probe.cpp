// SPDX-License-Identifier: MIT
#include "lint/python/probe.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"

namespace hipwright::lint {

using namespace syntax::python;
using syntax::Name;

namespace {

// Functions that probe for features.
const std::array kProbes = {Name("import_module"),
                            Name("find_spec"),
                            Name("CDLL"),
                            Name("get_device_properties"),
                            Name("get_device_name"),
                            Name("get_device_capability"),
                            Name("device_count"),
                            Name("gcnArchName"),
                            Name("amdsmi"),
                            Name("amdsmi_init"),
                            Name("nvmlInit"),
                            Name("pynvml"),
                            Name("rocminfo"),
                            Name("load_library"),
                            Name("__import__"),
                            Name("mem_get_info"),
                            Name("get_arch_list"),
                            Name("hip")};
const Name kOps("ops");
const Name kTorch("torch");

// Modules whose absence says nothing about a GPU's features.
constexpr std::array<std::string_view, 22> kCommonModules = {
    "torch",          "transformers", "numpy",      "os",       "sys",     "json",    "typing",
    "importlib",      "packaging",    "subprocess", "logging",  "pathlib", "re",      "time",
    "socket",         "PIL",          "tqdm",       "requests", "math",    "inspect", "pandas",
    "huggingface_hub"};

// import aiter, from flash_attn import f; not modules that every program has. Of the project's own
// modules, those about platforms and kernels.
bool imports_a_feature(const PythonCheck& check, const Statement& statement) {
  const File& file = check.file;
  if (statement.kind != StatementKind::kImport && statement.kind != StatementKind::kFromImport)
    return false;
  const TokenIndex module = statement.tokens.begin + 1;
  if (file.tokens()[module].kind != Kind::kName) return false;  // from . import x
  const std::string_view name = file.text(module);
  const std::string path = "/" + check.facts.path;
  if (path.find(fmt::format("/{}/", name)) != std::string::npos)
    return std::ranges::any_of(
        std::array<std::string_view, 5>{"rocm", "hip", "aiter", "kernel", "platform"},
        [&](std::string_view word) { return has_word(file, statement.tokens, word); });
  return std::ranges::find(kCommonModules, name) == kCommonModules.end();
}

// metadata("package"), importlib.metadata.version("package"): is it installed?
bool asks_for_package(const File& file, TokenIndex token) {
  if (token < 2 || (file.is(token - 1, ".") && !file.is(token - 2, "metadata"))) return false;
  return (file.is(token, "metadata") || file.is(token, "version")) && file.is(token + 1, "(") &&
         file.tokens()[token + 2].kind == Kind::kString && file.is(token + 3, ")");
}

// torch.ops.name(…), ops.name(…): is the kernel available?
bool asks_for_kernel(const File& file, TokenIndex token) {
  return file.is(token, kOps) && file.is(token + 1, ".") &&
         (token < 2 || !file.is(token - 1, ".") || file.is(token - 2, kTorch));
}

// Words in the names of functions that query the machine.
constexpr std::array<std::string_view, 18> kAsking = {
    "cuda", "hip",  "rocm", "gpu", "device", "driver",  "target",    "arch",   "capabilit",
    "nccl", "rccl", "nvml", "smi", "triton", "library", "signature", "kernel", "backend"};

bool asks_by_name(const File& file, TokenIndex token) {
  if (file.tokens()[token].kind != Kind::kName || !file.is(token + 1, "(")) return false;
  const TokenRange name = file.dotted(token);
  return std::ranges::any_of(kAsking, [&](std::string_view word) {
    // "search" contains "arch".
    return has_word(file, name, word) && !(word == "arch" && has_word(file, name, "search"));
  });
}

// subprocess.check_output(["rocminfo"]): runs a program that queries the machine.
bool asks_a_program(const File& file, TokenIndex token) {
  static constexpr std::array<std::string_view, 7> kPrograms = {
      "rocm", "smi", "hipcc", "hipconfig", "nvcc", "numa", "nvidia"};
  if (file.tokens()[token].kind != Kind::kString) return false;
  TokenIndex open = file.enclosing(token);
  if (open != kNoToken && file.is(open, "[")) open = file.enclosing(open);
  if (open == kNoToken || open == 0 || !file.is(open, "(")) return false;
  static constexpr std::array<std::string_view, 7> kCalls = {
      "run", "check_output", "check_call", "call", "Popen", "getoutput", "popen"};
  return is_any(file.text(open - 1), kCalls) &&
         std::ranges::any_of(kPrograms, [&](std::string_view word) {
           return contains_word(file.text(token), word);
         });
}

}  // namespace

// From another package: names in the path of this file are the project's own.
bool imports_another_package(const PythonCheck& check, const Statement& statement) {
  if (!imports_a_feature(check, statement)) return false;
  const std::string_view name = check.file.text(statement.tokens.begin + 1);
  return ("/" + check.facts.path).find(fmt::format("/{}/", name)) == std::string::npos;
}

// A few lines that probe for something; a long block does more than that.
bool is_probe(const PythonCheck& check, StatementIndex attempt) {
  const File& file = check.file;
  constexpr StatementIndex kLongest = 4;
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end - attempt - 1 > kLongest) return false;
  for (StatementIndex at = attempt + 1; at < end; ++at)
    if (imports_a_feature(check, file.statements()[at])) return true;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return asks_for_kernel(file, token) || asks_for_package(file, token) ||
           std::ranges::any_of(kProbes, [&](const Name& name) { return file.is(token, name); });
  });
}

// A few lines that import something or query the machine.
bool asks_for_something(const File& file, StatementIndex attempt) {
  constexpr StatementIndex kLongest = 8;
  const StatementIndex end = file.statements()[attempt].block_end;
  if (end - attempt > kLongest) return false;
  for (StatementIndex at = attempt + 1; at < end; ++at)
    if (const StatementKind kind = file.statements()[at].kind;
        kind == StatementKind::kImport || kind == StatementKind::kFromImport)
      return true;
  return asks_the_machine(file, attempt);
}

bool asks_the_machine(const File& file, StatementIndex attempt) {
  return any_token(file, attempt + 1, file.statements()[attempt].block_end, [&](TokenIndex token) {
    return asks_by_name(file, token) || asks_a_program(file, token);
  });
}

// Does the failing code have to do with a GPU? Elsewhere a broad handler is a matter of taste.
bool concerns_a_gpu(const File& file, StatementIndex attempt, StatementIndex handler) {
  static constexpr std::array<std::string_view, 11> kWords = {"torch",  "tensor", "cuda", "gpu",
                                                              "device", "triton", "hip",  "rocm",
                                                              "kernel", "dtype",  "numa"};
  const StatementIndex end = file.statements()[handler].block_end;
  return any_token(file, attempt + 1, end, [&](TokenIndex token) {
    return file.tokens()[token].kind == Kind::kName &&
           std::ranges::any_of(kWords, [&](std::string_view word) {
             return contains_word(file.text(token), word);
           });
  });
}

}  // namespace hipwright::lint
