// SPDX-License-Identifier: MIT
// Machine code to text, by LLVM. LLVM's headers stay behind this one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::soft {

// The texts that the decoder reads differ between LLVM versions: any other than the one this was
// compiled with is refused.
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
    unsigned size = 0;  // bytes; 0: these are no instruction
    std::string text;
  };
  // The first instruction of `bytes`. Not for two threads at once.
  Line first(std::span<const std::uint8_t> bytes, std::uint64_t address);

 private:
  struct Impl;
  explicit Disassembler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hipwright::soft
