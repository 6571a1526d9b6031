// SPDX-License-Identifier: MIT
#include "port/port.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "port/build/cmake.h"
#include "port/build/makefile.h"
#include "port/build/other.h"
#include "port/build/script.h"
#include "port/gate.h"
#include "port/isolation/added.h"
#include "port/isolation/isolation.h"
#include "port/ptx/ptx.h"
#include "port/python/dependencies.h"
#include "port/python/python.h"
#include "port/source/outside.h"
#include "port/source/parts.h"
#include "port/wave/native.h"
#include "port/wave/wave.h"
#include "toolchain/sdk.h"

namespace hipwright::port {

namespace {

void finish(PortedFile& file) {
  const LineIndex lines(file.source->text());
  for (Diagnostic& said : file.diagnostics) said.position = lines.position(said.span.begin);
  std::stable_sort(
      file.diagnostics.begin(), file.diagnostics.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
}

// The proof, for every file: what cannot be changed without NVIDIA seeing it stays as it is.
void keep_from_nvidia(PortedFile& file) {
  if (file.changes.empty()) return;
  const auto leaks = compare_for_nvidia(file.source->path(), file.source->text(), file.after(), {});
  if (leaks.empty()) return;
  file.changes = file.ungated = {};
  Diagnostic said;
  said.code = "HP290";
  said.severity = Severity::kError;
  said.path = file.source->path();
  said.span = LineIndex(file.source->text())
                  .line(static_cast<std::uint32_t>(std::max<std::size_t>(leaks[0].line_before, 1)));
  said.message = "the file stays as it is: its changes would not have been AMD's alone";
  said.why = leaks[0].diff;
  file.diagnostics.push_back(std::move(said));
  finish(file);
}

// Whole waves where that was decided; else halves, and why.
void adapt_warps(SourceContext& context, const Waves::Decision* decision) {
  if (decision != nullptr && decision->is_native) return use_whole_waves(context, *decision);
  if (is_for_waves(context.file)) return;
  keep_warps_of_32(context);
  if (decision == nullptr || decision->obstacle == nullptr) return;
  const Obstacle& obstacle = *decision->obstacle;
  if (obstacle.file == &context.source)
    context.tell("HP302", Severity::kNote, obstacle.span,
                 fmt::format("warps stay half a wave because of this: {}", obstacle.what));
  else
    context.tell("HP302", Severity::kNote, {0, 0},
                 fmt::format("warps stay half a wave because of {}:{}: {}", obstacle.file->path(),
                             LineIndex(obstacle.file->text()).position(obstacle.span.begin).line,
                             obstacle.what));
}

void check_all(Ported& ported, ThreadPool& pool) {
  pool.parallel_for(ported.files.size(), [&](std::size_t i) { keep_from_nvidia(ported.files[i]); });
}

// The same for the files that are new: who finds one of them by its name or by a pattern is told.
void keep_new_files_from_nvidia(Ported& ported, ThreadPool& pool) {
  if (ported.added.empty()) return;
  std::set<std::string> before;
  for (const auto& file : ported.tree.files) before.insert(file->path());
  std::map<std::string, std::string> added;
  for (const auto& [path, content] : ported.added)
    if (!before.contains(path)) added.emplace(path, content);
  for (const Leak& leak : check_added({before, lookups_of(ported.tree, pool), added})) {
    PortedFile* asking = &ported.files.front();
    for (PortedFile& file : ported.files)
      if (file.source->path() == leak.asked_by) asking = &file;
    const auto line = static_cast<std::uint32_t>(std::max<std::size_t>(leak.asked_line, 1));
    asking->tell("HP290", Severity::kError, LineIndex(asking->source->text()).line(line),
                 fmt::format("{} is added by the port: {}", leak.path, leak.what),
                 "Let it be left out here where the build is NVIDIA's.");
    finish(*asking);
  }
}

void gate(Ported& ported, bool needs_compat, ThreadPool& pool) {
  NamesForAmd names;
  for (PortedFile& file : ported.files)
    if (file.source->cuda() != nullptr && !file.changes.empty()) {
      Changes branches = gated(file, names);
      file.ungated = std::exchange(file.changes, std::move(branches));
      if (file.changes.empty()) file.ungated = {};  // it was ported before
    }
  if (names.empty()) return check_all(ported, pool);
  // Names that only code of NVIDIA's branches has by now do no harm; the others win.
  if (const SourceFile* last = ported.tree.find(kNamesName)) {
    names.merge(read_names_header(last->text()));
    needs_compat |= last->text().find(kCompatName) != std::string_view::npos;
  }
  ported.added.emplace(kNamesName, names_header(names, needs_compat));
  check_all(ported, pool);
}

}  // namespace

void PortedFile::tell(std::string_view code, Severity severity, Span span, std::string message,
                      std::string why) {
  Diagnostic said;
  said.code = code;
  said.severity = severity;
  said.path = source->path();
  said.span = span;
  said.message = std::move(message);
  said.why = std::move(why);
  diagnostics.push_back(std::move(said));
}

Ported port_tree(Tree tree, const Options& options, ThreadPool& pool) {
  Ported ported;
  ported.tree = std::move(tree);
  OwnNames own(ported.tree);
  for (const std::string& name : options.rules.keep) own.add(name);
  for (const auto& [name, becomes] : options.rules.names) own.add(name);
  std::optional<Waves> waves;
  if (options.warp == Warp::kNative) waves.emplace(ported.tree, own);
  std::atomic<bool> needs_compat = false, needs_ptx = false;
  const PythonLayout layout(ported.tree, pool);
  std::vector<PythonNeeds> needs(ported.tree.files.size());
  ported.files.resize(ported.tree.files.size());
  std::optional<Progress> progress;
  if (options.progress)
    progress.emplace("porting", ported.files.size(), "files", *options.progress);
  pool.parallel_for(ported.files.size(), [&](std::size_t i) {
    PortedFile& file = ported.files[i];
    file.source = ported.tree.files[i].get();
    if (file.source->cuda() != nullptr) {
      SourceContext context(options, ported.tree, own, *file.source, file);
      follow_rules(context);
      adapt_warps(context, waves ? waves->of(*file.source) : nullptr);
      load_linear_textures(context);
      translate_groups(context);
      translate_names(context);
      translate_calls(context);
      settle_vector_operators(context);
      settle_dialect(context);
      translate_ptx(context);
      tell_pasting(context);
      tell_hazards(context);
      translate_headers(context);
      if (context.needs.compat || context.needs.ptx) needs_compat = true;
      if (context.needs.ptx) needs_ptx = true;
    }
    if (file.source->python() != nullptr)
      needs[i] = port_python(options, ported.tree, layout, file);
    if (file.source->language() == Language::kMake) translate_makefile(file, options.mode);
    if (file.source->language() == Language::kCMake)
      translate_cmake(file, ported.tree, options.mode);
    if (file.source->language() == Language::kOtherBuild) report_other_build(file);
    if (file.source->language() == Language::kShell) report_script(file);
    // Changes that take each other back, as of what was ported before.
    if (!file.changes.empty() && file.after() == file.source->text()) file.changes = {};
    finish(file);
    if (progress) progress->advance(1, file.source->path());
  });
  add_python_modules(ported, layout, needs);
  port_dependencies(options, ported, layout);
  if (options.mode == Mode::kDual) gate(ported, needs_compat, pool);
  if (needs_compat) ported.added.emplace(kCompatName, toolchain::compat_header());
  if (needs_ptx) ported.added.emplace(kPtxName, toolchain::ptx_header());
  if (options.mode == Mode::kDual) keep_new_files_from_nvidia(ported, pool);
  return ported;
}

Result<Ported> port(const Options& options) {
  ThreadPool pool;
  std::vector<std::string> ignore = options.ignore;
  ignore.insert(ignore.end(), options.rules.ignore.begin(), options.rules.ignore.end());
  HW_TRY(Tree tree, read_tree(options.path, ignore, pool));
  Ported ported = port_tree(std::move(tree), options, pool);
  HeadersOutside outside(ported.tree);
  for (PortedFile& file : ported.files)
    if (outside.tell(file)) finish(file);
  // What an earlier port wrote is not new. Git may ignore it, so that the tree lacks it.
  std::erase_if(ported.added, [&](const auto& file) {
    const auto bytes = read_file(ported.tree.root / file.first);
    return bytes && *bytes == file.second;
  });
  return ported;
}

}  // namespace hipwright::port
