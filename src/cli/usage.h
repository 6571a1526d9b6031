// SPDX-License-Identifier: MIT
// Mistakes on the command line, as errors that name the word, the cause and the next step.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "base/error.h"

namespace hipwright::cli {

// `hipwright port codes HP101`: words that a subcommand does not take become arguments of the
// command above it, which would ignore them.
std::vector<std::string> stray_arguments(const CLI::App& tool);

// What CLI11 found wrong while it parsed for `tool`.
Error usage_error(const CLI::App& tool, const CLI::ParseError& error);

// Accepts only these values, and suggests the nearest one.
CLI::Validator one_of(std::initializer_list<const char*> values);

// " (did you mean `port`?)", or nothing when no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hipwright::cli
