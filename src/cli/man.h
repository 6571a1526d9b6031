// SPDX-License-Identifier: MIT
// Manual pages in man(7), generated from the declared commands and options.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace hipwright::cli {

// The page of the tool, or of one of its commands with all that is below it.
std::string man_page(const CLI::App& command);

// "hipwright-port.1".
std::string man_file_name(const CLI::App& command);

}  // namespace hipwright::cli
