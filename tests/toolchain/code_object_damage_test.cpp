// SPDX-License-Identifier: MIT
// What damaged files may do: be an error that names file and defect, or still be valid. Nothing
// else.
#include <elf.h>

#include "base/json.h"
#include "code_object_fixture.h"
#include "paths.h"
#include "toolchain/code_object/find.h"
#include "toolchain/code_object/inspect.h"
#include "toolchain/code_object/msgpack.h"

namespace hipwright::toolchain {
namespace {

using namespace testing_fixture;
using ::testing::HasSubstr;

constexpr std::string_view kTiny = R"(
  extern "C" __attribute__((global)) void tiny(int* p) { *p = 1; })";

void read_everything(std::string bytes) {
  const auto images =
      find_code_objects(std::move(bytes), "damaged.bin", {.unpacked_bytes = 1 << 22});
  if (!images) {
    EXPECT_THAT(images.error().message(), HasSubstr("damaged.bin"));
    EXPECT_FALSE(images.error().why.empty());
    return;
  }
  for (const DeviceImage& image : *images) {
    const auto object = CodeObject::parse(image.bytes, image.origin);
    if (object) {
      kernel_resources(*object);
    } else {
      EXPECT_THAT(object.error().message(), HasSubstr("damaged.bin"));
      EXPECT_FALSE(object.error().why.empty());
    }
  }
}

std::string tiny_bundle(std::vector<std::string> more) {
  std::vector<std::string> words = hip_words({"gfx1100"});
  words.insert(words.end(), {"--cuda-device-only", "-c"});
  words.insert(words.end(), more.begin(), more.end());
  return compiled(kTiny, words);
}

TEST(DamagedFiles, CutShortAtEveryByte) {
  HIPWRIGHT_NEEDS_CLANG();
  for (const std::string& whole : {compiled_object("gfx942", 5, kTiny), tiny_bundle({}),
                                   tiny_bundle({"--offload-compress"})}) {
    for (std::size_t size = 0; size < whole.size(); ++size) read_everything(whole.substr(0, size));
    // A code object ends with its section headers, a bundle with its last entry: less is an error.
    const auto images = find_code_objects(whole.substr(0, whole.size() - 1), "cut");
    EXPECT_TRUE(!images || !CodeObject::parse(images->front().bytes, "cut"));
  }
}

TEST(DamagedFiles, EveryBitFlipped) {
  HIPWRIGHT_NEEDS_CLANG();
  for (const std::string& whole :
       {compiled_object("gfx942", 6, kTiny), tiny_bundle({"--offload-compress"})})
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      std::string bytes = whole;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      read_everything(std::move(bytes));
    }
}

TEST(DamagedFiles, AnyFlippedBitOfACompressedBundlesContentIsNoticed) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string whole = tiny_bundle({"--offload-compress"});
  for (std::size_t bit = 16 * 8; bit < whole.size() * 8; bit += 5) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const auto images = find_code_objects(bytes, "a");
    if (images) {
      EXPECT_EQ(images->front().bytes.view(), find_code_objects(whole, "a")->front().bytes.view());
    }
  }
}

// Fields of a real code object set to what they must not be.
TEST(DamagedFiles, ErrorsNameTheDefect) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string good = compiled_object("gfx942", 5);
  const auto header = *read_at<Elf64_Ehdr>(good, 0);
  const auto put = [](std::string bytes, std::uint64_t at, std::uint64_t value, unsigned width) {
    std::memcpy(bytes.data() + at, &value, width);
    return bytes;
  };
  const auto section = [&](const char* name, std::uint64_t field) {
    const auto elf = ElfFile::parse(good, "a").value();
    return header.e_shoff + elf.section(name)->index * sizeof(Elf64_Shdr) + field;
  };
  const auto segment = [&](unsigned index, std::uint64_t field) {
    return header.e_phoff + index * sizeof(Elf64_Phdr) + field;
  };
  const auto object = CodeObject::parse(good, "a").value();
  const auto file_offset = [&](std::uint64_t address) {
    return static_cast<std::uint64_t>(object.file_bytes_at(address, 1)->data() -
                                      object.bytes().view().data());
  };
  const std::uint64_t descriptor = file_offset(object.kernel("reverse")->descriptor_address);
  const std::pair<std::string, const char*> cases[] = {
      {good.substr(0, 40), "the ELF header needs 64 bytes, the file has 40"},
      {put(good, EI_CLASS, 1, 1), "not a 64-bit little-endian file"},
      {put(good, offsetof(Elf64_Ehdr, e_machine), EM_X86_64, 2), "not for AMD GPUs"},
      {put(good, EI_OSABI, 0, 1), "instead of amdhsa"},
      {put(good, offsetof(Elf64_Ehdr, e_flags), 0xff, 1), "unknown processor 0xff"},
      {put(good, offsetof(Elf64_Ehdr, e_phoff), ~0ull, 8), "program headers lies outside the file"},
      {put(good, offsetof(Elf64_Ehdr, e_shoff), good.size() - 100, 8),
       "section headers lies outside the file"},
      {put(good, offsetof(Elf64_Ehdr, e_shstrndx), 200, 2), "section name table is section 200"},
      {put(good, section(".text", offsetof(Elf64_Shdr, sh_offset)), ~0ull, 8),
       "section 8 lies outside the file"},
      {put(good, section(".text", offsetof(Elf64_Shdr, sh_name)), 1 << 20, 4),
       "the name of section 8"},
      {put(good, section(".dynsym", offsetof(Elf64_Shdr, sh_entsize)), 7, 8),
       "not made of 24-byte symbols"},
      {put(good, section(".dynsym", offsetof(Elf64_Shdr, sh_link)), 99, 4),
       "takes its names from section 99"},
      {put(good, segment(1, offsetof(Elf64_Phdr, p_filesz)), 1ull << 40, 8),
       "segment 1 lies outside the file"},
      {put(good, segment(1, offsetof(Elf64_Phdr, p_memsz)), 1, 8), "smaller in memory"},
      {put(good, segment(1, offsetof(Elf64_Phdr, p_memsz)), ~0ull >> 2, 8), "memory up to address"},
      {put(good, segment(2, offsetof(Elf64_Phdr, p_vaddr)), 0, 8),
       "overlapping segments at address"},
      {put(good, descriptor + 16, 12345, 8),
       "of kernel 'reverse' is not a 256-byte aligned address of code"},
      {put(good, section(".rela.dyn", offsetof(Elf64_Shdr, sh_entsize)), 8, 8), "relocation table"},
      {put(good, good.find("AMDGPU"), 'X', 1), "no metadata"},
      {put(good, good.find(".vgpr_count"), 'X', 1), ".vgpr_count of kernel"},
      {put(good, good.find("amdhsa.kernels") + 14, 0xc1, 1),
       "not one complete MessagePack document"}};
  for (const auto& [bytes, message] : cases) {
    const auto result = CodeObject::parse(bytes, "bad.co");
    ASSERT_FALSE(result) << message;
    EXPECT_THAT(result.error().message(), HasSubstr(message));
    EXPECT_THAT(result.error().message(), HasSubstr("bad.co"));
  }
}

// Small files whose headers all point at the same bytes must not cost the square of their size.
TEST(DamagedFiles, HeadersThatShareTheirNotesAreAnError) {
  constexpr unsigned kSegments = 2000;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_phnum = kSegments;
  header.e_phentsize = sizeof(Elf64_Phdr);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof header + kSegments * sizeof segment;
  segment.p_filesz = 100 * sizeof(Elf64_Nhdr);
  for (unsigned i = 0; i < kSegments; ++i)
    bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  bytes.append(segment.p_filesz, '\0');
  const auto elf = ElfFile::parse(bytes, "notes.co");
  ASSERT_TRUE(elf) << elf.error().message();
  const auto notes = elf->notes();
  ASSERT_FALSE(notes);
  EXPECT_THAT(notes.error().message(), HasSubstr("more than 65536 notes"));
}

TEST(Msgpack, DepthAndLengthsAreCheckedWithoutRecursion) {
  const auto accepted = [](const std::string& bytes) {
    return MsgpackCursor(bytes).value().has_value();
  };
  EXPECT_TRUE(
      accepted("\x82\xa1"
               "a\x01\xa1"
               "b\x92\xc0\xc3"));
  EXPECT_TRUE(accepted(std::string(15, '\x91') + "\xc0"));
  EXPECT_FALSE(accepted(std::string(16, '\x91') + "\xc0"));
  EXPECT_FALSE(accepted(std::string(1 << 20, '\x91')));
  EXPECT_FALSE(accepted("\x92\x01"));                              // one of two entries
  EXPECT_FALSE(accepted(std::string("\xdb\xff\xff\xff\xff", 5)));  // a string of 4 GiB
  EXPECT_FALSE(accepted(std::string("\xdd\xff\xff\xff\xff\x00", 6)));
  EXPECT_FALSE(accepted("\xc1"));
  EXPECT_FALSE(accepted(""));
}

TEST(Metadata, DeepNestingIsAnErrorAndNotACrash) {
  const auto metadata = parse_metadata(
      "\x81\xae"
      "amdhsa.kernels" +
          std::string(1 << 22, '\x91'),
      "deep.co");
  ASSERT_FALSE(metadata);
  EXPECT_THAT(metadata.error().message(), HasSubstr("deep.co"));
}

TEST(InspectCommand, ReportsGoodFilesBesideBadOnesInJson) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "good.co", compiled_object("gfx1201", 6)));
  ASSERT_TRUE(write_file_atomic(folder.path() / "bad.co", "nothing"));
  const auto both = run({.argv = {built_tool(), "inspect", "--json", "bad.co", "good.co"},
                         .directory = folder.path()});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->exit_code, 2);
  EXPECT_THAT(both->err, HasSubstr("bad.co"));
  const auto json = parse_json(both->out, "output");
  ASSERT_TRUE(json) << both->out;
  EXPECT_TRUE((*json)["files"][0].contains("error"));
  const Json& image = (*json)["files"][1]["images"][0];
  EXPECT_EQ(image["target"], "gfx1201");
  EXPECT_EQ(image["code_object_version"], 6);
  EXPECT_EQ(image["kernels"][1]["mangled"], "reverse");
  EXPECT_EQ(image["kernels"][1]["arguments"][0]["kind"], "global_buffer");
  EXPECT_EQ(image["variables"].size(), 3u);

  const auto good = run({.argv = {built_tool(), "inspect", "good.co"}, .directory = folder.path()});
  EXPECT_EQ(good->exit_code, 0);
  EXPECT_THAT(good->out, HasSubstr("gfx1201: code object v6"));
}

}  // namespace
}  // namespace hipwright::toolchain
