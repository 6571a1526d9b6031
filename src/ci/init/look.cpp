// SPDX-License-Identifier: MIT
// What a repository contains decides what is written for it.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/words.h"
#include "ci/init/steps.h"
#include "project/walk.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

constexpr std::string_view kPresets[] = {"cpp", "torch-extension", "python", "monorepo"};
constexpr std::string_view kBuildFiles[] = {"CMakeLists.txt", "setup.py", "pyproject.toml"};
constexpr std::size_t kMostExamples = 20;

bool is_pytest_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

class Tree {
 public:
  Tree(fs::path root, std::vector<std::string> files)
      : root_(std::move(root)), files_(std::move(files)) {}

  bool has(std::string_view folder, std::string_view name) const {
    return std::ranges::find(files_, join(folder, name)) != files_.end();
  }
  bool contains(std::string_view path, Words words) const {
    const auto text = read_file(root_ / path);
    return text && has_any(*text, words);
  }
  // The topmost directories below the root with a build file; none is inside another.
  std::vector<std::string> builds() const {
    std::set<std::string> folders;
    for (const std::string& path : files_)
      if (is_any(std::string_view(path).substr(path.rfind('/') + 1), kBuildFiles) &&
          !folder_of(path).empty())
        folders.emplace(folder_of(path));
    std::vector<std::string> topmost;
    for (const std::string& folder : folders)
      if (topmost.empty() || !is_below(folder, topmost.back())) topmost.push_back(folder);
    return topmost;
  }
  const std::vector<std::string>& files() const { return files_; }

  static std::string join(std::string_view folder, std::string_view name) {
    return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
  }

 private:
  fs::path root_;
  std::vector<std::string> files_;
};

std::optional<Component> component_in(const Tree& tree, const std::string& folder) {
  Component found{.path = folder};
  const bool is_python = tree.has(folder, "setup.py") || tree.has(folder, "pyproject.toml");
  if (!is_python && !tree.has(folder, "CMakeLists.txt")) return std::nullopt;
  bool has_extension = false;
  for (const std::string& path : tree.files()) {
    if (!is_below(path, folder)) continue;
    const std::string_view inner =
        std::string_view(path).substr(folder.empty() ? 0 : folder.size() + 1);
    found.has_pytest |= is_pytest_file(path);
    if (inner.ends_with("CMakeLists.txt"))
      found.has_ctest |= tree.contains(path, {"enable_testing", "include(CTest)", "add_test"});
    if (inner == "setup.py" || inner == "pyproject.toml") {
      found.uses_torch |= tree.contains(path, {"torch"});
      has_extension |= tree.contains(path, {"cpp_extension", "CUDAExtension", "HIPExtension"});
    }
    if (inner.starts_with("examples/") && inner.ends_with(".py") && !is_pytest_file(path) &&
        found.examples.size() < kMostExamples)
      found.examples.push_back(path);
  }
  found.uses_torch |= has_extension;
  found.kind = !is_python      ? Preset::kCpp
               : has_extension ? Preset::kTorchExtension
                               : Preset::kPython;
  return found;
}

// Two directories of the same name get names that tell them apart: a job's id is made of one.
Status check_names(const std::vector<Component>& components) {
  std::set<std::string> names;
  for (const Component& each : components) {
    if (each.path.find_first_of(" \t'\"$`\\") != each.path.npos)
      return fail("cannot write jobs for", each.path, "its name needs quoting in scripts",
                  "Rename the directory.");
    if (!names.insert(slug(each.path)).second)
      return fail("cannot write jobs for", each.path,
                  fmt::format("another component is called '{}', too", slug(each.path)),
                  "Rename one of the directories.");
  }
  return {};
}

Result<Repository> monorepo(const Tree& tree, const fs::path& root) {
  Repository repository;
  for (const std::string& folder : tree.builds())
    if (auto component = component_in(tree, folder))
      repository.components.push_back(*std::move(component));
  if (repository.components.empty())
    return fail("cannot choose a preset for", root.string(),
                "no CMakeLists.txt, setup.py or pyproject.toml found",
                "Run it in the root of a repository.");
  HW_CHECK(check_names(repository.components));
  return repository;
}

}  // namespace

std::string_view to_string(Preset preset) {
  return kPresets[static_cast<int>(preset)];
}

Result<Preset> parse_preset(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kPresets); ++i)
    if (word == kPresets[i]) return static_cast<Preset>(i);
  return fail("unknown preset", std::string(word), "",
              "Use cpp, torch-extension, python or monorepo.");
}

Preset Repository::preset() const {
  return components.size() == 1 && components[0].path.empty() ? components[0].kind
                                                              : Preset::kMonorepo;
}

Result<Repository> look_at(const fs::path& root, std::optional<Preset> preset) {
  std::error_code error;
  if (!fs::is_directory(root, error))
    return fail("cannot look at the repository", root.string(),
                fs::exists(root, error) ? "not a directory" : "no such directory");
  HW_TRY(project::WalkResult walked,
         project::walk({.root = root, .wants = [](std::string_view path) {
                          return path.ends_with(".py") ||
                                 is_any(path.substr(path.rfind('/') + 1), kBuildFiles);
                        }}));
  const Tree tree(root, std::move(walked.files));
  if (preset == Preset::kMonorepo) return monorepo(tree, root);
  auto whole = component_in(tree, "");
  if (!whole && preset)
    return fail("cannot write jobs for", root.string(),
                "it has no CMakeLists.txt, setup.py or pyproject.toml at the top",
                "Run it in the root of a repository, or use --preset monorepo.");
  if (!whole) return monorepo(tree, root);
  if (preset) {
    whole->kind = *preset;
    whole->uses_torch |= *preset == Preset::kTorchExtension;
  }
  return Repository{.components = {*std::move(whole)}};
}

}  // namespace hipwright::ci
