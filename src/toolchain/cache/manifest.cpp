// SPDX-License-Identifier: MIT
#include "toolchain/cache/manifest.h"

#include <algorithm>

#include "toolchain/cache/record.h"

namespace hipwright::toolchain {

namespace {

// The least bytes of an encoded alternative, file and absent path: bounds what a count can claim.
constexpr std::uint64_t kLeastAlternative = 16 + 8 + 8;
constexpr std::uint64_t kLeastFile = 8 + 16 + 4 * 8 + 4;
constexpr std::uint64_t kLeastAbsent = 8;

void write_file(ByteWriter& bytes, const IncludeFile& file) {
  bytes.text(file.path);
  bytes.hash(file.content);
  bytes.u64(file.stamp.size);
  bytes.u64(file.stamp.inode);
  bytes.u64(static_cast<std::uint64_t>(file.stamp.modified_ns));
  bytes.u64(static_cast<std::uint64_t>(file.stamp.changed_ns));
  bytes.u32(file.settled ? 1 : 0);
}

IncludeFile read_file_record(ByteReader& reader) {
  IncludeFile file;
  file.path = reader.text();
  file.content = reader.hash();
  file.stamp.size = reader.u64();
  file.stamp.inode = reader.u64();
  file.stamp.modified_ns = static_cast<std::int64_t>(reader.u64());
  file.stamp.changed_ns = static_cast<std::int64_t>(reader.u64());
  file.settled = reader.u32() != 0;
  return file;
}

Manifest::Alternative read_alternative(ByteReader& reader) {
  Manifest::Alternative alternative;
  alternative.entry = reader.hash();
  const std::uint64_t files = reader.count(kLeastFile);
  for (std::uint64_t i = 0; i < files; ++i)
    alternative.includes.files.push_back(read_file_record(reader));
  const std::uint64_t absent = reader.count(kLeastAbsent);
  for (std::uint64_t i = 0; i < absent; ++i)
    alternative.includes.absent.emplace_back(reader.text());
  return alternative;
}

}  // namespace

void Manifest::remember(Alternative alternative) {
  std::erase_if(alternatives, [&](const auto& other) { return other.entry == alternative.entry; });
  alternatives.insert(alternatives.begin(), std::move(alternative));
  if (alternatives.size() > kMaxAlternatives) alternatives.resize(kMaxAlternatives);
}

std::string encode_manifest(const Manifest& manifest) {
  ByteWriter body;
  body.u64(manifest.alternatives.size());
  for (const auto& alternative : manifest.alternatives) {
    body.hash(alternative.entry);
    body.u64(alternative.includes.files.size());
    for (const IncludeFile& file : alternative.includes.files) write_file(body, file);
    body.u64(alternative.includes.absent.size());
    for (const std::string& path : alternative.includes.absent) body.text(path);
  }
  return seal_record(RecordKind::kManifest, body.view());
}

Result<Manifest> decode_manifest(std::string_view file_bytes) {
  HW_TRY(const std::string_view body, open_record(RecordKind::kManifest, file_bytes));
  ByteReader reader(body);
  Manifest manifest;
  const std::uint64_t count = reader.count(kLeastAlternative);
  for (std::uint64_t i = 0; i < count; ++i)
    manifest.alternatives.push_back(read_alternative(reader));
  if (!reader.complete()) return fail("cannot use the cache manifest", "", "unexpected length");
  return manifest;
}

}  // namespace hipwright::toolchain
