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

namespace hipwright::verify {

namespace fs = std::filesystem;
namespace cu = syntax::cuda;

namespace {

constexpr std::string_view kSpecEnding = ".kernel.toml";

std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/') + 1));
}

bool is_device_source(std::string_view path) {
  return path.ends_with(".cu") || path.ends_with(".hip");
}
bool is_host_source(std::string_view path) {
  return path.ends_with(".cpp") || path.ends_with(".cc") || path.ends_with(".cxx") ||
         path.ends_with(".c");
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

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t", begin), text.size());
    words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

// What a folder's Makefile says, as far as plain variables go: what has a function or a pattern is
// left out.
struct MakefileFacts {
  std::string folder;                           // of the tree
  std::vector<std::string> flags;               // -I and -D, folders made absolute
  std::vector<std::vector<std::string>> calls;  // "./program 1 2" of its recipes
};

class MakefileReader {
 public:
  explicit MakefileReader(fs::path folder) : folder_(std::move(folder)) {}

  MakefileFacts read(std::string_view text) {
    std::vector<std::string> lines = logical_lines(text);
    for (const std::string& line : lines)
      if (!line.starts_with('\t')) assign(line);
    for (const std::string& line : lines) look_at(line);
    return std::move(facts_);
  }

 private:
  static std::vector<std::string> logical_lines(std::string_view text) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.back() += text.substr(at, end - at);
      at = end + 1;
      if (lines.back().ends_with('\\'))
        lines.back().back() = ' ';
      else
        lines.emplace_back();
    }
    return lines;
  }

  // A = b, A := b, A ?= b, A += b. Conditions are not evaluated: the first value stays.
  void assign(const std::string& line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) return;
    const bool adds = line[equals - 1] == '+';
    const std::vector<std::string> name =
        words_of(std::string_view(line).substr(0, line.find_last_not_of(":?+ \t", equals - 1) + 1));
    if (name.size() != 1 || name[0].find_first_of("$#:") != std::string::npos) return;
    std::string value = line.substr(equals + 1);
    value.erase(std::min(value.find('#'), value.size()));
    value.erase(value.find_last_not_of(" \t") + 1);
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (adds)
      variables_[name[0]] += " " + value;
    else
      variables_.emplace(name[0], value);
  }

  // What is not known is nothing, as in make.
  std::string expanded(std::string_view text, int depth = 0) const {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool is_variable =
          text[at] == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{');
      const std::size_t end =
          is_variable ? text.find(text[at + 1] == '(' ? ')' : '}', at) : std::string_view::npos;
      if (end == std::string_view::npos) {
        out += text[at];
        continue;
      }
      const std::string_view name = text.substr(at + 2, end - at - 2);
      const auto found = variables_.find(name);
      if (found != variables_.end() && depth < 8) out += expanded(found->second, depth + 1);
      at = end;
    }
    return out;
  }

  void look_at(const std::string& line) {
    const std::string text = expanded(line);
    const std::vector<std::string> words = words_of(text);
    for (const std::string& word : words) {
      if (word.size() < 3 || word.find('$') != std::string::npos) continue;
      if (word.starts_with("-D")) add_flag(word);
      if (word.starts_with("-I"))
        add_flag("-I" + (folder_ / word.substr(2)).lexically_normal().string());
    }
    if (line.starts_with('\t') && !words.empty() && words[0].starts_with("./") &&
        text.find_first_of("$|<>&;`\"'*") == std::string::npos)
      facts_.calls.push_back(words);
  }

  void add_flag(const std::string& flag) {
    if (std::find(facts_.flags.begin(), facts_.flags.end(), flag) == facts_.flags.end())
      facts_.flags.push_back(flag);
  }

  fs::path folder_;
  std::map<std::string, std::string, std::less<>> variables_;
  MakefileFacts facts_;
};

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
      if (is_device_source(file->path()) || host_units.contains(file->path()))
        project.units.push_back({file->path(), facts_of(folder_of(file->path())).flags});
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
        facts = MakefileReader(tree_.root / folder).read(*text);
        is_there = true;
      }
    facts.folder = folder;
    // "src/": what is built there is often said above.
    if (!is_there && !folder.empty())
      facts = facts_of(folder_of(std::string_view(folder).substr(0, folder.size() - 1)));
    return facts_.emplace(folder, std::move(facts)).first->second;
  }

  void add_program(Project& project, const port::SourceFile& main,
                   const std::vector<const port::SourceFile*>& others) {
    const std::string& path = main.path();
    const std::string folder = folder_of(path);
    ProgramSpec program;
    const std::string stem = path.substr(folder.size(), path.rfind('.') - folder.size());
    program.name = folder + stem;
    program.units.push_back(path);
    for (const port::SourceFile* other : others) program.units.push_back(other->path());
    const MakefileFacts& facts = facts_of(folder);
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
  for (ProjectUnit& unit : project.units) {
    std::vector<std::string> flags = words.of(unit.path);
    unit.flags.insert(unit.flags.begin(), flags.begin(), flags.end());
  }
  return project;
}

}  // namespace hipwright::verify
