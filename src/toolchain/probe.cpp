// SPDX-License-Identifier: MIT
#include "toolchain/probe.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/table.h"
#include "toolchain/dynamic_library.h"
#include "toolchain/home.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The version behind `prefix` in the program's output, or empty. A program that does not run is a
// failure, not one without a version.
std::string version_from(const std::vector<std::string>& argv, std::string_view prefix,
                         std::vector<Error>& failures) {
  const auto finished = run({.argv = argv, .timeout = std::chrono::seconds(20)});
  if (!finished || !finished->ok()) {
    failures.push_back(finished ? Error{"cannot ask for the version", argv.front(),
                                        fmt::format("exit code {}", finished->exit_code), ""}
                                : finished.error());
    return {};
  }
  return following(finished->out + finished->err, prefix,
                   [](char c) { return is_digit(c) || c == '.'; });
}

// Whether a folder `depth` levels below `folder` has the file.
bool has_below(const fs::path& folder, int depth, const char* file) {
  if (depth == 0) return is_there(folder / file);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error) && has_below(entry.path(), depth - 1, file)) return true;
  return false;
}

// Beside this program in a tarball made by tools/package; empty when it is not there.
fs::path bundled(const char* relative) {
  const fs::path folder = home();
  return !folder.empty() && is_there(folder / relative) ? folder / relative : fs::path();
}

std::string first_line(const fs::path& path) {
  const auto text = read_file(path);
  return text ? text->substr(0, text->find_first_of("\r\n")) : std::string();
}

std::optional<Found> found_library(const std::vector<std::string>& names,
                                   const char* version_symbol) {
  for (const std::string& name : names) {
    const auto library = DynamicLibrary::open(name);
    if (!library) continue;
    Found found{library->path(), {}};
    // hiprtcVersion and nvrtcVersion have one signature, and neither needs a GPU.
    using Version = int (*)(int*, int*);
    int major = 0, minor = 0;
    const auto version = library->function<Version>(version_symbol);
    if (version && version(&major, &minor) == 0) found.version = fmt::format("{}.{}", major, minor);
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::string following(std::string_view text, std::string_view prefix, bool (*belongs)(char)) {
  const std::size_t at = text.find(prefix);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + prefix.size());
  return {rest.begin(), std::ranges::find_if_not(rest, belongs)};
}

fs::path Clang::tool(std::string_view name) const {
  // <prefix>/lib/clang/22 → <prefix>/bin
  return resource_dir.parent_path().parent_path().parent_path() / "bin" / name;
}

Result<Clang> find_clang() {
  const std::string chosen = environment("HIPWRIGHT_CLANG");
  const fs::path own = bundled("llvm/bin/clang++");
  const std::string wanted = !chosen.empty() ? chosen
                             : !own.empty()  ? own.string()
                                             : fmt::format("clang++-{}", kClangMajor);
  const auto program = find_program(wanted);
  if (!program)
    return fail(
        "cannot find the compiler", wanted,
        chosen.empty() ? "not found in PATH" : "HIPWRIGHT_CLANG does not name a program",
        fmt::format("Install it: apt-get install clang-{0} lld-{0} clang-tools-{0}", kClangMajor));
  // The resource folder is next to the real binary; querying the compiler would take 40 ms per
  // call.
  std::error_code error;
  const fs::path real = fs::canonical(*program, error);
  const fs::path libraries = real.parent_path().parent_path() / "lib/clang";
  const fs::path resource_dir = libraries / std::to_string(kClangMajor);
  if (error || !is_there(resource_dir / "include/__clang_hip_runtime_wrapper.h"))
    return fail("cannot use the compiler", program->string(),
                fmt::format("not clang {} (no {})", kClangMajor, resource_dir.string()),
                fmt::format("Install clang-{}, or set HIPWRIGHT_CLANG to its path.", kClangMajor));
  return Clang{*program, {}, resource_dir};
}

Result<fs::path> find_device_libs() {
  std::vector<fs::path> candidates;
  if (const std::string chosen = environment("HIPWRIGHT_DEVICE_LIBS"); !chosen.empty()) {
    candidates = {chosen};
  } else {
    if (const fs::path own = bundled("amdgcn/bitcode"); !own.empty()) return own;
    candidates = {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                  "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode",
                  "/usr/amdgcn/bitcode"};
  }
  for (const fs::path& candidate : candidates)
    if (is_there(candidate / "ocml.bc") && is_there(candidate / "ockl.bc")) return candidate;
  return fail("cannot find the AMD device libraries", candidates.front().string(),
              "ocml.bc and ockl.bc not found",
              "Install them: apt-get install rocm-device-libs (or name their directory in "
              "HIPWRIGHT_DEVICE_LIBS).");
}

std::optional<Missing> missing_host_files(const fs::path& root) {
  std::vector<std::string> lacking;
  if (!is_there(root / "usr/include/stdlib.h")) lacking.emplace_back("C library headers");
  // usr/include/c++/12/cstdlib, usr/lib/gcc/x86_64-linux-gnu/12/crtbegin.o
  if (!has_below(root / "usr/include/c++", 1, "cstdlib"))
    lacking.emplace_back("C++ standard library headers");
  if (!has_below(root / "usr/lib/gcc", 2, "crtbegin.o")) lacking.emplace_back("libgcc");
  if (lacking.empty()) return std::nullopt;
  return Missing{fmt::format("{}", fmt::join(lacking, ", ")), "compiling host code",
                 "apt-get install g++ (Debian, Ubuntu) or dnf install gcc-c++ (Fedora)"};
}

Result<Clang> find_hip_compiler() {
  HW_TRY(Clang clang, find_clang());
  if (const auto missing = missing_host_files())
    return fail("cannot compile HIP with", clang.cxx.string(),
                fmt::format("this machine lacks: {}", missing->what),
                fmt::format("Install them: {}", missing->how));
  return clang;
}

fs::path rocm_path() {
  const fs::path prefix = environment("ROCM_PATH");
  return is_there(prefix / kSdkMarker) ? fs::path() : prefix;
}

std::optional<Rocm> find_rocm() {
  for (const fs::path& prefix : {rocm_path(), fs::path("/opt/rocm")}) {
    if (prefix.empty() || is_there(prefix / kSdkMarker)) continue;
    if (is_there(prefix / "bin/hipcc") && is_there(prefix / "include/hip/hip_runtime.h"))
      return Rocm{prefix, first_line(prefix / ".info/version")};
  }
  return std::nullopt;
}

std::optional<fs::path> find_nvcc() {
  for (const std::string& root :
       {environment("CUDA_PATH"), environment("CUDA_HOME"), std::string("/usr/local/cuda")}) {
    if (!root.empty() && is_there(fs::path(root) / "bin/nvcc")) return fs::path(root) / "bin/nvcc";
  }
  return find_program("nvcc");
}

std::string gpu_of_node(std::string_view properties) {
  const std::string digits = following(properties, "gfx_target_version ", is_digit);
  if (digits.empty() || digits.size() > 9) return {};
  const unsigned long version = std::stoul(digits);  // 90402 is gfx942, 90010 is gfx90a
  if (version == 0) return {};
  return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

std::vector<std::string> gpus_in_topology(const fs::path& nodes) {
  std::vector<std::string> gpus;
  std::error_code error;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(nodes, error)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    const auto properties = read_file(folder / "properties");
    if (!properties) continue;
    if (std::string gpu = gpu_of_node(*properties); !gpu.empty()) gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::vector<std::string> local_gpus() {
  return gpus_in_topology("/sys/class/kfd/kfd/topology/nodes");
}

Toolchain probe_toolchain() {
  Toolchain found;
  if (auto clang = find_clang()) {
    found.clang = *clang;
    found.clang->version =
        version_from({clang->cxx.string(), "--version"}, "clang version ", found.failures);
    const std::vector<std::pair<const char*, std::string>> parts = {
        {"ld.lld", fmt::format("lld-{}", kClangMajor)},
        {"clang-offload-bundler", fmt::format("clang-tools-{}", kClangMajor)},
        {"llvm-as", fmt::format("llvm-{}", kClangMajor)}};
    for (const auto& [tool, package] : parts)
      if (!is_there(clang->tool(tool)))
        found.missing.push_back({tool, "linking HIP programs", "apt-get install " + package});
  } else {
    found.missing.push_back(
        {fmt::format("clang {}", kClangMajor), "compiling HIP without ROCm",
         fmt::format("apt-get install clang-{0} lld-{0} llvm-{0} clang-tools-{0}", kClangMajor)});
  }
  if (auto missing = missing_host_files()) found.missing.push_back(*std::move(missing));
  if (auto libs = find_device_libs())
    found.device_libs = *libs;
  else
    found.missing.push_back({"AMD device libraries", "device math, printf and malloc without ROCm",
                             "apt-get install rocm-device-libs"});
  found.rocm = find_rocm();
  if (!found.rocm)
    found.missing.push_back({"ROCm", "running on an AMD GPU; compiling works without it",
                             "install ROCm 6 or newer from AMD"});
  found.hiprtc = found_library(hiprtc_library_names(), "hiprtcVersion");
  found.nvrtc = found_library(nvrtc_library_names(), "nvrtcVersion");
  if (const auto nvcc = find_nvcc())
    found.nvcc = {*nvcc, version_from({nvcc->string(), "--version"}, "release ", found.failures)};
  if (!found.nvrtc)
    found.missing.push_back(
        {"NVRTC", "compiling kernels for NVIDIA GPUs", "install NVIDIA's CUDA toolkit"});
  found.gpus = local_gpus();
  return found;
}

std::string toolchain_text(const Toolchain& toolchain, bool colour) {
  Table table({"tool", "version", "where"});
  const auto add = [&](const char* name, const std::optional<Found>& found) {
    table.add({name, found ? found->version : "", found ? found->path.string() : "not found"});
  };
  const auto& clang = toolchain.clang;
  add("clang", clang ? std::optional(Found{clang->cxx, clang->version}) : std::nullopt);
  add("device libraries",
      toolchain.device_libs ? std::optional(Found{*toolchain.device_libs, {}}) : std::nullopt);
  add("ROCm", toolchain.rocm ? std::optional(Found{toolchain.rocm->prefix, toolchain.rocm->version})
                             : std::nullopt);
  add("HIPRTC", toolchain.hiprtc);
  add("nvcc", toolchain.nvcc);
  add("NVRTC", toolchain.nvrtc);
  std::string text = table.text(colour);
  text += fmt::format(
      "\nAMD GPUs here: {}\n",
      toolchain.gpus.empty() ? "none" : fmt::to_string(fmt::join(toolchain.gpus, ", ")));
  for (const Missing& missing : toolchain.missing)
    text += fmt::format("missing: {} (for {}): {}\n", missing.what, missing.needed, missing.how);
  return text;
}

Json toolchain_json(const Toolchain& toolchain) {
  const auto found = [](const std::optional<Found>& tool) {
    return tool ? Json{{"path", tool->path.string()}, {"version", tool->version}} : Json(nullptr);
  };
  Json json;
  const auto& clang = toolchain.clang;
  json["clang"] = clang ? Json{{"path", clang->cxx.string()},
                               {"version", clang->version},
                               {"resource_dir", clang->resource_dir.string()}}
                        : Json(nullptr);
  json["device_libs"] =
      toolchain.device_libs ? Json(toolchain.device_libs->string()) : Json(nullptr);
  json["rocm"] = toolchain.rocm ? Json{{"path", toolchain.rocm->prefix.string()},
                                       {"version", toolchain.rocm->version}}
                                : Json(nullptr);
  json["hiprtc"] = found(toolchain.hiprtc);
  json["nvcc"] = found(toolchain.nvcc);
  json["nvrtc"] = found(toolchain.nvrtc);
  json["gpus"] = toolchain.gpus;
  json["missing"] = Json::array();
  for (const Missing& missing : toolchain.missing)
    json["missing"].push_back(
        {{"what", missing.what}, {"for", missing.needed}, {"how", missing.how}});
  return json;
}

}  // namespace hipwright::toolchain
