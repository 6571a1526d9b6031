// SPDX-License-Identifier: MIT
#include "toolchain/cache/record.h"

#include <bit>
#include <cstring>

namespace hipwright::toolchain {

static_assert(std::endian::native == std::endian::little, "the record format is little-endian");

namespace {

constexpr std::string_view kMagic = "HWcache\n";
constexpr std::size_t kHeaderSize = 8 + 4 + 4 + 8;
constexpr std::size_t kDigestSize = 16;

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

template <class T>
T parse(std::string_view raw) {
  T value{};
  if (raw.size() == sizeof value) std::memcpy(&value, raw.data(), sizeof value);
  return value;
}

}  // namespace

void ByteWriter::u32(std::uint32_t value) {
  append(bytes_, value);
}
void ByteWriter::u64(std::uint64_t value) {
  append(bytes_, value);
}
void ByteWriter::real(double value) {
  append(bytes_, std::bit_cast<std::uint64_t>(value));
}

void ByteWriter::hash(const Hash128& value) {
  append(bytes_, value.high);
  append(bytes_, value.low);
}

void ByteWriter::text(std::string_view value) {
  append(bytes_, static_cast<std::uint64_t>(value.size()));
  bytes_.append(value);
}

std::string_view ByteReader::raw(std::uint64_t size) {
  if (size > rest_.size()) {
    short_ = true;
    rest_ = {};
    return {};
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint32_t ByteReader::u32() {
  return parse<std::uint32_t>(raw(4));
}
std::uint64_t ByteReader::u64() {
  return parse<std::uint64_t>(raw(8));
}
double ByteReader::real() {
  return std::bit_cast<double>(u64());
}

Hash128 ByteReader::hash() {
  const std::uint64_t high = u64();
  return {high, u64()};
}

std::string_view ByteReader::text() {
  return raw(u64());
}

std::uint64_t ByteReader::count(std::uint64_t item_size) {
  const std::uint64_t value = u64();
  if (value <= rest_.size() / item_size) return value;
  short_ = true;
  return 0;
}

std::string seal_record(RecordKind kind, std::string_view body) {
  ByteWriter file;
  file.reserve(kHeaderSize + body.size() + kDigestSize);
  file.raw(kMagic);
  file.u32(kRecordVersion);
  file.u32(static_cast<std::uint32_t>(kind));
  file.u64(body.size());
  file.raw(body);
  file.hash(hash128(file.view()));
  return std::move(file).take();
}

Result<std::string_view> open_record(RecordKind kind, std::string_view file) {
  const auto damaged = [](std::string why) {
    return fail("cannot use the cache file", "", std::move(why));
  };
  if (file.size() < kHeaderSize + kDigestSize) return damaged("truncated file");
  ByteReader header(file);
  if (header.raw(kMagic.size()) != kMagic) return damaged("wrong magic number");
  if (header.u32() != kRecordVersion) return damaged("unsupported version");
  if (header.u32() != static_cast<std::uint32_t>(kind)) return damaged("wrong kind of record");
  if (header.u64() != file.size() - kHeaderSize - kDigestSize) return damaged("wrong length");
  const std::string_view sealed = file.substr(0, file.size() - kDigestSize);
  if (ByteReader(file.substr(sealed.size())).hash() != hash128(sealed))
    return damaged("digest mismatch");
  return sealed.substr(kHeaderSize);
}

}  // namespace hipwright::toolchain
