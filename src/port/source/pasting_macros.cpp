// SPDX-License-Identifier: MIT
#include "port/source/pasting_macros.h"

#include <algorithm>
#include <array>

#include "port/source/own_names.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

bool begins_cuda_name(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "cuda",     "cu",    "cublas", "cublasLt", "cufft", "curand", "cusparse",
      "cusolver", "cudnn", "nccl",   "nvrtc",    "CUDA",  "CUBLAS", "CUDNN"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

bool begins_warp_function(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kWords = {"__shfl", "__ballot", "__any",
                                                             "__all",  "__match",  "__reduce"};
  return text == "_sync" || std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
           return text.starts_with(word);
         });
}

bool is_part_of_cuda_name(const cu::File& file, cu::TokenIndex token) {
  if (token >= file.tokens().size() || file.tokens()[token].kind != cu::Kind::kName) return false;
  const std::string_view text = file.text(token);
  return begins_cuda_name(text) || begins_warp_function(text) || looks_like_cuda(text);
}

void PastingMacros::read(const cu::File& file) {
  for (const cu::Macro& macro : file.macros()) {
    if (!macro.is_function && macro.body.empty()) continue;
    bool pastes = false, of_cuda = false;
    for (cu::TokenIndex at = macro.body.begin; at < macro.body.end; ++at) {
      if (file.tokens()[at].kind == cu::Kind::kPunct && file.tokens()[at].id == cu::punct("##")) {
        pastes = true;
        of_cuda |= is_part_of_cuda_name(file, at - 1) || is_part_of_cuda_name(file, at + 1);
      } else if (macro.is_function && file.tokens()[at].kind == cu::Kind::kName &&
                 at + 1 < macro.body.end && file.is(at + 1, "(")) {
        calls_[file.text(macro.name)].push_back(file.text(at));
      }
    }
    if (pastes && macro.is_function)
      kinds_[file.text(macro.name)] = of_cuda ? Kind::kOfCuda : Kind::kAny;
  }
}

// CAT(a, b) that calls CAT_(a, b) pastes, too.
void PastingMacros::finish() {
  for (int step = 0; step < 4; ++step)
    for (const auto& [name, calls] : calls_)
      if (!kinds_.contains(name))
        for (const std::string_view called : calls)
          if (const auto known = kinds_.find(called); known != kinds_.end()) {
            kinds_.emplace(name, known->second);
            break;
          }
  calls_.clear();
  for (const auto& [name, kind] : kinds_) filter_.set(mark_of(name));
}

}  // namespace hipwright::port
