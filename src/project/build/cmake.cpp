// SPDX-License-Identifier: MIT
#include "project/build/cmake.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/words.h"
#include "project/build/cmake_flags.h"
#include "project/build/cmake_values.h"
#include "project/language.h"
#include "project/path.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::project {

using syntax::build::CMakeCommand;
using syntax::build::CMakeCommands;

namespace {

constexpr int kDeepestFolder = 32;
constexpr std::size_t kMostCommands = 100'000;
constexpr int kMostReadings = 64;  // of one file: some include themselves

// Commands that name sources without building them, by how they begin.
bool builds_nothing(std::string_view command) {
  static constexpr auto kPrefixes = std::to_array<std::string_view>({"set_",
                                                                     "get_",
                                                                     "cmake_",
                                                                     "find_",
                                                                     "message",
                                                                     "install",
                                                                     "add_compile_",
                                                                     "add_custom_",
                                                                     "add_test",
                                                                     "add_dependencies",
                                                                     "target_link_",
                                                                     "target_compile_",
                                                                     "target_include_",
                                                                     "target_precompile_",
                                                                     "fetchcontent_",
                                                                     "execute_process",
                                                                     "configure_file",
                                                                     "mark_as_advanced",
                                                                     "include_directories",
                                                                     "link_",
                                                                     "string",
                                                                     "math",
                                                                     "export",
                                                                     "enable_",
                                                                     "source_group",
                                                                     "define_property",
                                                                     "file",
                                                                     "separate_arguments",
                                                                     "unset",
                                                                     "option",
                                                                     "variable_watch",
                                                                     "add_definitions",
                                                                     "check_"});
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return command.starts_with(prefix); });
}

struct ParsedFile {
  std::string text;
  CMakeCommands commands;  // views of the text
};

struct Condition {
  Truth outer = Truth::kYes;  // around the if()
  Truth taken = Truth::kNo;   // one of the branches before
  Truth now = Truth::kYes;
};

// Does a build file of the tree say how to build for AMD?
bool names_amd_build(const FileSet& tree) {
  return std::ranges::any_of(tree.paths, [&](const std::string& path) {
    if (path.ends_with(".hip")) return true;
    if (!is_build_file(path)) return false;
    const auto text = tree.read(path);
    return text && has_any(*text, {"HIP", "hip_", "hip::", "hipcc", "hipify", "rocm", "ROCm",
                                   "ROCM", "amdgpu", "gfx9"});
  });
}

// One run over all files for one platform.
class Run {
 public:
  Run(const FileSet& tree, Platform platform, std::map<std::string, ParsedFile>& texts,
      FolderFlags* flags = nullptr)
      : tree_(tree), texts_(texts), variables_(platform), flags_(flags) {}

  std::map<std::string, Truth> run() {
    for (const std::string& path : roots()) {
      if (done_.contains(path)) continue;
      variables_ = CMakeVariables(variables_.platform());
      // What the user adds on the command line is not the project's.
      variables_.set("CMAKE_HIP_FLAGS", {{{""}}, true}, Truth::kYes);
      is_possible_ = Truth::kYes;
      folder(std::string(folder_of(path)), Truth::kYes);
    }
    // Written but not seen to reach a target.
    for (const auto& [path, truth] : written_) {
      if (!built_.contains(path)) built_[path] = truth & Truth::kMaybe;
    }
    return std::move(built_);
  }

 private:
  // Folders before their subfolders.
  std::vector<std::string> roots() const {
    std::vector<std::string> found;
    for (const std::string& path : tree_.paths) {
      if (path == "CMakeLists.txt" || path.ends_with("/CMakeLists.txt")) found.push_back(path);
    }
    const auto depth = [](const std::string& path) {
      return std::pair(std::count(path.begin(), path.end(), '/'), std::string_view(path));
    };
    std::ranges::sort(found, {}, depth);
    return found;
  }

  void folder(const std::string& path, Truth when) {
    const std::string outer = folder_;
    folder_ = path;
    place("CMAKE_CURRENT_SOURCE_DIR", path);
    if (depth_ == 0) {
      place("CMAKE_SOURCE_DIR", path);
      place("PROJECT_SOURCE_DIR", path);
    }
    file(path.empty() ? "CMakeLists.txt" : path + "/CMakeLists.txt", when);
    folder_ = outer;
    place("CMAKE_CURRENT_SOURCE_DIR", outer);
  }

  void place(const char* name, const std::string& path) {
    variables_.set(name, {{{"/" + path}}, true}, Truth::kYes);
  }

  void file(const std::string& path, Truth when) {
    const ParsedFile* parsed = read(path);
    if (parsed == nullptr || depth_ >= kDeepestFolder || ++done_[path] > kMostReadings) return;
    ++depth_;
    std::vector<Condition> outer;
    outer.swap(conditions_);
    const Truth outer_file = std::exchange(file_, when);
    place("CMAKE_CURRENT_LIST_DIR", std::string(folder_of(path)));
    const std::vector<CMakeCommand>& list = parsed->commands.list;
    for (std::size_t at = 0; at < list.size() && commands_ < kMostCommands; ++commands_)
      at = command(list, at);
    conditions_.swap(outer);
    file_ = outer_file;
    --depth_;
  }

  const ParsedFile* read(const std::string& path) {
    if (!tree_.has(path)) return nullptr;
    const auto known = texts_.find(path);
    if (known != texts_.end()) return &known->second;
    auto text = tree_.read(path);
    if (!text) return nullptr;
    ParsedFile& parsed = texts_[path];
    parsed.text = *std::move(text);
    parsed.commands = syntax::build::read_cmake(parsed.text);
    return &parsed;
  }

  Truth now() const {
    return is_possible_ & file_ & (conditions_.empty() ? Truth::kYes : conditions_.back().now);
  }

  std::size_t command(const std::vector<CMakeCommand>& list, std::size_t at) {
    const CMakeCommand& command = list[at];
    const std::string& name = command.name;
    if (name == "if" || name == "while") return open(command), at + 1;
    if (name == "elseif" || name == "else") return alternative(command), at + 1;
    if (name == "endif" || name == "endwhile") {
      if (!conditions_.empty()) conditions_.pop_back();
      return at + 1;
    }
    if (name == "function" || name == "macro") return skip_definition(list, at);
    if (flags_ != nullptr && now() == Truth::kYes)
      add_cmake_flags(command, variables_, folder_, tree_, (*flags_)[folder_]);
    if (name == "foreach") {
      loop(command);
    } else if (name == "return") {
      file_ = file_ & !now();
    } else if (name == "set") {
      assign(command);
    } else if (name == "list") {
      change_list(command);
    } else if (name == "file") {
      glob(command);
    } else if (name == "string") {
      change_text(command);
    } else if (name == "add_subdirectory") {
      subdirectory(command);
    } else if (name == "include") {
      include(command);
    } else if (!requires_platform(command)) {
      build(command);
    }
    return at + 1;
  }

  void open(const CMakeCommand& command) {
    Condition next;
    next.outer = conditions_.empty() ? Truth::kYes : conditions_.back().now;
    const Truth own = evaluate_cmake_condition(command.arguments, variables_);
    next.taken = own;
    next.now = next.outer & own;
    conditions_.push_back(next);
  }

  void alternative(const CMakeCommand& command) {
    if (conditions_.empty()) return;
    Condition& last = conditions_.back();
    const Truth own = command.name == "else"
                          ? Truth::kYes
                          : evaluate_cmake_condition(command.arguments, variables_);
    last.now = last.outer & !last.taken & own;
    last.taken = last.taken | own;
  }

  static std::size_t skip_definition(const std::vector<CMakeCommand>& list, std::size_t at) {
    const std::string end = "end" + list[at].name;
    while (at < list.size() && list[at].name != end) ++at;
    return at + 1;
  }

  // The body is read once, with all values at once.
  void loop(const CMakeCommand& command) {
    CMakeValues all;
    for (std::size_t i = 1; i < command.arguments.size(); ++i) {
      const std::string_view text = command.arguments[i].text;
      if (text == "IN" || text == "ITEMS") continue;
      if (text == "RANGE" || text == "ZIP_LISTS") {
        all.is_known = false;
        break;
      }
      const bool names_lists = command.text(1) == "IN" && command.text(2) == "LISTS";
      if (text == "LISTS") continue;
      add(all, names_lists ? variables_.get(text) : variables_.expand(command.arguments[i]));
    }
    all.is_known = false;  // one of them at a time
    variables_.set(command.text(0), std::move(all), Truth::kYes);
  }

  static void add(CMakeValues& to, const CMakeValues& from) {
    to.items.insert(to.items.end(), from.items.begin(), from.items.end());
    to.is_known = to.is_known && from.is_known;
  }

  CMakeValues expand_from(const CMakeCommand& command, std::size_t first) {
    CMakeValues all;
    for (std::size_t i = first; i < command.arguments.size(); ++i) {
      const std::string_view text = command.arguments[i].text;
      if (text == "CACHE" || text == "PARENT_SCOPE") break;
      if (text.find("$<") != std::string_view::npos) continue;
      const CMakeValues values = variables_.expand(command.arguments[i]);
      if (text.find("${") == std::string_view::npos) note(values);  // others were noted when set
      add(all, values);
    }
    return all;
  }

  void assign(const CMakeCommand& command) {
    const auto name =
        command.arguments.empty() ? std::nullopt : variables_.expand(command.arguments[0]).text();
    if (!name) return;
    CMakeValues values = expand_from(command, 1);
    for (const CMakeArgument& argument : command.arguments) {
      // The user's configuration takes precedence.
      if (argument.text == "CACHE" && argument.kind == CMakeArgument::Kind::kPlain) {
        if (variables_.get(*name).is_known) return;
        values.is_known = false;
      }
    }
    variables_.set(*name, std::move(values), now());
  }

  void change_list(const CMakeCommand& command) {
    const std::string_view what = command.text(0);
    const std::string_view name = command.text(1);
    if (what == "APPEND" || what == "PREPEND" || what == "INSERT") {
      const CMakeValues values = expand_from(command, what == "INSERT" ? 3 : 2);
      variables_.append(name, values, now());
    } else if (what == "REMOVE_ITEM" || what == "FILTER") {
      remove(command);
    } else if (what == "TRANSFORM" || what == "REMOVE_AT" || what.starts_with("POP_")) {
      variables_.forget(name);
    } else if (what != "REMOVE_DUPLICATES" && what != "SORT" && what != "REVERSE") {
      if (!command.arguments.empty()) variables_.forget(command.arguments.back().text);
    }
  }

  // Removes matching elements; uncertain ones become optional.
  void remove(const CMakeCommand& command) {
    if (!variables_.has(command.text(1)) || now() == Truth::kNo) return;
    CMakeValues values = variables_.get(command.text(1));
    if (command.text(0) == "REMOVE_ITEM") {
      std::map<std::optional<std::string>, Truth> gone;
      for (const CMakeItem& item : expand_from(command, 2).items) {
        Truth& truth = gone.try_emplace(join_path(folder_, item.text), Truth::kNo).first->second;
        truth = truth | (item.present & now());
      }
      for (CMakeItem& item : values.items) {
        const auto found = gone.find(join_path(folder_, item.text));
        if (found != gone.end()) item.present = item.present & !found->second;
      }
    } else {
      for (CMakeItem& item : values.items) item.present = item.present & Truth::kMaybe;
    }
    variables_.set(command.text(1), std::move(values), Truth::kYes);
  }

  void glob(const CMakeCommand& command) {
    const std::string_view what = command.text(0);
    if (what != "GLOB" && what != "GLOB_RECURSE") {
      if (command.arguments.size() > 1) variables_.forget(command.text(1));
      return;
    }
    CMakeValues found;
    for (std::size_t i = 2; i < command.arguments.size(); ++i) {
      for (const CMakeItem& item : variables_.expand(command.arguments[i]).items) {
        const auto pattern = join_path(folder_, item.text);
        if (!pattern) continue;
        for (const std::string& path : tree_.glob(*pattern, what == "GLOB_RECURSE"))
          found.items.push_back({"/" + path, item.present});
      }
    }
    note(found);
    variables_.set(command.text(1), std::move(found), now());
  }

  // string(REPLACE ".cu" ".hip" out ${sources}): what is compiled still comes from the sources.
  void change_text(const CMakeCommand& command) {
    if (command.text(0) == "REPLACE" && command.arguments.size() > 4) {
      variables_.set(command.text(3), expand_from(command, 4), now());
      variables_.forget(command.text(3));
      return;
    }
    for (const CMakeArgument& argument : command.arguments) variables_.forget(argument.text);
  }

  void subdirectory(const CMakeCommand& command) {
    if (command.arguments.empty()) return;
    for (const CMakeItem& item : variables_.expand(command.arguments[0]).items) {
      const auto path = join_path(folder_, item.text);
      if (!path) continue;
      const std::string list = path->empty() ? "CMakeLists.txt" : *path + "/CMakeLists.txt";
      if (!tree_.has(list) || *path == folder_) continue;
      const CMakeVariables outer = variables_;
      folder(*path, now() & item.present);
      variables_ = outer;
    }
  }

  void include(const CMakeCommand& command) {
    if (command.arguments.empty()) return;
    const auto text = variables_.expand(command.arguments[0]).text();
    const auto path = text ? join_path(folder_, *text) : std::nullopt;
    if (!path) return;
    file(*path, now());
    place("CMAKE_CURRENT_LIST_DIR", folder_);
  }

  // A configuration that must fail builds nothing; one that may fail leaves everything uncertain.
  // A project that requires CUDA and has no build for AMD yet does not say what that will leave
  // out.
  bool requires_platform(const CMakeCommand& command) {
    const auto has = [&](std::string_view word) {
      return std::any_of(command.arguments.begin(), command.arguments.end(),
                         [&](const CMakeArgument& argument) { return argument.text == word; });
    };
    bool fails = false;
    if (command.name == "message") {
      fails = has("FATAL_ERROR");
    } else if (command.name == "project" || command.name == "enable_language") {
      fails = is_amd() ? has("CUDA") : has("HIP");
    } else if (command.name == "find_package" && has("REQUIRED")) {
      const std::string_view package = command.text(0);
      fails = is_amd() ? package == "CUDA" || package == "CUDAToolkit"
                       : package == "hip" || package == "HIP" || package == "rocblas";
    } else {
      return false;
    }
    if (fails && flags_ == nullptr && now() == Truth::kYes)
      is_possible_ = is_amd() && !names_amd_build(tree_) ? Truth::kMaybe : Truth::kNo;
    return true;
  }

  bool is_amd() const { return variables_.platform() == Platform::kAmd; }

  void build(const CMakeCommand& command) {
    if (builds_nothing(command.name)) return;
    for (const CMakeArgument& argument : command.arguments) {
      if (argument.kind == CMakeArgument::Kind::kParenthesis) continue;
      if (argument.kind == CMakeArgument::Kind::kPlain) variables_.forget(argument.text);
      for (const CMakeItem& item : variables_.expand(argument).items) {
        if (const auto path = source(item.text)) {
          Truth& built = built_.try_emplace(*path, Truth::kNo).first->second;
          built = built | (now() & item.present);
        }
      }
    }
  }

  void note(const CMakeValues& values) {
    for (const CMakeItem& item : values.items) {
      if (const auto path = source(item.text)) {
        Truth& written = written_.try_emplace(*path, Truth::kNo).first->second;
        written = written | (now() & item.present);
      }
    }
  }

  std::optional<std::string> source(std::string_view text) const {
    if (!is_compiled_source(text)) return std::nullopt;
    auto path = join_path(folder_, text);
    return path && tree_.has(*path) ? std::move(path) : std::nullopt;
  }

  const FileSet& tree_;
  std::map<std::string, ParsedFile>& texts_;
  CMakeVariables variables_;
  std::string folder_;
  std::map<std::string, int> done_;  // how often each was read
  std::vector<Condition> conditions_;
  Truth file_ = Truth::kYes;         // the rest of this file is read
  Truth is_possible_ = Truth::kYes;  // the configuration has not failed
  int depth_ = 0;
  std::size_t commands_ = 0;
  std::map<std::string, Truth> built_;
  std::map<std::string, Truth> written_;
  FolderFlags* flags_;  // collects flags unless null
};

}  // namespace

bool is_compiled_source(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return false;
  for (const std::string_view ending : {"cu", "hip", "cpp", "cc", "cxx", "c", "c++", "C"}) {
    if (path.substr(dot + 1) == ending) return true;
  }
  return false;
}

BuiltFiles read_cmake_sources(const FileSet& tree) {
  std::map<std::string, ParsedFile> texts;
  BuiltFiles all;
  for (const Platform platform : {Platform::kAmd, Platform::kNvidia}) {
    for (auto& [path, truth] : Run(tree, platform, texts).run())
      all.try_emplace(path, BuiltFor{Truth::kNo, Truth::kNo}).first->second.on(platform) = truth;
  }
  return all;
}

FolderFlags read_cmake_flags(const FileSet& tree) {
  std::map<std::string, ParsedFile> texts;
  FolderFlags flags;
  Run(tree, Platform::kAmd, texts, &flags).run();
  return flags;
}

}  // namespace hipwright::project
