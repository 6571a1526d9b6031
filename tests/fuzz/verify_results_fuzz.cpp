// SPDX-License-Identifier: MIT
// Files that a run of `verify` leaves for the next one or for another machine: results of cells,
// and reports of the software GPU's checks; and what its Python part prints. Damaged ones are
// errors, never a result.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/file.h"
#include "base/json.h"
#include "verify/check_report.h"
#include "verify/kernel/results.h"
#include "verify/triton.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const auto write = [&](const char* name) {
    return write_file_atomic(folder.path() / name, text, 0600, Durability::kProcessDeath)
        .has_value();
  };
  if (!write("id.json") || !write("checks.json")) return 0;
  if (const auto result = verify::read_result(folder.path(), "id"); result && *result) {
    (void)(*result)->findings.text("error");
    (void)json_text((*result)->findings.json());
  }
  (void)verify::devices_in({folder.path()}, {});
  if (const auto report = verify::take_report(folder.path() / "checks.json")) {
    (void)report->findings.text("error");
    HW_ASSERT(report->is_there || !report->is_finished);
  }
  if (const auto checks = verify::checks_of_triton(text))
    for (const verify::Check& each : *checks) HW_ASSERT(verify::to_string(each.verdict) != "");
  return 0;
}
