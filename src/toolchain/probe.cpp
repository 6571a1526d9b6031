// SPDX-License-Identifier: MIT
#include "toolchain/probe.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "base/pattern.h"
#include "base/process.h"
#include "base/table.h"
#include "toolchain/dynamic_library.h"

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

// The first group of `pattern` in what the program prints, or empty.
std::string version_from(const std::vector<std::string>& argv, const char* pattern) {
  const auto finished = run({.argv = argv, .timeout = std::chrono::seconds(20)});
  if (!finished) return {};
  const auto match = Pattern(pattern).find(finished->out + finished->err);
  return match.empty() ? std::string() : match[1];
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

fs::path Clang::tool(std::string_view name) const {
  // <prefix>/lib/clang/22 → <prefix>/bin
  return resource_dir.parent_path().parent_path().parent_path() / "bin" / name;
}

Result<Clang> find_clang() {
  const std::string chosen = environment("HIPWRIGHT_CLANG");
  const std::string wanted = chosen.empty() ? fmt::format("clang++-{}", kClangMajor) : chosen;
  const auto program = find_program(wanted);
  if (!program)
    return fail(
        "cannot find the compiler", wanted,
        chosen.empty() ? "it is not in PATH" : "HIPWRIGHT_CLANG names no program",
        fmt::format("Install it: apt-get install clang-{0} lld-{0} clang-tools-{0}", kClangMajor));
  // The resource folder lies beside the real binary; asking the compiler would cost 40 ms a call.
  std::error_code error;
  const fs::path real = fs::canonical(*program, error);
  const fs::path libraries = real.parent_path().parent_path() / "lib/clang";
  const fs::path resource_dir = libraries / std::to_string(kClangMajor);
  if (error || !is_there(resource_dir / "include/__clang_hip_runtime_wrapper.h"))
    return fail("cannot use the compiler", program->string(),
                fmt::format("it is not clang {} (no {})", kClangMajor, resource_dir.string()),
                fmt::format("Install clang-{}, or name one in HIPWRIGHT_CLANG.", kClangMajor));
  return Clang{*program, {}, resource_dir};
}

Result<fs::path> find_device_libs() {
  std::vector<fs::path> candidates;
  if (const std::string chosen = environment("HIPWRIGHT_DEVICE_LIBS"); !chosen.empty()) {
    candidates = {chosen};
  } else {
    candidates = {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                  "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode",
                  "/usr/amdgcn/bitcode"};
  }
  for (const fs::path& candidate : candidates)
    if (is_there(candidate / "ocml.bc") && is_there(candidate / "ockl.bc")) return candidate;
  return fail("cannot find the AMD device libraries", candidates.front().string(),
              "there is no ocml.bc and ockl.bc",
              "Install them: apt-get install rocm-device-libs (or name their folder in "
              "HIPWRIGHT_DEVICE_LIBS).");
}

std::optional<Rocm> find_rocm() {
  for (const std::string& root : {environment("ROCM_PATH"), std::string("/opt/rocm")}) {
    const fs::path prefix = root;
    if (root.empty() || is_there(prefix / kSdkMarker)) continue;
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

std::vector<std::string> gpus_in_topology(const fs::path& nodes) {
  std::vector<std::string> gpus;
  std::error_code error;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(nodes, error)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    const auto properties = read_file(folder / "properties");
    if (!properties) continue;
    static const Pattern kVersion(R"(gfx_target_version ([0-9]{1,9}))");
    const auto match = kVersion.find(*properties);
    if (match.empty()) continue;
    const unsigned long version = std::stoul(match[1]);  // 90402 is gfx942, 90010 is gfx90a
    if (version == 0) continue;                          // a CPU
    gpus.push_back(
        fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100));
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
        version_from({clang->cxx.string(), "--version"}, R"(clang version (\S+))");
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
    found.nvcc = {*nvcc, version_from({nvcc->string(), "--version"}, R"(release ([0-9.]+))")};
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
