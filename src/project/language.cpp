// SPDX-License-Identifier: MIT
#include "project/language.h"

#include <algorithm>
#include <array>

#include "base/words.h"
#include "project/glob.h"
#include "project/path.h"

namespace hipwright::project {

namespace {

// "cu" of "src/a.cu"; empty if the name has no dot.
std::string_view suffix_of(std::string_view path) {
  const std::string_view name = name_of(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

bool matches_any(std::string_view path, Words patterns) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view pattern) { return name_matches(pattern, path); });
}

}  // namespace

std::string_view to_string(Language language) {
  constexpr std::array<std::string_view, 9> kNames = {"CUDA C++", "Python",       "CMake",
                                                      "make",     "requirements", "project",
                                                      "shell",    "other build",  "other"};
  return kNames[static_cast<std::size_t>(language)];
}

Language language_of(std::string_view path) {
  const std::string_view suffix = suffix_of(path);
  if (is_any(suffix, {"py", "pyi"})) return Language::kPython;
  if (is_any(suffix, {"cu", "cuh", "hip", "cpp", "cc", "cxx", "c", "h", "H", "hh", "hpp", "hxx",
                      "inl", "inc", "ipp", "tpp"}))
    return Language::kCuda;
  if (matches_any(path, {"CMakeLists.txt", "*.cmake"})) return Language::kCMake;
  if (matches_any(path, {"Makefile*", "makefile*", "GNUmakefile", "*.mk", "*.mak"}))
    return Language::kMake;
  if (matches_any(path, {"requirements*.txt", "constraints*.txt", "requirements/*.txt"}))
    return Language::kRequirements;
  if (matches_any(path, {"pyproject.toml", "setup.cfg"})) return Language::kProject;
  if (matches_any(path,
                  {"*.sh", "*.bash", "*.zsh", "*.slurm", "*.sbatch", "Dockerfile*", "*.dockerfile",
                   "*.Dockerfile", "Containerfile*", "*.yml", "*.yaml", "*.env"}))
    return Language::kShell;
  if (matches_any(path,
                  {"meson.build", "BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel", "*.bzl"}))
    return Language::kOtherBuild;
  return Language::kOther;
}

bool is_code(Language language) {
  return language == Language::kCuda || language == Language::kPython;
}

bool is_header(std::string_view path) {
  return is_any(suffix_of(path), {"h", "H", "hpp", "hh", "hxx", "cuh", "inl", "inc"});
}

bool is_device_source(std::string_view path) {
  return is_any(suffix_of(path), {"cu", "hip"});
}

bool is_host_source(std::string_view path) {
  return is_any(suffix_of(path), {"cpp", "cc", "cxx", "c"});
}

bool is_build_file(std::string_view path) {
  const std::string_view name = name_of(path);
  return is_any(name, {"CMakeLists.txt", "compile_commands.json"}) || name.ends_with(".cmake") ||
         (name.starts_with("setup") && name.ends_with(".py"));
}

bool is_of_project(std::string_view path) {
  return language_of(path) == Language::kCuda || is_build_file(path);
}

}  // namespace hipwright::project
