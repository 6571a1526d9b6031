// SPDX-License-Identifier: MIT
#include "port/source/amd_builds.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "base/file.h"
#include "port/marks.h"
#include "port/options.h"
#include "project/build/build_graph.h"
#include "project/language.h"
#include "project/path.h"
#include "syntax/build/cmake_commands.h"
#include "syntax/scan.h"

namespace hipwright::port {

namespace build = syntax::build;
namespace fs = std::filesystem;
namespace py = syntax::python;
using syntax::Truth;

namespace {

const syntax::Name kExtension("CUDAExtension"), kExtensions("cpp_extension");

// ROCM of ENGINE_ROCM: one of the words of a name. hip_FOUND and CMAKE_HIP_COMPILER can be a
// port's.
bool names_amd(std::string_view name) {
  if (name == "hip" || name == "rocm") return true;
  if (name.starts_with("CMAKE_")) return false;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (word == "HIP" || word == "ROCM") return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// The names that CMake files of one build choose by, and whether one of them is a port's.
struct Choices {
  bool by_other_names = false, by_use_rocm = false, is_of_port = false;
  bool is_of_project() const { return by_other_names || (by_use_rocm && !is_of_port); }
};

// if(WITH_HIP), elseif(BACKEND STREQUAL "hip"), option(ENGINE_ROCM …)
void read_choices(const build::CMakeCommands& commands, Choices& into) {
  for (const build::CMakeCommand& command : commands.list) {
    const bool is_option = command.name == "option";
    if (!is_option && command.name != "if" && command.name != "elseif") continue;
    for (const build::CMakeArgument& argument : command.arguments) {
      if (argument.text == kCMakeSwitch)
        into.by_use_rocm = true;
      else if (names_amd(argument.text))
        into.by_other_names = true;
      if (is_option) break;
    }
    into.is_of_port |= is_option && command.text(0) == kCMakeSwitch &&
                       command.text(1).find(kCMakeSwitchText) != std::string_view::npos;
  }
}

// The files of a build by path from where it begins, which may be above the tree.
using Files = std::map<std::string, const SourceFile*, std::less<>>;

// The outermost folder around it that CMake configures: where its build begins.
std::string build_folder(const Files& files, std::string_view path) {
  std::string_view outermost = project::folder_of(path);
  for (std::string_view folder = outermost;; folder = project::folder_of(folder)) {
    const std::string prefix = folder.empty() ? "" : std::string(folder) + '/';
    if (files.contains(prefix + "CMakeLists.txt")) outermost = folder;
    if (folder.empty()) return std::string(outermost);
  }
}

bool is_setup_file(std::string_view path) {
  const std::string_view name = project::name_of(path);
  return name == "setup.py" || (name.starts_with("setup_") && name.ends_with(".py"));
}

// torch.version.hip, HIP_BUILD, is_rocm(); a port writes IS_HIP_EXTENSION and nothing else.
bool chooses_amd(const py::File& file, bool is_ported) {
  const auto tokens = file.tokens();
  for (py::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != py::Kind::kName) continue;
    const std::string_view name = file.text(at);
    if (is_ported && name == "IS_HIP_EXTENSION") continue;
    if (names_amd(name) || name == "is_rocm" || name == "is_hip") return true;
  }
  return false;
}

bool is_below(std::string_view path, const std::set<std::string, std::less<>>& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return folder.empty() ||
           (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
  });
}

project::FileSet file_set(const Files& files) {
  project::FileSet set;
  for (const auto& [path, file] : files) set.paths.push_back(path);
  set.read = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(std::string(found->second->text()));
  };
  return set;
}

// The build files of the project around a tree that is a part of it.
struct Around {
  std::string prefix;  // from the project to the tree: "csrc/"; empty: the tree is the whole
  std::vector<std::unique_ptr<SourceFile>> files;
};

void read_into(Around& around, const fs::path& root, const fs::path& name) {
  if (auto bytes = read_file(root / name))
    around.files.push_back(std::make_unique<SourceFile>(name.generic_string(),
                                                        syntax::Text{.bytes = *std::move(bytes)}));
}

Around read_around(const Tree& tree) {
  constexpr int kHighest = 3;  // levels
  Around around;
  std::error_code error;
  if (tree.root.empty() || tree.find("CMakeLists.txt") != nullptr ||
      tree.find("setup.py") != nullptr)
    return around;
  fs::path inner = fs::weakly_canonical(tree.root, error);
  if (error || fs::exists(inner / ".git", error)) return around;
  std::string prefix;
  for (int level = 0; level < kHighest && inner.has_relative_path(); ++level) {
    const std::string name = inner.filename().generic_string();
    const fs::path folder = inner.parent_path();
    prefix.insert(0, name + '/');
    Around found{prefix, {}};
    read_into(found, folder, "CMakeLists.txt");
    read_into(found, folder, "setup.py");
    const bool builds_it = std::ranges::any_of(found.files, [&](const auto& file) {
      return syntax::has_bytes(file->text(), name.c_str());
    });
    if (builds_it) {
      for (const auto& entry : fs::directory_iterator(folder / "cmake", error))
        if (entry.is_regular_file(error))
          read_into(found, folder, entry.path().lexically_relative(folder));
      around = std::move(found);
    }
    if (fs::exists(folder / ".git", error)) break;
    inner = folder;
  }
  return around;
}

}  // namespace

AmdBuilds::AmdBuilds(const Tree& tree) {
  const bool is_ported = tree.find(kNamesName) != nullptr || tree.find(kCompatName) != nullptr;
  const Around around = read_around(tree);
  prefix_ = around.prefix;
  Files files;
  for (const auto& file : tree.files) files.emplace(prefix_ + file->path(), file.get());
  for (const auto& file : around.files) files.emplace(file->path(), file.get());
  std::map<std::string, Choices> builds;
  for (const auto& [path, file] : files) {
    if (file->language() == Language::kCMake)
      read_choices(build::read_cmake(file->text()), builds[build_folder(files, path)]);
    if (const py::File* python = file->python()) {
      translates_names_ |= python->has(kExtension) || python->has(kExtensions);
      if (is_setup_file(path) && chooses_amd(*python, is_ported)) {
        folders_.emplace(project::folder_of(path));
        if (python->has(kExtension)) extensions_.emplace(project::folder_of(path));
      }
    }
    translates_names_ |= file->cuda() == nullptr && syntax::has_bytes(file->text(), "hipify");
  }
  for (const auto& [folder, choices] : builds)
    if (choices.is_of_project()) folders_.insert(folder);
  if (folders_.empty()) return;
  lists_ = project::read_build_lists(file_set(files));
  for (const auto& [path, built] : lists_) {
    if (!project::is_device_source(path)) continue;
    project::BuiltFor& all = device_folders_[std::string(project::folder_of(path))];
    if (built.amd == Truth::kNo) all.nvidia = Truth::kYes;
    if (built.amd != Truth::kNo) all.amd = Truth::kYes;
  }
}

bool AmdBuilds::has(std::string_view path) const {
  return chooses(prefix_ + std::string(path));
}

bool AmdBuilds::chooses(std::string_view path) const {
  return is_below(path, folders_);
}

bool AmdBuilds::may_extend_pytorch(std::string_view source) const {
  const std::string path = prefix_ + std::string(source);
  return project::is_device_source(path) && !lists_.contains(path) && is_below(path, extensions_);
}

project::BuiltFor AmdBuilds::built(std::string_view source) const {
  const std::string path = prefix_ + std::string(source);
  const auto found = lists_.find(path);
  if (found == lists_.end() || !chooses(path)) return {Truth::kNo, Truth::kNo};
  return found->second;
}

bool AmdBuilds::compile_beside(std::string_view source) const {
  const std::string path = prefix_ + std::string(source);
  const bool is_source = project::is_device_source(path) || project::is_host_source(path);
  if (!is_source || lists_.contains(path) || !chooses(path)) return false;
  for (std::string_view folder = project::folder_of(path); !folder.empty();
       folder = project::folder_of(folder))
    if (const auto found = device_folders_.find(folder); found != device_folders_.end())
      return found->second.amd == Truth::kYes && found->second.nvidia != Truth::kYes;
  return false;
}

}  // namespace hipwright::port
