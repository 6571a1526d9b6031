// SPDX-License-Identifier: MIT
#include "ci/arches/arches.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/embedded.h"
#include "base/json.h"

namespace hipwright {
extern const EmbeddedFile ci_scripts[];
extern const unsigned ci_scripts_count;
}  // namespace hipwright

namespace hipwright::ci {

namespace {

struct NamedFormat {
  std::string_view name;
  ArchesFormat format;
};
constexpr NamedFormat kFormats[] = {
    {"list", ArchesFormat::kList},       {"cmake", ArchesFormat::kCmake},
    {"env", ArchesFormat::kEnvironment}, {"setup.py", ArchesFormat::kSetupPy},
    {"flags", ArchesFormat::kFlags},     {"github", ArchesFormat::kGithub},
    {"json", ArchesFormat::kJson}};

std::string_view script(std::string_view name) {
  for (unsigned i = 0; i < ci_scripts_count; ++i)
    if (name == ci_scripts[i].path) return ci_scripts[i].content();
  bug("a script that is not embedded", __FILE__, __LINE__);
}

// Outputs of a workflow's job, for matrices: all targets; the first of each wave size, as the
// software GPU runs both; those with drivers for Windows.
std::string github_outputs(const std::vector<arch::Target>& targets) {
  Json all = Json::array(), software = Json::array(), windows = Json::array();
  std::vector<unsigned> sizes;
  for (const arch::Target& target : targets) {
    const unsigned size = target.info->default_wave_size();
    all.push_back(target.id());
    if (is_on_windows(target)) windows.push_back(target.id());
    if (std::ranges::find(sizes, size) != sizes.end()) continue;
    sizes.push_back(size);
    software.push_back(target.id());
  }
  return fmt::format("targets={}\nsoftware={}\nwindows={}\n", all.dump(), software.dump(),
                     windows.dump());
}

}  // namespace

toolchain::GpuSources sources_of(const HostFacts& facts, const std::vector<std::string>& variables,
                                 std::string fallback) {
  toolchain::GpuSources sources{.rocminfo = facts.rocminfo.out,
                                .hipconfig = facts.hipconfig.out,
                                .fallback = std::move(fallback)};
  std::vector<std::string> names = {toolchain::kArchesVariable};
  names.insert(names.end(), variables.begin(), variables.end());
  for (const std::string& name : names)
    if (const auto at = facts.environment.find(name); at != facts.environment.end())
      sources.overrides.emplace_back(name, at->second);
  if (facts.runtime) sources.runtime = *facts.runtime;
  for (const KfdGpu& gpu : facts.kfd) sources.kfd.push_back(gpu.gfx);
  return sources;
}

Result<ArchesFormat> parse_arches_format(std::string_view word) {
  for (const NamedFormat& each : kFormats)
    if (each.name == word) return each.format;
  return fail("unknown format", std::string(word), "",
              "Use list, cmake, env, setup.py, flags, github or json.");
}

std::string arches_text(const toolchain::DetectedTargets& found, ArchesFormat format) {
  std::vector<std::string> ids;
  for (const arch::Target& target : found.targets) ids.push_back(target.id());
  switch (format) {
    case ArchesFormat::kList:
      return fmt::format("{}\n", fmt::join(ids, "\n"));
    case ArchesFormat::kCmake:
      return fmt::format("-DCMAKE_HIP_ARCHITECTURES={0} -DGPU_TARGETS={0}\n", fmt::join(ids, ";"));
    case ArchesFormat::kEnvironment:
      return fmt::format("HIPWRIGHT_HIP_ARCHES={}\nPYTORCH_ROCM_ARCH={}\n", fmt::join(ids, ","),
                         fmt::join(ids, ";"));
    case ArchesFormat::kSetupPy:
      return fmt::format("[\"--offload-arch={}\"]\n", fmt::join(ids, "\", \"--offload-arch="));
    case ArchesFormat::kFlags:
      return fmt::format("--offload-arch={}\n", fmt::join(ids, " --offload-arch="));
    case ArchesFormat::kGithub:
      return github_outputs(found.targets);
    case ArchesFormat::kJson:
      return json_text({{"targets", ids},
                        {"source", found.source},
                        {"is_fallback", found.is_fallback},
                        {"notes", found.notes}});
  }
  bug("format out of range", __FILE__, __LINE__);
}

std::string_view cmake_module() {
  return script("HipArches.cmake");
}

std::string_view python_snippet() {
  return script("hip_arches.py");
}

}  // namespace hipwright::ci
