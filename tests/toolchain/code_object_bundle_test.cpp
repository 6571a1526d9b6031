// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include "code_object_fixture.h"
#include "toolchain/code_object/find.h"
#include "toolchain/code_object/offload_bundle.h"

namespace hipwright::toolchain {
namespace {

using namespace testing_fixture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> targets_of(const std::vector<DeviceImage>& images) {
  std::vector<std::string> targets;
  for (const DeviceImage& image : images) targets.push_back(image.target);
  return targets;
}

// Every image must be a code object for the target that the container names.
void expect_code_objects(const Result<std::vector<DeviceImage>>& images,
                         const std::vector<std::string>& targets) {
  ASSERT_TRUE(images) << images.error().message();
  EXPECT_EQ(targets_of(*images), targets);
  for (const DeviceImage& image : *images) {
    EXPECT_EQ(image.format, DeviceImage::Format::kCodeObject);
    const auto object = CodeObject::parse(image.bytes, image.origin);
    ASSERT_TRUE(object) << object.error().message();
    EXPECT_EQ(object->target().id(), image.target);
    EXPECT_TRUE(object->kernel("reverse"));
  }
}

template <class T>
std::string little_endian(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A plain bundle, byte by byte.
std::string bundle_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::uint64_t at = 32;
  for (const auto& [id, bytes] : entries) at += 24 + id.size();
  std::string header = "__CLANG_OFFLOAD_BUNDLE__" + little_endian<std::uint64_t>(entries.size());
  std::string body;
  for (const auto& [id, bytes] : entries) {
    header += little_endian<std::uint64_t>(at + body.size()) +
              little_endian<std::uint64_t>(bytes.size()) + little_endian<std::uint64_t>(id.size()) +
              id;
    body += bytes;
  }
  return header + body;
}

std::string packed(const std::string& content, bool zstd) {
  std::string out(zstd ? ZSTD_compressBound(content.size()) : compressBound(content.size()), '\0');
  if (zstd) {
    out.resize(ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 3));
  } else {
    uLongf size = out.size();
    compress(reinterpret_cast<Bytef*>(out.data()), &size,
             reinterpret_cast<const Bytef*>(content.data()), content.size());
    out.resize(size);
  }
  return out;
}

// The compressed container of a given version around `content`, with the hash of `like`.
std::string compressed_bundle(const std::string& content, unsigned version, bool zstd,
                              std::uint64_t hash) {
  const std::string body = packed(content, zstd);
  std::string header =
      "CCOB" + little_endian<std::uint16_t>(version) + little_endian<std::uint16_t>(zstd);
  if (version == 2) header += little_endian<std::uint32_t>(24 + body.size());
  if (version == 3) header += little_endian<std::uint64_t>(32 + body.size());
  header += version == 3 ? little_endian<std::uint64_t>(content.size())
                         : little_endian<std::uint32_t>(content.size());
  return header + little_endian(hash) + body;
}

TEST(EntryId, PartsOfWhatCompilersWrite) {
  const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
      {"hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", "hipv4", "amdgcn-amd-amdhsa",
       "gfx942:sramecc+:xnack-"},
      {"hip-amdgcn-amd-amdhsa-gfx906", "hip", "amdgcn-amd-amdhsa", "gfx906"},
      {"hipv4-amdgcn-amd-amdhsa--gfx9-4-generic", "hipv4", "amdgcn-amd-amdhsa", "gfx9-4-generic"},
      {"hip-amdgcn-amd-amdhsa-gfx9-4-generic", "hip", "amdgcn-amd-amdhsa", "gfx9-4-generic"},
      {"openmp-amdgcn-amd-amdhsa--gfx90a", "openmp", "amdgcn-amd-amdhsa", "gfx90a"},
      {"host-x86_64-unknown-linux-gnu-", "host", "x86_64-unknown-linux-gnu", ""},
      {"host-x86_64-unknown-linux--", "host", "x86_64-unknown-linux", ""}};
  for (const auto& [text, kind, triple, target] : cases) {
    const BundleEntryId id = parse_entry_id(text);
    EXPECT_EQ(id.kind, kind) << text;
    EXPECT_EQ(id.triple, triple) << text;
    EXPECT_EQ(id.target, target) << text;
  }
}

TEST(FindCodeObjects, InAPlainBundleOfFiveTargets) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto images = find_code_objects(
      compiled_bundle({"gfx942", "gfx90a", "gfx950", "gfx1100", "gfx1201"}), "a.hipfb");
  expect_code_objects(images, {"gfx1100", "gfx1201", "gfx90a", "gfx942", "gfx950"});
  EXPECT_EQ(images->front().kind, "hipv4");
  EXPECT_EQ(images->front().triple, "amdgcn-amd-amdhsa");
  EXPECT_EQ(images->front().origin, "a.hipfb: gfx1100");
  EXPECT_FALSE(images->front().compressed);
}

TEST(FindCodeObjects, InWhatTheCompilerCompressed) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string bytes = compiled_bundle({"gfx942", "gfx1100"}, {"--offload-compress"});
  ASSERT_TRUE(is_compressed_bundle(bytes));
  const auto images = find_code_objects(bytes, "a.hipfb");
  expect_code_objects(images, {"gfx1100", "gfx942"});
  EXPECT_TRUE(images->front().compressed);
}

TEST(FindCodeObjects, InABareCodeObject) {
  HIPWRIGHT_NEEDS_CLANG();
  expect_code_objects(find_code_objects(compiled_object("gfx90a:xnack-", 5), "a.co"),
                      {"gfx90a:xnack-"});
}

// All versions and both methods, around the same bundle and with the hash that clang computed for
// it.
TEST(FindCodeObjects, InEveryVersionOfTheCompressedFormat) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string made = compiled_bundle({"gfx942", "gfx1100"}, {"--offload-compress"});
  const auto unpacked = unpack_bundle(made, 1 << 20, "a.hipfb");
  ASSERT_TRUE(unpacked) << unpacked.error().message();
  EXPECT_EQ(unpacked->packed_size, made.size());
  const std::string content(unpacked->bytes.view());
  const auto hash = *read_at<std::uint64_t>(made, 24);
  for (const unsigned version : {1u, 2u, 3u})
    for (const bool zstd : {true, false}) {
      SCOPED_TRACE(fmt::format("version {}, {}", version, zstd ? "zstd" : "zlib"));
      const std::string bytes = compressed_bundle(content, version, zstd, hash);
      expect_code_objects(find_code_objects(bytes, "a.hipfb"), {"gfx1100", "gfx942"});
      // Two of them, as a linker leaves them.
      expect_code_objects(find_code_objects(bytes + std::string(4096, '\0') + bytes, "a.hipfb"),
                          {"gfx1100", "gfx942", "gfx1100", "gfx942"});
      const auto wrong =
          find_code_objects(compressed_bundle(content, version, zstd, hash + 1), "a.hipfb");
      ASSERT_FALSE(wrong);
      EXPECT_THAT(wrong.error().message(), HasSubstr("hash"));
    }
}

TEST(FindCodeObjects, InABundleInsideABundle) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string outer = bundle_of(
      {{"host-x86_64-unknown-linux-gnu-", "host bytes are left out"},
       {"hip-amdgcn-amd-amdhsa--gfx942", compiled_bundle({"gfx942"}, {"--offload-compress"})}});
  expect_code_objects(find_code_objects(outer, "a.hipfb"), {"gfx942"});
}

TEST(FindCodeObjects, InObjectsLibrariesAndProgramsOfSeveralSources) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "a.hip", kSource));
  ASSERT_TRUE(write_file_atomic(folder.path() / "b.hip",
                                std::string(kSource) + "namespace { int unused; }"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "main.cpp", kRuntime));
  for (const std::string source : {"a", "b"}) {
    std::vector<std::string> words = hip_words({"gfx942", "gfx1100"});
    words.insert(words.end(), {"-fPIC", "-c", source + ".hip", "-o", source + ".o"});
    if (source == "b") words.push_back("--offload-compress");
    compile(folder, words);
  }
  const auto found_in = [&](const char* name) {
    return find_code_objects(read_file(folder.path() / name).value(), name);
  };
  expect_code_objects(found_in("a.o"), {"gfx1100", "gfx942"});
  expect_code_objects(found_in("b.o"), {"gfx1100", "gfx942"});
  compile(folder, {"-Wno-everything", "a.o", "b.o", "main.cpp", "-Wl,-z,muldefs", "-o", "program"});
  expect_code_objects(found_in("program"), {"gfx1100", "gfx942", "gfx1100", "gfx942"});
  EXPECT_THAT(found_in("program")->front().origin, HasSubstr("program: .hip_fatbin"));
  compile(folder, {"-shared", "a.o", "-o", "library.so"});
  expect_code_objects(found_in("library.so"), {"gfx1100", "gfx942"});
}

TEST(FindCodeObjects, RelocatableDeviceCodeIsBitcodeUntilItIsLinked) {
  HIPWRIGHT_NEEDS_CLANG();
  for (const char* driver : {"--offload-new-driver", "--no-offload-new-driver"}) {
    SCOPED_TRACE(driver);
    std::vector<std::string> words = hip_words({"gfx942", "gfx1100"});
    words.insert(words.end(), {"-fgpu-rdc", driver, "-c"});
    const auto images = find_code_objects(compiled(kSource, words), "rdc.o");
    ASSERT_TRUE(images) << images.error().message();
    EXPECT_THAT(targets_of(*images), ElementsAre("gfx1100", "gfx942"));
    for (const DeviceImage& image : *images) EXPECT_EQ(image.format, DeviceImage::Format::kBitcode);
  }
}

TEST(FindCodeObjects, SaysWhatIsWrongWithOtherInput) {
  const auto entry_outside = [] {
    std::string bytes = bundle_of({{"hip-amdgcn-amd-amdhsa--gfx942", "12345678"}});
    return bytes.substr(0, bytes.size() - 1);
  }();
  std::string many = "__CLANG_OFFLOAD_BUNDLE__" + little_endian<std::uint64_t>(1u << 30);
  std::string nested = "bytes";
  for (int i = 0; i < 9; ++i) nested = bundle_of({{"hip-amdgcn-amd-amdhsa--gfx942", nested}});
  const std::string huge = "CCOB" + little_endian<std::uint16_t>(3) +
                           little_endian<std::uint16_t>(1) + little_endian<std::uint64_t>(32) +
                           little_endian<std::uint64_t>(~0ull) + std::string(8, '\0');
  const std::pair<std::string, const char*> cases[] = {
      {"", "the file is empty"},
      {"just text", "not an ELF file, an offload bundle"},
      {bundle_of({}), "no bundle has an entry for a device"},
      {bundle_of({{"host-x86_64-unknown-linux-gnu-", "x"}}), "no bundle has an entry for a device"},
      {entry_outside, "entry 0 ('hip-amdgcn-amd-amdhsa--gfx942') lies outside the bundle"},
      {many, "entries do not fit"},
      {nested, "nested bundles"},
      {bundle_of({{"hip-amdgcn-amd-amdhsa--gfx942", "x"}}) + "rest", "are not an offload bundle"},
      {"CCOB" + little_endian<std::uint16_t>(7) + little_endian<std::uint16_t>(1),
       "unsupported version 7"},
      {"CCOB" + little_endian<std::uint16_t>(3) + little_endian<std::uint16_t>(5),
       "compression method 5"},
      {"CCOB", "truncated header"},
      {huge, "the header claims 18446744073709551615 bytes"},
      {compressed_bundle("x", 2, true, 0).substr(0, 28), "the header claims"}};
  for (const auto& [bytes, message] : cases) {
    const auto images = find_code_objects(bytes, "input.bin");
    ASSERT_FALSE(images) << message;
    EXPECT_THAT(images.error().message(), HasSubstr(message));
    EXPECT_THAT(images.error().message(), HasSubstr("input.bin"));
  }
}

// Each of a hundred entries is the same nested bundle: work would multiply with every level.
TEST(FindCodeObjects, EntriesThatOverlapAreAnError) {
  const std::string id = "hip-amdgcn-amd-amdhsa--gfx942";
  const std::string inner = bundle_of({{id, std::string(10000, 'x')}});
  constexpr unsigned kEntries = 100;
  std::string outer = "__CLANG_OFFLOAD_BUNDLE__" + little_endian<std::uint64_t>(kEntries);
  for (unsigned i = 0; i < kEntries; ++i)
    outer += little_endian<std::uint64_t>(32 + kEntries * (24 + id.size())) +
             little_endian<std::uint64_t>(inner.size()) + little_endian<std::uint64_t>(id.size()) +
             id;
  const auto images = find_code_objects(outer + inner, "overlap");
  ASSERT_FALSE(images);
  EXPECT_THAT(images.error().message(), HasSubstr("overlapping bundle entries"));
}

TEST(FindCodeObjects, StopsAtTheLimitOfUnpackedBytes) {
  const std::string bomb = compressed_bundle(std::string(1 << 24, '\0'), 3, true, 0);
  ASSERT_LT(bomb.size(), 10000u);
  const auto images = find_code_objects(bomb, "bomb", {.unpacked_bytes = 1 << 20});
  ASSERT_FALSE(images);
  EXPECT_THAT(images.error().message(), HasSubstr("at most 1048576 may be unpacked"));
}

}  // namespace
}  // namespace hipwright::toolchain
