// SPDX-License-Identifier: MIT
#include "verify/program/workload.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/file.h"
#include "base/thread_pool.h"
#include "base/toml_depth.h"
#include "port/build/option_lists.h"
#include "project/build/makefile.h"
#include "project/compiler_flags.h"
#include "project/ignore.h"
#include "project/path.h"
#include "project/root.h"
#include "project/tree.h"
#include "project/walk.h"
#include "syntax/cuda/file.h"

namespace hipwright::verify {

namespace fs = std::filesystem;
namespace cu = syntax::cuda;

namespace {

constexpr std::string_view kSpecEnding = ".kernel.toml";

std::string prefix_of(std::string_view path) {
  return std::string(project::folder_prefix(path));
}

const syntax::Name kTorch("torch");

bool imports_torch(const syntax::python::File& file) {
  const auto& statements = file.statements();
  return std::any_of(statements.begin(), statements.end(), [&](const auto& statement) {
    return (statement.kind == syntax::python::StatementKind::kImport ||
            statement.kind == syntax::python::StatementKind::kFromImport) &&
           statement.tokens.size() > 1 && file.is(statement.tokens.begin + 1, kTorch);
  });
}

class Finder {
 public:
  explicit Finder(const project::Tree& tree) : tree_(tree), included_(included_sources(tree)) {}

  Workload find() {
    Workload workload;
    std::map<std::string, std::vector<const project::SourceFile*>> mains, others;
    for (const auto& file : tree_.files) {
      const std::string& path = file->path();
      if (file->python() != nullptr) workload.uses_torch |= imports_torch(*file->python());
      if (file->cuda() == nullptr || file->is_header()) continue;
      if (!project::is_device_source(path) && !project::is_host_source(path)) continue;
      if (included_.contains(file.get())) continue;
      (project::has_main(*file->cuda()) ? mains : others)[prefix_of(path)].push_back(file.get());
    }
    for (const auto& [folder, files] : mains) mains_ += files.size();
    std::set<std::string> host_units;
    for (const auto& [folder, files] : mains)
      for (const project::SourceFile* file : files) add_program(workload, *file, others[folder]);
    for (const ProgramSpec& program : workload.programs)
      host_units.insert(program.units.begin(), program.units.end());
    for (const auto& file : tree_.files) {
      if (file->cuda() == nullptr || file->is_header() || included_.contains(file.get())) continue;
      const bool is_host = project::is_host_source(file->path());
      if (project::is_device_source(file->path()) || host_units.contains(file->path()))
        workload.units.push_back({file->path(), {}});
      else if (is_host && !project::has_main(*file->cuda()))
        workload.spare.push_back({file->path(), {}});
    }
    return workload;
  }

 private:
  const project::MakefileFacts& facts_of(const std::string& folder) {
    const auto [known, is_new] = facts_.try_emplace(folder);
    if (is_new) known->second = project::nearest_makefile(tree_, folder);
    return known->second;
  }

  // A Makefile that lists its sources excludes the others of the program's folder, and may list
  // some of other folders.
  void add_units(ProgramSpec& program, const project::MakefileFacts& facts,
                 const std::vector<const project::SourceFile*>& others) const {
    const bool names_sources = facts.names(program.units[0]);
    for (const project::SourceFile* other : others)
      if (!names_sources || facts.names(other->path())) program.units.push_back(other->path());
    // Without a list, the only program of the tree consists of all sources.
    if (!names_sources && mains_ > 1) return;
    for (const auto& file : tree_.files) {
      if (file->cuda() == nullptr || file->is_header()) continue;
      if (names_sources
              ? !facts.names(file->path())
              : !project::is_device_source(file->path()) && !project::is_host_source(file->path()))
        continue;
      if (included_.contains(file.get()) || project::has_main(*file->cuda())) continue;
      if (std::ranges::find(program.units, file->path()) == program.units.end())
        program.units.push_back(file->path());
    }
  }

  void add_program(Workload& workload, const project::SourceFile& main,
                   const std::vector<const project::SourceFile*>& others) {
    const std::string& path = main.path();
    const std::string folder = prefix_of(path);
    ProgramSpec program;
    const std::string stem = path.substr(folder.size(), path.rfind('.') - folder.size());
    program.name = folder + stem;
    program.is_guess = true;
    program.units.push_back(path);
    const project::MakefileFacts& facts = facts_of(folder);
    add_units(program, facts, others);
    program.folder = folder;
    // A single call belongs to the single program.
    const bool is_only = facts.calls.size() == 1 && (facts.folder == folder || mains_ == 1);
    for (const std::vector<std::string>& call : facts.calls)
      if (call[0] == "./" + stem || is_only) {
        program.runs.emplace_back(call.begin() + 1, call.end());
        program.folder = facts.folder;
      }
    if (program.runs.empty()) program.runs.emplace_back();
    const fs::path golden = tree_.root / folder / "golden" / (stem + ".safetensors");
    std::error_code ignored;
    if (fs::exists(golden, ignored)) program.goldens = {golden};
    workload.programs.push_back(std::move(program));
  }

  const project::Tree& tree_;
  const std::unordered_set<const project::SourceFile*> included_;
  std::map<std::string, project::MakefileFacts> facts_;
  std::size_t mains_ = 0;
};

// The [verify] table.
class TableReader {
 public:
  TableReader(const fs::path& file, const fs::path& root) : file_(file), root_(root) {}

  Status read(const toml::table& table, Workload& workload) const {
    std::vector<ProgramSpec>& programs = workload.programs;
    for (const auto& [key, value] : table) {
      if (key.str() == "torch" && value.is_string()) {
        workload.torch_check = value.as_string()->get();
        continue;
      }
      if (key.str() != "programs")
        return wrong(key.source(), fmt::format("unknown key '{}' in [verify]", key.str()),
                     "Known keys: torch, programs.");
      if (!value.is_array_of_tables())
        return wrong(value.source(), "programs must be tables", "Write [[verify.programs]].");
      for (const toml::node& each : *value.as_array()) {
        HW_TRY(ProgramSpec program, program_of(*each.as_table()));
        programs.push_back(std::move(program));
      }
    }
    return {};
  }

 private:
  std::unexpected<Error> wrong(const toml::source_region& where, std::string why,
                               std::string fix = {}) const {
    return fail("invalid configuration", fmt::format("{}:{}", file_.string(), where.begin.line),
                std::move(why), std::move(fix));
  }

  Status strings(const toml::node& value, std::vector<std::string>& out) const {
    const toml::array* array = value.as_array();
    if (array == nullptr) return wrong(value.source(), "expected a list of strings");
    for (const toml::node& each : *array) {
      if (!each.is_string()) return wrong(each.source(), "expected a string");
      out.push_back(each.as_string()->get());
    }
    return {};
  }

  Result<ProgramSpec> program_of(const toml::table& table) const {
    ProgramSpec program;
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (name == "sources") {
        HW_CHECK(strings(value, program.units));
      } else if (name == "flags") {
        HW_CHECK(strings(value, program.flags));
      } else if (name == "runs") {
        const toml::array* runs = value.as_array();
        if (runs == nullptr)
          return wrong(value.source(), "runs must be a list of lists",
                       R"(Write runs = [["1000"]].)");
        for (const toml::node& each : *runs) HW_CHECK(strings(each, program.runs.emplace_back()));
      } else if (name == "golden") {
        std::vector<std::string> files;
        if (value.is_string())
          files.push_back(value.as_string()->get());
        else
          HW_CHECK(strings(value, files));
        for (const std::string& file : files)
          program.goldens.push_back(file.empty() ? fs::path() : root_ / file);
      } else if (name == "name" && value.is_string()) {
        program.name = value.as_string()->get();
      } else {
        return wrong(key.source(), fmt::format("unknown program key '{}'", name),
                     "Known keys: name, sources, flags, runs, golden.");
      }
    }
    if (program.units.empty()) return wrong(table.source(), "the program has no sources");
    for (const std::string& unit : program.units) {
      std::error_code ignored;
      if (!fs::exists(root_ / unit, ignored))
        return wrong(table.source(), fmt::format("no such file: '{}'", unit));
    }
    if (program.name.empty()) program.name = fs::path(program.units[0]).stem().string();
    program.folder = project::folder_prefix(program.units[0]);
    if (program.runs.empty()) program.runs.emplace_back();
    if (program.goldens.size() > 1 && program.goldens.size() != program.runs.size())
      return wrong(
          table.source(),
          fmt::format("{} golden files for {} runs", program.goldens.size(), program.runs.size()),
          "Give one for all runs, or one per run.");
    return program;
  }

  const fs::path& file_;
  const fs::path& root_;
};

Result<std::vector<fs::path>> kernel_specs_of(const project::Tree& tree,
                                              const std::vector<std::string>& ignore) {
  project::IgnorePatterns patterns;
  for (const std::string& line : ignore) patterns.add(line);
  project::WalkRequest request;
  request.root = tree.root;
  request.excludes = [&](std::string_view path, bool is_folder) {
    return (is_folder && path.ends_with(".hipwright")) || patterns.ignores(path, is_folder);
  };
  request.wants = [](std::string_view path) { return path.ends_with(kSpecEnding); };
  HW_TRY(const project::WalkResult walked, project::walk(request));
  std::vector<fs::path> specs;
  for (const std::string& path : walked.files) specs.push_back(tree.root / path);
  return specs;
}

// The project's file overrides what was found.
Status read_configuration(Workload& workload) {
  const fs::path file = workload.root / project::kConfigName;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  HW_TRY(const std::string text, read_file(file, kMostSettingsBytes));
  HW_CHECK(check_toml_depth(text, file.string()));
  try {
    const toml::table all = toml::parse(text);
    const toml::table* verify = all["verify"].as_table();
    if (verify == nullptr) return {};
    Workload declared;
    declared.root = workload.root;
    HW_CHECK(TableReader(file, workload.root).read(*verify, declared));
    workload.torch_check = declared.torch_check;
    if (!declared.programs.empty()) workload.programs = std::move(declared.programs);
    return {};
  } catch (const toml::parse_error& error) {
    return fail("cannot read the configuration",
                fmt::format("{}:{}", file.string(), error.source().begin.line),
                std::string(error.description()));
  }
}

}  // namespace

Result<Workload> find_workload(const fs::path& path, const WorkloadOptions& options) {
  ThreadPool pool;
  HW_TRY(const project::Tree tree, project::read_tree(path, options.ignore, pool));
  Workload workload = Finder(tree).find();
  workload.root = tree.root;
  HW_TRY(workload.kernel_specs, kernel_specs_of(tree, options.ignore));
  HW_CHECK(read_configuration(workload));
  for (const ProgramSpec& program : workload.programs)
    for (const std::string& unit : program.units) {
      const auto known = std::find_if(workload.units.begin(), workload.units.end(),
                                      [&](const WorkUnit& each) { return each.path == unit; });
      if (known == workload.units.end())
        workload.units.push_back({unit, program.flags});
      else
        known->flags = program.flags;
    }
  const project::CompilerFlags words(tree, tree.root, options.original, port::for_hipcc);
  for (std::vector<WorkUnit>* const units : {&workload.units, &workload.spare})
    for (WorkUnit& unit : *units) {
      std::vector<std::string> flags = words.of(unit.path);
      unit.flags.insert(unit.flags.begin(), flags.begin(), flags.end());
    }
  return workload;
}

}  // namespace hipwright::verify
