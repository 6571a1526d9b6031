// SPDX-License-Identifier: MIT
// Disassembles machine code with LLVM. Only its source includes LLVM's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::soft {

// Fails unless the loaded LLVM has the major version that this was compiled with: the texts that
// the decoder reads differ between versions.
Status check_llvm();

class Disassembler {
 public:
  // `processor`: "gfx942", "gfx11-generic".
  static Result<std::unique_ptr<Disassembler>> create(std::string_view processor,
                                                      unsigned wave_size);
  ~Disassembler();
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  struct Line {
    unsigned size = 0;  // bytes; 0: not an instruction
    std::string text;
  };
  // The first instruction of `bytes`. Not thread-safe.
  Line first(std::span<const std::uint8_t> bytes, std::uint64_t address);

 private:
  struct Impl;
  explicit Disassembler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hipwright::soft
