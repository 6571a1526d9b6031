// SPDX-License-Identifier: MIT
#include "verify/golden/golden.h"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "verify/numeric/fill.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

constexpr DataType kTypes[] = {DataType::kBool,   DataType::kU8,  DataType::kI8,  DataType::kF8E4M3,
                               DataType::kF8E5M2, DataType::kI16, DataType::kU16, DataType::kF16,
                               DataType::kBF16,   DataType::kI32, DataType::kU32, DataType::kF32,
                               DataType::kI64,    DataType::kU64, DataType::kF64};

Values edges(DataType type, Shape shape, std::uint64_t seed = 1) {
  return filled(type, std::move(shape), {Distribution::Kind::kEdges}, seed);
}

Golden some_golden() {
  Golden golden{.provenance = {.device = "NVIDIA H200 (sm_90)",
                               .driver = "CUDA 13.0",
                               .compiler = "nvcc 13.0.88",
                               .source_hash = std::string(64, 'a'),
                               .command = "./sum --size 1000",
                               .seed = 18446744073709551615U,
                               .made = "2026-11-15T12:00:00Z"}};
  for (const DataType type : kTypes)
    golden.tensors.emplace(std::string(to_string(type)), sampled(edges(type, {3, 50})));
  golden.tensors.emplace("scalar", sampled(edges(DataType::kF32, {})));
  golden.tensors.emplace("nothing", sampled(edges(DataType::kF32, {4, 0})));
  golden.tensors.emplace("a sample/of \"some\"", sampled(edges(DataType::kF16, {100, 99}), 100));
  return golden;
}

Tolerance exact(const std::string&, DataType) {
  return {};
}

TEST(Golden, WhatIsWrittenIsReadBack) {
  const Golden golden = some_golden();
  const auto folder = TemporaryDirectory::create();
  const auto file = folder->path() / "g.safetensors";
  ASSERT_TRUE(write_golden(golden, file));
  const auto read = read_golden(file);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->provenance, golden.provenance);
  ASSERT_EQ(read->tensors.size(), golden.tensors.size());
  for (const auto& [name, stored] : golden.tensors) {
    const StoredValues& other = read->tensors.at(name);
    EXPECT_EQ(other.values.type, stored.values.type);
    EXPECT_EQ(other.values.bytes, stored.values.bytes);
    EXPECT_EQ(other.shape, stored.shape);
    EXPECT_EQ(other.indices, stored.indices);
  }
}

TEST(Golden, ASampleHasTheEndsAndIsSpread) {
  for (const std::uint64_t count : {3U, 10U, 1000U, 1'000'003U})
    for (const std::uint64_t stored : {1U, 2U, 3U, 7U, 100U}) {
      if (stored > count) continue;
      const auto indices = sample_indices(count, stored);
      ASSERT_EQ(indices.size(), stored);
      EXPECT_EQ(indices.front(), 0);
      if (stored > 1) {
        EXPECT_EQ(indices.back(), static_cast<std::int64_t>(count - 1));
      }
      EXPECT_TRUE(std::ranges::is_sorted(indices));
      EXPECT_EQ(std::set(indices.begin(), indices.end()).size(), stored);
    }
  // A stride would only ever see some lanes.
  std::set<std::int64_t> lanes;
  for (const std::int64_t index : sample_indices(64 * 4096, 4096)) lanes.insert(index % 64);
  EXPECT_EQ(lanes.size(), 64U);
}

TEST(Golden, FilesKeepTheirSamples) {
  // A part of the file format: it must never change.
  EXPECT_EQ(sample_indices(1000, 6), (std::vector<std::int64_t>{0, 280, 431, 575, 698, 999}));
}

TEST(Golden, ASampleFindsWhatIsWrong) {
  const Values values = filled(DataType::kF32, {64 * 1000}, {}, 1);
  const StoredValues stored = sampled(values, 5000);
  ASSERT_EQ(stored.indices.size(), 5000U);
  EXPECT_TRUE(compare(stored, values, {}).passes);
  Values wrong = values;
  for (std::size_t i = 0; i < wrong.count(); ++i)
    if (i % 64 >= 32) store(wrong, i, 7);
  const Comparison result = compare(stored, wrong, {}, {.wave_size = 64, .block_size = 256});
  EXPECT_FALSE(result.passes);
  EXPECT_EQ(result.count, 5000U);
  EXPECT_EQ(result.pattern, "every lane >= 32 is wrong");
  EXPECT_EQ(result.first_wrong % 64 / 32, 1U);
}

TEST(Golden, AnotherShapeOrTypeIsAProblem) {
  const Golden golden{.tensors = {{"x", sampled(edges(DataType::kF32, {8, 8}))},
                                  {"s", sampled(edges(DataType::kF32, {800}), 10)}}};
  for (const char* name : {"x", "s"}) {
    const StoredValues& stored = golden.tensors.at(name);
    EXPECT_THAT(compare(stored, edges(DataType::kF32, {64}), {}).problem, HasSubstr("shape"));
    EXPECT_THAT(compare(stored, edges(DataType::kF16, stored.shape), {}).problem,
                HasSubstr("expected f32, got f16"));
  }
  EXPECT_THAT(
      compare(golden.tensors.at("s"), edges(DataType::kF32, {800}), {.any_order = true}).problem,
      HasSubstr("Store the whole tensor"));
}

TEST(Golden, WhatIsMissingOrTooMuchIsSaid) {
  const Golden golden{.tensors = {{"a", sampled(edges(DataType::kF32, {8}))},
                                  {"b", sampled(edges(DataType::kF32, {8}))}}};
  const auto checked =
      check(golden, {{"b", edges(DataType::kF32, {8})}, {"c", edges(DataType::kF32, {8})}}, exact);
  ASSERT_EQ(checked.size(), 3U);
  EXPECT_THAT(checked[0].comparison.text(), HasSubstr("missing from the captures"));
  EXPECT_TRUE(checked[1].comparison.passes);
  EXPECT_THAT(checked[2].comparison.text(), HasSubstr("not in the golden file"));
  EXPECT_FALSE(checked[0].comparison.passes || checked[2].comparison.passes);
}

std::string error_of(std::string_view bytes) {
  const auto golden = parse_golden(bytes, "g.safetensors");
  return golden ? "no error" : golden.error().message();
}

TEST(Golden, EveryPrefixOfAFileIsCutOff) {
  const std::string bytes = *golden_bytes(some_golden(), "g");
  ASSERT_EQ(error_of(bytes), "no error");
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 37) {
    const std::string error = error_of(std::string_view(bytes).substr(0, size));
    ASSERT_THAT(error, HasSubstr("g.safetensors"));
    ASSERT_THAT(error, HasSubstr("golden pack"));
  }
  EXPECT_THAT(error_of(std::string_view(bytes).substr(0, bytes.size() - 1)),
              HasSubstr("truncated file"));
}

TEST(Golden, EveryChangedByteIsNoticed) {
  Golden golden{.provenance = {.device = "cpu"},
                .tensors = {{"x", sampled(edges(DataType::kF32, {9, 9}), 20)}}};
  const std::string bytes = *golden_bytes(golden, "g");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const auto read = parse_golden(changed, "g");
    // White space at the end of the header has no meaning.
    if (read) {
      EXPECT_EQ(*golden_bytes(*read, "g"), bytes) << i;
    }
  }
}

TEST(Golden, OtherTensorsHaveNoProvenance) {
  const std::string header = R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  std::string bytes =
      std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + "x";
  EXPECT_THAT(error_of(bytes), HasSubstr("no provenance"));
  EXPECT_THAT(error_of("this is a text, and no safetensors file"), HasSubstr("g.safetensors"));
}

TEST(Golden, OtherSourcesAreAnError) {
  const auto folder = TemporaryDirectory::create();
  const auto a = folder->path() / "a.cu", b = folder->path() / "b.cu";
  std::ofstream(a) << "abc";
  std::ofstream(b) << "";
  // sha256sum's.
  EXPECT_EQ(*source_hash({a}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(*source_hash({a, b}), *source_hash({b, a}));
  EXPECT_NE(*source_hash({a, b}), *source_hash({a}));
  EXPECT_FALSE(source_hash({folder->path() / "none"}));
  Golden golden;
  golden.provenance.source_hash = *source_hash({a});
  EXPECT_TRUE(check_source(golden, *source_hash({a}), "g"));
  EXPECT_THAT(check_source(golden, *source_hash({b}), "g").error().message(),
              HasSubstr("other sources (sha256 ba7816bf8f01…"));
  golden.provenance.source_hash.clear();
  EXPECT_THAT(check_source(golden, *source_hash({b}), "g").error().message(),
              HasSubstr("--source"));
}

}  // namespace

}  // namespace hipwright::verify
