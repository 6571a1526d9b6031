// SPDX-License-Identifier: MIT
#include "ci/run/matrix.h"

#include <algorithm>

#include "base/json.h"

namespace hipwright::ci {

namespace {

constexpr std::size_t kMostRows = 256;

// Every key of `part` that the row has is equal there.
bool agrees(const Json& row, const Json& part, const Json& keys) {
  for (const auto& [key, value] : part.items())
    if (keys.contains(key) && row.contains(key) && row[key] != value) return false;
  return true;
}

bool matches(const Json& row, const Json& part) {
  for (const auto& [key, value] : part.items())
    if (!row.contains(key) || row[key] != value) return false;
  return true;
}

// The mappings of `include` or `exclude`.
Result<std::vector<Json>> parts_of(const Json& matrix, const char* key) {
  const Json parts = matrix.value(key, Json::array());
  if (!parts.is_array()) return fail("cannot expand the matrix", key, "it is not a list", "");
  if (!std::ranges::all_of(parts, [](const Json& part) { return part.is_object(); }))
    return fail("cannot expand the matrix", key, "it has an element that is not a mapping", "");
  return std::vector<Json>(parts.begin(), parts.end());
}

}  // namespace

Result<std::vector<Json>> matrix_rows(const Json& matrix) {
  std::vector<Json> rows = {Json::object()};
  if (matrix.is_null()) return rows;
  if (!matrix.is_object()) return fail("cannot expand the matrix", "", "it is not a mapping", "");
  Json keys = Json::object();
  for (const auto& [key, values] : matrix.items()) {
    if (key == "include" || key == "exclude") continue;
    if (!values.is_array()) return fail("cannot expand the matrix", key, "it is not a list", "");
    keys[key] = true;
    std::vector<Json> more;
    for (const Json& row : rows)
      for (const Json& value : values) {
        more.push_back(row);
        more.back()[key] = value;
        if (more.size() > kMostRows)
          return fail("cannot expand the matrix", key, "it has more than 256 rows", "");
      }
    rows = std::move(more);
  }
  if (keys.empty()) rows.clear();
  HW_TRY(const auto excluded, parts_of(matrix, "exclude"));
  HW_TRY(const auto included, parts_of(matrix, "include"));
  for (const Json& part : excluded)
    std::erase_if(rows, [&](const Json& row) { return matches(row, part); });
  for (const Json& part : included) {
    bool added = false;
    for (Json& row : rows)
      if (!keys.empty() && agrees(row, part, keys) &&
          std::ranges::any_of(part.items(),
                              [&](const auto& item) { return keys.contains(item.key()); })) {
        row.update(part);
        added = true;
      }
    if (!added) rows.push_back(part);
    if (rows.size() > kMostRows)
      return fail("cannot expand the matrix", "include", "it has more than 256 rows", "");
  }
  return rows;
}

}  // namespace hipwright::ci
