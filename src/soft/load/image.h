// SPDX-License-Identifier: MIT
// A code object in device memory: segments placed, relocations applied, kernels and variables at
// their final addresses, instructions decoded on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "soft/decode/program.h"
#include "soft/exec/memory.h"
#include "soft/load/object_notes.h"
#include "soft/load/sync_notes.h"
#include "toolchain/code_object/code_object.h"

namespace hipwright::soft {

class Image;

struct LoadedKernel {
  const Image* image = nullptr;
  const toolchain::Kernel* info = nullptr;  // metadata and descriptor
  std::uint64_t entry = 0;                  // address of the first instruction
  std::uint64_t descriptor = 0;             // address of the .kd: what hipFunction_t would point at
  unsigned wave_size = 64;
};

struct LoadedVariable {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

class Image {
 public:
  // Refuses code objects whose target the software GPU does not run, or that `device_gfx` could
  // not load ("gfx942" loads gfx942 and gfx9-4-generic code).
  static Result<std::shared_ptr<Image>> load(toolchain::CodeObject object,
                                             std::string_view device_gfx, Memory& memory);
  ~Image();

  const toolchain::CodeObject& object() const { return object_; }
  const LoadedKernel* kernel(std::string_view mangled_name) const;
  const LoadedVariable* variable(std::string_view name) const;
  const std::vector<LoadedKernel>& kernels() const { return kernels_; }
  const std::vector<LoadedVariable>& variables() const { return variables_; }
  std::uint64_t base() const { return base_; }
  // One per wave size that its kernels use.
  Program& program(unsigned wave_size) const;

  // The kernel whose descriptor lies at the address.
  const LoadedKernel* kernel_at(std::uint64_t descriptor) const;
  // The function or kernel that holds an address: "_Z6kernelPf+0x40". For messages.
  std::string symbolize(std::uint64_t address) const;
  // Where a function or kernel begins; 0: there is none of that name.
  std::uint64_t function(std::string_view name) const;
  // What the compiler kept of the source about atomics and fences, and about variables; read when
  // first asked for.
  const SyncNotes& sync_notes(unsigned wave_size) const;
  const ObjectNotes& object_notes(unsigned wave_size) const;

 private:
  struct Function {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;  // 0: unknown
    std::string_view name;
  };

  explicit Image(toolchain::CodeObject object, Memory& memory);
  Status place();
  Status register_segments();
  Status relocate();
  Status find_functions();
  Status create_programs();

  toolchain::CodeObject object_;
  Memory& memory_;
  std::uint64_t base_ = 0;  // where address 0 of the file lies
  void* mapping_ = nullptr;
  std::uint64_t mapped_ = 0;
  std::vector<LoadedKernel> kernels_;
  std::vector<LoadedVariable> variables_;
  std::vector<Function> functions_;        // by begin
  std::vector<std::uint64_t> registered_;  // begins of the segments in memory_
  std::unique_ptr<Program> program32_, program64_;
  mutable std::mutex notes_mutex_;
  mutable std::unique_ptr<SyncNotes> sync_notes32_, sync_notes64_;
  mutable std::unique_ptr<ObjectNotes> object_notes32_, object_notes64_;
};

}  // namespace hipwright::soft
