// SPDX-License-Identifier: MIT
#include "soft/load/image.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "soft/load/compatible.h"

namespace hipwright::soft {

namespace {

using toolchain::CodeObject;
using toolchain::ElfSegment;
using toolchain::Relocation;
using toolchain::RelocationType;

constexpr std::uint64_t kPage = 4096;
// A larger alignment means that the file is damaged.
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 21;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// What a relocation writes at `place`; nothing for a type that loaders do not handle.
std::optional<std::uint64_t> relocated(const Relocation& relocation, std::uint64_t base,
                                       std::uint64_t place) {
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  const std::uint64_t symbol = relocation.symbol_defined ? base + relocation.symbol_address : 0;
  const std::uint64_t absolute = symbol + addend;
  const std::uint64_t relative = absolute - place;
  switch (relocation.type) {
    case RelocationType::kAbs32Lo:
    case RelocationType::kAbs32:
    case RelocationType::kAbs64:
      return absolute;
    case RelocationType::kAbs32Hi:
      return absolute >> 32;
    case RelocationType::kRel32:
    case RelocationType::kRel32Lo:
    case RelocationType::kRel64:
      return relative;
    case RelocationType::kRel32Hi:
      return relative >> 32;
    case RelocationType::kRelative64:
      return base + addend;
    case RelocationType::kRel16:
      return (relative - 4) / 4;
    default:
      return std::nullopt;
  }
}

std::uint64_t greatest_alignment(const CodeObject& object) {
  std::uint64_t alignment = kPage;
  for (const ElfSegment& segment : object.load_segments())
    alignment = std::max(alignment, std::min(segment.alignment, kMaxAlignment));
  return alignment;
}

}  // namespace

Image::Image(CodeObject object, Memory& memory) : object_(std::move(object)), memory_(memory) {}

Image::~Image() {
  // Registered ranges can always be unregistered.
  for (const std::uint64_t begin : registered_) static_cast<void>(memory_.unregister(begin));
  if (mapping_) munmap(mapping_, mapped_);
}

Result<std::shared_ptr<Image>> Image::load(CodeObject object, std::string_view device_gfx,
                                           Memory& memory) {
  HW_CHECK(check_loadable(object.target(), device_gfx, object.origin()));
  std::shared_ptr<Image> image(new Image(std::move(object), memory));
  HW_CHECK(image->place());
  HW_CHECK(image->relocate());
  HW_CHECK(image->register_segments());
  HW_CHECK(image->find_functions());
  HW_CHECK(image->create_programs());
  return image;
}

// One mapping for all segments: code addresses data and other code by their distance.
Status Image::place() {
  const std::uint64_t size = object_.memory_size();
  const std::uint64_t alignment = greatest_alignment(object_);
  const std::uint64_t room = memory_.limit() - std::min(memory_.limit(), memory_.used());
  if (size > room)
    return fail("cannot load the code object", object_.origin(),
                fmt::format("not enough device memory: {} bytes needed, {} free", size, room));
  mapped_ = round_up(size + alignment + kPage, kPage);
  void* mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return fail("cannot load the code object", object_.origin(),
                fmt::format("not enough host memory: {} bytes needed", mapped_));
  mapping_ = mapping;
  base_ = round_up(reinterpret_cast<std::uint64_t>(mapping), alignment);
  for (const ElfSegment& segment : object_.load_segments()) {
    const std::string_view bytes = object_.bytes().view().substr(segment.offset, segment.file_size);
    if (!bytes.empty())
      std::memcpy(reinterpret_cast<void*>(base_ + segment.address), bytes.data(), bytes.size());
  }
  return {};
}

Status Image::relocate() {
  std::set<std::string_view> missing;
  for (const Relocation& relocation : object_.relocations()) {
    if (relocation.type == RelocationType::kNone) continue;
    if (!relocation.symbol.empty() && !relocation.symbol_defined) {
      missing.insert(relocation.symbol);
      continue;
    }
    const std::uint64_t place = base_ + relocation.address;
    const auto value = relocated(relocation, base_, place);
    if (!value)
      return fail("cannot load the code object", object_.origin(),
                  fmt::format("relocation type {} at {:#x} is not for loaders",
                              static_cast<unsigned>(relocation.type), relocation.address));
    std::memcpy(reinterpret_cast<void*>(place), &*value,
                toolchain::relocation_width(relocation.type));
  }
  if (missing.empty()) return {};
  return fail("cannot load the code object", object_.origin(),
              fmt::format("undefined symbols: {}", fmt::join(missing, ", ")),
              "link the device code that defines them into it (-fgpu-rdc)");
}

Status Image::register_segments() {
  for (const ElfSegment& segment : object_.load_segments()) {
    if (segment.memory_size == 0) continue;
    const std::uint64_t begin = base_ + segment.address;
    HW_CHECK(memory_.register_range(begin, segment.memory_size, MemoryKind::kCode,
                                    (segment.flags & PF_W) != 0));
    registered_.push_back(begin);
  }
  for (const toolchain::Variable& variable : object_.variables())
    variables_.push_back(
        {.name = variable.name, .address = base_ + variable.address, .size = variable.size});
  for (const toolchain::Kernel& kernel : object_.kernels())
    kernels_.push_back({.image = this,
                        .info = &kernel,
                        .entry = base_ + kernel.entry_address,
                        .descriptor = base_ + kernel.descriptor_address,
                        .wave_size = kernel.descriptor.wave32 ? 32U : 64U});
  return {};
}

// All functions that symbols name: code is decoded from their beginnings.
Status Image::find_functions() {
  for (const toolchain::ElfSection& section : object_.elf().sections()) {
    if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) continue;
    HW_TRY(const auto symbols, object_.elf().symbols(section));
    for (const toolchain::ElfSymbol& symbol : symbols)
      if (symbol.type == STT_FUNC && symbol.defined())
        functions_.push_back(
            {.begin = base_ + symbol.value, .size = symbol.size, .name = symbol.name});
  }
  for (const LoadedKernel& kernel : kernels_)
    functions_.push_back({.begin = kernel.entry,
                          .size = kernel.info->code_size.value_or(0),
                          .name = kernel.info->name});
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
  functions_.erase(
      std::unique(functions_.begin(), functions_.end(),
                  [](const Function& a, const Function& b) { return a.begin == b.begin; }),
      functions_.end());
  return {};
}

Status Image::create_programs() {
  std::vector<CodeRange> ranges;
  for (const ElfSegment& segment : object_.load_segments())
    if (segment.flags & PF_X)
      ranges.push_back({.begin = base_ + segment.address, .size = segment.memory_size});
  std::vector<std::uint64_t> starts;
  for (const Function& function : functions_) starts.push_back(function.begin);
  for (const LoadedKernel& kernel : kernels_) {
    std::unique_ptr<Program>& program = kernel.wave_size == 32 ? program32_ : program64_;
    if (program) continue;
    HW_TRY(program, Program::create(object_.target(), kernel.wave_size, ranges, starts));
  }
  return {};
}

const LoadedKernel* Image::kernel(std::string_view mangled_name) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(),
                   [&](const LoadedKernel& kernel) { return kernel.info->name == mangled_name; });
  return found == kernels_.end() ? nullptr : &*found;
}

const LoadedKernel* Image::kernel_at(std::uint64_t descriptor) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(),
                   [&](const LoadedKernel& kernel) { return kernel.descriptor == descriptor; });
  return found == kernels_.end() ? nullptr : &*found;
}

const LoadedVariable* Image::variable(std::string_view name) const {
  const auto found =
      std::find_if(variables_.begin(), variables_.end(),
                   [&](const LoadedVariable& variable) { return variable.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

Program& Image::program(unsigned wave_size) const {
  Program* program = wave_size == 32 ? program32_.get() : program64_.get();
  HW_ASSERT(program);
  return *program;
}

const SyncNotes& Image::sync_notes(unsigned wave_size) const {
  const std::lock_guard lock(notes_mutex_);
  std::unique_ptr<SyncNotes>& notes = wave_size == 32 ? sync_notes32_ : sync_notes64_;
  if (!notes) notes = std::make_unique<SyncNotes>(object_.elf(), base_, program(wave_size));
  return *notes;
}

const ObjectNotes& Image::object_notes(unsigned wave_size) const {
  const std::lock_guard lock(notes_mutex_);
  std::unique_ptr<ObjectNotes>& notes = wave_size == 32 ? object_notes32_ : object_notes64_;
  if (!notes) notes = std::make_unique<ObjectNotes>(object_.elf(), base_, program(wave_size));
  return *notes;
}

std::uint64_t Image::function(std::string_view name) const {
  const auto found = std::ranges::find(functions_, name, &Function::name);
  return found == functions_.end() ? 0 : found->begin;
}

std::string Image::symbolize(std::uint64_t address) const {
  const auto next =
      std::upper_bound(functions_.begin(), functions_.end(), address,
                       [](std::uint64_t wanted, const Function& f) { return wanted < f.begin; });
  if (next != functions_.begin()) {
    const Function& function = *std::prev(next);
    const std::uint64_t offset = address - function.begin;
    if (function.size == 0 || offset < function.size)
      return offset == 0 ? std::string(function.name)
                         : fmt::format("{}+{:#x}", function.name, offset);
  }
  const bool inside = address >= base_ && address - base_ < object_.memory_size();
  return inside ? fmt::format("{}+{:#x}", object_.origin(), address - base_)
                : fmt::format("{:#x}", address);
}

}  // namespace hipwright::soft
