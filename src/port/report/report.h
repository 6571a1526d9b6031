// SPDX-License-Identifier: MIT
// What a port did, why, and what work remains: for a terminal, for programs, for a browser.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/codes.h"
#include "port/port.h"

namespace hipwright::port {

struct CompiledPort;  // of port/compile/compile.h; nullptr below: nothing was compiled

struct CodeCount {
  std::size_t changes = 0;
  std::size_t to_do = 0;  // warnings and errors
  std::size_t notes = 0;
};
struct PhaseCount {
  std::size_t files = 0;  // that it changed
  std::size_t changes = 0;
  std::size_t to_do = 0;
  std::size_t notes = 0;
  std::map<std::string, CodeCount, std::less<>> codes;
};
struct Summary {
  std::size_t files = 0;   // that were read
  std::size_t unread = 0;  // paths that should have been
  std::size_t changed = 0, added = 0;
  std::map<Phase, PhaseCount> phases;    // only those that had something to do
  std::vector<const Diagnostic*> to_do;  // errors, then warnings; each by path and place
  std::size_t errors = 0;                // of those
  std::size_t will_not_compile = 0;      // of the errors; the others compute something else
  std::size_t notes = 0;
};
Summary summarise(const Ported& ported);

// The table of phases and codes, and the list of what is to be done, at most `most` lines of it.
// What will not compile is an estimate, which is left out where the port `is_compiled`.
std::string summary_text(const Ported& ported, std::size_t most, bool colour,
                         bool is_compiled = false);
std::string json_report(const Ported& ported, const CompiledPort* compiled = nullptr);
std::string sarif_report(const Ported& ported, const CompiledPort* compiled = nullptr);
// One file that needs no other: summary, what is to be done, what compiles, each file before and
// after, and the pages of the codes.
std::string html_report(const Ported& ported, const std::string& title,
                        const CompiledPort* compiled = nullptr);

// The page of a code with the code in its title; all codes as a table, and for programs.
std::string explanation(const Code& code);
std::string codes_text(bool colour);
std::string codes_json();
// docs/port: file name to content.
std::map<std::string, std::string> code_pages();
Status write_code_pages(const std::filesystem::path& folder);

}  // namespace hipwright::port
