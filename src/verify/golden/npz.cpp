// SPDX-License-Identifier: MIT
// The .npz format: a zip archive of .npy files, stored or deflated.
#include <zlib.h>

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "verify/golden/capture_names.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace {

constexpr std::uint32_t kEndMark = 0x06054B50, kEnd64Mark = 0x06064B50,
                        kEnd64PlaceMark = 0x07064B50;
constexpr std::uint32_t kEntryMark = 0x02014B50, kLocalMark = 0x04034B50;
constexpr std::size_t kEndSize = 22, kEnd64PlaceSize = 20, kEnd64Size = 56, kEntrySize = 46,
                      kLocalSize = 30;
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;  // the number is in the extra field, with 64 bits

template <class T>
T number(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Entry {
  std::string name;
  unsigned flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0, size = 0, place = 0;
};

struct Directory {
  std::uint64_t place = 0, size = 0, count = 0;
};

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  Result<std::vector<Entry>> entries() const {
    HW_TRY(const Directory directory, find_directory());
    if (directory.place > bytes_.size() || directory.size > bytes_.size() - directory.place)
      return invalid("its file list lies outside the archive");
    std::string_view list = bytes_.substr(directory.place, directory.size);
    std::vector<Entry> entries;
    while (!list.empty() && entries.size() < directory.count) {
      HW_TRY(entries.emplace_back(), next_entry(list));
    }
    if (entries.size() != directory.count) return invalid("its file list is truncated");
    return entries;
  }

  Result<std::string> content(const Entry& entry) const {
    if ((entry.flags & 1) != 0)
      return invalid(fmt::format("'{}' is encrypted", entry.name), "Save it without a password.");
    if (entry.place > bytes_.size() || bytes_.size() - entry.place < kLocalSize ||
        number<std::uint32_t>(bytes_, entry.place) != kLocalMark)
      return invalid(fmt::format("'{}' is not where the file list says", entry.name));
    // Name and extra field may be longer here than in the list.
    const std::uint64_t begin = entry.place + kLocalSize +
                                number<std::uint16_t>(bytes_, entry.place + 26) +
                                number<std::uint16_t>(bytes_, entry.place + 28);
    if (begin > bytes_.size() || entry.packed > bytes_.size() - begin)
      return invalid(fmt::format("'{}' is truncated", entry.name));
    HW_TRY(std::string text, unpacked(entry, bytes_.substr(begin, entry.packed)));
    if (crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()) != entry.checksum)
      return invalid(fmt::format("'{}' is damaged: checksum mismatch", entry.name));
    return text;
  }

 private:
  std::unexpected<Error> invalid(std::string why,
                                 std::string fix = "Write it again with numpy.savez.") const {
    return fail("cannot read the tensors of", origin_, std::move(why), std::move(fix));
  }

  Result<Directory> find_directory() const {
    // A comment of up to 64 KiB may follow.
    if (bytes_.size() < kEndSize) return invalid("not a zip archive, or truncated");
    std::size_t at = bytes_.size() - kEndSize;
    const std::size_t least = at > 65535 ? at - 65535 : 0;
    while (number<std::uint32_t>(bytes_, at) != kEndMark)
      if (at-- == least)
        return invalid("not a zip archive, or truncated: the end of the file list is missing");
    Directory directory{number<std::uint32_t>(bytes_, at + 16),
                        number<std::uint32_t>(bytes_, at + 12),
                        number<std::uint16_t>(bytes_, at + 10)};
    if (directory.place != kElsewhere && directory.count != 0xFFFF) return directory;
    if (at < kEnd64PlaceSize ||
        number<std::uint32_t>(bytes_, at - kEnd64PlaceSize) != kEnd64PlaceMark)
      return directory;
    const auto end = number<std::uint64_t>(bytes_, at - kEnd64PlaceSize + 8);
    if (end > bytes_.size() || bytes_.size() - end < kEnd64Size ||
        number<std::uint32_t>(bytes_, end) != kEnd64Mark)
      return invalid("its file list is not where it says");
    return Directory{number<std::uint64_t>(bytes_, end + 48),
                     number<std::uint64_t>(bytes_, end + 40),
                     number<std::uint64_t>(bytes_, end + 32)};
  }

  // Reads the next entry of the list.
  Result<Entry> next_entry(std::string_view& list) const {
    if (list.size() < kEntrySize || number<std::uint32_t>(list, 0) != kEntryMark)
      return invalid("its file list is damaged");
    const std::size_t name = number<std::uint16_t>(list, 28),
                      extra = number<std::uint16_t>(list, 30),
                      comment = number<std::uint16_t>(list, 32);
    if (list.size() - kEntrySize < name + extra + comment)
      return invalid("its file list is truncated");
    Entry entry{.name = std::string(list.substr(kEntrySize, name)),
                .flags = number<std::uint16_t>(list, 8),
                .method = number<std::uint16_t>(list, 10),
                .checksum = number<std::uint32_t>(list, 16),
                .packed = number<std::uint32_t>(list, 20),
                .size = number<std::uint32_t>(list, 24),
                .place = number<std::uint32_t>(list, 42)};
    if (!read_extra(list.substr(kEntrySize + name, extra), entry))
      return invalid(fmt::format("the sizes of '{}' are missing", entry.name));
    list.remove_prefix(kEntrySize + name + extra + comment);
    return entry;
  }

  static bool read_extra(std::string_view extra, Entry& entry) {
    std::string_view wide;
    while (extra.size() >= 4) {
      const std::size_t size = number<std::uint16_t>(extra, 2);
      if (size > extra.size() - 4) return false;
      if (number<std::uint16_t>(extra, 0) == 1) wide = extra.substr(4, size);
      extra.remove_prefix(4 + size);
    }
    for (std::uint64_t* field : {&entry.size, &entry.packed, &entry.place}) {
      if (*field != kElsewhere) continue;
      if (wide.size() < 8) return false;
      *field = number<std::uint64_t>(wide, 0);
      wide.remove_prefix(8);
    }
    return true;
  }

  Result<std::string> unpacked(const Entry& entry, std::string_view packed) const {
    if (entry.method == 0) {
      if (entry.size != packed.size())
        return invalid(fmt::format("the sizes of '{}' are inconsistent", entry.name));
      return std::string(packed);
    }
    if (entry.method != 8)
      return invalid(
          fmt::format("'{}' uses unsupported compression method {}", entry.name, entry.method));
    // Deflate expands a byte to at most about 1030 bytes: a larger size is false, and no memory is
    // allocated for it.
    if (entry.size / 1100 > packed.size())
      return invalid(fmt::format("'{}' cannot be as long as it claims", entry.name));
    return inflated(entry, packed);
  }

  Result<std::string> inflated(const Entry& entry, std::string_view packed) const {
    std::string text(entry.size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return invalid("zlib cannot start");
    constexpr std::size_t kPiece = std::size_t{1} << 30;  // zlib's counters have 32 bits
    std::size_t in = 0, out = 0;
    int code = Z_OK;
    while (code == Z_OK) {
      const std::size_t in_now = std::min(kPiece, packed.size() - in),
                        out_now = std::min(kPiece, text.size() - out);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in));
      stream.avail_in = static_cast<uInt>(in_now);
      stream.next_out = reinterpret_cast<Bytef*>(text.data() + out);
      stream.avail_out = static_cast<uInt>(out_now);
      code = inflate(&stream, Z_NO_FLUSH);
      in += in_now - stream.avail_in;
      out += out_now - stream.avail_out;
      if (code == Z_OK && in_now == stream.avail_in && out_now == stream.avail_out) break;
    }
    inflateEnd(&stream);
    if (code != Z_STREAM_END || out != text.size())
      return invalid(fmt::format("cannot decompress '{}': it is damaged", entry.name));
    return text;
  }

  std::string_view bytes_;
  const std::string& origin_;
};

}  // namespace

Result<std::map<std::string, Values>> read_npz(std::string_view bytes, const std::string& origin) {
  const Archive archive(bytes, origin);
  HW_TRY(const std::vector<Entry> entries, archive.entries());
  std::map<std::string, Values> tensors;
  for (const Entry& entry : entries) {
    if (!entry.name.ends_with(".npy")) continue;
    HW_TRY(const std::string content, archive.content(entry));
    HW_TRY(Values values, read_npy(content, fmt::format("{}:{}", origin, entry.name)));
    std::string name = tensor_name(entry.name, values.type);
    if (!tensors.emplace(name, std::move(values)).second)
      return fail("cannot read the tensors of", origin, fmt::format("duplicate tensor '{}'", name),
                  "Write it again with numpy.savez.");
  }
  return tensors;
}

}  // namespace hipwright::verify
