// SPDX-License-Identifier: MIT
#include "port/build/flags.h"

#include <algorithm>
#include <array>

namespace hipwright::port {

namespace {

constexpr std::string_view kDetected = "the GPU is detected, or named with --offload-arch";
constexpr std::string_view kPtxas = "for NVIDIA's assembler";
constexpr std::string_view kAllowed = "clang allows it without being asked";

enum class Form {
  kWord,   // exactly this
  kValue,  // this, and its value in the next word; or joined by '='
};

struct Flag {
  std::string_view text;
  Form form;
  std::string_view now;  // empty: dropped
  std::string_view reason;
};

constexpr std::array kFlags = std::to_array<Flag>({
    {"-arch", Form::kValue, "", kDetected},
    {"--gpu-architecture", Form::kValue, "", kDetected},
    {"-gencode", Form::kValue, "", kDetected},
    {"--generate-code", Form::kValue, "", kDetected},
    {"-code", Form::kValue, "", kDetected},
    {"--gpu-code", Form::kValue, "", kDetected},
    {"-Xptxas", Form::kValue, "", kPtxas},
    {"--ptxas-options", Form::kValue, "", kPtxas},
    {"-Xnvlink", Form::kValue, "", "for NVIDIA's linker"},
    {"-maxrregcount", Form::kValue, "", "use __launch_bounds__ instead"},
    {"--maxrregcount", Form::kValue, "", "use __launch_bounds__ instead"},
    {"-ccbin", Form::kValue, "", "clang compiles host code itself"},
    {"--compiler-bindir", Form::kValue, "", "clang compiles host code itself"},
    {"-diag-suppress", Form::kValue, "", "a number of NVIDIA's compiler"},
    {"--diag-suppress", Form::kValue, "", "a number of NVIDIA's compiler"},
    {"-Xcudafe", Form::kValue, "", "for a part of NVIDIA's compiler"},
    {"--threads", Form::kValue, "", "nvcc's own"},
    {"-t", Form::kValue, "", "nvcc's own"},
    {"-split-compile", Form::kValue, "", "nvcc's own"},
    {"--split-compile", Form::kValue, "", "nvcc's own"},
    {"-cudart", Form::kValue, "", "HIP's runtime is shared"},
    {"--cudart", Form::kValue, "", "HIP's runtime is shared"},
    {"-prec-div", Form::kValue, "", "clang divides exactly unless -ffast-math says otherwise"},
    {"--prec-div", Form::kValue, "", "clang divides exactly unless -ffast-math says otherwise"},
    {"-prec-sqrt", Form::kValue, "", "clang takes exact roots unless -ffast-math says otherwise"},
    {"--prec-sqrt", Form::kValue, "", "clang takes exact roots unless -ffast-math says otherwise"},
    {"--compress-mode", Form::kValue, "", "nvcc's own"},
    {"-compress-mode", Form::kValue, "", "nvcc's own"},
    {"-allow-unsupported-compiler", Form::kWord, "", "clang compiles host code itself"},
    {"--allow-unsupported-compiler", Form::kWord, "", "clang compiles host code itself"},
    {"-forward-unknown-to-host-compiler", Form::kWord, "", "one compiler does both"},
    {"--forward-unknown-to-host-compiler", Form::kWord, "", "one compiler does both"},
    {"-Wno-deprecated-gpu-targets", Form::kWord, "", "about NVIDIA's GPUs"},
    {"-restrict", Form::kWord, "", "clang has no such promise: write __restrict__"},
    {"--restrict", Form::kWord, "", "clang has no such promise: write __restrict__"},
    {"-res-usage", Form::kWord, "-Rpass-analysis=kernel-resource-usage", "the same"},
    {"--resource-usage", Form::kWord, "-Rpass-analysis=kernel-resource-usage", "the same"},
    {"-dlink", Form::kWord, "-fgpu-rdc --hip-link", "the same"},
    {"--device-link", Form::kWord, "-fgpu-rdc --hip-link", "the same"},
    {"-rdc=false", Form::kWord, "", "clang's default"},
    {"--relocatable-device-code=false", Form::kWord, "", "clang's default"},
    {"-src-in-ptx", Form::kWord, "", "there is no PTX"},
    {"--source-in-ptx", Form::kWord, "", "there is no PTX"},
    {"--expt-relaxed-constexpr", Form::kWord, "", kAllowed},
    {"-expt-relaxed-constexpr", Form::kWord, "", kAllowed},
    {"--expt-extended-lambda", Form::kWord, "", kAllowed},
    {"-expt-extended-lambda", Form::kWord, "", kAllowed},
    {"--extended-lambda", Form::kWord, "", kAllowed},
    {"-extended-lambda", Form::kWord, "", kAllowed},
    {"-lineinfo", Form::kWord, "-gline-tables-only", "the same"},
    {"--generate-line-info", Form::kWord, "-gline-tables-only", "the same"},
    {"--use_fast_math", Form::kWord, "-ffast-math", "the same"},
    {"-use_fast_math", Form::kWord, "-ffast-math", "the same"},
    {"-rdc=true", Form::kWord, "-fgpu-rdc", "the same"},
    {"--relocatable-device-code=true", Form::kWord, "-fgpu-rdc", "the same"},
    {"-dc", Form::kWord, "-fgpu-rdc -c", "the same"},
    {"--device-c", Form::kWord, "-fgpu-rdc -c", "the same"},
    {"-G", Form::kWord, "-ggdb -O0", "the same"},
    {"--device-debug", Form::kWord, "-ggdb -O0", "the same"},
    {"--default-stream=per-thread", Form::kWord, "-fgpu-default-stream=per-thread", "the same"},
    {"--keep", Form::kWord, "--save-temps", "the same"},
    {"-ftz=true", Form::kWord, "-fgpu-flush-denormals-to-zero", "the same"},
    {"--ftz=true", Form::kWord, "-fgpu-flush-denormals-to-zero", "the same"},
    {"-fmad=false", Form::kWord, "-ffp-contract=off", "the same"},
    {"--fmad=false", Form::kWord, "-ffp-contract=off", "the same"},
    {"-lcudart", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"-lcudart_static", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"-lcuda", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"-lcudadevrt", Form::kWord, "", "HIP has no device runtime"},
    {"-lcudadevrt_static", Form::kWord, "", "HIP has no device runtime"},
    {"-lculibos", Form::kWord, "", "a part of NVIDIA's static libraries"},
    {"-lnvptxcompiler_static", Form::kWord, "", "there is no PTX"},
    {"-lnvrtc", Form::kWord, "-lhiprtc", "its counterpart"},
    {"-lcublas", Form::kWord, "-lhipblas", "its counterpart"},
    {"-lcublas_static", Form::kWord, "-lhipblas", "its counterpart"},
    {"-lcublasLt", Form::kWord, "-lhipblaslt", "its counterpart"},
    {"-lcublasLt_static", Form::kWord, "-lhipblaslt", "its counterpart"},
    {"-lcurand", Form::kWord, "-lhiprand", "its counterpart"},
    {"-lcufft", Form::kWord, "-lhipfft", "its counterpart"},
    {"-lcusparse", Form::kWord, "-lhipsparse", "its counterpart"},
    {"-lcusolver", Form::kWord, "-lhipsolver", "its counterpart"},
    {"-lcurand_static", Form::kWord, "-lhiprand", "its counterpart"},
    {"-lcufft_static", Form::kWord, "-lhipfft", "its counterpart"},
    {"-lcusparse_static", Form::kWord, "-lhipsparse", "its counterpart"},
    {"-lcusolver_static", Form::kWord, "-lhipsolver", "its counterpart"},
    {"-lcudnn", Form::kWord, "-lMIOpen", "its counterpart"},
    {"-lnccl", Form::kWord, "-lrccl", "its counterpart"},
    {"-lnvToolsExt", Form::kWord, "-lroctx64", "its counterpart"},
    {"-lnvidia-ml", Form::kWord, "-lamd_smi", "its counterpart"},
});

// -Xcompiler -Wall,-O3: the host's compiler is the same one.
std::optional<FlagChange> for_host(std::string_view word, std::string_view next) {
  constexpr std::array<std::string_view, 3> kPasses = {"-Xcompiler", "--compiler-options",
                                                       "-Xlinker"};
  for (const std::string_view pass : kPasses) {
    if (!word.starts_with(pass)) continue;
    std::string_view rest = word.substr(pass.size());
    const bool is_joined = rest.starts_with("=");
    if (!is_joined && !rest.empty()) continue;
    std::string value(is_joined ? rest.substr(1) : next);
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    if (pass == "-Xlinker") return FlagChange{"-Wl," + value, "the same", !is_joined};
    std::replace(value.begin(), value.end(), ',', ' ');
    return FlagChange{value, "one compiler does both", !is_joined};
  }
  return std::nullopt;
}

}  // namespace

std::optional<FlagChange> translate_flag(std::string_view word, std::string_view next) {
  if (word.size() < 2 || word[0] != '-') return std::nullopt;
  if (auto change = for_host(word, next)) return change;
  if (word == "-x" && next == "cu") return FlagChange{"-x hip", "the language", true};
  if (word == "--default-stream" || word == "-default-stream")
    return FlagChange{next == "per-thread" ? "-fgpu-default-stream=per-thread" : "", "the same",
                      true};
  for (const Flag& flag : kFlags) {
    if (!word.starts_with(flag.text)) continue;
    const std::string_view rest = word.substr(flag.text.size());
    if (rest.empty())
      return FlagChange{std::string(flag.now), flag.reason, flag.form == Form::kValue};
    if (flag.form == Form::kValue && rest[0] == '=')
      return FlagChange{std::string(flag.now), flag.reason};
  }
  return std::nullopt;
}

}  // namespace hipwright::port
