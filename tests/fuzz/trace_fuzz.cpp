// SPDX-License-Identifier: MIT
// Traces in JSON and CSV: what is read can be summed up, and the sums agree with each other; the
// report has no markup of the trace's.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "trace/advice/advice.h"
#include "trace/compare/compare.h"
#include "trace/export/merge.h"
#include "trace/export/shapes.h"
#include "trace/read/read.h"
#include "trace/report/html.h"
#include "trace/report/text.h"

using namespace hipwright;
using namespace hipwright::trace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read =
      read_trace_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!read) return 0;
  const Summary summary = summarize(*read);
  Nanoseconds busy = 0;
  for (const Category category : all_categories()) {
    HW_ASSERT(summary.exclusive(category) <= summary.of(category).sum);
    busy += summary.exclusive(category);
  }
  HW_ASSERT(busy == summary.busy && busy <= summary.span);
  const Idle& idle = summary.idle;
  HW_ASSERT(idle.launch + idle.host + idle.unknown == idle.total);
  HW_ASSERT(idle.total == summary.span - summary.busy);
  const std::vector<Advice> advice = advise(*read, summary);
  const std::string page = summary_html(*read, summary, advice);
  HW_ASSERT(page.find("<script>alert") == std::string::npos);
  HW_ASSERT(!summary_text(*read, summary, advice, {}).empty());
  HW_ASSERT(!json_text(summary_json(*read, summary, advice)).empty());
  const Comparison comparison = compare(*read, summary, *read, summary);
  HW_ASSERT(comparison.span_a == comparison.span_b);
  std::vector<Trace> both;
  both.push_back(
      read_trace_text(std::string_view(reinterpret_cast<const char*>(data), size), "a").value());
  both.push_back(
      read_trace_text(std::string_view(reinterpret_cast<const char*>(data), size), "b").value());
  const Merge merge = merge_ranks(both);
  HW_ASSERT(merge.ranks[1].offset == 0);
  HW_ASSERT(parse_json(perfetto_json(both, merge), "fuzz"));
  (void)exported_shapes(summary);
  return 0;
}
