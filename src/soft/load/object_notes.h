// SPDX-License-Identifier: MIT
// Which variable an access is to, and where a kernel's frame in private memory has gaps, as
// `hipwright cc` keeps it in a code object (notes/sync_notes.cpp). Sections of the names
// hipwright.within.scratch.BEGIN.END and hipwright.within.symbol.NAME list instructions, sections
// hipwright.gaps.BEGIN.END.… list kernels.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "soft/decode/program.h"
#include "toolchain/code_object/elf.h"

namespace hipwright::soft {

class ObjectNotes {
 public:
  struct Range {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
  };
  struct Variable {
    bool is_private = false;  // the range is of offsets in private memory
    Range range;
    std::string name;  // empty: unknown
  };

  // `base`: where address 0 of the file lies; `program` decodes its code.
  ObjectNotes(const toolchain::ElfFile& elf, std::uint64_t base, Program& program);

  bool empty() const { return variables_.empty() && gaps_.empty(); }
  // The variable that the instruction accesses; nullptr: not known.
  const Variable* variable(std::uint64_t instruction) const;
  // The parts of a kernel's frame that no variable covers.
  const std::vector<Range>& gaps(std::uint64_t entry) const;

 private:
  std::unordered_map<std::uint64_t, Variable> variables_;
  std::unordered_map<std::uint64_t, std::vector<Range>> gaps_;
};

}  // namespace hipwright::soft
