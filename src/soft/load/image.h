// SPDX-License-Identifier: MIT
// A code object in device memory: segments placed, relocations applied, kernels and variables at
// their final addresses, instructions decoded on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "soft/decode/program.h"
#include "soft/exec/memory.h"
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

  // The function or kernel that holds an address: "_Z6kernelPf+0x40". For messages.
  std::string symbolize(std::uint64_t address) const;

 private:
  explicit Image(toolchain::CodeObject object, Memory& memory);
  Status place(std::string_view device_gfx);

  toolchain::CodeObject object_;
  Memory& memory_;
  std::uint64_t base_ = 0;
  std::vector<LoadedKernel> kernels_;
  std::vector<LoadedVariable> variables_;
  std::vector<std::uint64_t> allocations_;
  mutable std::unique_ptr<Program> program32_, program64_;
};

}  // namespace hipwright::soft
