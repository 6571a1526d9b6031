// SPDX-License-Identifier: MIT
// Barriers, sleeping, ending.
#include <array>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

bool barrier(Emitter& emit, const Instruction& in) {
  if (in.has("warp")) {
    if (in.operands.size() != 1) return false;
    emit.run(fmt::format("warp32::syncwarp({})", emit.pass(in.operands[0], Cpp::kU32)));
    return true;
  }
  if (in.has("cluster") || in.operands.empty()) return false;
  const bool is_red = in.has("red");
  const Operand& number = in.operands[is_red ? 1 : 0];
  // Barriers with other numbers are for parts of a block.
  if (Emitter::number(number) != 0U || in.operands.size() != (is_red ? 3U : 1U)) return false;
  if (!is_red) {
    if (!in.has("sync")) return false;
    emit.run("__syncthreads()");
    return true;
  }
  const std::string predicate = emit.get(in.operands[2], Cpp::kPred);
  if (in.has("popc"))
    return emit.set(in.operands[0], fmt::format("(unsigned int)__syncthreads_count({})", predicate),
                    Cpp::kU32);
  if (!in.has("and") && !in.has("or")) return false;
  return emit.set(in.operands[0],
                  fmt::format("__syncthreads_{}({}) != 0", in.has("and") ? "and" : "or", predicate),
                  Cpp::kPred);
}

bool nanosleep(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 1) return false;
  emit.run(fmt::format("__nanosleep({})", emit.pass(in.operands[0], Cpp::kU32)));
  return true;
}

bool trap(Emitter& emit, const Instruction& in) {
  emit.run(in.name == "trap" ? "__trap()" : "__brkpt()");
  return true;
}

bool leave(Emitter& emit, const Instruction&) {
  if (!emit.is_kernel())
    return emit.refuse("HP311", "exit ends a thread inside a function that the kernel calls",
                       "Return to the kernel, and exit there.");
  emit.run("return");
  return true;
}

// Kernels of a stream do not overlap on AMD GPUs: there is nothing to wait for and nothing to
// allow. Registers are not handed from wave to wave.
bool nothing(Emitter&, const Instruction&) {
  return true;
}

constexpr std::array kOps = {Entry{"bar", barrier},
                             Entry{"barrier", barrier},
                             Entry{"nanosleep", nanosleep},
                             Entry{"trap", trap},
                             Entry{"brkpt", trap},
                             Entry{"exit", leave},
                             Entry{"griddepcontrol", nothing},
                             Entry{"setmaxnreg", nothing},
                             Entry{"pmevent", nothing}};

}  // namespace

std::span<const Entry> control_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
