// SPDX-License-Identifier: MIT
#include "trace/trace.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace hipwright::trace {

std::uint32_t Names::id(std::string_view text) {
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

namespace {

// The names in a mangled one, where the demangler does not know its types: "_ZN2ck4gemmI…" is
// ck::gemm.
std::string mangled_path(std::string_view name) {
  std::size_t at = name.starts_with("_ZN") ? 3 : 2;
  std::string out;
  while (at < name.size() && name[at] >= '0' && name[at] <= '9') {
    std::size_t length = 0;
    while (at < name.size() && name[at] >= '0' && name[at] <= '9' && length < name.size())
      length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
    if (length == 0 || length > name.size() - at) break;
    const std::string_view word = name.substr(at, length);
    if (!word.starts_with("_GLOBAL__N")) out += (out.empty() ? "" : "::") + std::string(word);
    at += length;
  }
  return out.empty() ? std::string(name) : out;
}

std::string demangled(std::string_view name) {
  if (!name.starts_with("_Z")) return std::string(name);
  int status = 0;
  const std::string text(name.substr(0, name.find(' ')));
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? plain.get() : mangled_path(name);
}

// Without what stands between angle brackets, braces and the arguments at the end.
std::string without_arguments(std::string_view name) {
  if (name.find(" -> ") != std::string_view::npos)
    return std::string(name);  // "Memcpy DtoH (Device -> Host)"
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (name.substr(i).starts_with("(anonymous namespace)::")) {
      i += 22;
      continue;
    }
    if (c == '<' || c == '{' || c == '(') ++depth;
    if (depth == 0) out += c;
    if ((c == '>' || c == '}' || c == ')') && depth > 0) --depth;
  }
  return out;
}

// The function object that an elementwise or reduction kernel applies says more than the kernel's
// name.
std::string functor_of(std::string_view name) {
  for (std::string_view end : {"_kernel_cuda", "CUDAKernelImpl", "Functor_add", "Functor",
                               "_functor", "Ops", "_kernel("}) {
    for (std::size_t at = name.find(end); at != std::string_view::npos;
         at = name.find(end, at + 1)) {
      const std::size_t begin = name.find_last_of(":<,( ", at) + 1;
      std::string word(name.substr(begin, at + end.size() - begin));
      if (word.starts_with("Binary") || word.starts_with("AUnary") || word.starts_with("BUnary") ||
          word.starts_with("TensorList"))
        continue;
      if (word.ends_with('(')) word.pop_back();
      return word;
    }
  }
  return {};
}

}  // namespace

std::string short_name(std::string_view name) {
  constexpr std::size_t kLongest = 72;
  const std::string plain = demangled(name);
  std::string out = without_arguments(plain);
  if (out.starts_with("void ")) out.erase(0, 5);
  for (std::string_view prefix : {"at::native::", "at::cuda::", "ck_tile::", "rocprim::"})
    if (out.starts_with(prefix)) out.erase(0, prefix.size());
  while (!out.empty() && out.back() == ' ') out.pop_back();
  if (out.find("elementwise") != std::string::npos ||
      out.find("reduce_kernel") != std::string::npos || out.starts_with("multi_tensor_apply"))
    if (const std::string functor = functor_of(plain); !functor.empty()) out += " " + functor;
  if (out.starts_with("Cijk_"))
    if (const std::size_t tile = out.find("_MT"); tile != std::string::npos)
      out =
          out.substr(0, out.find('_', 15)) + "…" + out.substr(tile, out.find('_', tile + 1) - tile);
  if (out.empty()) out = plain;
  if (out.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80) --end;
    out = out.substr(0, end) + "…";
  }
  return out;
}

}  // namespace hipwright::trace
