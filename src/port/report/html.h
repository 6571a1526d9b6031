// SPDX-License-Identifier: MIT
// Parts of a port's HTML report, for pages that have more than the port to show.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/html.h"
#include "port/report/report.h"

namespace hipwright::port {

// What remains to do, what compiles, what was changed and why, each file before and after, and what
// the codes mean. Their ids: todo, compiled, phases, files, notread, codes.
std::vector<HtmlSection> html_sections(const Ported& ported, const CompiledPort* compiled);

// The answer to "To do by hand", for the summary of a page with these sections.
HtmlAnswer to_do_answer(const Summary& summary);

// "path:line", as a link to the file's part where it has one.
std::string html_place(const Ported& ported, std::string_view path, std::uint32_t line);

// Of html_sections().
HtmlSection files_section(const Ported& ported, const CompiledPort* compiled);
HtmlSection codes_section(const Ported& ported, const Summary& summary);

std::string code_link(std::string_view code);
Tone tone_of(Severity severity);
// "3 places", "1 place".

}  // namespace hipwright::port
