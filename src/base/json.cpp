// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <fmt/format.h>

#include "base/source.h"

namespace hipwright {

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

constexpr int kDeepest = 1000;

// The position of the bracket that is nested too deeply: copying, comparing and writing values go
// down level by level, and a stack has an end.
std::size_t too_deep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return text.npos;
}

std::unexpected<Error> invalid(std::string_view text, const std::string& origin, std::size_t at,
                               std::string why) {
  const Position position = LineIndex(text).position(at);
  return fail("cannot read the JSON text",
              fmt::format("{}:{}:{}", origin, position.line, position.column), std::move(why));
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& origin) {
  if (const std::size_t at = too_deep(text); at != text.npos)
    return invalid(text, origin, at, fmt::format("nested deeper than {} levels", kDeepest));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return invalid(text, origin, error.byte == 0 ? 0 : error.byte - 1, "invalid JSON");
  } catch (const Json::out_of_range&) {
    return fail("cannot read the JSON text", origin, "number out of range");
  }
}

Json json_of(const Error& error) {
  return {{"what", error.what}, {"on", error.on}, {"why", error.why}, {"fix", error.fix}};
}

}  // namespace hipwright
