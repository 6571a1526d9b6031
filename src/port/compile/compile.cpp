// SPDX-License-Identifier: MIT
#include "port/compile/compile.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/thread_pool.h"
#include "port/build/option_lists.h"
#include "port/compile/apply.h"
#include "port/gate/shim.h"
#include "port/marks.h"
#include "port/output/output.h"
#include "project/compiler_flags.h"
#include "toolchain/library_hints.h"
#include "toolchain/sdk.h"

namespace hipwright::port {

namespace fs = std::filesystem;
using toolchain::LogMessage;

namespace {

// Each round repairs the errors of the previous one. A file with more kinds of errors than this is
// beyond repair.
constexpr int kRounds = 8;

bool ends_in_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

// Sources that are CUDA, and plain C++ that the port has changed.
bool is_unit(const PortedFile& file) {
  if (file.source->cuda() == nullptr || file.source->is_header()) return false;
  if (file.source->path().ends_with(".cu")) return true;
  return !file.changes.empty() && ends_in_any(file.source->path(), {".cpp", ".cc", ".cxx", ".hip"});
}

class Compilation {
 public:
  Compilation(Ported& ported, const CompileOptions& options, toolchain::UnitCompiler& compiler,
              fs::path root)
      : ported_(ported), options_(options), compiler_(compiler), root_(std::move(root)) {}

  Result<CompiledPort> run() {
    HW_CHECK(write_tree(ported_, root_));
    HW_CHECK(read_flags());
    CompiledPort compiled;
    std::vector<std::size_t> pending;
    const auto included = included_sources(ported_.tree);
    for (const PortedFile& file : ported_.files) {
      if (!is_unit(file) || included.contains(file.source)) continue;
      pending.push_back(compiled.units.size());
      compiled.units.push_back({.path = file.source->path()});
    }
    for (int round = 0; round < kRounds && !pending.empty(); ++round) {
      HW_CHECK(compile(compiled, pending, round));
      HW_TRY(const std::size_t repaired, repair());
      compiled.repairs += repaired;
      if (repaired == 0) break;
      // A library header that is missing under its full path stays missing.
      std::erase_if(pending, [&](std::size_t unit) {
        const Unit& each = compiled.units[unit];
        return each.compiles ||
               (!each.is_checked() && each.missing_header.find('/') != std::string::npos);
      });
    }
    return compiled;
  }

 private:
  // Those of the ported build files. The build file next to a single file is not part of its port.
  Status read_flags() {
    const fs::path& original = ported_.tree.root;
    if (ported_.tree.is_one_file) {
      words_.emplace(ported_.tree, root_, original, for_hipcc);
      return {};
    }
    ThreadPool pool;
    HW_TRY(const project::Tree written, project::read_tree(root_, options_.ignore, pool));
    words_.emplace(written, root_, original, for_hipcc);
    return {};
  }

  Status compile(CompiledPort& compiled, const std::vector<std::size_t>& pending, int round) {
    Progress progress(
        round == 0 ? "compiling" : fmt::format("compiling again, after repair {}", round),
        pending.size(), "files", options_.progress);
    std::vector<toolchain::TranslationUnit> units;
    for (const std::size_t each : pending) {
      const std::string& path = compiled.units[each].path;
      units.push_back({path, words_->of(path)});
    }
    auto results = compiler_.compile(root_, units, progress);
    logs_.assign(pending.size(), {});
    for (std::size_t i = 0; i < results.size(); ++i) {
      HW_TRY(toolchain::CompiledUnit result, std::move(results[i]));
      read(compiled.units[pending[i]], result);
      logs_[i] = std::move(result.messages);
    }
    return {};
  }

  static void read(Unit& unit, const toolchain::CompiledUnit& result) {
    unit.errors.clear();
    unit.missing_header.clear();
    unit.missing_library.clear();
    unit.compiles = result.ok;
    if (unit.compiles) return;
    constexpr std::string_view kMissing = "' file not found";
    for (const LogMessage& message : result.messages) {
      if (message.severity != "error") continue;
      unit.errors.push_back({message.file, {message.line, message.column}, message.text});
      if (!unit.missing_header.empty() || !message.text.starts_with('\'') ||
          !message.text.ends_with(kMissing))
        continue;
      unit.missing_header = message.text.substr(1, message.text.size() - 1 - kMissing.size());
      unit.missing_library = library_of_header(unit.missing_header);
    }
    if (unit.errors.empty()) unit.errors.push_back({unit.path, {}, result.log.substr(0, 2000)});
  }

  PortedFile* find(const std::string& path) const {
    const auto at = std::lower_bound(ported_.files.begin(), ported_.files.end(), path,
                                     [](const PortedFile& file, const std::string& wanted) {
                                       return file.source->path() < wanted;
                                     });
    return at != ported_.files.end() && at->source->path() == path ? &*at : nullptr;
  }

  Result<std::size_t> repair() {
    std::map<std::string, std::string> texts;
    const PortedText text_of = [&](const std::string& path) -> const std::string* {
      const PortedFile* file = find(path);
      if (file == nullptr || file->source->cuda() == nullptr) return nullptr;
      return &texts.try_emplace(path, file->after()).first->second;
    };
    std::vector<Repair> repairs;
    for (const auto& log : logs_)
      for (Repair& each : repairs_for(log, text_of)) {
        const bool is_known = std::any_of(repairs.begin(), repairs.end(), [&](const Repair& other) {
          return other.path == each.path && other.span == each.span &&
                 other.replacement == each.replacement;
        });
        if (!is_known) repairs.push_back(std::move(each));
      }
    // From the end of each file, so that earlier positions stay valid.
    std::stable_sort(repairs.begin(), repairs.end(), [](const Repair& a, const Repair& b) {
      return a.path != b.path ? a.path < b.path : a.span.begin > b.span.begin;
    });
    std::size_t done = 0;
    std::set<std::string> changed;
    for (const Repair& each : repairs) {
      if (!apply_repair(*find(each.path), each, options_.mode)) continue;
      ++done;
      changed.insert(each.path);
      if (each.needs_compat) HW_CHECK(add_compat());
    }
    for (const std::string& path : changed) {
      const PortedFile& file = *find(path);
      HW_CHECK(
          write_file_atomic(root_ / path, syntax::encode(file.after(), file.source->encoding())));
    }
    return done;
  }

  // For both platforms it is included by the header that defines the names.
  Status add_compat() {
    if (const auto names = ported_.added.find(std::string(kNamesName));
        names != ported_.added.end()) {
      Shim shim = read_shim(names->second);
      shim.compat = true;
      names->second = shim_text(shim);
      HW_CHECK(write_file_atomic(root_ / kNamesName, names->second));
    }
    if (ported_.added.emplace(kCompatName, toolchain::compat_header()).second)
      HW_CHECK(write_file_atomic(root_ / kCompatName, toolchain::compat_header()));
    return {};
  }

  Ported& ported_;
  const CompileOptions& options_;
  toolchain::UnitCompiler& compiler_;
  const fs::path root_;
  std::optional<project::CompilerFlags> words_;
  std::vector<std::vector<LogMessage>> logs_;
};

}  // namespace

std::size_t CompiledPort::compiling() const {
  return static_cast<std::size_t>(
      std::count_if(units.begin(), units.end(), [](const Unit& unit) { return unit.compiles; }));
}
std::size_t CompiledPort::not_checked() const {
  return static_cast<std::size_t>(std::count_if(
      units.begin(), units.end(), [](const Unit& unit) { return !unit.is_checked(); }));
}
std::size_t CompiledPort::failing() const {
  return units.size() - compiling() - not_checked();
}

Result<CompiledPort> compile_and_repair(Ported& ported, const CompileOptions& options,
                                        toolchain::UnitCompiler& compiler) {
  HW_TRY(const TemporaryDirectory folder, TemporaryDirectory::create());
  return Compilation(ported, options, compiler, folder.path() / "tree").run();
}

std::string text_of(const CompiledPort& compiled) {
  std::string out = fmt::format("{} of {} files compile", compiled.compiling(),
                                compiled.units.size() - compiled.not_checked());
  if (compiled.repairs != 0) out += fmt::format(", after {} repairs", compiled.repairs);
  if (compiled.not_checked() != 0) out += fmt::format("; {} not checked", compiled.not_checked());
  out += "\n";
  std::map<std::string, std::vector<std::string>> missing;
  for (const Unit& unit : compiled.units)
    if (!unit.is_checked()) missing[unit.missing_library].push_back(unit.path);
  for (const auto& [library, files] : missing) {
    out += fmt::format("not checked: the headers of {} are not installed: {}", library,
                       fmt::join(files, ", "));
    if (const std::string how = toolchain::command_to_add(library); !how.empty())
      out += fmt::format(" ({})", how);
    out += "\n";
  }
  constexpr std::size_t kShown = 10;  // the first errors explain the others
  for (const Unit& unit : compiled.units) {
    if (unit.compiles || !unit.is_checked()) continue;
    for (std::size_t i = 0; i < std::min(unit.errors.size(), kShown); ++i) {
      const CompileError& error = unit.errors[i];
      out += fmt::format("{}:{}:{}: {}\n", error.path, error.position.line, error.position.column,
                         error.text);
    }
    if (unit.errors.size() > kShown)
      out += fmt::format("{}: {} more errors\n", unit.path, unit.errors.size() - kShown);
  }
  return out;
}

}  // namespace hipwright::port
