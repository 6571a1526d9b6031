// SPDX-License-Identifier: MIT
#include "port/plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hipwright::port {

namespace {

// The questions of the decision tree.
struct Answers {
  bool has_python = false, has_torch = false, has_kernels = false, uses_cuda = false;
  bool has_flash = false, has_jax = false, has_cutlass = false, has_dependencies = false;
  bool has_build = false;
  std::size_t libraries = 0;

  bool is_pure_python() const { return has_python && !uses_cuda; }
};

std::size_t count(const Inventory& inventory, PythonUse use) {
  const auto at = inventory.python.find(use);
  return at == inventory.python.end() ? 0 : at->second.size();
}

std::size_t count(const Inventory& inventory, Language language) {
  const auto at = inventory.languages.find(language);
  return at == inventory.languages.end() ? 0 : at->second.files;
}

Answers answers_of(const Inventory& inventory) {
  Answers answers;
  for (const auto& [library, use] : inventory.libraries) {
    answers.uses_cuda |= use.names != 0 || !use.headers.empty();
    answers.libraries += library != api::Library::kRuntime && library != api::Library::kDevice;
  }
  answers.has_kernels = inventory.kernel_count != 0 || inventory.launches != 0;
  answers.uses_cuda |= answers.has_kernels || inventory.cuda_sources != 0;
  answers.has_python = count(inventory, Language::kPython) != 0;
  answers.has_torch = count(inventory, PythonUse::kTorch) != 0 || !inventory.extensions.empty();
  answers.has_flash = count(inventory, PythonUse::kFlashAttention) != 0 ||
                      count(inventory, PythonUse::kXformers) != 0;
  answers.has_jax = count(inventory, PythonUse::kJax) != 0;
  answers.has_cutlass = !inventory.cutlass.empty();
  answers.has_dependencies =
      count(inventory, Language::kRequirements) != 0 || count(inventory, Language::kProject) != 0;
  answers.has_build = !inventory.build_systems.empty();
  return answers;
}

std::string found(std::size_t number, std::string_view what) {
  return number == 0 ? fmt::format("no {} found: nothing to change, only to check", what)
                     : fmt::format("{} at {} place{}", what, number, number == 1 ? "" : "s");
}

std::string libraries_why(const Inventory& inventory) {
  std::string list;
  for (const PythonUse use : {PythonUse::kFlashAttention, PythonUse::kXformers, PythonUse::kNvml,
                              PythonUse::kAllocator, PythonUse::kOtherNvidia})
    if (const std::size_t number = count(inventory, use); number != 0)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", to_string(use), number);
  return list.empty() ? "no package found that ROCm lacks: only to check"
                      : "to replace or guard: " + list;
}

std::vector<PlannedPhase> phases_of(const Inventory& inventory, const Answers& is) {
  const std::string no_python = "there is no Python code that uses PyTorch";
  const std::string no_cuda = "there is no CUDA C++ code";
  const bool torch = is.has_python && is.has_torch;
  std::vector<PlannedPhase> list;
  list.push_back({0, "environment", is.has_python,
                  is.has_python ? is.has_dependencies
                                      ? "an install must not overwrite ROCm's PyTorch: the "
                                        "dependency files pin packages for NVIDIA"
                                      : "run it first, then install only what is missing"
                                : "there is no Python package to install"});
  list.push_back(
      {1, "detection", torch, torch ? "Python code needs one definition of is_rocm" : no_python});
  list.push_back({2, "source translation", is.uses_cuda,
                  is.uses_cuda
                      ? fmt::format("{} CUDA sources, {} kernels, {} libraries",
                                    inventory.cuda_sources, inventory.kernel_count, is.libraries)
                      : no_cuda});
  list.push_back({3, "wave size", is.has_kernels || is.has_cutlass,
                  is.has_kernels || is.has_cutlass
                      ? fmt::format("{} places with lane masks or warp sizes, {} with inline PTX{}",
                                    inventory.lane_masks.size(), inventory.inline_ptx.size(),
                                    is.has_cutlass ? ", and CUTLASS" : "")
                      : "there are no kernels"});
  const bool builds = is.uses_cuda && is.has_build;
  list.push_back({4, "build systems", builds,
                  builds         ? "the build compiles CUDA"
                  : is.uses_cuda ? "no build files found: compile with hipcc or hipwright cc"
                                 : no_cuda});
  list.push_back({5, "library replacement", torch, torch ? libraries_why(inventory) : no_python});
  list.push_back(
      {6, "torch.compile", torch,
       torch ? found(count(inventory, PythonUse::kCompile), "torch.compile") : no_python});
  list.push_back(
      {7, "graph capture", torch,
       torch ? found(count(inventory, PythonUse::kGraphs), "CUDA graph capture") : no_python});
  const bool any = is.uses_cuda || torch;
  list.push_back(
      {8, "verification", any,
       any ? "every port is compared with the original's results" : "there is nothing to port"});
  return list;
}

std::vector<std::string> branches_of(const Inventory& inventory, const Answers& is) {
  std::vector<std::string> list;
  if (!is.uses_cuda && !is.has_torch) {
    list.emplace_back("Neither CUDA C++ nor PyTorch was found: there is nothing to port.");
    return list;
  }
  if (is.is_pure_python()) list.emplace_back("Pure Python: phases 2, 3 and 4 are skipped.");
  if (is.is_pure_python() && is.has_flash)
    list.emplace_back(
        "flash attention only: phase 5 replaces it (aiter, then PyTorch's own, then plain code).");
  if (is.has_cutlass)
    list.push_back(fmt::format(
        "CUTLASS: {} uses need a rewrite with Composable Kernel, after phase 3; they are listed.",
        inventory.cutlass.size()));
  if (is.has_kernels)
    list.push_back(fmt::format("Custom kernels: phases 2 and 3 in full, on {} kernels in {} files.",
                               inventory.kernel_count, inventory.kernels.size()));
  else if (is.uses_cuda)
    list.emplace_back("CUDA is called, but there are no kernels: phase 2 without phase 3.");
  if (!inventory.extensions.empty() || !inventory.run_time_extensions.empty())
    list.emplace_back(
        "A PyTorch extension: PyTorch's own build translates names once more, so the port leaves "
        "to it what it handles (--mode dual).");
  if (is.has_jax && is.has_torch)
    list.emplace_back("JAX beside PyTorch: port the PyTorch path only.");
  else if (is.has_jax)
    list.emplace_back("JAX without PyTorch: outside of what hipwright ports.");
  for (const char* system : {"Bazel", "Meson"})
    if (inventory.build_systems.contains(system))
      list.push_back(
          fmt::format("{}: reported only; its files are to be changed by hand.", system));
  return list;
}

std::vector<EffortItem> effort_of(const Inventory& inventory, const Answers& is) {
  std::size_t no_counterpart = 0;
  for (const auto& [library, use] : inventory.libraries) no_counterpart += use.no_counterpart;
  std::set<std::string> cutlass_files;
  for (const CutlassUse& use : inventory.cutlass) cutlass_files.insert(use.place.path);
  std::size_t by_hand_builds = 0;
  for (const char* system : {"Bazel", "Meson"})
    if (const auto at = inventory.build_systems.find(system); at != inventory.build_systems.end())
      by_hand_builds += at->second.size();
  const bool torch = is.has_python && is.has_torch;
  std::vector<EffortItem> items = {
      {"kernels to look over and to test", inventory.kernel_count, 0.25},
      {"places with inline PTX", inventory.inline_ptx.size(), 0.5},
      {"places with lane masks or warp sizes", inventory.lane_masks.size(), 0.05},
      {"uses of names that HIP lacks", no_counterpart, 0.5},
      {"files with CUTLASS to rewrite", cutlass_files.size(), 16},
      {"build files to change by hand", by_hand_builds, 1},
      {"extension modules to build and load", inventory.extensions.size(), 1},
      {"uses of flash attention or xformers to compare",
       count(inventory, PythonUse::kFlashAttention) + count(inventory, PythonUse::kXformers), 0.5},
      {"uses of torch.compile and graphs to try",
       count(inventory, PythonUse::kCompile) + count(inventory, PythonUse::kGraphs), 0.5},
      {"packages for NVIDIA only to replace", count(inventory, PythonUse::kOtherNvidia), 1},
      {"first run of the whole on an AMD GPU", is.uses_cuda || torch ? 1U : 0U, 2}};
  std::erase_if(items, [](const EffortItem& item) { return item.count == 0; });
  return items;
}

}  // namespace

double Plan::hours() const {
  double sum = 0;
  for (const EffortItem& item : effort) sum += item.hours();
  return sum;
}

Plan plan_of(Inventory inventory) {
  const Answers answers = answers_of(inventory);
  Plan plan;
  plan.phases = phases_of(inventory, answers);
  plan.branches = branches_of(inventory, answers);
  plan.effort = effort_of(inventory, answers);
  plan.inventory = std::move(inventory);
  return plan;
}

Result<Plan> plan(const Options& options) {
  ThreadPool pool;
  std::vector<std::string> ignore = options.ignore;
  ignore.insert(ignore.end(), options.rules.ignore.begin(), options.rules.ignore.end());
  HW_TRY(const Tree tree, read_tree(options.path, ignore, pool));
  return plan_of(inventory_of(tree, pool));
}

}  // namespace hipwright::port
