// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "verify/golden/golden.h"
#include "verify/numeric/fill.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

constexpr DataType kTypes[] = {DataType::kBool,   DataType::kU8,  DataType::kI8,  DataType::kF8E4M3,
                               DataType::kF8E5M2, DataType::kI16, DataType::kU16, DataType::kF16,
                               DataType::kBF16,   DataType::kI32, DataType::kU32, DataType::kF32,
                               DataType::kI64,    DataType::kU64, DataType::kF64};

Values edges(DataType type, Shape shape) {
  return filled(type, std::move(shape), {Distribution::Kind::kEdges}, 1);
}

// A file as numpy writes it, by hand.
std::string npy(std::string header, const std::string& data, char version = 1) {
  header += '\n';
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}

std::string header_of(const std::string& descr, const std::string& shape,
                      const char* fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

std::string error_of(const std::string& bytes, const std::string& origin = "x.npy") {
  const auto values = read_npy(bytes, origin);
  return values ? "no error" : values.error().message();
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  for (const DataType type : kTypes)
    for (const Shape& shape : {Shape{}, Shape{7}, Shape{0}, Shape{3, 5}, Shape{2, 1, 4}}) {
      const Values values = edges(type, shape);
      const std::string bytes = npy_of(values);
      EXPECT_EQ((bytes.size() - values.bytes.size()) % 64, 0U);
      const auto read = read_npy(bytes, capture_file_name("x", type));
      ASSERT_TRUE(read) << read.error().message();
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bytes, values.bytes);
    }
}

TEST(Npy, AllVersionsAreRead) {
  for (const char version : {1, 2, 3}) {
    const auto read =
        read_npy(npy(header_of("<i2", "(2,)"), std::string("\1\0\2\0", 4), version), "x.npy");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->at(1), 2);
  }
  EXPECT_THAT(error_of(npy(header_of("<i2", "(2,)"), "1234", 4)), HasSubstr("version 4"));
}

TEST(Npy, ColumnsFirstBecomesRowsFirst) {
  // [[1, 2, 3], [4, 5, 6]]
  const auto read = read_npy(npy(header_of("|u1", "(2, 3)", "True"), "\1\4\2\5\3\6"), "x.npy");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->bytes, "\1\2\3\4\5\6");
  const auto three = read_npy(npy(header_of("|u1", "(2, 1, 2)", "True"), "\1\3\2\4"), "x.npy");
  ASSERT_TRUE(three);
  EXPECT_EQ(three->bytes, "\1\2\3\4");
}

TEST(Npy, BigEndianIsTurned) {
  const auto read = read_npy(npy(header_of(">i4", "(1,)"), std::string("\0\0\1\2", 4)), "x.npy");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->at(0), 258);
}

TEST(Npy, TheNameTellsTypesThatNumpyLacks) {
  const std::string two_bytes = npy(header_of("<V2", "(1,)"), std::string("\x80\x3F", 2));
  const auto read = read_npy(two_bytes, "folder/x@bf16.npy");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->type, DataType::kBF16);
  EXPECT_EQ(read->at(0), 1);
  EXPECT_THAT(error_of(two_bytes), HasSubstr("NAME@bf16.npy"));
  // A name alone does not make floats bfloats.
  EXPECT_EQ(read_npy(npy(header_of("<f4", "(0,)"), ""), "x@bf16.npy")->type, DataType::kF32);
}

TEST(Npy, WhatHasNoCounterpartIsRefusedWithAWayOut) {
  EXPECT_THAT(error_of(npy(header_of("<c8", "(1,)"), "12345678")),
              HasSubstr("real and the imaginary part"));
  EXPECT_THAT(error_of(npy(header_of("|O", "(1,)"), "12345678")), HasSubstr("not single numbers"));
  EXPECT_THAT(error_of(npy(header_of("<f16", "(1,)"), "12345678")), HasSubstr("astype()"));
  EXPECT_THAT(error_of(npy(header_of("<U5", "(1,)"), "12345678")), HasSubstr("'<U5'"));
  EXPECT_THAT(
      error_of(
          npy("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }",
              "12345678")),
      HasSubstr("Save each field"));
}

TEST(Npy, EveryPrefixIsCutOff) {
  const std::string bytes = npy_of(edges(DataType::kF32, {3, 4}));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(error_of(bytes.substr(0, size)), "no error") << size;
  EXPECT_THAT(error_of(bytes.substr(0, bytes.size() - 1)),
              HasSubstr("f32 [3, 4] takes 48 bytes, found 47"));
  EXPECT_THAT(error_of(bytes + "x"), HasSubstr("trailing bytes"));
}

TEST(Npy, BadHeadersAreErrors) {
  for (const char* header : {"", "{", "{}", "[]", "{'descr': '<f4'}",
                             "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': ()} more",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': "
                             "(9223372036854775807, 9223372036854775807)}",
                             "{'descr': '', 'fortran_order': False, 'shape': ()}"})
    EXPECT_NE(error_of(npy(header, "1234")), "no error") << header;
}

void add(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

struct Member {
  std::string name, content;
  bool deflated = false,
       is_wide = false;  // wide: sizes in the extra field, as numpy's local headers
};

std::string deflated(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zip(const std::vector<Member>& members) {
  std::string out, list;
  for (const Member& member : members) {
    const std::string packed = member.deflated ? deflated(member.content) : member.content;
    const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                                static_cast<uInt>(member.content.size()));
    const std::uint64_t place = out.size();
    add(out, 0x04034B50, 4);
    add(out, 20, 2), add(out, 0, 2), add(out, member.deflated ? 8 : 0, 2), add(out, 0, 4),
        add(out, checksum, 4);
    add(out, packed.size(), 4), add(out, member.content.size(), 4), add(out, member.name.size(), 2),
        add(out, 4, 2);
    out += member.name + std::string("\x99\x99\0\0", 4) + packed;
    add(list, 0x02014B50, 4);
    add(list, 20, 2), add(list, 20, 2), add(list, 0, 2), add(list, member.deflated ? 8 : 0, 2),
        add(list, 0, 4), add(list, checksum, 4);
    const std::uint64_t in_extra = 0xFFFFFFFF;
    add(list, member.is_wide ? in_extra : packed.size(), 4),
        add(list, member.is_wide ? in_extra : member.content.size(), 4);
    add(list, member.name.size(), 2), add(list, member.is_wide ? 28 : 0, 2), add(list, 0, 2),
        add(list, 0, 2), add(list, 0, 2), add(list, 0, 4);
    add(list, member.is_wide ? in_extra : place, 4);
    list += member.name;
    if (member.is_wide)
      add(list, 1, 2), add(list, 24, 2), add(list, member.content.size(), 8),
          add(list, packed.size(), 8), add(list, place, 8);
  }
  const std::uint64_t begin = out.size();
  out += list;
  add(out, 0x06054B50, 4), add(out, 0, 4), add(out, members.size(), 2), add(out, members.size(), 2);
  add(out, list.size(), 4), add(out, begin, 4), add(out, 0, 2);
  return out;
}

TEST(Npz, StoredDeflatedAndWideMembersAreRead) {
  const Values x = edges(DataType::kF32, {30, 40}), y = edges(DataType::kBF16, {5}),
               z = edges(DataType::kI64, {});
  const auto read = read_npz(zip({{"x.npy", npy_of(x), true},
                                  {"y@bf16.npy", npy_of(y)},
                                  {"z.npy", npy_of(z), true, true},
                                  {"readme.txt", "no tensor"}}),
                             "a.npz");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ(read->at("x").bytes, x.bytes);
  EXPECT_EQ(read->at("y").type, DataType::kBF16);
  EXPECT_EQ(read->at("z").bytes, z.bytes);
}

TEST(Npz, DamageIsNoticed) {
  const std::string bytes = zip({{"x.npy", npy_of(edges(DataType::kF32, {30, 40})), true}});
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    ASSERT_FALSE(read_npz(bytes.substr(0, size), "a.npz")) << size;
  std::string changed = bytes;
  changed[200] = static_cast<char>(changed[200] ^ 4);
  EXPECT_THAT(read_npz(changed, "a.npz").error().message(), HasSubstr("damaged"));
  // Stored as it is, so that nothing but the checksum tells.
  std::string stored = zip({{"x.npy", npy_of(edges(DataType::kF32, {30, 40}))}});
  stored[1000] = static_cast<char>(stored[1000] ^ 1);
  EXPECT_THAT(read_npz(stored, "a.npz").error().message(), HasSubstr("checksum mismatch"));
  EXPECT_THAT(read_npz("text", "a.npz").error().message(), HasSubstr("not a zip archive"));
  EXPECT_THAT(read_npz(zip({{"x.npy", npy_of(edges(DataType::kU8, {1}))},
                            {"x.npy", npy_of(edges(DataType::kU8, {1}))}}),
                       "a.npz")
                  .error()
                  .message(),
              HasSubstr("duplicate tensor"));
}

TEST(Captures, AFolderIsReadWithItsNames) {
  const auto folder = TemporaryDirectory::create();
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder->path() / name, std::ios::binary) << bytes;
  };
  const Values x = edges(DataType::kF32, {3}), b = edges(DataType::kBF16, {3});
  put(capture_file_name("layer/0 x", DataType::kF32), npy_of(x));
  put(capture_file_name("b#2", DataType::kBF16), npy_of(b));
  put("b#2@bf16.npy", npy_of(b));
  put("out.npz", zip({{"y.npy", npy_of(x), true}}));
  put(".half-written.npy", "garbage");
  put("notes.txt", "no tensor");
  EXPECT_EQ(capture_file_name("layer/0 x", DataType::kF32), "layer%2F0%20x.npy");
  const auto twice = read_captures(folder->path());
  EXPECT_THAT(twice.error().message(), HasSubstr("two files hold the tensor 'b#2'"));
  std::filesystem::remove(folder->path() / capture_file_name("b#2", DataType::kBF16));
  const auto read = read_captures(folder->path());
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ(read->at("layer/0 x").bytes, x.bytes);
  EXPECT_EQ(read->at("b#2").type, DataType::kBF16);
  EXPECT_EQ(read->at("out/y").bytes, x.bytes);
}

TEST(Captures, AnEmptyOrMissingFolderSaysWhatToDo) {
  const auto folder = TemporaryDirectory::create();
  EXPECT_THAT(read_captures(folder->path()).error().message(), HasSubstr("HIPWRIGHT_GOLDEN"));
  EXPECT_THAT(read_captures(folder->path() / "none").error().message(),
              HasSubstr("HIPWRIGHT_GOLDEN"));
}

TEST(Captures, EveryNameComesBack) {
  const auto folder = TemporaryDirectory::create();
  for (const std::string name : {".hidden", "a.b.c", "x@bf16", "100%", "%2F", "ä", "a\nb", "-"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder->path()))
      std::filesystem::remove(entry);
    std::ofstream(folder->path() / capture_file_name(name, DataType::kU16), std::ios::binary)
        << npy_of(edges(DataType::kU16, {2}));
    const auto read = read_captures(folder->path());
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(read->contains(name)) << name;
    EXPECT_EQ(read->begin()->second.type, DataType::kU16);
  }
}

}  // namespace

}  // namespace hipwright::verify
