// SPDX-License-Identifier: MIT
// One requirement of a Python project, and whether installing it harms ROCm's PyTorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/project_names.h"

namespace hipwright::port {

struct Requirement {
  enum class Use { kMain, kExtra, kBuild };

  const SourceFile* source = nullptr;
  Span span;         // of its text
  std::string text;  // "torch==2.4.0"
  Use use = Use::kMain;
};

enum class Harm {
  kNone,
  kPin,       // fine without the version
  kForNvidia  // NVIDIA-only
};
struct Verdict {
  Harm harm = Harm::kNone;
  std::string why;
};

// "torch" of "Torch [extra] == 2.4.0 ; python_version > '3.8'".
std::string package_name(std::string_view requirement);
Verdict judge(std::string_view requirement);

// All requirements of a file: requirements*.txt, pyproject.toml, setup.cfg, setup.py. None of a
// file or group that is named after a platform.
std::vector<Requirement> requirements_of(const SourceFile& source);

}  // namespace hipwright::port
