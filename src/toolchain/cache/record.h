// SPDX-License-Identifier: MIT
// The file format of the kernel cache. Every file is one sealed record:
//   8 bytes magic | u32 version | u32 kind | u64 body size | body | 16 bytes digest of all before
// All numbers little-endian; texts are a u64 length and their bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"

namespace hipwright::toolchain {

inline constexpr std::uint32_t kRecordVersion = 1;
inline constexpr std::uint64_t kMaxRecordBytes = 1ull << 30;  // larger files are not ours

enum class RecordKind : std::uint32_t { kEntry = 1, kManifest = 2, kUsage = 3 };

class ByteWriter {
 public:
  void reserve(std::size_t size) { bytes_.reserve(size); }
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  void real(double value);
  void hash(const Hash128& value);
  void raw(std::string_view value) { bytes_.append(value); }
  void text(std::string_view value);
  std::string_view view() const { return bytes_; }
  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what ByteWriter wrote. Reading past the end returns zeros and empty strings and is
// recorded, so that a decoder checks once, at its end, with complete().
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  std::uint32_t u32();
  std::uint64_t u64();
  double real();
  Hash128 hash();
  std::string_view raw(std::uint64_t size);
  std::string_view text();
  // A count of items of at least `item_size` bytes each: no more than can follow.
  std::uint64_t count(std::uint64_t item_size);
  bool complete() const { return !short_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool short_ = false;
};

std::string seal_record(RecordKind kind, std::string_view body);

// The body of a sealed record, a view into `file`; an error if a single bit differs.
Result<std::string_view> open_record(RecordKind kind, std::string_view file);

}  // namespace hipwright::toolchain
