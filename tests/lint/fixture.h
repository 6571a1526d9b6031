// SPDX-License-Identifier: MIT
// Fixtures of rules: tests/lint/fixtures/<code>/ is a small project whose lines say what is found.
//
//   #define WARP_SIZE 32  // finding: HW101 high     exactly this finding, at least as sure
//   #define TILE 32       // quiet: counts columns   tempting, and nothing may be found
//
// Every line without a finding comment must stay quiet too. X.fixed is what X becomes with --fix.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lint/engine.h"

namespace hipwright::lint {

struct Expected {
  std::string path;
  std::uint32_t line = 0;
  std::string code;
  Confidence at_least = Confidence::kLow;
};

struct Fixture {
  std::filesystem::path folder;
  std::vector<std::string> sources;  // relative to the folder, without *.fixed
  std::vector<Expected> expected;    // by path and line
  std::size_t quiet = 0;             // lines that say why nothing is found
};

std::filesystem::path fixture_folder(std::string_view code);
Result<Fixture> read_fixture(const std::filesystem::path& folder);

}  // namespace hipwright::lint
