// SPDX-License-Identifier: MIT
#include "runtime/safetensors.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hipwright/error.h"
#include "runtime/data_type.h"

namespace hipwright::runtime {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A file with this header, padded as the format wants it, and `data` bytes of tensors.
std::string file_with(const std::string& header, std::size_t data = 0) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data, '\1');
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string problem_of(const std::string& file) {
  const auto header = read_safetensors_header(file, "m.safetensors");
  if (header) return "no problem";
  EXPECT_THAT(header.error().message(), HasSubstr("m.safetensors"));
  return header.error().why;
}

TEST(Safetensors, KnowsEveryType) {
  const std::pair<const char*, std::size_t> types[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
      {"U32", 4},  {"F32", 4}, {"I64", 8}, {"U64", 8},     {"F64", 8}};
  for (const auto& [name, size] : types) {
    const auto type = parse_data_type(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(to_string(*type), name);
    EXPECT_EQ(size_of(*type), size);
    const auto header = read_safetensors_header(
        file_with("{" + entry("t", name, "[3]", "[0," + std::to_string(3 * size) + "]") + "}",
                  3 * size),
        "f");
    ASSERT_TRUE(header) << header.error().message();
    EXPECT_EQ(header->tensors.at(0).type, *type);
  }
  EXPECT_THROW(static_cast<void>(size_of(static_cast<DataType>(99))), AMDBackendError);
}

TEST(Safetensors, WritesWhatTheReferenceWrites) {
  SafetensorsHeader one{
      .tensors = {{.name = "attn.0", .type = DataType::kF32, .shape = {1, 2, 3}}}};
  EXPECT_EQ(
      *make_safetensors_header(one, "f"),
      file_with("{\"attn.0\":{\"dtype\":\"F32\",\"shape\":[1,2,3],\"data_offsets\":[0,24]}}"));
  SafetensorsHeader padded{
      .tensors = {{.name = "attn0", .type = DataType::kF32, .shape = {1, 1, 2, 3}}}};
  EXPECT_EQ(*make_safetensors_header(padded, "f"),
            file_with("{\"attn0\":{\"dtype\":\"F32\",\"shape\":[1,1,2,3],\"data_offsets\":[0,24]}}"
                      "       "));
  SafetensorsHeader empty;
  EXPECT_EQ(*make_safetensors_header(empty, "f"), file_with("{}      "));
  SafetensorsHeader texts{.metadata = {{"framework", "pt"}}};
  EXPECT_EQ(*make_safetensors_header(texts, "f"),
            file_with("{\"__metadata__\":{\"framework\":\"pt\"}}     "));
}

TEST(Safetensors, LargerTypesComeFirstAndEveryTensorIsAligned) {
  SafetensorsHeader header{.tensors = {{.name = "a", .type = DataType::kBool, .shape = {3}},
                                       {.name = "z", .type = DataType::kF64, .shape = {1}},
                                       {.name = "c", .type = DataType::kBF16, .shape = {5}},
                                       {.name = "b", .type = DataType::kBF16, .shape = {}},
                                       {.name = "e", .type = DataType::kI64, .shape = {2, 0}}}};
  const std::string bytes = *make_safetensors_header(header, "f");
  std::vector<std::string> names;
  for (const StoredTensor& tensor : header.tensors) {
    names.push_back(tensor.name);
    EXPECT_EQ((header.data_begin + tensor.begin) % size_of(tensor.type), 0u) << tensor.name;
  }
  EXPECT_THAT(names, ElementsAre("e", "z", "b", "c", "a"));

  const auto again = read_safetensors_header(bytes + std::string(8 + 2 + 10 + 3, 'x'), "f");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->data_begin, header.data_begin);
  ASSERT_EQ(again->tensors.size(), header.tensors.size());
  for (std::size_t i = 0; i < again->tensors.size(); ++i) {
    EXPECT_EQ(again->tensors[i].name, header.tensors[i].name);
    EXPECT_EQ(again->tensors[i].shape, header.tensors[i].shape);
    EXPECT_EQ(again->tensors[i].begin, header.tensors[i].begin);
  }
}

TEST(Safetensors, NamesAndMetadataMayHaveAnyCharacters) {
  const std::string odd = "Größe \"x\"\\\n\t😀";
  SafetensorsHeader header{.tensors = {{.name = odd, .type = DataType::kU8, .shape = {1}}},
                           .metadata = {{odd, odd}, {"", ""}}};
  const auto again = read_safetensors_header(*make_safetensors_header(header, "f") + "x", "f");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->tensors.at(0).name, odd);
  EXPECT_EQ(again->metadata, header.metadata);
}

TEST(Safetensors, UnsupportedTensorsAreNamed) {
  const auto problem = [](SafetensorsHeader header) {
    const auto bytes = make_safetensors_header(header, "out");
    return bytes ? "no problem" : bytes.error().message();
  };
  EXPECT_THAT(problem({.tensors = {{.name = "__metadata__"}}}), HasSubstr("__metadata__"));
  EXPECT_THAT(problem({.tensors = {{.name = "\xff"}}}), HasSubstr("UTF-8"));
  EXPECT_THAT(problem({.metadata = {{"a", "\xff"}}}), HasSubstr("UTF-8"));
  EXPECT_THAT(problem({.tensors = {{.name = "w"}, {.name = "w"}}}), HasSubstr("'w'"));
  EXPECT_THAT(problem({.tensors = {{.name = "w", .shape = {2, -1}}}}), HasSubstr("negative"));
  EXPECT_THAT(problem({.tensors = {{.name = "w", .shape = {1LL << 40, 1LL << 40}}}}),
              HasSubstr("64 bits"));
  EXPECT_THAT(problem({.tensors = {{.name = "w", .shape = {1LL << 62}}}}), HasSubstr("64 bits"));
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(problem({.tensors = {{.name = "a", .type = DataType::kU8, .shape = {kHuge}},
                                   {.name = "b", .type = DataType::kU8, .shape = {kHuge}},
                                   {.name = "c", .type = DataType::kU8, .shape = {kHuge}}}}),
              HasSubstr("total size"));
}

struct BadFile {
  std::string file;
  std::string problem;
};

TEST(Safetensors, InvalidFilesAreRejectedWithTheReason) {
  const std::string good = entry("a", "F32", "[2]", "[0,8]");
  EXPECT_EQ(problem_of(file_with("{" + good + "}", 8)), "no problem");
  EXPECT_EQ(problem_of(file_with("{" + good + "}   ", 8)), "no problem");
  EXPECT_EQ(problem_of(file_with("{}")), "no problem");
  // Any order in the header; only the places count.
  EXPECT_EQ(problem_of(file_with("{" + entry("b", "U8", "[1]", "[8,9]") + "," + good + "}", 9)),
            "no problem");
  EXPECT_EQ(problem_of(file_with("{" + entry("e", "U8", "[0,99]", "[8,8]") + "," + good + "}", 8)),
            "no problem");

  const std::uint64_t huge = 1ULL << 60;
  const BadFile cases[] = {
      {"", "shorter than 8"},
      {"1234567", "shorter than 8"},
      {std::string(reinterpret_cast<const char*>(&huge), 8) + "{}", "the limit is"},
      {file_with("{}").substr(0, 9), "but the file has only"},
      {file_with(""), "start with {"},
      {file_with(" {}"), "start with {"},
      {file_with("[]"), "start with {"},
      {file_with("{} x"), "valid JSON at byte 11"},
      {file_with("{\"a\":"), "valid JSON"},
      {file_with("{\"a\xff\":{}}"), "valid JSON"},
      {file_with("{" + good + "," + good + "}", 8), "duplicate name 'a'"},
      {file_with("{\"a\":1}"), "unexpected type of 'a'"},
      {file_with("{\"a\":[]}"), "unexpected type of 'a'"},
      {file_with("{\"a\":{}}"), "tensor 'a': missing dtype"},
      {file_with("{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}"), "missing data_offsets"},
      {file_with("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}"), "duplicate name 'dtype'"},
      {file_with("{\"a\":{\"dtype\":3}}"), "unexpected type of 'dtype'"},
      {file_with("{\"a\":{\"color\":\"red\"}}"), "unexpected type of 'color'"},
      {file_with("{\"a\":{\"color\":{}}}"), "unexpected type of 'color'"},
      {file_with("{" + entry("a", "F4", "[2]", "[0,8]") + "}", 8), "unknown dtype 'F4'"},
      {file_with("{" + entry("a", "F32", "[-2]", "[0,8]") + "}", 8), "a negative number"},
      {file_with("{" + entry("a", "F32", "[2.0]", "[0,8]") + "}", 8), "floating-point number"},
      {file_with("{" + entry("a", "F32", "[[2]]", "[0,8]") + "}", 8), "a list"},
      {file_with("{" + entry("a", "F32", "[18446744073709551615]", "[0,8]") + "}", 8),
       "dimension too large"},
      {file_with("{" + entry("a", "F32", "[4294967296,4294967296]", "[0,8]") + "}", 8),
       "exceeds 64 bits"},
      {file_with("{" + entry("a", "F32", "[4611686018427387904]", "[0,0]") + "}", 8),
       "exceeds 64 bits"},
      {file_with("{" + entry("a", "F32", "[3]", "[0,8]") + "}", 8),
       "it has 8 bytes, but F32 [3] needs 12"},
      {file_with("{" + entry("a", "F32", "[2]", "[0]") + "}", 8), "1 numbers instead of 2"},
      {file_with("{" + entry("a", "F32", "[2]", "[0,8,8]") + "}", 8), "3 numbers instead of 2"},
      {file_with("{" + entry("a", "F32", "[2]", "[8,0]") + "}", 8), "it ends at 0"},
      {file_with("{" + entry("a", "F32", "[2]", "[4,12]") + "}", 12), "gap of 4 bytes"},
      {file_with("{" + good + "," + entry("b", "U8", "[4]", "[4,8]") + "}", 8), "overlaps 'a'"},
      {file_with("{" + good + "," + entry("b", "F32", "[2]", "[0,8]") + "}", 8), "overlaps 'a'"},
      {file_with("{" + good + "}", 7), "truncated file: the tensors need 8 bytes, but there are 7"},
      {file_with("{" + good + "}", 9), "1 unused bytes after the last tensor"},
      {file_with("{\"__metadata__\":{\"n\":1}}"), "__metadata__ 'n' is a number"},
      {file_with("{\"__metadata__\":{\"n\":\"1\",\"n\":\"1\"}}"), "duplicate name 'n'"},
      {file_with("{\"__metadata__\":\"x\"}"), "unexpected type of '__metadata__'"},
  };
  for (const BadFile& test : cases)
    EXPECT_THAT(problem_of(test.file), HasSubstr(test.problem)) << test.file;
}

TEST(Safetensors, DepthCostsNothing) {
  EXPECT_NE(problem_of(file_with("{\"a\":" + std::string(1'000'000, '['))), "no problem");
}

TEST(Safetensors, AnImpossibleShapeHasNoSize) {
  EXPECT_EQ((Tensor{.shape = {2, 3}}.elements()), 6u);
  EXPECT_EQ((Tensor{.type = DataType::kF16, .shape = {2, 3}}.bytes()), 12u);
  EXPECT_EQ((Tensor{.shape = {}}.elements()), 1u);
  EXPECT_THROW(static_cast<void>(Tensor{.shape = {-1}}.elements()), AMDBackendError);
  EXPECT_THROW(static_cast<void>(Tensor{.shape = {1LL << 40, 1LL << 40}}.elements()),
               AMDBackendError);
}

}  // namespace

}  // namespace hipwright::runtime
