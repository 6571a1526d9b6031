// SPDX-License-Identifier: MIT
// What `sdk add` reads: apt's words, copyright files, CMake lists and templates of checkouts,
// programs, and its own list of what was added.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "toolchain/added_libraries.h"
#include "toolchain/libraries/apt.h"
#include "toolchain/libraries/listing.h"
#include "toolchain/libraries/local.h"
#include "toolchain/libraries/package.h"
#include "toolchain/libraries/program_loader.h"

using namespace hipwright;
using namespace hipwright::toolchain;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const AptPackage& each : parse_plan(text, "/a").packages)
    HW_ASSERT(each.file.parent_path() == "/a" && !each.name.empty());
  apt_complaints(text);
  HW_ASSERT(network_settings(text).find("DPkg::") != 0);
  licences_in(text);
  for (const std::string& name : names_in_depends(text)) HW_ASSERT(!name.empty());
  checkout_version(text);
  configured_header(text, "1.2.3", "f");
  dependencies_of(Bytes(std::string(text)), "f");
  if (const auto added = parse_added(text, "f")) {
    const std::string again = json_text(added_json(*added));
    HW_ASSERT(parse_added(again, "f"));
    libraries_text({*added}, false);
    HW_ASSERT(parse_json(json_text(libraries_json({*added})), "again"));
  }
  return 0;
}
