// SPDX-License-Identifier: MIT
#include "soft/exec/control.h"

#include <fmt/format.h>

#include <chrono>

#include "soft/exec/hardware_register.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

// Messages of s_sendmsg.
constexpr unsigned kMessageInterrupt = 1;
constexpr unsigned kMessageDeallocVgprs = 3;  // gfx11 and later
// Of s_sendmsg_rtn.
constexpr unsigned kGetDoorbell = 128, kGetTma = 130, kGetRealtime = 131, kGetTba = 133;

struct Field {
  unsigned id, offset, mask;
};
Field field_of(unsigned encoded) {
  const unsigned size = (encoded >> 11 & 0x1fU) + 1;
  return {.id = encoded & 0x3fU,
          .offset = encoded >> 6 & 0x1fU,
          .mask = size == 32 ? ~0U : (1U << size) - 1};
}

}  // namespace

void jump(Wave& wave, const Inst& inst, std::uint64_t address) {
  const Inst* target = wave.group->program->at(address);
  if (target) {
    wave.next = target;
    return;
  }
  wave.stop({.kind = Fault::Kind::kBadJump,
             .inst = &inst,
             .address = address,
             .what = fmt::format("jump to {:#x}, where no instruction begins", address)});
}

void trap(Wave& wave, const Inst& inst, unsigned id) {
  // Trap 3 is for debuggers: without one it does nothing.
  if (id == 3) return;
  wave.stop({.kind = Fault::Kind::kTrap,
             .inst = &inst,
             .what = id == 2 ? "the kernel called abort(), failed an assertion or reached code "
                               "that the compiler considers unreachable (trap 2)"
                             : fmt::format("trap {}", id)});
}

void send_message(Wave& wave, const Inst& inst, unsigned message) {
  const unsigned id = message & (wave.isa < Isa::kGfx11 ? 0xfU : 0xffU);
  if (id == kMessageInterrupt) {
    const LaunchState* launch = wave.group->launch;
    if (launch && launch->interrupt && *launch->interrupt) (*launch->interrupt)();
    return;
  }
  // The wave ends soon and releases its registers early, which no kernel can observe.
  if (id == kMessageDeallocVgprs && wave.isa >= Isa::kGfx11) return;
  wave.unsupported(inst, fmt::format("message {:#x} is for graphics or trap handlers", message));
}

std::uint64_t ask(Wave& wave, const Inst& inst, unsigned message) {
  switch (message) {
    case kGetRealtime:
      return clock_ns(wave) / 10;  // 100 MHz
    case kGetTma:
    case kGetTba:
      return 0;  // no trap handler is installed
    case kGetDoorbell:
      return 0;  // of the only queue
    default:
      wave.unsupported(inst, fmt::format("message {:#x} is not supported", message));
      return 0;
  }
}

std::uint32_t get_register(Wave& wave, const Inst& inst, unsigned encoded) {
  const Field field = field_of(encoded);
  const auto value = read_hardware_register(wave, field.id);
  if (!value) {
    wave.unsupported(inst, fmt::format("hardware register {} is not modelled", field.id));
    return 0;
  }
  return *value >> field.offset & field.mask;
}

void set_register(Wave& wave, const Inst& inst, unsigned encoded, std::uint32_t value) {
  const Field field = field_of(encoded);
  if (!write_hardware_register(wave, field.id, value << field.offset, field.mask << field.offset))
    wave.unsupported(inst, fmt::format("hardware register {} cannot be written here", field.id));
}

void refuse(Wave& wave, const Inst& inst, const char* why) {
  wave.unsupported(inst, why);
}

std::uint64_t clock_ns(const Wave& wave) {
  if (!wave.group || !wave.group->launch || !wave.group->launch->real_time) return wave.steps * 4;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace hipwright::soft
