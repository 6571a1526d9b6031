// SPDX-License-Identifier: MIT
#include "port/build/flags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace hipwright::port {

namespace {

constexpr std::string_view kDetected = "hipcc detects the GPU, or --offload-arch names it";
constexpr std::string_view kPtxas = "for NVIDIA's assembler";
constexpr std::string_view kAllowed = "clang allows it by default";
constexpr std::string_view kSame = "the same";
constexpr std::string_view kOwn = "nvcc's own";
constexpr std::string_view kHost = "clang compiles host code itself";
constexpr std::string_view kOneOption =
    "clang has one option for division and square root, and is exact without it";
constexpr std::string_view kNumber = "a setting of NVIDIA's compiler";
constexpr std::string_view kLibrary = "its counterpart";

// What --use_fast_math means: it flushes denormals, and divides, takes roots and computes sines and
// logarithms approximately. Contraction is on by default. Infinities and NaN remain, and none of
// these options changes host code. -ffast-math would assume finite numbers, on the host
// too.
constexpr std::string_view kFastMath =
    "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt "
    "-fgpu-approx-transcendentals";

enum class Form {
  kWord,    // exactly this
  kValue,   // this, and its value in the next word; or joined by '='
  kPasses,  // the same, and the value stays, after `now`
};

struct Flag {
  std::string_view name;  // without dashes: nvcc accepts long names with one or two
  Form form;
  std::string_view now;  // empty: dropped
  std::string_view reason;
  bool is_anyones = false;  // other programs have an option of that name
};

constexpr std::array kFlags = std::to_array<Flag>({
    {"arch", Form::kValue, "", kDetected, true},
    {"gpu-architecture", Form::kValue, "", kDetected},
    {"gencode", Form::kValue, "", kDetected},
    {"generate-code", Form::kValue, "", kDetected},
    {"code", Form::kValue, "", kDetected, true},
    {"gpu-code", Form::kValue, "", kDetected},
    {"Xptxas", Form::kValue, "", kPtxas},
    {"ptxas-options", Form::kValue, "", kPtxas},
    {"Xnvlink", Form::kValue, "", "for NVIDIA's linker"},
    {"nvlink-options", Form::kValue, "", "for NVIDIA's linker"},
    {"maxrregcount", Form::kValue, "", "use __launch_bounds__ instead"},
    {"ccbin", Form::kValue, "", kHost},
    {"compiler-bindir", Form::kValue, "", kHost},
    {"diag-suppress", Form::kValue, "", kNumber},
    {"diag-error", Form::kValue, "", kNumber},
    {"diag-warn", Form::kValue, "", kNumber},
    {"Xcudafe", Form::kValue, "", "an option for a component of NVIDIA's compiler"},
    {"cudafe-options", Form::kValue, "", "an option for a component of NVIDIA's compiler"},
    {"threads", Form::kValue, "", kOwn, true},
    {"t", Form::kValue, "", kOwn, true},
    {"split-compile", Form::kValue, "", kOwn},
    {"keep-dir", Form::kValue, "", "clang keeps them in its output directory", true},
    {"cudart", Form::kValue, "", "the HIP runtime is a shared library"},
    {"compress-mode", Form::kValue, "", kOwn},
    {"machine", Form::kValue, "", "a 64-bit machine's", true},
    {"allow-unsupported-compiler", Form::kWord, "", kHost},
    {"forward-unknown-to-host-compiler", Form::kWord, "", "one compiler does both"},
    {"forward-unknown-opts", Form::kWord, "", "one compiler does both"},
    {"Wno-deprecated-gpu-targets", Form::kWord, "", "about NVIDIA's GPUs"},
    {"err-no", Form::kWord, "", kNumber, true},
    {"display-error-number", Form::kWord, "", kNumber},
    {"no-display-error-number", Form::kWord, "", kNumber},
    {"extra-device-vectorization", Form::kWord, "", "clang does so by default"},
    {"restrict", Form::kWord, "", "clang has no such option: write __restrict__", true},
    {"res-usage", Form::kWord, "-Rpass-analysis=kernel-resource-usage", kSame},
    {"resource-usage", Form::kWord, "-Rpass-analysis=kernel-resource-usage", kSame},
    {"rdc=false", Form::kWord, "", "clang's default"},
    {"relocatable-device-code=false", Form::kWord, "", "clang's default"},
    {"src-in-ptx", Form::kWord, "", "there is no PTX"},
    {"source-in-ptx", Form::kWord, "", "there is no PTX"},
    {"expt-relaxed-constexpr", Form::kWord, "", kAllowed},
    {"expt-extended-lambda", Form::kWord, "", kAllowed},
    {"extended-lambda", Form::kWord, "", kAllowed},
    {"lineinfo", Form::kWord, "-gline-tables-only", kSame},
    {"generate-line-info", Form::kWord, "-gline-tables-only", kSame},
    {"use_fast_math", Form::kWord, kFastMath, "what it means, for device code only"},
    {"rdc=true", Form::kWord, "-fgpu-rdc", kSame},
    {"relocatable-device-code=true", Form::kWord, "-fgpu-rdc", kSame},
    {"dc", Form::kWord, "-fgpu-rdc -c", kSame, true},
    {"device-c", Form::kWord, "-fgpu-rdc -c", kSame},
    {"dw", Form::kWord, "-fgpu-rdc -c", kSame, true},
    {"device-w", Form::kWord, "-fgpu-rdc -c", kSame},
    {"ptx", Form::kWord, "--genco", "AMD code for hipModuleLoad", true},
    {"cubin", Form::kWord, "--genco", "AMD code for hipModuleLoad"},
    {"fatbin", Form::kWord, "--genco", "AMD code for hipModuleLoad"},
    {"lib", Form::kWord, "--emit-static-lib", kSame, true},
    {"G", Form::kWord, "-ggdb -O0", kSame, true},
    {"device-debug", Form::kWord, "-ggdb -O0", kSame},
    {"default-stream=per-thread", Form::kWord, "-fgpu-default-stream=per-thread", kSame},
    {"default-stream=legacy", Form::kWord, "", "HIP's default"},
    {"keep", Form::kWord, "--save-temps", kSame, true},
    {"dryrun", Form::kWord, "-###", kSame, true},
    {"disable-warnings", Form::kWord, "-w", kSame, true},
    {"ftz=true", Form::kWord, "-fgpu-flush-denormals-to-zero", kSame},
    {"ftz=false", Form::kWord, "-fno-gpu-flush-denormals-to-zero", kSame},
    {"prec-div=true", Form::kWord, "-fhip-fp32-correctly-rounded-divide-sqrt", kSame},
    {"prec-sqrt=true", Form::kWord, "-fhip-fp32-correctly-rounded-divide-sqrt", kSame},
    {"prec-div=false", Form::kWord, "", kOneOption},
    {"prec-sqrt=false", Form::kWord, "", kOneOption},
    {"fmad=false", Form::kWord, "-ffp-contract=off", kSame},
    {"fmad=true", Form::kWord, "", "clang's default for HIP"},
    {"linker-options", Form::kPasses, "-Xlinker ", kSame, true},
    {"include-path", Form::kPasses, "-I", kSame, true},
    {"library-path", Form::kPasses, "-L", kSame, true},
    {"output-file", Form::kPasses, "-o ", kSame, true},
    {"lcudart", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"lcudart_static", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"lcuda", Form::kWord, "-lamdhip64", "HIP's runtime"},
    {"lcudadevrt", Form::kWord, "", "HIP has no device runtime"},
    {"lcudadevrt_static", Form::kWord, "", "HIP has no device runtime"},
    {"lculibos", Form::kWord, "", "one of NVIDIA's static libraries"},
    {"lnvptxcompiler_static", Form::kWord, "", "there is no PTX"},
    {"lnvrtc", Form::kWord, "-lhiprtc", kLibrary},
    {"lnvrtc_static", Form::kWord, "-lhiprtc", kLibrary},
    {"lcublas", Form::kWord, "-lhipblas", kLibrary},
    {"lcublas_static", Form::kWord, "-lhipblas", kLibrary},
    {"lcublasLt", Form::kWord, "-lhipblaslt", kLibrary},
    {"lcublasLt_static", Form::kWord, "-lhipblaslt", kLibrary},
    {"lcurand", Form::kWord, "-lhiprand", kLibrary},
    {"lcufft", Form::kWord, "-lhipfft", kLibrary},
    {"lcusparse", Form::kWord, "-lhipsparse", kLibrary},
    {"lcusparseLt", Form::kWord, "-lhipsparselt", kLibrary},
    {"lcusolver", Form::kWord, "-lhipsolver", kLibrary},
    {"lcutensor", Form::kWord, "-lhiptensor", kLibrary},
    {"lcurand_static", Form::kWord, "-lhiprand", kLibrary},
    {"lcufft_static", Form::kWord, "-lhipfft", kLibrary},
    {"lcufft_static_nocallback", Form::kWord, "-lhipfft", kLibrary},
    {"lcusparse_static", Form::kWord, "-lhipsparse", kLibrary},
    {"lcusolver_static", Form::kWord, "-lhipsolver", kLibrary},
    {"lcudnn", Form::kWord, "-lMIOpen", kLibrary},
    {"lnccl", Form::kWord, "-lrccl", kLibrary},
    {"lnccl_static", Form::kWord, "-lrccl", kLibrary},
    {"lnvToolsExt", Form::kWord, "-lroctx64", kLibrary},
    {"lnvidia-ml", Form::kWord, "-lamd_smi", kLibrary},
});

std::string_view without_dashes(std::string_view word) {
  if (!word.starts_with('-')) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word;
}

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// MSVC's options and those of clang. Others are about its warnings, libraries and debugger.
struct OfMsvc {
  std::string_view option, now;
};
constexpr std::array kMsvc = std::to_array<OfMsvc>({{"/O1", "-O1"},
                                                    {"/O2", "-O2"},
                                                    {"/Ox", "-O2"},
                                                    {"/Od", "-O0"},
                                                    {"/Zi", "-g"},
                                                    {"/Z7", "-g"},
                                                    {"/Wall", "-Wall"},
                                                    {"/W3", "-Wall"},
                                                    {"/W4", "-Wall"},
                                                    {"/WX", "-Werror"},
                                                    {"/fp:fast", ""},
                                                    {"/openmp", "-fopenmp"},
                                                    {"/openmp:llvm", "-fopenmp"},
                                                    {"/permissive-", ""}});

// /O2, /std:c++17, /DNAME; not /usr/include, which is a path.
bool is_of_msvc(std::string_view word) {
  return word.size() > 1 && word[0] == '/' && word.find('/', 1) == std::string_view::npos &&
         std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

std::string without_msvc(std::string_view word) {
  if (!is_of_msvc(word)) return std::string(word);
  if (word.starts_with("/std:")) return fmt::format("-std={}", word.substr(5));
  if (word[1] == 'D' || word[1] == 'I' || word[1] == 'U') return fmt::format("-{}", word.substr(1));
  const auto known = std::ranges::find(kMsvc, word, &OfMsvc::option);
  return known == kMsvc.end() ? std::string() : std::string(known->now);
}

// "-Wall,-O3" and "'-Wall','-O3'", one word each. A comma in brackets is a function's.
std::string one_by_one(std::string_view list) {
  list = list.find("',") == std::string_view::npos && list.find("\",") == std::string_view::npos
             ? unquoted(list)
             : list;
  std::string out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '(' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == '>') --depth;
    if (c != ',' || (depth > 0 && at < list.size())) continue;
    const std::string_view words = unquoted(list.substr(begin, at - begin));
    begin = at + 1;
    // Several words in quotes stay several.
    for (std::size_t from = 0; from < words.size();) {
      const std::size_t end = std::min(words.find(' ', from), words.size());
      const std::string word = without_msvc(words.substr(from, end - from));
      from = end + 1;
      if (word.empty()) continue;
      if (!out.empty()) out += ' ';
      out += word;
    }
  }
  return out;
}

// Mathematics of host code alone, which device code must not get: it would assume finite numbers.
std::string on_host(const std::string& words) {
  constexpr std::array<std::string_view, 6> kMath = {"-Ofast",
                                                     "-fassociative-math",
                                                     "-ffast-math",
                                                     "-ffinite-math-only",
                                                     "-freciprocal-math",
                                                     "-funsafe-math-optimizations"};
  std::string out;
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t end = std::min(words.find(' ', from), words.size());
    const std::string_view word = std::string_view(words).substr(from, end - from);
    const bool is_math = std::ranges::find(kMath, word) != kMath.end();
    out += fmt::format("{}{}{}", out.empty() ? "" : " ", is_math ? "-Xarch_host " : "", word);
    from = end + 1;
  }
  return out;
}

// -Xcompiler -Wall,-O3: the host compiler is the same one.
std::optional<FlagChange> for_host(std::string_view name, std::string_view next) {
  for (const std::string_view pass : {"Xcompiler", "compiler-options", "Xlinker"}) {
    if (!name.starts_with(pass)) continue;
    const std::string_view rest = name.substr(pass.size());
    const bool is_joined = rest.starts_with("=");
    if (!is_joined && !rest.empty()) continue;
    const std::string_view value = is_joined ? rest.substr(1) : next;
    if (pass == "Xlinker") {
      if (value.empty()) return std::nullopt;  // clang has it, too
      return FlagChange{"-Wl," + std::string(unquoted(value)), kSame, !is_joined};
    }
    return FlagChange{on_host(one_by_one(value)), "one compiler does both", !is_joined};
  }
  return std::nullopt;
}

bool names_nvidias_gpu(std::string_view value) {
  return value.find("sm_") != std::string_view::npos ||
         value.find("compute_") != std::string_view::npos ||
         value.find('$') != std::string_view::npos || value == "native" || value == "all" ||
         value == "all-major";
}

// -Werror all-warnings and the like: nvcc's takes a list of kinds.
std::optional<FlagChange> warnings(std::string_view name, std::string_view next) {
  const bool is_joined = name.starts_with("Werror=");
  if (name != "Werror" && !is_joined) return std::nullopt;
  const std::string_view kinds = is_joined ? name.substr(7) : next;
  constexpr std::array<std::string_view, 5> kNvccs = {
      "all-warnings", "cross-execution-space-call", "default-stream-launch",
      "ext-lambda-captures-this", "missing-launch-bounds"};
  if (std::none_of(kNvccs.begin(), kNvccs.end(), [&](std::string_view kind) {
        return kinds.find(kind) != std::string_view::npos;
      }))
    return std::nullopt;
  const bool is_all = kinds.find("all-warnings") != std::string_view::npos;
  return FlagChange{is_all ? "-Werror" : "", "nvcc's warning categories", !is_joined};
}

// nvcc accepts `-rdc true` for `-rdc=true`.
std::optional<FlagChange> in_two_words(std::string_view name, std::string_view next, FlagOf of) {
  for (const std::string_view each :
       {"rdc", "relocatable-device-code", "ftz", "fmad", "prec-div", "prec-sqrt", "default-stream"})
    if (name == each) {
      auto change = translate_flag("-" + std::string(name) + "=" + std::string(next), {}, of);
      if (change) change->takes_next = true;
      return change;
    }
  if (of == FlagOf::kNvcc && name == "std" && next.starts_with("c++"))
    return FlagChange{"-std=" + std::string(next), kSame, true};
  if (of == FlagOf::kNvcc && name == "m" && next == "64") return FlagChange{"-m64", kSame, true};
  return std::nullopt;
}

}  // namespace

std::optional<FlagChange> translate_flag(std::string_view word, std::string_view next, FlagOf of) {
  const std::string_view name = without_dashes(word);
  if (name.empty()) return std::nullopt;
  if (name.starts_with('l') && word.starts_with("--")) return std::nullopt;
  if (auto change = for_host(name, next)) return change;
  if (auto change = warnings(name, next)) return change;
  if (auto change = in_two_words(name, next, of)) return change;
  if (word == "-x" && next == "cu") return FlagChange{"-x hip", "the language", true};
  if (word == "-x=cu") return FlagChange{"-x hip", "the language"};
  for (const Flag& flag : kFlags) {
    if (!name.starts_with(flag.name)) continue;
    const std::string_view rest = name.substr(flag.name.size());
    const bool is_joined = flag.form != Form::kWord && rest.starts_with('=');
    if (!rest.empty() && !is_joined) continue;
    if (flag.is_anyones && of == FlagOf::kAnyones &&
        !(flag.reason == kDetected && names_nvidias_gpu(is_joined ? rest.substr(1) : next)))
      return std::nullopt;
    std::string now(flag.now);
    if (flag.form == Form::kPasses) now += is_joined ? rest.substr(1) : next;
    return FlagChange{std::move(now), flag.reason, flag.form != Form::kWord && !is_joined};
  }
  return std::nullopt;
}

std::string_view advice_on_flag(std::string_view word) {
  struct Advice {
    std::string_view name, advice;
  };
  constexpr std::array kAdvice = std::to_array<Advice>({
      {"dlink",
       "HIP links device code with the program: remove this step, compile with -fgpu-rdc, and link "
       "with hipcc -fgpu-rdc --hip-link"},
      {"device-link",
       "HIP links device code with the program: remove this step, compile with -fgpu-rdc, and link "
       "with hipcc -fgpu-rdc --hip-link"},
      {"run", "run the program in a separate step"},
      {"optf", "hipcc reads options from a file with @FILE; translate the nvcc options in it"},
      {"options-file",
       "hipcc reads options from a file with @FILE; translate the nvcc options in it"},
      {"cuda", "hipcc -E preprocesses; there is no counterpart of the .ii file"},
      {"gpu", "use --genco, which writes a file for hipModuleLoad"},
      {"odir", "name the output with -o"},
      {"output-directory", "name the output with -o"},
      {"lcufftw", "use FFTW itself, or hipFFT's own functions"},
      {"lcupti", "use rocprofiler-sdk"},
      {"lnvjpeg", "use rocJPEG"},
      {"lnvgraph", "ROCm has no counterpart"},
      {"lcufile", "ROCm has no counterpart"},
      {"lnvJitLink", "use hiprtcLink* of hipRTC"},
      {"lcusolverMg", "ROCm has no counterpart"},
  });
  const std::string_view name = without_dashes(word);
  if (name.empty()) return {};
  for (const Advice& each : kAdvice)
    if (name == each.name) return each.advice;
  if (word.starts_with("-lnpp")) return "RPP has some NPP functions under other names";
  return {};
}

bool chooses_gpu(std::string_view word) {
  const auto flag = translate_flag(word, {});
  return flag && flag->reason == kDetected;
}

bool asks_for_device_link(std::string_view word, std::string_view next) {
  const std::string_view name = without_dashes(word);
  if ((name == "rdc" || name == "relocatable-device-code") && next == "true") return true;
  constexpr std::array<std::string_view, 6> kWords = {
      "dc", "device-c", "dw", "device-w", "rdc=true", "relocatable-device-code=true"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace hipwright::port
