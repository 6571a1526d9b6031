// SPDX-License-Identifier: MIT
#include "port/api/api.h"

#include <fmt/format.h>

#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

struct Book {
  Tables tables;
  std::vector<const Entry*> families;  // headers whose names end in '*'

  Book() {
    auto read = read_tables(embedded_tables());
    // The tables are part of the binary and tested: only a broken build gets here.
    if (!read) bug(read.error().message(), __FILE__, __LINE__);
    tables = std::move(*read);
    for (const Entry& entry : tables.entries)
      if (entry.kind == Kind::kHeader && entry.cuda.ends_with('*')) families.push_back(&entry);
  }

  const Entry* find(std::string_view name) const { return tables.index.find(tables.entries, name); }
};

const Book& book() {
  static const Book instance;
  return instance;
}

}  // namespace

const Entry* find(std::string_view cuda_name) {
  const Book& b = book();
  const Entry* entry = b.find(cuda_name);
  return entry != nullptr && entry->kind != Kind::kHeader ? entry : nullptr;
}

const Entry* find(std::string_view cuda_name, Kind kind) {
  const Book& b = book();
  const Entry* entry = b.find(cuda_name);
  return entry != nullptr && entry->kind == kind ? entry : nullptr;
}

const Entry* find_header(std::string_view path) {
  const Book& b = book();
  const Entry* entry = b.find(path);
  if (entry != nullptr) return entry->kind == Kind::kHeader ? entry : nullptr;
  const Entry* best = nullptr;  // the longest: "cub/block/*" before "cub/*"
  for (const Entry* family : b.families)
    if (path.starts_with(family->cuda.substr(0, family->cuda.size() - 1)) &&
        (best == nullptr || best->cuda.size() < family->cuda.size()))
      best = family;
  return best;
}

std::string header_path(const Entry& header, std::string_view path) {
  if (!header.hip.ends_with('*')) return std::string(header.hip);
  const std::string_view rest = path.substr(std::min(header.cuda.size() - 1, path.size()));
  return fmt::format("{}{}", header.hip.substr(0, header.hip.size() - 1), rest);
}

std::span<const Entry> all() {
  return book().tables.entries;
}

}  // namespace hipwright::port::api
