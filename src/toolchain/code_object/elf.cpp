// SPDX-License-Identifier: MIT
#include "toolchain/code_object/elf.h"

#include <elf.h>

#include <fmt/format.h>

namespace hipwright::toolchain {

namespace {

// Far above any real symbol. Without a limit a small file whose symbols all point into one long
// string would take quadratic time.
constexpr std::uint64_t kLongestName = 64 * 1024;
// Real files have a handful; headers that all point at the same notes would multiply them.
constexpr std::size_t kMostNotes = 64 * 1024;

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(std::string_view(ELFMAG, SELFMAG));
}

bool is_amdgpu_elf(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  return header && is_elf(bytes) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
         header->e_machine == EM_AMDGPU;
}

Result<ElfFile> ElfFile::parse(Bytes bytes, std::string origin) {
  ElfFile file;
  file.bytes_ = std::move(bytes);
  file.origin_ = std::move(origin);
  HW_CHECK(file.read_header());
  return file;
}

std::unexpected<Error> ElfFile::damaged(std::string why) const {
  return fail("cannot read the ELF file", origin_, std::move(why),
              "The file is damaged or truncated: create it again");
}

Status ElfFile::read_header() {
  const std::string_view bytes = bytes_.view();
  if (!is_elf(bytes)) return fail("cannot read the ELF file", origin_, "wrong magic number");
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header)
    return damaged(fmt::format("the ELF header needs {} bytes, the file has {}", sizeof(Elf64_Ehdr),
                               bytes.size()));
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return fail("cannot read the ELF file", origin_, "not a 64-bit little-endian file",
                "Use a file for AMD GPUs or for 64-bit hosts");
  if (header->e_ident[EI_VERSION] != EV_CURRENT)
    return damaged(fmt::format("unknown ELF version {}", header->e_ident[EI_VERSION]));
  os_abi_ = header->e_ident[EI_OSABI];
  abi_version_ = header->e_ident[EI_ABIVERSION];
  type_ = header->e_type;
  machine_ = header->e_machine;
  flags_ = header->e_flags;
  if (header->e_phnum != 0 && header->e_phentsize != sizeof(Elf64_Phdr))
    return damaged(fmt::format("program headers of {} bytes instead of {}", header->e_phentsize,
                               sizeof(Elf64_Phdr)));
  std::uint64_t segments = header->e_phnum;
  std::uint64_t sections = header->e_shnum;
  std::uint32_t names = header->e_shstrndx;
  if (header->e_shoff != 0) {
    if (header->e_shentsize != sizeof(Elf64_Shdr))
      return damaged(fmt::format("section headers of {} bytes instead of {}", header->e_shentsize,
                                 sizeof(Elf64_Shdr)));
    const auto first = read_at<Elf64_Shdr>(bytes, header->e_shoff);
    if (!first) return damaged("section header 0 lies outside the file");
    // Counts that do not fit their 16-bit fields are in section header 0.
    if (sections == 0) sections = first->sh_size;
    if (names == SHN_XINDEX) names = first->sh_link;
    if (segments == PN_XNUM) segments = first->sh_info;
  } else if (sections != 0) {
    return damaged(fmt::format("{} section headers, but no section header table", sections));
  }
  HW_CHECK(read_segments(header->e_phoff, segments));
  return read_sections(header->e_shoff, sections, names);
}

Status ElfFile::read_segments(std::uint64_t offset, std::uint64_t count) {
  const std::string_view bytes = bytes_.view();
  if (count > bytes.size() / sizeof(Elf64_Phdr) ||
      !fits(bytes.size(), offset, count * sizeof(Elf64_Phdr)))
    return damaged(fmt::format("the table of {} program headers lies outside the file", count));
  segments_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto raw = *read_at<Elf64_Phdr>(bytes, offset + i * sizeof(Elf64_Phdr));
    if (!fits(bytes.size(), raw.p_offset, raw.p_filesz))
      return damaged(fmt::format("segment {} lies outside the file", i));
    if (raw.p_type == PT_LOAD && raw.p_memsz < raw.p_filesz)
      return damaged(fmt::format("segment {} is smaller in memory than in the file", i));
    if (raw.p_vaddr + raw.p_memsz < raw.p_vaddr)
      return damaged(fmt::format("segment {} does not fit the address space", i));
    segments_.push_back({.type = raw.p_type,
                         .flags = raw.p_flags,
                         .offset = raw.p_offset,
                         .address = raw.p_vaddr,
                         .file_size = raw.p_filesz,
                         .memory_size = raw.p_memsz,
                         .alignment = raw.p_align});
  }
  return {};
}

Status ElfFile::read_sections(std::uint64_t offset, std::uint64_t count, std::uint32_t names) {
  const std::string_view bytes = bytes_.view();
  if (count == 0) return {};
  if (count > bytes.size() / sizeof(Elf64_Shdr) ||
      !fits(bytes.size(), offset, count * sizeof(Elf64_Shdr)))
    return damaged(fmt::format("the table of {} section headers lies outside the file", count));
  std::vector<std::uint32_t> name_offsets;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto raw = *read_at<Elf64_Shdr>(bytes, offset + i * sizeof(Elf64_Shdr));
    // Section header 0 holds counts, not a section.
    if (i != 0 && raw.sh_type != SHT_NOBITS && raw.sh_type != SHT_NULL &&
        !fits(bytes.size(), raw.sh_offset, raw.sh_size))
      return damaged(fmt::format("section {} lies outside the file", i));
    name_offsets.push_back(raw.sh_name);
    sections_.push_back({.type = i == 0 ? static_cast<std::uint32_t>(SHT_NULL) : raw.sh_type,
                         .flags = raw.sh_flags,
                         .address = raw.sh_addr,
                         .offset = raw.sh_offset,
                         .size = raw.sh_size,
                         .link = raw.sh_link,
                         .info = raw.sh_info,
                         .entry_size = raw.sh_entsize,
                         .index = i});
  }
  if (names == SHN_UNDEF) return {};
  if (names >= sections_.size())
    return damaged(fmt::format("section name table is section {} of {}", names, sections_.size()));
  for (std::uint32_t i = 1; i < count; ++i) {
    HW_TRY(sections_[i].name, string_at(sections_[names], name_offsets[i], "section", i));
  }
  return {};
}

const ElfSection* ElfFile::section(std::string_view name) const {
  for (const ElfSection& section : sections_)
    if (section.name == name && section.type != SHT_NULL) return &section;
  return nullptr;
}

Bytes ElfFile::content(const ElfSection& section) const {
  if (section.type == SHT_NOBITS || section.type == SHT_NULL) return {};
  return bytes_.slice(section.offset, section.size);
}

Bytes ElfFile::content(const ElfSegment& segment) const {
  return bytes_.slice(segment.offset, segment.file_size);
}

Result<std::string_view> ElfFile::string_at(const ElfSection& table, std::uint64_t offset,
                                            std::string_view kind, std::uint64_t index) const {
  const Bytes content_of_table = content(table);
  const std::string_view strings = content_of_table.view();
  if (offset == 0 && strings.empty()) return std::string_view();
  if (offset >= strings.size())
    return damaged(
        fmt::format("the name of {} {} lies outside string table {}", kind, index, table.index));
  const std::string_view rest = strings.substr(offset, kLongestName);
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos)
    return damaged(
        fmt::format("the name of {} {} does not end within {} bytes", kind, index, rest.size()));
  return rest.substr(0, end);
}

Result<std::vector<ElfSymbol>> ElfFile::symbols(const ElfSection& table) const {
  if (table.type != SHT_SYMTAB && table.type != SHT_DYNSYM)
    return damaged(fmt::format("section {} is not a symbol table", table.index));
  if (table.entry_size != sizeof(Elf64_Sym) || table.size % sizeof(Elf64_Sym) != 0)
    return damaged(fmt::format("symbol table {} is not made of {}-byte symbols", table.index,
                               sizeof(Elf64_Sym)));
  if (table.link >= sections_.size())
    return damaged(fmt::format("symbol table {} takes its names from section {} of {}", table.index,
                               table.link, sections_.size()));
  const Bytes content_of_table = content(table);
  std::vector<ElfSymbol> symbols;
  symbols.reserve(content_of_table.size() / sizeof(Elf64_Sym));
  for (std::uint64_t at = 0; at < content_of_table.size(); at += sizeof(Elf64_Sym)) {
    const auto raw = *read_at<Elf64_Sym>(content_of_table.view(), at);
    HW_TRY(const std::string_view name,
           string_at(sections_[table.link], raw.st_name, "symbol", symbols.size()));
    symbols.push_back({.name = name,
                       .value = raw.st_value,
                       .size = raw.st_size,
                       .type = raw.st_info & 0xfu,
                       .binding = static_cast<unsigned>(raw.st_info >> 4),
                       .visibility = raw.st_other & 3u,
                       .section = raw.st_shndx});
  }
  return symbols;
}

Result<std::vector<ElfRelocation>> ElfFile::relocations(const ElfSection& table) const {
  if (table.type != SHT_RELA)
    return damaged(
        fmt::format("section {} is not a table of relocations with addends", table.index));
  if (table.entry_size != sizeof(Elf64_Rela) || table.size % sizeof(Elf64_Rela) != 0)
    return damaged(fmt::format("relocation table {} is not made of {}-byte entries", table.index,
                               sizeof(Elf64_Rela)));
  const Bytes content_of_table = content(table);
  std::vector<ElfRelocation> relocations;
  relocations.reserve(content_of_table.size() / sizeof(Elf64_Rela));
  for (std::uint64_t at = 0; at < content_of_table.size(); at += sizeof(Elf64_Rela)) {
    const auto raw = *read_at<Elf64_Rela>(content_of_table.view(), at);
    relocations.push_back({.offset = raw.r_offset,
                           .type = static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info)),
                           .symbol = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info)),
                           .addend = raw.r_addend});
  }
  return relocations;
}

Result<std::vector<ElfNote>> ElfFile::notes() const {
  std::vector<ElfNote> notes;
  bool segments = false;
  for (const ElfSegment& segment : segments_) {
    if (segment.type != PT_NOTE) continue;
    segments = true;
    HW_CHECK(read_notes(content(segment).view(), segment.alignment, notes));
  }
  if (segments) return notes;
  for (const ElfSection& section : sections_)
    if (section.type == SHT_NOTE) HW_CHECK(read_notes(content(section).view(), 4, notes));
  return notes;
}

Status ElfFile::read_notes(std::string_view bytes, std::uint64_t alignment,
                           std::vector<ElfNote>& notes) const {
  const std::uint64_t unit = alignment == 8 ? 8 : 4;
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    const auto header = read_at<Elf64_Nhdr>(bytes, at);
    if (!header) return damaged(fmt::format("note header truncated at byte {} of the notes", at));
    at += sizeof(Elf64_Nhdr);
    const std::uint64_t description = at + align_up(header->n_namesz, unit);
    if (!fits(bytes.size(), at, header->n_namesz) ||
        !fits(bytes.size(), description, header->n_descsz))
      return damaged(fmt::format("note {} is longer than the notes of the file", notes.size()));
    if (notes.size() == kMostNotes) return damaged(fmt::format("more than {} notes", kMostNotes));
    std::string_view name = bytes.substr(at, header->n_namesz);
    while (name.ends_with('\0')) name.remove_suffix(1);
    notes.push_back({.name = name,
                     .type = header->n_type,
                     .description = bytes.substr(description, header->n_descsz)});
    at = description + align_up(header->n_descsz, unit);
  }
  return {};
}

}  // namespace hipwright::toolchain
