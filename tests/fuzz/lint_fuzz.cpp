// SPDX-License-Identifier: MIT
// Every rule over any text: it must return, findings must lie in the text, and fixes must apply.
// The first line is the file's name, so that the fuzzer chooses the language.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "lint/baseline.h"
#include "lint/config.h"
#include "lint/fix.h"
#include "project/ignore.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipwright;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string path(input.substr(0, end));
  const std::string_view text = input.substr(end + 1);

  if (path == "hipwright.toml") static_cast<void>(lint::parse_config(text, path));
  if (path == "baseline.json") static_cast<void>(lint::parse_baseline(text, path));
  if (path == ".gitignore") project::IgnorePatterns(text).ignores("some/path/of_a.file", false);

  const auto report = lint::lint_text({}, path, text);
  HW_ASSERT(report.has_value());
  for (const lint::Finding& finding : report->findings)
    HW_ASSERT(finding.span.begin <= finding.span.end && finding.span.end <= text.size());
  lint::apply_fixes(text, report->findings, lint::FixKind::kUnsafe);
  return 0;
}
