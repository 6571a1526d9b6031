// SPDX-License-Identifier: MIT
#include "verify/program/project.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/file.h"
#include "base/thread_pool.h"
#include "lint/config.h"
#include "lint/walk.h"
#include "port/tree.h"
#include "port/verify/build_words.h"
#include "syntax/cuda/file.h"
#include "verify/program/makefile.h"

namespace hipwright::verify {

namespace fs = std::filesystem;
namespace cu = syntax::cuda;

namespace {

constexpr std::string_view kSpecEnding = ".kernel.toml";

std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/') + 1));
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
  explicit Finder(const port::Tree& tree) : tree_(tree), included_(included_sources(tree)) {}

  Project find() {
    Project project;
    std::map<std::string, std::vector<const port::SourceFile*>> mains, others;
    for (const auto& file : tree_.files) {
      const std::string& path = file->path();
      if (file->python() != nullptr) project.uses_torch |= imports_torch(*file->python());
      if (file->cuda() == nullptr || file->is_header()) continue;
      if (!is_device_source(path) && !is_host_source(path)) continue;
      if (included_.contains(file.get())) continue;
      (port::has_main(*file->cuda()) ? mains : others)[folder_of(path)].push_back(file.get());
    }
    for (const auto& [folder, files] : mains) mains_ += files.size();
    std::set<std::string> host_units;
    for (const auto& [folder, files] : mains)
      for (const port::SourceFile* file : files) add_program(project, *file, others[folder]);
    for (const ProgramSpec& program : project.programs)
      host_units.insert(program.units.begin(), program.units.end());
    for (const auto& file : tree_.files) {
      if (file->cuda() == nullptr || file->is_header() || included_.contains(file.get())) continue;
      const bool is_host = is_host_source(file->path());
      if (is_device_source(file->path()) || host_units.contains(file->path()))
        project.units.push_back({file->path(), facts_of(folder_of(file->path())).flags});
      else if (is_host && !port::has_main(*file->cuda()))
        project.spare.push_back({file->path(), facts_of(folder_of(file->path())).flags});
    }
    return project;
  }

 private:
  const MakefileFacts& facts_of(const std::string& folder) {
    const auto known = facts_.find(folder);
    if (known != facts_.end()) return known->second;
    MakefileFacts facts;
    bool is_there = false;
    for (const char* name : {"Makefile", "makefile", "GNUmakefile"})
      if (const auto text = read_file(tree_.root / folder / name); text && !is_there) {
        facts = read_makefile(*text, tree_.root / folder);
        is_there = true;
      }
    facts.folder = folder;
    // "src/": what is built there is often said above.
    if (!is_there && !folder.empty())
      facts = facts_of(folder_of(std::string_view(folder).substr(0, folder.size() - 1)));
    return facts_.emplace(folder, std::move(facts)).first->second;
  }

  static bool is_named(const MakefileFacts& facts, std::string_view path) {
    return path.starts_with(facts.folder) && facts.names(path.substr(facts.folder.size()));
  }

  // A Makefile that says which sources it means leaves out the others of the program's folder, and
  // may have some of other folders.
  void add_units(ProgramSpec& program, const MakefileFacts& facts,
                 const std::vector<const port::SourceFile*>& others) const {
    const bool names_sources = is_named(facts, program.units[0]);
    for (const port::SourceFile* other : others)
      if (!names_sources || is_named(facts, other->path())) program.units.push_back(other->path());
    // Where nobody says what the only program of the tree is made of, it is made of all.
    if (!names_sources && mains_ > 1) return;
    for (const auto& file : tree_.files) {
      if (file->cuda() == nullptr || file->is_header()) continue;
      if (names_sources ? !is_named(facts, file->path())
                        : !is_device_source(file->path()) && !is_host_source(file->path()))
        continue;
      if (included_.contains(file.get()) || port::has_main(*file->cuda())) continue;
      if (std::ranges::find(program.units, file->path()) == program.units.end())
        program.units.push_back(file->path());
    }
  }

  void add_program(Project& project, const port::SourceFile& main,
                   const std::vector<const port::SourceFile*>& others) {
    const std::string& path = main.path();
    const std::string folder = folder_of(path);
    ProgramSpec program;
    const std::string stem = path.substr(folder.size(), path.rfind('.') - folder.size());
    program.name = folder + stem;
    program.is_guess = true;
    program.units.push_back(path);
    const MakefileFacts& facts = facts_of(folder);
    add_units(program, facts, others);
    program.flags = facts.flags;
    program.folder = folder;
    // One call is that of the one program.
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
    project.programs.push_back(std::move(program));
  }

  const port::Tree& tree_;
  const std::unordered_set<const port::SourceFile*> included_;
  std::map<std::string, MakefileFacts> facts_;
  std::size_t mains_ = 0;
};

// The [verify] table.
class TableReader {
 public:
  TableReader(const fs::path& file, const fs::path& root) : file_(file), root_(root) {}

  Status read(const toml::table& table, Project& project) const {
    std::vector<ProgramSpec>& programs = project.programs;
    for (const auto& [key, value] : table) {
      if (key.str() == "torch" && value.is_string()) {
        project.torch_check = value.as_string()->get();
        continue;
      }
      if (key.str() != "programs")
        return wrong(key.source(), fmt::format("[verify] has no key '{}'", key.str()),
                     "It has torch and programs.");
      if (!value.is_array_of_tables())
        return wrong(value.source(), "programs are tables", "Write [[verify.programs]].");
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
    return fail("cannot use the configuration",
                fmt::format("{}:{}", file_.string(), where.begin.line), std::move(why),
                std::move(fix));
  }

  Status strings(const toml::node& value, std::vector<std::string>& out) const {
    const toml::array* array = value.as_array();
    if (array == nullptr) return wrong(value.source(), "a list of strings is expected here");
    for (const toml::node& each : *array) {
      if (!each.is_string()) return wrong(each.source(), "a string is expected here");
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
          return wrong(value.source(), "runs is a list of lists", R"(Write runs = [["1000"]].)");
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
        return wrong(key.source(), fmt::format("a program has no '{}'", name),
                     "It has name, sources, flags, runs and golden.");
      }
    }
    if (program.units.empty()) return wrong(table.source(), "the program has no sources");
    for (const std::string& unit : program.units) {
      std::error_code ignored;
      if (!fs::exists(root_ / unit, ignored))
        return wrong(table.source(), fmt::format("there is no file '{}'", unit));
    }
    if (program.name.empty()) program.name = fs::path(program.units[0]).stem().string();
    program.folder = folder_of(program.units[0]);
    if (program.runs.empty()) program.runs.emplace_back();
    if (program.goldens.size() > 1 && program.goldens.size() != program.runs.size())
      return wrong(table.source(),
                   fmt::format("there are {} golden files for {} runs", program.goldens.size(),
                               program.runs.size()),
                   "Give one for all, or one for each run.");
    return program;
  }

  const fs::path& file_;
  const fs::path& root_;
};

Result<std::vector<fs::path>> kernel_specs_of(const port::Tree& tree) {
  lint::WalkRequest request;
  request.root = tree.root;
  request.excludes = [](std::string_view path, bool is_folder) {
    return is_folder && path.ends_with(".hipwright");
  };
  request.wants = [](std::string_view path) { return path.ends_with(kSpecEnding); };
  HW_TRY(const lint::WalkResult walked, lint::walk(request));
  std::vector<fs::path> specs;
  for (const std::string& path : walked.files) specs.push_back(tree.root / path);
  return specs;
}

// What the project's file says goes over what was found.
Status read_configuration(Project& project) {
  const fs::path file = project.root / lint::kConfigName;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  HW_TRY(const std::string text, read_file(file));
  try {
    const toml::table all = toml::parse(text);
    const toml::table* verify = all["verify"].as_table();
    if (verify == nullptr) return {};
    Project declared;
    declared.root = project.root;
    HW_CHECK(TableReader(file, project.root).read(*verify, declared));
    project.torch_check = declared.torch_check;
    if (!declared.programs.empty()) project.programs = std::move(declared.programs);
    return {};
  } catch (const toml::parse_error& error) {
    return fail("cannot read the configuration",
                fmt::format("{}:{}", file.string(), error.source().begin.line),
                std::string(error.description()));
  }
}

}  // namespace

Result<Project> find_project(const fs::path& path) {
  ThreadPool pool;
  HW_TRY(const port::Tree tree, port::read_tree(path, {}, pool));
  Project project = Finder(tree).find();
  project.root = tree.root;
  HW_TRY(project.kernel_specs, kernel_specs_of(tree));
  HW_CHECK(read_configuration(project));
  for (const ProgramSpec& program : project.programs)
    for (const std::string& unit : program.units) {
      const auto known = std::find_if(project.units.begin(), project.units.end(),
                                      [&](const ProjectUnit& each) { return each.path == unit; });
      if (known == project.units.end())
        project.units.push_back({unit, program.flags});
      else
        known->flags = program.flags;
    }
  const port::CompilerWords words(tree, tree.root);
  for (std::vector<ProjectUnit>* const units : {&project.units, &project.spare})
    for (ProjectUnit& unit : *units) {
      std::vector<std::string> flags = words.of(unit.path);
      unit.flags.insert(unit.flags.begin(), flags.begin(), flags.end());
    }
  return project;
}

}  // namespace hipwright::verify
