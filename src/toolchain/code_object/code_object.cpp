// SPDX-License-Identifier: MIT
#include "toolchain/code_object/code_object.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hipwright::toolchain {

namespace {

constexpr std::uint32_t kNoteMetadata = 32;  // NT_AMDGPU_METADATA
constexpr std::uint64_t kEntryAlignment = 256;
// More than any GPU has; keeps a damaged header from making a loader request all memory.
constexpr std::uint64_t kLargestMemory = std::uint64_t{1} << 40;

}  // namespace

std::unexpected<Error> CodeObject::damaged(std::string why) const {
  return fail("cannot read the code object", origin(), std::move(why),
              "The file is damaged or comes from an unknown compiler: compile it again");
}

Result<CodeObject> CodeObject::parse(Bytes bytes, std::string origin) {
  CodeObject object;
  HW_TRY(object.elf_, ElfFile::parse(std::move(bytes), std::move(origin)));
  HW_TRY(object.identity_, identify(object.elf_));
  if (object.elf_.type() == ET_REL)
    return fail("cannot use the code object", object.origin(), "not linked",
                "Link it with ld.lld -shared, or let the compiler do it");
  HW_CHECK(object.read_segments());
  HW_CHECK(object.read_symbols());
  HW_CHECK(object.read_metadata());
  HW_CHECK(object.read_variables());
  HW_CHECK(object.read_relocations());
  return object;
}

Status CodeObject::read_segments() {
  for (const ElfSegment& segment : elf_.segments())
    if (segment.type == PT_LOAD && segment.memory_size != 0) load_segments_.push_back(segment);
  std::sort(load_segments_.begin(), load_segments_.end(),
            [](const ElfSegment& a, const ElfSegment& b) { return a.address < b.address; });
  std::uint64_t unused = bytes().size();
  for (const ElfSegment& segment : load_segments_) {
    if (segment.file_size > unused) return damaged("overlapping segments in the file");
    unused -= segment.file_size;
    if (segment.address < memory_size_)
      return damaged(fmt::format("overlapping segments at address {:#x}", segment.address));
    memory_size_ = segment.address + segment.memory_size;
    if (memory_size_ > kLargestMemory)
      return damaged(fmt::format("memory up to address {:#x} requested", memory_size_));
  }
  if (load_segments_.empty()) return damaged("no PT_LOAD segment");
  return {};
}

const ElfSegment* CodeObject::segment_at(std::uint64_t address, std::uint64_t size) const {
  const auto after =
      std::upper_bound(load_segments_.begin(), load_segments_.end(), address,
                       [](std::uint64_t value, const ElfSegment& s) { return value < s.address; });
  if (after == load_segments_.begin()) return nullptr;
  const ElfSegment& segment = *std::prev(after);
  return fits(segment.memory_size, address - segment.address, size) ? &segment : nullptr;
}

std::optional<std::string_view> CodeObject::file_bytes_at(std::uint64_t address,
                                                          std::uint64_t size) const {
  const ElfSegment* segment = segment_at(address, size);
  if (!segment || !fits(segment->file_size, address - segment->address, size)) return std::nullopt;
  return bytes().view().substr(segment->offset + (address - segment->address), size);
}

// The dynamic symbols are those that exist for a loader; an object stripped of them keeps .symtab.
Status CodeObject::read_symbols() {
  const ElfSection* table = nullptr;
  for (const ElfSection& section : elf_.sections())
    if (section.type == SHT_DYNSYM || (section.type == SHT_SYMTAB && !table)) table = &section;
  if (!table) return {};
  symbol_table_ = table->index;
  HW_TRY(symbols_, elf_.symbols(*table));
  for (std::uint32_t i = 1; i < symbols_.size(); ++i)
    if (symbols_[i].defined()) symbol_index_.emplace(symbols_[i].name, i);
  return {};
}

const ElfSymbol* CodeObject::symbol(std::string_view name) const {
  const auto found = symbol_index_.find(name);
  return found == symbol_index_.end() ? nullptr : &symbols_[found->second];
}

Status CodeObject::read_metadata() {
  HW_TRY(const auto notes, elf_.notes());
  bool has_any = false;
  // Device code linked from several parts (-fgpu-rdc) has one note for each of them.
  for (const ElfNote& note : notes) {
    if (note.type != kNoteMetadata || note.name != "AMDGPU") continue;
    has_any = true;
    HW_TRY(auto metadata, parse_metadata(note.description, origin()));
    HW_CHECK(check_target(metadata.target));
    std::move(metadata.printf_formats.begin(), metadata.printf_formats.end(),
              std::back_inserter(printf_formats_));
    for (KernelMetadata& described : metadata.kernels) {
      HW_TRY(auto kernel, read_kernel(std::move(described)));
      kernels_.push_back(std::move(kernel));
    }
  }
  if (!has_any) return damaged("no metadata: no AMDGPU note of type 32");
  return {};
}

// "amdgcn-amd-amdhsa--gfx942:xnack-": four parts of a triple, then the target id.
Status CodeObject::check_target(const std::string& metadata_target) const {
  if (metadata_target.empty()) return {};
  std::string_view id = metadata_target;
  for (int part = 0; part < 4; ++part) {
    const std::size_t dash = id.find('-');
    if (dash == std::string_view::npos)
      return damaged(
          fmt::format("amdhsa.target '{}' of the metadata has no target id", metadata_target));
    id.remove_prefix(dash + 1);
  }
  if (id != target().id())
    return damaged(
        fmt::format("the ELF header names {}, but the metadata names {}", target().id(), id));
  return {};
}

Result<Kernel> CodeObject::read_kernel(KernelMetadata metadata) const {
  Kernel kernel;
  static_cast<KernelMetadata&>(kernel) = std::move(metadata);
  const ElfSymbol* descriptor = symbol(kernel.symbol);
  if (!descriptor)
    return damaged(
        fmt::format("kernel '{}' has no descriptor: no symbol '{}'", kernel.name, kernel.symbol));
  const auto bytes = file_bytes_at(descriptor->value, kKernelDescriptorSize);
  if (!bytes)
    return damaged(fmt::format("the descriptor of kernel '{}' lies outside the loaded file: {:#x}",
                               kernel.name, descriptor->value));
  kernel.descriptor = decode_kernel_descriptor(*bytes, target().processor);
  kernel.descriptor_address = descriptor->value;
  kernel.entry_address = descriptor->value + static_cast<std::uint64_t>(
                                                 kernel.descriptor.kernel_code_entry_byte_offset);
  const ElfSegment* code = segment_at(kernel.entry_address, 4);
  if (!code || (code->flags & PF_X) == 0 || !file_bytes_at(kernel.entry_address, 4) ||
      kernel.entry_address % kEntryAlignment != 0)
    return damaged(
        fmt::format("the entry {:#x} of kernel '{}' is not a {}-byte aligned address of code",
                    kernel.entry_address, kernel.name, kEntryAlignment));
  if (const ElfSymbol* function = symbol(kernel.name); function && function->type == STT_FUNC &&
                                                       function->value == kernel.entry_address &&
                                                       segment_at(function->value, function->size))
    kernel.code_size = function->size;
  return kernel;
}

Status CodeObject::read_variables() {
  std::unordered_map<std::string_view, bool> descriptors;
  for (const Kernel& kernel : kernels_) descriptors.emplace(kernel.symbol, true);
  for (const ElfSymbol& candidate : symbols_) {
    if (!candidate.defined() || candidate.type != STT_OBJECT || candidate.binding == STB_LOCAL ||
        descriptors.contains(candidate.name))
      continue;
    const ElfSegment* segment = segment_at(candidate.value, candidate.size);
    if (!segment)
      return damaged(fmt::format("variable '{}' at {:#x} with {} bytes lies outside the segments",
                                 candidate.name, candidate.value, candidate.size));
    variables_.push_back({.name = candidate.name,
                          .address = candidate.value,
                          .size = candidate.size,
                          .writable = (segment->flags & PF_W) != 0});
  }
  return {};
}

// Only what a loader applies: loaded tables that refer to dynamic symbols.
Status CodeObject::read_relocations() {
  std::uint64_t unread = bytes().size();
  for (const ElfSection& section : elf_.sections()) {
    if (section.type == SHT_REL && (section.flags & SHF_ALLOC) != 0)
      return damaged(fmt::format("section {} has relocations without addends", section.index));
    if (section.type != SHT_RELA || (section.flags & SHF_ALLOC) == 0) continue;
    if (section.size > unread) return damaged("overlapping relocation tables");
    unread -= section.size;
    HW_TRY(const auto entries, elf_.relocations(section));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      HW_TRY(const auto relocation, read_relocation(entries[i], i, section));
      if (relocation.type != RelocationType::kNone) relocations_.push_back(relocation);
    }
  }
  return {};
}

Result<Relocation> CodeObject::read_relocation(const ElfRelocation& entry, std::size_t index,
                                               const ElfSection& table) const {
  const auto wrong = [&](const std::string& how) {
    return damaged(fmt::format("relocation {} of section {} {}", index, table.index, how));
  };
  Relocation relocation{.address = entry.offset,
                        .type = static_cast<RelocationType>(entry.type),
                        .addend = entry.addend};
  if (relocation.type == RelocationType::kNone) return relocation;
  const unsigned width = relocation_width(relocation.type);
  if (width == 0) return wrong(fmt::format("has unknown type {}", entry.type));
  if (!segment_at(entry.offset, width))
    return wrong(fmt::format("writes outside the segments: {:#x}", entry.offset));
  if (entry.symbol == 0) return relocation;
  if (table.link != symbol_table_ || entry.symbol >= symbols_.size())
    return wrong(fmt::format("names unknown symbol {}", entry.symbol));
  const ElfSymbol& named = symbols_[entry.symbol];
  relocation.symbol = named.name;
  relocation.symbol_defined = named.defined();
  relocation.symbol_address = named.value;
  return relocation;
}

const Kernel* CodeObject::kernel(std::string_view mangled_name) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& kernel) {
    return kernel.name == mangled_name;
  });
  return found == kernels_.end() ? nullptr : &*found;
}

const Variable* CodeObject::variable(std::string_view name) const {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const Variable& v) { return v.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

}  // namespace hipwright::toolchain
