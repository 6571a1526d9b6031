// SPDX-License-Identifier: MIT
// A code object: the ELF file with machine code for one AMD GPU target, versions 4 to 6. Compilers
// produce it, a runtime loads it, and resource reports are computed from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "toolchain/code_object/amdgpu_elf.h"
#include "toolchain/code_object/bytes.h"
#include "toolchain/code_object/elf.h"
#include "toolchain/code_object/kernel_descriptor.h"
#include "toolchain/code_object/metadata.h"

namespace hipwright::toolchain {

// All addresses are relative to the file: a loader adds its base address.

struct Kernel : KernelMetadata {
  KernelDescriptor descriptor;
  std::uint64_t descriptor_address = 0;
  std::uint64_t entry_address = 0;         // inside an executable segment
  std::optional<std::uint64_t> code_size;  // bytes, when the kernel's own symbol is there
};

struct Variable {
  std::string_view name;
  std::uint64_t address = 0;  // address + size lies inside the loaded segments
  std::uint64_t size = 0;
  bool writable = false;
};

// A location that a loader must write: always inside the loaded segments.
struct Relocation {
  std::uint64_t address = 0;
  RelocationType type = RelocationType::kNone;
  std::string_view symbol;      // empty: none
  bool symbol_defined = false;  // in this code object
  std::uint64_t symbol_address = 0;
  std::int64_t addend = 0;
};

class CodeObject {
 public:
  // `origin` names the input in errors. Names below are views into the bytes, which the code
  // object and its copies keep alive.
  static Result<CodeObject> parse(Bytes bytes, std::string origin);

  const std::string& origin() const { return elf_.origin(); }
  const Bytes& bytes() const { return elf_.bytes(); }
  const ElfFile& elf() const { return elf_; }

  unsigned version() const { return identity_.version; }
  const arch::Target& target() const { return identity_.target; }
  unsigned generic_version() const { return identity_.generic_version; }

  // In the order of the metadata.
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const Kernel* kernel(std::string_view mangled_name) const;
  const std::vector<Variable>& variables() const { return variables_; }
  const Variable* variable(std::string_view name) const;
  const std::vector<Relocation>& relocations() const { return relocations_; }
  const std::vector<std::string>& printf_formats() const { return printf_formats_; }

  // PT_LOAD segments by rising address; they do not overlap.
  const std::vector<ElfSegment>& load_segments() const { return load_segments_; }
  // One past the last address of any segment: what a loader reserves.
  std::uint64_t memory_size() const { return memory_size_; }
  // The bytes of the file for [address, address + size): one segment, no zero fill.
  std::optional<std::string_view> file_bytes_at(std::uint64_t address, std::uint64_t size) const;
  // The segment that contains the whole range, zero fill included; nullptr if there is none.
  const ElfSegment* segment_at(std::uint64_t address, std::uint64_t size) const;

 private:
  Status read_segments();
  Status read_symbols();
  Status read_variables();
  Status read_relocations();
  Result<Relocation> read_relocation(const ElfRelocation& entry, std::size_t index,
                                     const ElfSection& table) const;
  Status read_metadata();
  Status check_target(const std::string& metadata_target) const;
  Result<Kernel> read_kernel(KernelMetadata metadata) const;
  const ElfSymbol* symbol(std::string_view name) const;
  std::unexpected<Error> damaged(std::string why) const;

  ElfFile elf_;
  CodeObjectIdentity identity_;
  std::vector<ElfSegment> load_segments_;
  std::uint64_t memory_size_ = 0;
  std::uint32_t symbol_table_ = 0;  // section index of `symbols_`; 0: none
  std::vector<ElfSymbol> symbols_;
  std::unordered_map<std::string_view, std::uint32_t> symbol_index_;
  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::vector<Relocation> relocations_;
  std::vector<std::string> printf_formats_;
};

}  // namespace hipwright::toolchain
