// SPDX-License-Identifier: MIT
// Reads 64-bit little-endian ELF files: code objects and the host programs that contain them.
// Every offset and count of the file is checked before use; no query on a parsed file reads
// outside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/code_object/bytes.h"

namespace hipwright::toolchain {

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;   // SHT_*
  std::uint64_t flags = 0;  // SHF_*
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // in memory; an SHT_NOBITS section has no bytes in the file
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t entry_size = 0;
  std::uint32_t index = 0;
};

struct ElfSegment {
  std::uint32_t type = 0;   // PT_*
  std::uint32_t flags = 0;  // PF_*
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;  // at least file_size; the rest is zero
  std::uint64_t alignment = 0;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  unsigned type = 0;          // STT_*
  unsigned binding = 0;       // STB_*
  unsigned visibility = 0;    // STV_*
  std::uint32_t section = 0;  // SHN_*

  bool defined() const { return section != 0; }
};

struct ElfRelocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  // index into the linked symbol table; 0: none
  std::int64_t addend = 0;
};

struct ElfNote {
  std::string_view name;
  std::uint32_t type = 0;
  std::string_view description;
};

class ElfFile {
 public:
  // `origin` is the name that errors use for the file.
  static Result<ElfFile> parse(Bytes bytes, std::string origin);

  const Bytes& bytes() const { return bytes_; }
  const std::string& origin() const { return origin_; }
  unsigned os_abi() const { return os_abi_; }
  unsigned abi_version() const { return abi_version_; }
  unsigned type() const { return type_; }        // ET_*
  unsigned machine() const { return machine_; }  // EM_*
  std::uint32_t flags() const { return flags_; }

  const std::vector<ElfSection>& sections() const { return sections_; }
  const std::vector<ElfSegment>& segments() const { return segments_; }
  const ElfSection* section(std::string_view name) const;  // the first of that name, or nullptr
  Bytes content(const ElfSection& section) const;          // empty for SHT_NOBITS
  Bytes content(const ElfSegment& segment) const;

  // Of an SHT_SYMTAB or SHT_DYNSYM section, the null symbol included so that indices fit.
  Result<std::vector<ElfSymbol>> symbols(const ElfSection& table) const;
  // Of an SHT_RELA section. Symbol indices are not checked here.
  Result<std::vector<ElfRelocation>> relocations(const ElfSection& table) const;
  // Of all PT_NOTE segments, or of all SHT_NOTE sections where there is no such segment.
  Result<std::vector<ElfNote>> notes() const;

 private:
  Status read_header();
  Status read_segments(std::uint64_t offset, std::uint64_t count);
  Status read_sections(std::uint64_t offset, std::uint64_t count, std::uint32_t names);
  Status read_notes(std::string_view bytes, std::uint64_t alignment,
                    std::vector<ElfNote>& notes) const;
  Result<std::string_view> string_at(const ElfSection& table, std::uint64_t offset,
                                     std::string_view kind, std::uint64_t index) const;
  std::unexpected<Error> damaged(std::string why) const;

  Bytes bytes_;
  std::string origin_;
  unsigned os_abi_ = 0, abi_version_ = 0, type_ = 0, machine_ = 0;
  std::uint32_t flags_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSegment> segments_;
};

bool is_elf(std::string_view bytes);
// A 64-bit ELF file for AMD GPUs, judging by the first bytes.
bool is_amdgpu_elf(std::string_view bytes);

}  // namespace hipwright::toolchain
