// SPDX-License-Identifier: MIT
#include "project/build/hipify_map.h"

#include "base/json.h"
#include "project/path.h"

namespace hipwright::project {

namespace {

using Definition = IncludingFile::Definition;

// {"custom_map": {"__shfl_xor_sync": "my_shfl_xor"}}
void collect(const Json& map, std::vector<Definition>& mapped) {
  for (const auto& [name, value] : map.items()) {
    if (value.is_object()) collect(value, mapped);
    if (value.is_string())
      mapped.push_back({.name = syntax::cuda::macro_key(name),
                        .kind = Definition::Kind::kMacroWithArguments,
                        .is_looked_for = true,
                        .built = {Truth::kYes, Truth::kYes}});
  }
}

}  // namespace

bool is_hipify_map(std::string_view path) {
  const std::string_view name = name_of(path);
  return name.ends_with("custom_map.json");
}

void add_mapped_names(std::string_view map, std::vector<IncludingFile>& files) {
  const auto json = parse_json(map, "");
  if (!json || !json->is_object()) return;
  std::vector<Definition> mapped;
  collect(*json, mapped);
  for (IncludingFile& file : files)
    file.definitions.insert(file.definitions.end(), mapped.begin(), mapped.end());
}

}  // namespace hipwright::project
