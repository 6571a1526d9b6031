// SPDX-License-Identifier: MIT
#include "port/source/own_names.h"

#include <algorithm>
#include <array>

#include "port/api/api.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

constexpr std::array<std::string_view, 14> kPrefixes = {
    "cuda",  "cublasLt", "cublas", "cufft", "curand", "cusparse", "cusolver",
    "cudnn", "nccl",     "nvml",   "nvrtc", "nvtx",   "cutensor", "nvjpeg"};
constexpr std::array<std::string_view, 9> kCapitalPrefixes = {
    "CUDA_", "CUBLAS_", "CUFFT_", "CURAND_", "CUSPARSE_", "CUSOLVER_", "CUDNN_", "NVML_", "NVRTC_"};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool matters(std::string_view name) {
  return looks_like_cuda(name) || api::find(name) != nullptr;
}

// The name that a type's definition introduces, when a token begins one.
cu::TokenIndex type_defined_at(const cu::File& file, cu::TokenIndex at) {
  const auto next_is = [&](cu::TokenIndex token, const char* punctuator) {
    return token < file.tokens().size() && file.is(token, punctuator);
  };
  const std::string_view word = file.text(at);
  if (word == "struct" || word == "class" || word == "enum" || word == "union") {
    const bool is_scoped = file.text(at + 1) == "class" || file.text(at + 1) == "struct";
    const cu::TokenIndex name = at + (is_scoped ? 2 : 1);
    return next_is(name + 1, "{") || next_is(name + 1, ":") ? name : cu::kNoToken;
  }
  if (word == "using") return next_is(at + 2, "=") ? at + 1 : cu::kNoToken;
  if (word != "typedef") return cu::kNoToken;
  const cu::TokenRange statement = file.statement(at);
  cu::TokenIndex end = statement.end;  // the typedef of a struct goes on behind its braces
  while (end < file.tokens().size() && !file.is(end, ";")) ++end;
  return end > at && file.tokens()[end - 1].kind == cu::Kind::kName ? end - 1 : cu::kNoToken;
}

void collect(const cu::File& file, std::unordered_set<std::string_view>& names) {
  const auto add = [&](cu::TokenIndex name) {
    if (name != cu::kNoToken && matters(file.text(name))) names.insert(file.text(name));
  };
  for (const cu::Macro& macro : file.macros()) add(macro.name);
  for (const cu::Function& function : file.functions())
    // CUDA's own functions are declared again by some; what it has not is the project's.
    if (!function.body.empty() || api::find(file.text(function.name)) == nullptr)
      add(function.name);
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at + 3 < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const std::string_view word = file.text(at);
    if (word.size() < 4 || word.size() > 7) continue;
    if (word == "struct" || word == "class" || word == "enum" || word == "union" ||
        word == "using" || word == "typedef")
      add(type_defined_at(file, at));
  }
}

}  // namespace

bool looks_like_cuda(std::string_view name) {
  const auto has = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix);
  };
  if (name.size() < 4) return false;
  if (name[0] == 'c' || name[0] == 'n')
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
      return has(prefix) && (is_upper(name[prefix.size()]));
    });
  return (name[0] == 'C' || name[0] == 'N') &&
         std::any_of(kCapitalPrefixes.begin(), kCapitalPrefixes.end(), has);
}

OwnNames::OwnNames(const Tree& tree) {
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    if (file->is_header()) {
      collect(*file->cuda(), shared_);
      continue;
    }
    std::unordered_set<std::string_view> names;
    collect(*file->cuda(), names);
    if (!names.empty()) local_.emplace(file.get(), std::move(names));
  }
}

bool OwnNames::has(std::string_view name, const SourceFile& file) const {
  if (shared_.contains(name)) return true;
  const auto local = local_.find(&file);
  return local != local_.end() && local->second.contains(name);
}

}  // namespace hipwright::port
