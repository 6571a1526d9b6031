// SPDX-License-Identifier: MIT
// The decoded instructions of one loaded code object. Functions are decoded when they are first
// reached, once.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "soft/exec/code_source.h"
#include "soft/exec/simd_level.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

class Disassembler;

// Where code lies: `begin` is both its address for the kernel and where its bytes can be read.
struct CodeRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

class Program final : public CodeSource {
 public:
  // `functions`: start addresses of known functions and kernels, sorted; each is decoded up to
  // the next one or the end of its range.
  static Result<std::unique_ptr<Program>> create(const arch::Target& target, unsigned wave_size,
                                                 std::vector<CodeRange> ranges,
                                                 std::vector<std::uint64_t> functions,
                                                 SimdLevel level = best_simd_level());
  ~Program() override;

  // The instruction at `address`, decoding its function if need be; nullptr: not code, or in the
  // middle of an instruction. Instructions follow each other in memory; after the last of a
  // function comes one whose handler goes on with at(the next address).
  // What cannot be decoded or has no semantics here becomes an instruction that faults with
  // Fault::Kind::kUnsupported when it is reached.
  const Inst* at(std::uint64_t address) override;

  Isa isa() const;
  unsigned wave_size() const;
  // "v_add_f32_e32 v0, v1, v2", for messages.
  std::string text(const Inst& inst) const override;
  // Decodes all functions now: for tests and tools.
  std::vector<const Inst*> decode_all();

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hipwright::soft
