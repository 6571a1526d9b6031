// SPDX-License-Identifier: MIT
#include "toolchain/driver.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "arch/processors.h"
#include "arch/target.h"
#include "base/words.h"
#include "toolchain/library_table.h"
#include "toolchain/response_file.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// clang options that take the next word as their value, which is then not an input file.
constexpr std::array<std::string_view, 36> kTakesValue = {"-o",
                                                          "-x",
                                                          "-I",
                                                          "-L",
                                                          "-l",
                                                          "-D",
                                                          "-U",
                                                          "-F",
                                                          "-T",
                                                          "-u",
                                                          "-e",
                                                          "-z",
                                                          "-B",
                                                          "-A",
                                                          "-G",
                                                          "-include",
                                                          "-imacros",
                                                          "-isystem",
                                                          "-iquote",
                                                          "-idirafter",
                                                          "-isysroot",
                                                          "-iprefix",
                                                          "-iwithprefix",
                                                          "-MF",
                                                          "-MT",
                                                          "-MQ",
                                                          "-Xclang",
                                                          "-Xlinker",
                                                          "-Xassembler",
                                                          "-Xpreprocessor",
                                                          "-Xarch_host",
                                                          "-Xarch_device",
                                                          "-Xoffload-linker",
                                                          "-mllvm",
                                                          "-target",
                                                          "--param"};

enum class Stage { kQuery, kPreprocess, kSyntax, kAssembly, kObject, kLink };

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The user's arguments, as far as the driver needs them.
struct Survey {
  Stage stage = Stage::kLink;
  std::vector<std::size_t> inputs;      // positions of file names in the arguments
  std::vector<std::size_t> hip_inputs;  // those that hipcc compiles as HIP
  std::vector<std::size_t> c_inputs;    // those that hipcc compiles as C, as clang++ would not
  std::vector<std::string> archs;       // named with --offload-arch
  bool has_language = false;            // the user gave -x
  bool says_hip = false;                // -x hip, or a .hip file
  bool names_optimisation = false;      // -O…
  bool hip_link = false;
  bool wave64 = false;
  bool device_only = false;
  bool dependencies_only = false;  // -M, -MM
  std::string output;
};

bool is_hip_source(std::string_view file, Driver driver) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".hip") return true;
  if (driver != Driver::kHipcc) return false;
  if (extension == ".cu") return true;
  const bool is_cxx = extension == ".cpp" || extension == ".cc" || extension == ".cxx" ||
                      extension == ".C" || extension == ".c++" || extension == ".cp";
  return is_cxx && environment("HIP_COMPILE_CXX_AS_HIP") != "0";
}

Survey survey(const DriverRequest& request) {
  Survey found;
  const auto& words = request.arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto is = [&](std::string_view text) { return word == text; };
    if (is("-E") || is("-M") || is("-MM")) found.stage = Stage::kPreprocess;
    if (is("-fsyntax-only")) found.stage = Stage::kSyntax;
    if (is("-S") || (is("-emit-llvm") && found.stage == Stage::kLink))
      found.stage = Stage::kAssembly;
    if (is("-c") && found.stage == Stage::kLink) found.stage = Stage::kObject;
    found.hip_link |= is("--hip-link");
    found.wave64 |= is("-mwavefrontsize64");
    found.device_only |= is("--cuda-device-only") || is("--offload-device-only") || is("--genco");
    found.names_optimisation |= word.starts_with("-O");
    if (word.starts_with("--offload-arch=")) found.archs.push_back(word.substr(15));
    found.dependencies_only |= is("-M") || is("-MM");
    if (word.starts_with("-x") && !word.starts_with("-Xarch")) {
      const std::string language =
          word == "-x" && i + 1 < words.size() ? words[i + 1] : word.substr(2);
      found.has_language |= language != "none";
      found.says_hip |= language == "hip";
    }
    if (word.starts_with("-o") && word.size() > 2 && !word.starts_with("-object"))
      found.output = word.substr(2);
    if (is("-o") && i + 1 < words.size()) found.output = words[i + 1];
    const bool takes_value =
        std::find(kTakesValue.begin(), kTakesValue.end(), word) != kTakesValue.end() ||
        word.starts_with("-Xarch_");
    if (takes_value) {
      ++i;
    } else if (is("-") || !word.starts_with('-')) {
      found.inputs.push_back(i);
      found.says_hip |= fs::path(word).extension() == ".hip" && !found.has_language;
      if (!found.has_language && is_hip_source(word, request.driver)) found.hip_inputs.push_back(i);
      if (!found.has_language && request.driver == Driver::kHipcc &&
          fs::path(word).extension() == ".c")
        found.c_inputs.push_back(i);
    }
  }
  if (found.inputs.empty()) found.stage = Stage::kQuery;
  return found;
}

std::vector<fs::path> outputs_of(const Survey& found, const std::vector<std::string>& words) {
  if (found.stage < Stage::kAssembly || found.output == "-") return {};
  if (!found.output.empty()) return {found.output};
  if (found.device_only) return {};
  if (found.stage == Stage::kLink) return {"a.out"};
  if (found.stage != Stage::kObject) return {};
  // With an explicit language, every input is HIP; otherwise those with a HIP extension.
  std::vector<fs::path> outputs;
  for (const std::size_t input : found.has_language ? found.inputs : found.hip_inputs)
    outputs.emplace_back(fs::path(words[input]).stem().string() + ".o");
  return outputs;
}

// For names that clang will reject, or that are newer than our table: a hint, not an error.
void note_unknown_archs(const Survey& found, std::vector<std::string>& notes) {
  for (const std::string& name : found.archs) {
    if (name == "native") continue;
    if (const auto targets = arch::parse_targets(name); !targets)
      notes.push_back(targets.error().message());
  }
}

bool contains(const std::vector<std::size_t>& positions, std::size_t position) {
  return std::find(positions.begin(), positions.end(), position) != positions.end();
}

// "-lhipblas", or the library by its name: "/…/libhipblas.so".
bool names_library(std::string_view word, const std::vector<std::string>& names) {
  if (word.starts_with("-l")) return is_any(word.substr(2), names);
  const std::string file = fs::path(word).filename();
  return std::ranges::any_of(
      names, [&](const std::string& name) { return file.starts_with("lib" + name + ".so"); });
}

// Whether the call links one of the libraries that were added.
bool links_added(const Survey& found, const std::vector<std::string>& words, const Sdk& sdk) {
  if (!sdk.added || found.stage != Stage::kLink || found.device_only) return false;
  const std::vector<std::string> names = sdk.added->link_names();
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return names_library(word, names); });
}

void append_from_environment(const char* variable, std::vector<std::string>& argv) {
  for (std::string& word : response_file_words(environment(variable)))
    argv.push_back(std::move(word));
}

}  // namespace

Result<DriverRequest> parse_driver_words(const std::vector<std::string>& given) {
  HW_TRY(const std::vector<std::string> words, with_response_files(given));
  DriverRequest request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    // The value of "--name=value" or "--name value"; null when the word is something else.
    const auto value = [&](std::string_view name) -> std::optional<std::string> {
      if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=')
        return word.substr(name.size() + 1);
      if (word == name && i + 1 < words.size()) return words[++i];
      return std::nullopt;
    };
    if (word == "--arch" && i + 1 == words.size())
      return fail("`--arch` needs a target", "", "", "For example: --arch gfx942,gfx1100");
    if (const auto archs = value("--arch")) {
      HW_TRY(const auto targets, arch::parse_targets(*archs));
      for (const arch::Target& target : targets) request.archs.push_back(target.id());
    } else if (const auto sdk = value("--sdk")) {
      if (*sdk != "own" && *sdk != "rocm")
        return fail("unknown SDK", *sdk, "", "Use --sdk own or --sdk rocm.");
      request.sdk = *sdk == "own" ? SdkChoice::kOwn : SdkChoice::kRocm;
    } else if (const auto rocm = value("--rocm")) {
      HW_TRY(const Release* const release, chosen_release(*rocm));
      request.rocm = release->name;
    } else if (word == "--resources") {
      request.resources = ResourceReport::kTable;
    } else if (word == "--resources=json") {
      request.resources = ResourceReport::kJson;
    } else if (word.starts_with("--resources=")) {
      return fail("unknown format of the resource report", word.substr(12), "expected json",
                  "Use --resources or --resources=json.");
    } else if (word == "--driver=clang++" || word == "--driver=clang") {
      request.driver = Driver::kClang;
      request.c_compiler = word == "--driver=clang";
    } else if (word == "--driver=hipcc") {
      request.driver = Driver::kHipcc;
    } else if (word == "--genco") {
      // hipcc's spelling for "the device code alone".
      request.arguments.push_back("--cuda-device-only");
    } else if (word.starts_with("--amdgpu-target=")) {
      // hipcc's old name for it.
      request.arguments.push_back("--offload-arch=" + word.substr(16));
    } else if (word.starts_with("-parallel-jobs=")) {
      // AMD's clang has this name for what clang calls --offload-jobs.
      request.arguments.push_back("--offload-jobs=" + word.substr(15));
    } else if (word.starts_with("--offload-arch=") && word.find(',') != std::string::npos) {
      std::string_view rest = std::string_view(word).substr(15);
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        request.arguments.push_back("--offload-arch=" + std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    } else {
      request.wants_version |= word == "--version";
      request.arguments.push_back(word);
    }
  }
  return request;
}

Result<DriverPlan> plan_own(const DriverRequest& request, const DriverEnvironment& world) {
  const Survey found = survey(request);
  DriverPlan plan;
  std::vector<std::string>& argv = plan.argv;
  argv.push_back(request.c_compiler ? world.clang.tool("clang").string()
                                    : world.clang.cxx.string());

  const bool compiles_hip = found.says_hip || !found.hip_inputs.empty();
  const bool hipcc = request.driver == Driver::kHipcc;
  const bool links_hip = found.stage == Stage::kLink && !found.device_only &&
                         (hipcc || found.hip_link || compiles_hip);
  const bool compiles_any = found.stage != Stage::kQuery && compiles_hip;

  argv.push_back("--rocm-path=" + world.sdk.prefix.string());
  argv.push_back("-Wno-unused-command-line-argument");
  if (compiles_any) {
    // Explicit paths instead of clang's own (-nogpuinc), which come last: a HIP installed in
    // /usr/include would take precedence over them.
    const fs::path builtin = world.clang.resource_dir / "include";
    argv.insert(argv.end(),
                {"-nogpuinc", "--rocm-device-lib-path=" + world.sdk.bitcode().string()});
    for (const std::string& word : {std::string("-isystem"), (builtin / "cuda_wrappers").string(),
                                    std::string("-isystem"), world.sdk.include().string()})
      argv.push_back(word);
    plan.wrapper = argv.size();
    argv.insert(argv.end(), {"-include", "__clang_hip_runtime_wrapper.h"});
    // Several targets are compiled side by side.
    argv.push_back("--offload-jobs=2");
    if (found.wave64) argv.insert(argv.end(), {"-Xarch_device", "-D__HW_WAVE_SIZE=64"});
  } else if (hipcc && found.stage != Stage::kQuery) {
    argv.insert(argv.end(), {"-isystem", world.sdk.include().string()});
  }
  if (hipcc && found.stage != Stage::kQuery) {
    argv.emplace_back("-D__HIP_PLATFORM_AMD__=1");
    // One rule for make, instead of one per target with bundle marks between them.
    if (found.dependencies_only && !found.device_only) argv.emplace_back("--cuda-host-only");
  }

  if (hipcc && found.stage != Stage::kQuery && !found.names_optimisation) argv.emplace_back("-O3");

  const bool needs_arch = (compiles_any || (links_hip && hipcc)) && found.archs.empty();
  std::vector<std::string> archs = request.archs;
  if (archs.empty() && needs_arch) {
    archs = world.default_archs;
    if (archs.empty()) {
      archs.emplace_back(arch::kDefaultTarget);
      if (compiles_any)
        plan.notes.push_back(fmt::format(
            "no target given and no AMD GPU found; compiling for {} (choose with --arch, "
            "--offload-arch or HCC_AMDGPU_TARGET)",
            arch::kDefaultTarget));
    }
  }
  // clang takes a target for plain C as an OpenMP target.
  if (compiles_any || links_hip)
    for (const std::string& arch : archs) argv.push_back("--offload-arch=" + arch);

  note_unknown_archs(found, plan.notes);

  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    const char* const language = contains(found.hip_inputs, i) ? "hip"
                                 : contains(found.c_inputs, i) ? "c"
                                                               : nullptr;
    if (language != nullptr) argv.insert(argv.end(), {"-x", language});
    argv.push_back(request.arguments[i]);
    if (language != nullptr) argv.insert(argv.end(), {"-x", "none"});
  }
  if (hipcc && compiles_any) append_from_environment("HIPCC_COMPILE_FLAGS_APPEND", argv);

  if (links_hip) {
    argv.push_back("-no-hip-rt");
    if (!found.hip_link) argv.push_back("--hip-link");
    // bfloat16 conversions on the host are in compiler-rt and not in Debian 12's libgcc.
    argv.insert(argv.end(), {"--rtlib=compiler-rt", "-unwindlib=libgcc"});
    argv.insert(argv.end(), {"-L" + world.sdk.lib().string(), "-lamdhip64"});
    if (hipcc) append_from_environment("HIPCC_LINK_FLAGS_APPEND", argv);
  }
  if (links_added(found, request.arguments, world.sdk))
    for (const std::string& each : world.sdk.added->linker_arguments())
      argv.push_back("-Wl," + each);
  plan.outputs = outputs_of(found, request.arguments);
  return plan;
}

DriverPlan plan_rocm(const DriverRequest& request, const Rocm& rocm) {
  DriverPlan plan;
  const bool hipcc = request.driver == Driver::kHipcc;
  const fs::path bin = rocm.prefix / "bin";
  plan.argv.push_back((bin / (hipcc                ? "hipcc"
                              : request.c_compiler ? "amdclang"
                                                   : "amdclang++"))
                          .string());
  for (const std::string& arch : request.archs) plan.argv.push_back("--offload-arch=" + arch);
  plan.argv.insert(plan.argv.end(), request.arguments.begin(), request.arguments.end());
  plan.outputs = outputs_of(survey(request), request.arguments);
  return plan;
}

Result<std::vector<std::string>> default_archs() {
  std::vector<std::string> archs;
  if (const std::string named = environment("HCC_AMDGPU_TARGET"); !named.empty()) {
    HW_TRY(const auto targets, arch::parse_targets(named));
    for (const arch::Target& target : targets) archs.push_back(target.id());
    return archs;
  }
  archs = local_gpus();
  std::sort(archs.begin(), archs.end());
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
  return archs;
}

}  // namespace hipwright::toolchain
