// SPDX-License-Identifier: MIT
// The pages of docs/rules, generated from the rules.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/error.h"
#include "lint/rule.h"

namespace hipwright::lint {

std::string page_name(const Rule& rule);  // "HW201-ballot-in-32-bits.md"

// File name to content: one page per rule and README.md, the index by area.
std::map<std::string, std::string> rule_pages();

// Writes them into the folder and removes pages of rules that no longer exist.
Status write_rule_pages(const std::filesystem::path& folder);

}  // namespace hipwright::lint
