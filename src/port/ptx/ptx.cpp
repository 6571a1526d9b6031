// SPDX-License-Identifier: MIT
#include "port/ptx/ptx.h"

#include <fmt/format.h>

namespace hipwright::port::ptx {

namespace {

void run(Emitter& emit, const Program& program, Translation& result) {
  for (const Instruction& instruction : program.instructions) {
    emit.translate(instruction);
    if (!emit.failed()) continue;
    result.refusal = emit.refusal();
    result.instruction = instruction.text;
    return;
  }
  result.lines = emit.lines();
  result.remarks = emit.remarks();
}

}  // namespace

Translation translate(std::string_view text, std::span<const Argument> arguments, bool is_kernel) {
  Translation result;
  const Program program = read_program(text);
  if (!program.problem.empty()) {
    // Coordinates of tensors are the one kind of operand that only these have.
    for (const std::string_view name : {"cp.async.bulk", "tcgen05"})
      if (text.find(name) != std::string_view::npos)
        return result.refusal =
                   advice_for(read_program(fmt::format("{} 0;", name)).instructions[0]),
               result;
    result.refusal = Remark{"HP316", "this PTX cannot be parsed", program.problem};
    return result;
  }
  if (program.instructions.size() <= 1) {
    Emitter emit(program, arguments, Emitter::Form::kInline, is_kernel);
    run(emit, program, result);
    if (result.refusal || emit.fits_inline()) return result;
  }
  result = {};
  result.is_block = true;
  Emitter emit(program, arguments, Emitter::Form::kBlock, is_kernel);
  run(emit, program, result);
  return result;
}

}  // namespace hipwright::port::ptx
