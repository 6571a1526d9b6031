// SPDX-License-Identifier: MIT
#include "port/port.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "port/gate/gate.h"
#include "port/isolation/added.h"
#include "port/isolation/isolation.h"
#include "port/pass.h"
#include "port/python/context.h"
#include "port/source/amd_support.h"
#include "port/source/context.h"
#include "port/wave/whole_wave.h"
#include "project/file_facts.h"
#include "toolchain/sdk.h"

namespace hipwright::port {

namespace {

// --- passes over one file ---

// Runs what each pass has for a kind of file, in order.
template <class Context>
void run_passes(void (*Pass::*apply)(Context&), Context& context, PortedFile& file) {
  for (const Pass& pass : all_passes()) {
    if (pass.*apply == nullptr) continue;
    file.pass = &pass;
    (pass.*apply)(context);
  }
  file.pass = nullptr;
}

void run_text_passes(TextContext context) {
  for (const Pass& pass : all_passes()) {
    if (pass.text == nullptr || pass.language != context.file.source->language()) continue;
    context.file.pass = &pass;
    pass.text(context);
  }
  context.file.pass = nullptr;
}

PythonNeeds run_python_passes_once(const Options& options, const Tree& tree,
                                   const PythonLayout& layout, PortedFile& file) {
  PythonContext context(options, tree, layout, file);
  const bool is_setup = is_build_script(file.source->path());
  run_passes(is_setup ? &Pass::setup : &Pass::python, context, file);
  context.finish();
  return is_setup ? PythonNeeds() : std::move(context.needs);
}

PythonNeeds run_python_passes(const Options& options, const Tree& tree, const PythonLayout& layout,
                              PortedFile& file) {
  const SourceFile& source = *file.source;
  if (is_made_by_port(source.text())) return {};
  // A path that names AMD: AMD's users run the file as it is.
  if (project::facts_of_path(source.path()).is_rocm_specific && !is_build_script(source.path()))
    return {};
  PythonNeeds needs = run_python_passes_once(options, tree, layout, file);
  // A condition with a new answer lets ROCm reach code that it never ran
  // before.
  for (int round = 0; round < 3 && !file.changes.empty(); ++round) {
    const SourceFile changed(source.path(), {.bytes = file.after(), .encoding = source.encoding()});
    PortedFile again;
    again.source = &changed;
    PythonNeeds more = run_python_passes_once(options, tree, layout, again);
    if (again.changes.empty()) break;
    file.changes = file.changes.then(source.text(), again.changes);
    for (auto& [pass, codes] : again.emitted) file.emitted[pass].merge(codes);
    needs.merge(std::move(more));
  }
  return needs;
}

// --- passes over the tree ---

template <class Context>
void run_tree_passes(void (*Pass::*apply)(Context&), Context& context, Ported& ported) {
  for (const Pass& pass : all_passes()) {
    if (pass.*apply == nullptr) continue;
    for (PortedFile& file : ported.files) file.pass = &pass;
    (pass.*apply)(context);
  }
  for (PortedFile& file : ported.files) {
    file.pass = nullptr;
    file.place_diagnostics();
  }
}

// --- what follows the passes ---

// The isolation proof for every file: a file whose changes would affect NVIDIA
// stays unchanged.
void keep_from_nvidia(PortedFile& file) {
  if (file.changes.empty()) return;
  const auto leaks = compare_for_nvidia(file.source->path(), file.source->text(), file.after());
  if (leaks.empty()) return;
  file.changes = file.ungated = {};
  const auto line = static_cast<std::uint32_t>(std::max<std::size_t>(leaks[0].line_before, 1));
  file.report("HP290", Severity::kError, LineIndex(file.source->text()).line(line),
              "the file is unchanged: its changes would affect NVIDIA builds", leaks[0].diff);
  file.place_diagnostics();
}

void check_all(Ported& ported, ThreadPool& pool) {
  pool.parallel_for(ported.files.size(), [&](std::size_t i) { keep_from_nvidia(ported.files[i]); });
}

// The same for new files: code that finds one of them by name or by pattern is
// reported.
void keep_new_files_from_nvidia(Ported& ported, ThreadPool& pool) {
  if (ported.added.empty()) return;
  std::set<std::string> before;
  for (const auto& file : ported.tree.files) before.insert(file->path());
  std::map<std::string, std::string> added;
  for (const auto& [path, content] : ported.added)
    if (!before.contains(path)) added.emplace(path, content);
  for (const IsolationLeak& leak : check_added({before, lookups_of(ported.tree, pool), added})) {
    PortedFile* asking = &ported.files.front();
    for (PortedFile& file : ported.files)
      if (file.source->path() == leak.asked_by) asking = &file;
    const auto line = static_cast<std::uint32_t>(std::max<std::size_t>(leak.asked_line, 1));
    asking->report("HP290", Severity::kError, LineIndex(asking->source->text()).line(line),
                   fmt::format("{} is added by the port: {}", leak.path, leak.what),
                   "Exclude it here in NVIDIA builds.");
    asking->place_diagnostics();
  }
}

// Renamed code becomes code for both platforms.
void gate(Ported& ported, const AmdSupport& amd, Shim shim, ThreadPool& pool) {
  const ShimUsers users = shim_users(ported, amd);
  for (PortedFile& file : ported.files)
    if (file.source->cuda() != nullptr && (!file.changes.empty() || file.shim.is_included)) {
      Changes branches = gated(file, ported.tree, amd, users, shim);
      file.ungated = std::exchange(file.changes, std::move(branches));
      if (file.changes.empty()) file.ungated = {};  // it was ported before
    }
  check_all(ported, pool);
  if (!shim.is_included) return;
  // Names that only NVIDIA branches still use are harmless; the others take
  // precedence.
  if (const SourceFile* last = ported.tree.find(kNamesName)) shim.merge(read_shim(last->text()));
  ported.added.emplace(kNamesName, shim_text(shim));
}

// --- the whole ---

class Port {
 public:
  Port(Tree tree, const Options& options, ThreadPool& pool)
      : ported_{std::move(tree), {}, {}},
        options_(options),
        pool_(pool),
        own_(ported_.tree),
        layout_(ported_.tree, pool),
        needs_(ported_.tree.files.size()) {
    for (const std::string& name : options.rules.keep) own_.add(name);
    for (const auto& [name, becomes] : options.rules.names) own_.add(name);
    amd_.emplace(ported_.tree, own_, pool);
    if (options.warp == Warp::kNative) waves_.emplace(ported_.tree, own_);
  }

  Ported run() {
    run_over_files();
    TreeContext context{options_, ported_, layout_, needs_};
    run_tree_passes(&Pass::tree, context, ported_);
    const bool is_dual = options_.mode == Mode::kDual;
    if (is_dual) gate(ported_, *amd_, {.compat = needs_compat_, .ptx = needs_ptx_}, pool_);
    if (needs_compat_) ported_.added.emplace(kCompatName, toolchain::compat_header());
    if (needs_ptx_) ported_.added.emplace(kPtxName, toolchain::ptx_header());
    if (is_dual) keep_new_files_from_nvidia(ported_, pool_);
    return std::move(ported_);
  }

 private:
  void run_over_files() {
    ported_.files.resize(ported_.tree.files.size());
    std::optional<Progress> progress;
    if (options_.progress)
      progress.emplace("porting", ported_.files.size(), "files", *options_.progress);
    pool_.parallel_for(ported_.files.size(), [&](std::size_t i) {
      ported_.files[i].source = ported_.tree.files[i].get();
      run_over_file(i);
      if (progress) progress->advance(1, ported_.files[i].source->path());
    });
  }

  void run_over_file(std::size_t i) {
    PortedFile& file = ported_.files[i];
    if (file.source->cuda() != nullptr && !is_left_to_project(file)) {
      SourceContext context(options_, ported_.tree, own_, *amd_, waves_ ? &*waves_ : nullptr, file);
      run_passes(&Pass::cuda, context, file);
      if (context.needs.compat || context.needs.ptx) needs_compat_ = true;
      if (context.needs.ptx) needs_ptx_ = true;
    }
    if (file.source->python() != nullptr)
      needs_[i] = run_python_passes(options_, ported_.tree, layout_, file);
    run_text_passes({options_, ported_.tree, *amd_, file});
    // Changes that take each other back, as of what was ported before.
    if (!file.changes.empty() && file.after() == file.source->text()) file.changes = {};
    file.place_diagnostics();
  }

  // What the project says for AMD takes precedence.
  bool is_left_to_project(PortedFile& file) const {
    const std::string& why = amd_->why_unchanged(*file.source);
    if (why.empty()) return false;
    file.is_left_to_project = true;
    if (amd_->uses_cuda(*file.source))
      file.report("HP222", Severity::kNote, {0, 0}, fmt::format("unchanged: {}", why));
    return true;
  }

  Ported ported_;
  const Options& options_;
  ThreadPool& pool_;
  OwnNames own_;
  std::optional<AmdSupport> amd_;  // always
  std::optional<Waves> waves_;
  const PythonLayout layout_;
  std::vector<PythonNeeds> needs_;
  std::atomic<bool> needs_compat_ = false, needs_ptx_ = false;
};

// An empty tree is a mistake of the caller, not a port without changes.
std::unexpected<Error> no_sources(const Tree& tree, const std::filesystem::path& path) {
  if (tree.not_read.empty())
    return fail("no sources in", path.string(), "no CUDA, C++, Python or build files found",
                "Name the directory of a CUDA project, or one of its files.");
  return fail(
      "no sources in", path.string(),
      fmt::format("{}: not read: {}", tree.not_read.front().path, tree.not_read.front().why),
      "Name the directory of a CUDA project, or one of its files.");
}

}  // namespace

Ported port_tree(Tree tree, const Options& options, ThreadPool& pool) {
  return Port(std::move(tree), options, pool).run();
}

Result<Ported> port(const Options& options) {
  ThreadPool pool;
  std::vector<std::string> ignore = options.ignore;
  ignore.insert(ignore.end(), options.rules.ignore.begin(), options.rules.ignore.end());
  HW_TRY(Tree tree, project::read_tree(options.path, ignore, pool));
  if (tree.files.empty()) return no_sources(tree, options.path);
  Ported ported = port_tree(std::move(tree), options, pool);
  run_tree_passes(&Pass::outside_tree, ported, ported);
  // What an earlier port wrote is not new. Git may ignore it, so that the tree
  // lacks it.
  std::erase_if(ported.added, [&](const auto& file) {
    const auto bytes = read_file(ported.tree.root / file.first);
    return bytes && *bytes == file.second;
  });
  return ported;
}

}  // namespace hipwright::port
