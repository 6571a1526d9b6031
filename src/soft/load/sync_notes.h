// SPDX-License-Identifier: MIT
// What `hipwright cc` keeps of the source in a code object (notes/sync_notes.cpp): which accesses
// are atomic or volatile, with order and scope, and where fences are. Each section of the name
// hipwright.atomic.ORDER.SCOPE, hipwright.volatile or hipwright.fence.ORDER.SCOPE[.SPACE] lists
// addresses of instructions; +N behind the name means the Nth instruction behind. The functions
// that were compiled so are in hipwright.noted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soft/decode/program.h"
#include "toolchain/code_object/elf.h"

namespace hipwright::soft {

// Who takes part: from one lane to host and all devices.
enum class SyncScope : std::uint8_t { kLane, kWave, kGroup, kDevice, kSystem };

struct SyncNote {
  bool acquires = false, releases = false;
  SyncScope scope = SyncScope::kSystem;
};

// "atomic.acq_rel.agent" and the like; nothing for other names.
struct SyncSection {
  enum class Kind : std::uint8_t { kAtomic, kFence, kNoted, kNotedAssembly };
  Kind kind{};
  SyncNote note;
  unsigned skip = 0;  // instructions
};
std::optional<SyncSection> parse_sync_section(std::string_view name);

class SyncNotes {
 public:
  // `base`: where address 0 of the file lies; `program` decodes its code.
  SyncNotes(const toolchain::ElfFile& elf, std::uint64_t base, Program& program);

  bool empty() const { return functions_.empty(); }
  // How much is known of the function that holds the instruction.
  enum class Coverage : std::uint8_t {
    kNone,
    kPart,  // it contains assembly, whose accesses have no notes
    kAll,   // an access without a note is not atomic
  };
  Coverage coverage(std::uint64_t address) const;
  const SyncNote* access(std::uint64_t address) const;
  // A fence just before the instruction; several count as one that does what any of them does.
  const SyncNote* fence(std::uint64_t address) const;

 private:
  struct Function {
    std::uint64_t begin = 0, end = 0;
    bool has_assembly = false;  // whose accesses have no notes
  };
  void add(const SyncSection& section, std::string_view bytes, std::uint64_t address,
           Program& program);
  std::vector<Function> functions_;  // by begin
  std::unordered_map<std::uint64_t, SyncNote> accesses_, fences_;
};

}  // namespace hipwright::soft
