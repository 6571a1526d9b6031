// SPDX-License-Identifier: MIT
#include "ci/wheel/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "toolchain/code_object/bytes.h"

namespace hipwright::ci {

namespace {

using toolchain::fits;
using toolchain::read_at;

constexpr std::uint32_t kCentral = 0x02014b50, kLocal = 0x04034b50, kEnd64 = 0x06064b50,
                        kLocator64 = 0x07064b50;
constexpr std::size_t kMostMembers = 1'000'000;
constexpr std::uint64_t kLargestMember = std::uint64_t{8} << 30;

struct Directory {
  std::uint64_t offset = 0, count = 0;
};

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot read the archive", origin, std::move(why), "");
}

std::optional<Directory> directory64(std::string_view archive, std::size_t end) {
  if (end < 20 || read_at<std::uint32_t>(archive, end - 20) != kLocator64) return std::nullopt;
  const auto at = read_at<std::uint64_t>(archive, end - 20 + 8);
  if (!at || read_at<std::uint32_t>(archive, *at) != kEnd64) return std::nullopt;
  const auto count = read_at<std::uint64_t>(archive, *at + 32);
  const auto offset = read_at<std::uint64_t>(archive, *at + 48);
  if (!count || !offset) return std::nullopt;
  return Directory{*offset, *count};
}

std::optional<Directory> find_directory(std::string_view archive) {
  // The end record is last, before a comment of at most 65535 bytes.
  constexpr std::string_view kMark("PK\x05\x06", 4);
  const std::size_t least = archive.size() > 65557 ? archive.size() - 65557 : 0;
  const std::size_t end = archive.rfind(kMark);
  if (end == archive.npos || end < least) return std::nullopt;
  const auto count = read_at<std::uint16_t>(archive, end + 10);
  const auto offset = read_at<std::uint32_t>(archive, end + 16);
  if (!count || !offset) return std::nullopt;
  if (*offset == 0xFFFFFFFF || *count == 0xFFFF) return directory64(archive, end);
  return Directory{*offset, *count};
}

// The ZIP64 field replaces what does not fit into 32 bits, in this order.
bool widen(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::uint16_t id = *read_at<std::uint16_t>(extra, 0),
                        length = *read_at<std::uint16_t>(extra, 2);
    if (!fits(extra.size(), 4, length)) return false;
    const std::string_view field = extra.substr(4, length);
    extra.remove_prefix(4U + length);
    if (id != 1) continue;
    std::size_t at = 0;
    for (std::uint64_t* value : {&member.size, &member.packed, &member.header}) {
      if (*value != 0xFFFFFFFF) continue;
      const auto wide = read_at<std::uint64_t>(field, at);
      if (!wide) return false;
      *value = *wide;
      at += 8;
    }
  }
  return true;
}

}  // namespace

Result<std::vector<ZipMember>> zip_members(std::string_view archive, const std::string& origin) {
  const auto directory = find_directory(archive);
  if (!directory) return damaged(origin, "not a ZIP archive: it has no end record");
  if (directory->count > kMostMembers) return damaged(origin, "it has too many members");
  std::vector<ZipMember> members;
  std::uint64_t at = directory->offset;
  for (std::uint64_t i = 0; i < directory->count; ++i) {
    if (!fits(archive.size(), at, 46) || read_at<std::uint32_t>(archive, at) != kCentral)
      return damaged(origin, fmt::format("entry {} of its directory lies outside the file", i));
    const std::string_view entry = archive.substr(at, 46);
    const std::uint64_t name = *read_at<std::uint16_t>(entry, 28),
                        extra = *read_at<std::uint16_t>(entry, 30),
                        comment = *read_at<std::uint16_t>(entry, 32);
    if (!fits(archive.size(), at + 46, name + extra + comment))
      return damaged(origin, fmt::format("the name of entry {} lies outside the file", i));
    ZipMember member{.name = std::string(archive.substr(at + 46, name)),
                     .method = *read_at<std::uint16_t>(entry, 10),
                     .packed = *read_at<std::uint32_t>(entry, 20),
                     .size = *read_at<std::uint32_t>(entry, 24),
                     .header = *read_at<std::uint32_t>(entry, 42)};
    if (!widen(archive.substr(at + 46 + name, extra), member))
      return damaged(origin, fmt::format("the sizes of {} are damaged", member.name));
    members.push_back(std::move(member));
    at += 46 + name + extra + comment;
  }
  return members;
}

Result<std::string> unpack(std::string_view archive, const ZipMember& member,
                           const std::string& origin) {
  const auto wrong = [&](std::string why) {
    return damaged(origin, fmt::format("{}: {}", member.name, std::move(why)));
  };
  if (!fits(archive.size(), member.header, 30) ||
      read_at<std::uint32_t>(archive, member.header) != kLocal)
    return wrong("its header lies outside the file");
  const std::uint64_t begin = member.header + 30 +
                              *read_at<std::uint16_t>(archive, member.header + 26) +
                              *read_at<std::uint16_t>(archive, member.header + 28);
  if (!fits(archive.size(), begin, member.packed)) return wrong("its bytes lie outside the file");
  // Deflate packs at most 1032 to 1.
  if (member.size > kLargestMember || member.size / 1100 > member.packed)
    return wrong("its size is not possible");
  const std::string_view packed = archive.substr(begin, member.packed);
  if (member.method == 0) {
    if (member.packed != member.size) return wrong("its sizes differ although it is stored");
    return std::string(packed);
  }
  if (member.method != 8)
    return wrong(fmt::format("unsupported compression method {}", member.method));
  std::string out(member.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return wrong("zlib does not start");
  std::size_t used = 0, made = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    constexpr std::size_t kChunk = 1U << 30;
    const std::size_t in = std::min(kChunk, packed.size() - used),
                      room = std::min(kChunk, out.size() - made);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    stream.avail_out = static_cast<uInt>(room);
    code = inflate(&stream, Z_NO_FLUSH);
    used += in - stream.avail_in;
    made += room - stream.avail_out;
    if (in == stream.avail_in && room == stream.avail_out) break;  // no progress
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END || made != out.size()) return wrong("its bytes are damaged");
  return out;
}

}  // namespace hipwright::ci
