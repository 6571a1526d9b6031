// SPDX-License-Identifier: MIT
// The kind of a file, by its name and path alone.
#pragma once

#include <string_view>

namespace hipwright::project {

enum class Language {
  kCuda,    // CUDA and C++: sources and headers
  kPython,  // setup.py too
  kCMake,
  kMake,
  kRequirements,  // requirements*.txt, constraints*.txt
  kProject,       // pyproject.toml, setup.cfg
  kShell,         // shell, Dockerfile, YAML: environment variables
  kOtherBuild,    // Bazel, Meson: reported only
  kOther,         // copied unchanged; also headers that an earlier port wrote
};
Language language_of(std::string_view path);
std::string_view to_string(Language language);

// CUDA, C++ or Python: is the file read into a tree of its syntax?
bool is_code(Language language);

bool is_header(std::string_view path);
bool is_device_source(std::string_view path);  // .cu, .hip
bool is_host_source(std::string_view path);    // .cpp and similar

// Does it determine what is compiled?
bool is_build_file(std::string_view path);
// Is it read for the build graph?
bool is_of_project(std::string_view path);

}  // namespace hipwright::project
