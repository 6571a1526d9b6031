// SPDX-License-Identifier: MIT
// What is in a wheel with AMD GPU code: targets and their sizes, libraries that it needs and
// brings, tags.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::ci {

struct TargetCode {
  std::size_t objects = 0;
  std::uint64_t bytes = 0;  // unpacked
};

struct WheelLibrary {
  std::string name;  // in the wheel
  std::vector<std::string> needed;
  std::string search_path;   // RPATH or RUNPATH
  unsigned glibc_minor = 0;  // of the newest GLIBC_2.x symbol
  bool has_gpu_code = false;
  bool is_code_object = false;  // GPU code alone: no library of the machine
};

struct WheelProblem {
  bool is_failure = false;  // otherwise a warning
  std::string what, fix;
};

struct Wheel {
  std::string file;
  std::vector<std::string> platforms;  // of the name's tag: "manylinux_2_28_x86_64"
  std::map<std::string, TargetCode> targets;
  std::vector<WheelLibrary> libraries;
  std::vector<std::string> outside;  // needed, and neither in the wheel nor of every Linux
  std::vector<WheelProblem> problems;
};

// `wanted`: targets that the wheel must contain code for.
Result<Wheel> check_wheel(const std::filesystem::path& file,
                          const std::vector<arch::Target>& wanted);

std::string wheel_text(const Wheel& wheel);
Json wheel_json(const Wheel& wheel);

}  // namespace hipwright::ci
