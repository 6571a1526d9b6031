// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <fmt/format.h>

#include "base/source.h"

namespace hipwright {

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Json> parse_json(std::string_view text, const std::string& origin) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const Position at = LineIndex(text).position(error.byte == 0 ? 0 : error.byte - 1);
    return fail("cannot read the JSON text", fmt::format("{}:{}:{}", origin, at.line, at.column),
                "invalid JSON");
  } catch (const Json::out_of_range&) {
    return fail("cannot read the JSON text", origin, "number out of range");
  }
}

Json json_of(const Error& error) {
  return {{"what", error.what}, {"on", error.on}, {"why", error.why}, {"fix", error.fix}};
}

}  // namespace hipwright
