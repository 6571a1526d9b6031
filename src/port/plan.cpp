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

std::size_t count(const ProjectInventory& inventory, PythonUse use) {
  const auto at = inventory.python.find(use);
  return at == inventory.python.end() ? 0 : at->second.size();
}

std::size_t count(const ProjectInventory& inventory, Language language) {
  const auto at = inventory.languages.find(language);
  return at == inventory.languages.end() ? 0 : at->second.files;
}

Answers answers_of(const ProjectInventory& inventory) {
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
  return number == 0 ? fmt::format("no {} found: nothing to change", what)
                     : fmt::format("{} at {} place{}", what, number, number == 1 ? "" : "s");
}

std::string libraries_why(const ProjectInventory& inventory) {
  std::string list;
  for (const PythonUse use : {PythonUse::kFlashAttention, PythonUse::kXformers, PythonUse::kNvml,
                              PythonUse::kAllocator, PythonUse::kOtherNvidia})
    if (const std::size_t number = count(inventory, use); number != 0)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", to_string(use), number);
  return list.empty() ? "no package found that ROCm lacks: nothing to change"
                      : "to replace or guard: " + list;
}

std::vector<PlannedPhase> phases_of(const ProjectInventory& inventory, const Answers& is) {
  const std::string no_python = "no Python code that uses PyTorch";
  const std::string no_cuda = "no CUDA C++ code";
  const bool torch = is.has_python && is.has_torch;
  std::vector<PlannedPhase> list;
  list.push_back(
      {0, "environment", is.has_python,
       is.has_python
           ? is.has_dependencies
                 ? fmt::format(
                       "an install must not replace ROCm's PyTorch: {} dependency files to check",
                       count(inventory, Language::kRequirements) +
                           count(inventory, Language::kProject))
                 : "run it first, then install only what is missing"
           : "no Python package to install"});
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
                      : "no kernels"});
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
  list.push_back({8, "verification", any,
                  any ? "compares the port with the original's results" : "nothing to port"});
  return list;
}

std::vector<std::string> branches_of(const ProjectInventory& inventory, const Answers& is) {
  std::vector<std::string> list;
  if (!is.uses_cuda && !is.has_torch) {
    list.emplace_back("Nothing to port: neither CUDA C++ nor PyTorch found.");
    return list;
  }
  if (!inventory.knows_rocm.empty()) {
    std::string where;
    for (const auto& [language, files] : inventory.knows_rocm)
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ", files, to_string(language));
    list.push_back(fmt::format(
        "Partly ported: some files already check for ROCm ({}). Files that AMD builds compile, and "
        "AMD branches of others, stay unchanged.",
        where));
  }
  if (is.is_pure_python()) list.emplace_back("Pure Python: phases 2, 3 and 4 are skipped.");
  if (is.has_flash)
    list.push_back(fmt::format(
        "flash attention{}: phase 5 replaces it (aiter, then PyTorch's own, then plain code).",
        is.has_cutlass || is.has_kernels || !inventory.extensions.empty() ? "" : " only"));
  if (is.has_cutlass)
    list.push_back(fmt::format(
        "CUTLASS: {} uses need a rewrite with Composable Kernel, after phase 3; they are listed.",
        inventory.cutlass.size()));
  if (is.has_kernels)
    list.push_back(fmt::format("Custom kernels: phases 2 and 3 in full, on {} kernels in {} files.",
                               inventory.kernel_count, inventory.kernels.size()));
  else if (is.uses_cuda)
    list.emplace_back("Calls CUDA without kernels: phase 2 without phase 3.");
  if (!inventory.extensions.empty() || !inventory.run_time_extensions.empty())
    list.emplace_back(
        "A PyTorch extension: PyTorch's build translates names itself, so the port leaves them to "
        "it (--mode dual).");
  if (is.has_jax && is.has_torch)
    list.emplace_back("JAX alongside PyTorch: port the PyTorch path only.");
  else if (is.has_jax)
    list.emplace_back("JAX without PyTorch: not supported.");
  for (const char* system : {"Bazel", "Meson"})
    if (inventory.build_systems.contains(system))
      list.push_back(fmt::format("{}: reported only; change its files by hand.", system));
  return list;
}

// How the places of a code are counted: each, each name once, each file once.
enum class Per { kPlace, kMessage, kFile };
struct Task {
  std::string_view what;
  std::vector<CodeId> codes;
  Per per;
  double hours;
};

// Rules of thumb, not measured: the plan says so.
const std::vector<Task>& tasks() {
  static const std::vector<Task> kTasks = {
      {"names that HIP lacks", {"HP202"}, Per::kMessage, 1},
      {"names that this HIP release lacks", {"HP203"}, Per::kMessage, 0.25},
      {"names that are unknown or assembled by macros", {"HP205", "HP206"}, Per::kMessage, 0.25},
      {"headers without a counterpart", {"HP209"}, Per::kMessage, 1},
      {"files that could not be gated", {"HP290"}, Per::kFile, 1},
      {"PTX statements to rewrite", {"HP311", "HP315", "HP316"}, Per::kPlace, 0.5},
      {"files with PTX for tensor cores", {"HP313"}, Per::kFile, 16},
      {"files with asynchronous copies or clusters in PTX", {"HP314"}, Per::kFile, 8},
      {"build files and dependencies to review",
       {"HP001", "HP002", "HP401", "HP402", "HP403"},
       Per::kPlace,
       0.25},
      {"Python code to review",
       {"HP102", "HP103", "HP104", "HP502", "HP504", "HP505", "HP507", "HP509", "HP510", "HP602",
        "HP603", "HP701", "HP702", "HP703"},
       Per::kPlace,
       0.1}};
  return kTasks;
}

// CUTLASS headers and names are counted with CUTLASS.
bool is_of_cutlass(std::string_view message) {
  return message.find("cutlass") != std::string_view::npos ||
         message.find("cute/") != std::string_view::npos;
}

std::size_t count(const Task& task, const RemainingByCode& remaining) {
  std::size_t sum = 0;
  for (const CodeId code : task.codes) {
    const auto at = remaining.find(code.text());
    if (at == remaining.end()) continue;
    const Remaining& of_code = at->second;
    if (task.per == Per::kMessage)
      sum += static_cast<std::size_t>(
          std::count_if(of_code.messages.begin(), of_code.messages.end(),
                        [](const std::string& each) { return !is_of_cutlass(each); }));
    else
      sum += task.per == Per::kFile ? of_code.files.size() : of_code.places;
  }
  return sum;
}

std::vector<EffortItem> effort_of(const ProjectInventory& inventory,
                                  const RemainingByCode& remaining, const Answers& is) {
  std::set<std::string> cutlass_sources;
  for (const CutlassUse& use : inventory.cutlass)
    if (use.place.path.ends_with(".cu")) cutlass_sources.insert(use.place.path);
  std::size_t by_hand_builds = 0;
  for (const char* system : {"Bazel", "Meson"})
    if (const auto at = inventory.build_systems.find(system); at != inventory.build_systems.end())
      by_hand_builds += at->second.size();
  std::set<std::string> tried;
  for (const PythonUse use :
       {PythonUse::kFlashAttention, PythonUse::kXformers, PythonUse::kCompile, PythonUse::kGraphs})
    if (const auto at = inventory.python.find(use); at != inventory.python.end())
      for (const Place& place : at->second) tried.insert(place.path);
  const bool torch = is.has_python && is.has_torch;
  std::vector<EffortItem> items = {
      {"kernels to compare with their results on NVIDIA", inventory.kernel_count, 0.25},
      {"sources that use CUTLASS, to rewrite", cutlass_sources.size(), 16}};
  for (const Task& task : tasks())
    items.push_back({std::string(task.what), count(task, remaining), task.hours});
  items.push_back({"build files to change by hand", by_hand_builds, 1});
  items.push_back({"extension modules to build and load", inventory.extensions.size(), 1});
  items.push_back({"Python files with attention, torch.compile or graphs, to run", tried.size(),
                   torch ? 0.25 : 0});
  items.push_back({"first full run on an AMD GPU", is.uses_cuda || torch ? 1U : 0U, 2});
  std::erase_if(items,
                [](const EffortItem& item) { return item.count == 0 || item.hours_each == 0; });
  return items;
}

}  // namespace

double Plan::hours() const {
  double sum = 0;
  for (const EffortItem& item : effort) sum += item.hours();
  return sum;
}

RemainingByCode remaining_in(const Ported& ported) {
  RemainingByCode remaining;
  for (const PortedFile& file : ported.files)
    for (const Diagnostic& said : file.diagnostics) {
      if (said.severity == Severity::kNote) continue;
      Remaining& of_code = remaining[said.code];
      ++of_code.places;
      of_code.messages.insert(said.message);
      of_code.files.insert(said.path);
    }
  return remaining;
}

Plan plan_of(ProjectInventory inventory, const RemainingByCode& remaining) {
  const Answers answers = answers_of(inventory);
  Plan plan;
  plan.phases = phases_of(inventory, answers);
  plan.branches = branches_of(inventory, answers);
  plan.effort = effort_of(inventory, remaining, answers);
  for (const auto& [code, of_code] : remaining) plan.remaining += of_code.places;
  plan.inventory = std::move(inventory);
  return plan;
}

Result<Plan> plan(const Options& options) {
  ThreadPool pool;
  std::vector<std::string> ignore = options.ignore;
  ignore.insert(ignore.end(), options.rules.ignore.begin(), options.rules.ignore.end());
  HW_TRY(Tree tree, project::read_tree(options.path, ignore, pool));
  ProjectInventory inventory = inventory_of(tree, pool);
  Status complete = tree.is_complete();
  Plan plan =
      plan_of(std::move(inventory), remaining_in(port_tree(std::move(tree), options, pool)));
  plan.complete = std::move(complete);
  return plan;
}

}  // namespace hipwright::port
