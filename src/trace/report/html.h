// SPDX-License-Identifier: MIT
// A summary as one HTML file: zoomable timeline, category chart, roofline, tables that sort and
// filter.
#pragma once

#include <string>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/analysis/summary.h"

namespace hipwright::trace {

std::string summary_html(const Trace& trace, const Summary& summary,
                         const std::vector<Advice>& advice);

// Parts that reports share.
extern const std::string_view kReportStyle;
extern const std::string_view kTableScript;     // sorts and filters tables
extern const std::string_view kTimelineScript;  // draws the element with the id `timeline`
std::string_view colour_of(Category category);
// JSON inside a script element: nothing in it ends the element.
std::string script_json(std::string_view id, std::string json);
// A field that filters the rows of the table with this id.
std::string table_filter(std::string_view table, std::string_view label);

// timeline.cpp: events as numbers, the longest ones if there are too many.
std::string timeline_json(const Trace& trace);
// roofline.cpp: an SVG; empty when no operation has known work.
std::string roofline_svg(const Trace& trace, const Summary& summary);

}  // namespace hipwright::trace
