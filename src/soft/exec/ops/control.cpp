// SPDX-License-Identifier: MIT
// Branches, calls, barriers, waits, messages, hardware registers, cache control.
#include "soft/exec/control.h"

#include "soft/exec/barrier.h"
#include "soft/exec/hardware_register.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

void nothing(Wave&, const Inst&) {}

template <class Condition>
void branch_if(Wave& wave, const Inst& inst) {
  if (!Condition()(wave)) return;
  if (inst.target) [[likely]]
    wave.next = inst.target;
  else
    jump(wave, inst,
         inst.address + 4 +
             static_cast<u64>(std::int64_t{static_cast<std::int16_t>(inst.simm16)} * 4));
}

template <class Condition>
constexpr Op branch(std::string_view name, Condition, u32 flags = 0) {
  return {.name = name,
          .run = branch_if<Condition>,
          .kind = OpClass::kBranch,
          .flags = kControl | kRelativeBranch | flags};
}

u64 after(const Inst& inst) {
  return inst.address + inst.size;
}

void get_pc(Wave& wave, const Inst& inst) {
  wave.write64(inst.dst[0], after(inst));
}
void set_pc(Wave& wave, const Inst& inst) {
  jump(wave, inst, wave.read64(inst.src[0]));
}
void swap_pc(Wave& wave, const Inst& inst) {
  const u64 target = wave.read64(inst.src[0]);
  wave.write64(inst.dst[0], after(inst));
  jump(wave, inst, target);
}
void call(Wave& wave, const Inst& inst) {
  wave.write64(inst.dst[0], after(inst));
  branch_if<decltype([](const Wave&) { return true; })>(wave, inst);
}

// Others get the processor: what sleeps is usually waiting for them.
void sleep(Wave& wave, const Inst&) {
  wave.state = WaveState::kSleeping;
}

void set_priority(Wave& wave, const Inst& inst) {
  wave.priority = inst.simm16 & 3U;
}

void end(Wave& wave, const Inst&) {
  end_wave(wave);
}

// --- barriers ---

void barrier(Wave& wave, const Inst&) {
  signal_barrier(wave, kGroupBarrier);
  wait_barrier(wave, kGroupBarrier);
}

// The barrier that an operand names, and the member count that M0 may carry with it.
struct BarrierOperand {
  int number = 0;
  unsigned members = 0;
};
BarrierOperand barrier_operand(const Wave& wave, const Inst& inst) {
  const u32 value = wave.read32(inst.src[0]);
  if (inst.src[0].is_constant()) return {.number = static_cast<int>(value)};
  return {.number = static_cast<int>(value & 0x3fU), .members = value >> 16 & 0x3fU};
}
void barrier_signal(Wave& wave, const Inst& inst) {
  const BarrierOperand operand = barrier_operand(wave, inst);
  if (operand.members != 0 && operand.number >= 1 && operand.number <= 16)
    wave.group->named[static_cast<unsigned>(operand.number)].members = operand.members;
  signal_barrier(wave, operand.number);
}
void barrier_signal_first(Wave& wave, const Inst& inst) {
  wave.set_scc(signal_barrier(wave, barrier_operand(wave, inst).number));
}
void barrier_wait(Wave& wave, const Inst& inst) {
  wait_barrier(wave, static_cast<std::int16_t>(inst.simm16));
}
void barrier_init(Wave& wave, const Inst& inst) {
  const BarrierOperand operand = barrier_operand(wave, inst);
  init_barrier(wave, operand.number, wave.scalars[kM0] >> 16 & 0x3fU);
}
void barrier_join(Wave& wave, const Inst& inst) {
  join_barrier(wave, barrier_operand(wave, inst).number);
}
void barrier_leave(Wave& wave, const Inst&) {
  wave.set_scc(leave_barrier(wave));
}
void barrier_query(Wave& wave, const Inst& inst) {
  wave.write32(inst.dst[0], barrier_state(wave, barrier_operand(wave, inst).number));
}

// --- messages and registers ---

void run_trap(Wave& wave, const Inst& inst) {
  trap(wave, inst, inst.simm16 & 0xffU);
}
void send(Wave& wave, const Inst& inst) {
  send_message(wave, inst, inst.simm16);
}
void ask32(Wave& wave, const Inst& inst) {
  wave.write32(inst.dst[0], static_cast<u32>(ask(wave, inst, inst.simm16 & 0xffU)));
}
void ask64(Wave& wave, const Inst& inst) {
  wave.write64(inst.dst[0], ask(wave, inst, inst.simm16 & 0xffU));
}
void cycles(Wave& wave, const Inst& inst) {
  wave.write64(inst.dst[0], clock_ns(wave));
}
void real_time(Wave& wave, const Inst& inst) {
  wave.write64(inst.dst[0], clock_ns(wave) / 10);  // 100 MHz
}
void get_reg(Wave& wave, const Inst& inst) {
  wave.write32(inst.dst[0], get_register(wave, inst, inst.simm16));
}
void set_reg(Wave& wave, const Inst& inst) {
  set_register(wave, inst, inst.simm16, wave.read32(inst.src[0]));
}
void round_mode(Wave& wave, const Inst& inst) {
  set_mode_bits(wave, (mode_bits(wave) & ~0xfU) | (inst.simm16 & 0xfU));
}
void denormal_mode(Wave& wave, const Inst& inst) {
  set_mode_bits(wave, (mode_bits(wave) & ~0xf0U) | (inst.simm16 & 0xfU) << 4);
}

// --- registers indexed by M0, skipped vector instructions (gfx9) ---

void index_on(Wave& wave, const Inst& inst) {
  const u32 index = wave.read32(inst.src[0]) & 0xffU;
  const u32 mode = static_cast<u32>(inst.simm16) >> 8 & 0xfU;
  wave.scalars[kM0] = (wave.scalars[kM0] & 0xffff0f00U) | mode << 12 | index;
  wave.set_vector_modes(true, wave.skips_vectors);
}
void index_off(Wave& wave, const Inst&) {
  wave.set_vector_modes(false, wave.skips_vectors);
}
// Bit S1 of S0.
void set_skip(Wave& wave, const Inst& inst) {
  const bool skips = (wave.read32(inst.src[0]) >> (wave.read32(inst.src[1]) & 31U) & 1U) != 0;
  wave.set_vector_modes(wave.indexes_registers, skips);
}
void index_mode(Wave& wave, const Inst& inst) {
  wave.scalars[kM0] = (wave.scalars[kM0] & 0xffff0fffU) | (inst.simm16 & 0xfU) << 12;
}
void index_index(Wave& wave, const Inst& inst) {
  wave.scalars[kM0] = (wave.scalars[kM0] & 0xffffff00U) | (wave.read32(inst.src[0]) & 0xffU);
}

// --- what this machine does not do ---

void needs_debugger(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "it stops the wave for a debugger or a trap handler");
}
void needs_trap_handler(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "it returns from a trap handler");
}
void code_end(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "execution ran past the end of the kernel's code");
}
void halt(Wave& wave, const Inst& inst) {
  if (inst.simm16 & 1U) needs_debugger(wave, inst);
}
void kill(Wave& wave, const Inst& inst) {
  if (inst.simm16 & 1U) end_wave(wave);
}
void old_control_flow(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "forks and joins of divergent control flow, which no compiler emits");
}
void half_waves(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "loops over halves of a wave, which no compiler emits");
}
void dynamic_registers(Wave& wave, const Inst& inst) {
  refuse(wave, inst, "vector registers allocated while running");
}

constexpr Op wait(std::string_view name, Waits waits = Waits::kNone) {
  return Op{.name = name, .run = nothing, .kind = OpClass::kWait} | waits;
}
constexpr Op message(std::string_view name, Handler run = nothing, u32 flags = 0) {
  return {.name = name, .run = run, .kind = OpClass::kMessage, .flags = flags};
}
constexpr Op refused(std::string_view name, Handler run) {
  return {.name = name, .run = run, .kind = OpClass::kMessage, .flags = kControl | kRefused};
}
constexpr Op with(Op op, Type dst, Type src = Type::kNone) {
  op.dst = {dst};
  op.src = {src};
  return op;
}

constexpr Op kOps[] = {
    branch("s_branch", [](const Wave&) { return true; }),
    branch(
        "s_cbranch_scc0", [](const Wave& wave) { return !wave.scc(); }, kReadsScc),
    branch(
        "s_cbranch_scc1", [](const Wave& wave) { return wave.scc(); }, kReadsScc),
    branch(
        "s_cbranch_vccz", [](const Wave& wave) { return wave.vcc() == 0; }, kReadsVcc),
    branch(
        "s_cbranch_vccnz", [](const Wave& wave) { return wave.vcc() != 0; }, kReadsVcc),
    branch(
        "s_cbranch_execz", [](const Wave& wave) { return wave.exec == 0; }, kReadsExec),
    branch(
        "s_cbranch_execnz", [](const Wave& wave) { return wave.exec != 0; }, kReadsExec),
    // Conditions that debuggers set.
    branch("s_cbranch_cdbgsys", [](const Wave&) { return false; }),
    branch("s_cbranch_cdbguser", [](const Wave&) { return false; }),
    branch("s_cbranch_cdbgsys_or_user", [](const Wave&) { return false; }),
    branch("s_cbranch_cdbgsys_and_user", [](const Wave&) { return false; }),
    refused("s_cbranch_i_fork", old_control_flow),
    refused("s_cbranch_g_fork", old_control_flow),
    refused("s_cbranch_join", old_control_flow),
    refused("s_subvector_loop_begin", half_waves),
    refused("s_subvector_loop_end", half_waves),
    {.name = "s_setvskip", .run = set_skip, .src = {Type::kB32, Type::kB32}, .flags = kControl},

    with({.name = "s_getpc_b64", .run = get_pc}, Type::kB64),
    with({.name = "s_setpc_b64", .run = set_pc, .kind = OpClass::kBranch, .flags = kControl},
         Type::kNone, Type::kB64),
    with({.name = "s_swappc_b64", .run = swap_pc, .kind = OpClass::kBranch, .flags = kControl},
         Type::kB64, Type::kB64),
    with({.name = "s_call_b64",
          .run = call,
          .kind = OpClass::kBranch,
          .flags = kControl | kRelativeBranch},
         Type::kB64),
    refused("s_rfe_b64", needs_trap_handler),
    refused("s_rfe_restore_b64", needs_trap_handler),

    {.name = "s_endpgm", .run = end, .kind = OpClass::kBranch, .flags = kControl},
    {.name = "s_endpgm_saved", .run = end, .kind = OpClass::kBranch, .flags = kControl},
    {.name = "s_endpgm_ordered_ps_done", .run = end, .kind = OpClass::kBranch, .flags = kControl},
    {.name = "s_code_end", .run = code_end, .kind = OpClass::kBranch, .flags = kControl},
    message("s_setkill", kill, kControl),
    message("s_sethalt", halt, kControl),

    // Memory instructions end before the next one begins: there is nothing to wait for.
    wait("s_nop"),
    wait("s_waitcnt", Waits::kPacked),
    wait("s_waitcnt_depctr", Waits::kUntracked),
    with(wait("s_waitcnt_vscnt", Waits::kStore), Type::kNone, Type::kB32),
    with(wait("s_waitcnt_vmcnt", Waits::kLoad), Type::kNone, Type::kB32),
    with(wait("s_waitcnt_expcnt", Waits::kUntracked), Type::kNone, Type::kB32),
    with(wait("s_waitcnt_lgkmcnt", Waits::kLds), Type::kNone, Type::kB32),
    wait("s_wait_alu", Waits::kUntracked),
    wait("s_wait_idle", Waits::kAll),
    wait("s_wait_event", Waits::kUntracked),
    wait("s_wait_loadcnt", Waits::kLoad),
    wait("s_wait_storecnt", Waits::kStore),
    wait("s_wait_samplecnt", Waits::kSample),
    wait("s_wait_bvhcnt", Waits::kUntracked),
    wait("s_wait_expcnt", Waits::kUntracked),
    wait("s_wait_dscnt", Waits::kLds),
    wait("s_wait_kmcnt", Waits::kScalar),
    wait("s_wait_loadcnt_dscnt", Waits::kLoadLds),
    wait("s_wait_storecnt_dscnt", Waits::kStoreLds),
    wait("s_delay_alu"),
    wait("s_clause"),
    wait("s_singleuse_vdst"),
    wait("s_inst_prefetch"),
    wait("s_set_inst_prefetch_distance"),
    wait("s_version"),
    {.name = "s_setprio", .run = set_priority, .kind = OpClass::kWait},
    {.name = "s_sleep", .run = sleep, .kind = OpClass::kWait, .flags = kControl},
    with({.name = "s_sleep_var", .run = sleep, .kind = OpClass::kWait, .flags = kControl},
         Type::kNone, Type::kB32),
    wait("s_wakeup"),  // a sleeping wave resumes without it

    message("s_barrier", barrier, kControl | kArrives),
    with(message("s_barrier_signal", barrier_signal, kControl | kArrives), Type::kNone, Type::kB32),
    with(
        message("s_barrier_signal_isfirst", barrier_signal_first, kControl | kArrives | kWritesScc),
        Type::kNone, Type::kB32),
    message("s_barrier_wait", barrier_wait, kControl),
    with(message("s_barrier_init", barrier_init, kReadsM0), Type::kNone, Type::kB32),
    with(message("s_barrier_join", barrier_join), Type::kNone, Type::kB32),
    {.name = "s_barrier_leave",
     .run = barrier_leave,
     .kind = OpClass::kMessage,
     .flags = kControl | kWritesScc,
     .fidelity = Fidelity::kApproximate,
     .bound = "SCC says whether the wave had joined a barrier; no manual says what it is"},
    with(message("s_get_barrier_state", barrier_query), Type::kB32, Type::kB32),

    message("s_trap", run_trap, kControl),
    message("s_sendmsg", send, kControl | kReadsM0),
    refused("s_sendmsghalt", needs_debugger),
    with(message("s_sendmsg_rtn_b32", ask32, kControl), Type::kB32) | Counts::kScalar,
    with(message("s_sendmsg_rtn_b64", ask64, kControl), Type::kB64) | Counts::kScalar,
    refused("s_alloc_vgpr", dynamic_registers),

    with({.name = "s_memtime", .run = cycles, .kind = OpClass::kScalarMemory}, Type::kB64),
    with({.name = "s_memrealtime", .run = real_time, .kind = OpClass::kScalarMemory}, Type::kB64),
    with({.name = "s_getreg_b32", .run = get_reg, .flags = kControl}, Type::kB32),
    with({.name = "s_setreg_b32", .run = set_reg, .flags = kControl}, Type::kNone, Type::kB32),
    with({.name = "s_setreg_imm32_b32", .run = set_reg, .flags = kControl}, Type::kNone,
         Type::kB32),
    {.name = "s_round_mode", .run = round_mode},
    {.name = "s_denorm_mode", .run = denormal_mode},
    with({.name = "s_set_gpr_idx_on", .run = index_on, .flags = kControl}, Type::kNone, Type::kB32),
    {.name = "s_set_gpr_idx_off", .run = index_off, .flags = kControl},
    {.name = "s_set_gpr_idx_mode", .run = index_mode},
    with({.name = "s_set_gpr_idx_idx", .run = index_index}, Type::kNone, Type::kB32),

    // There are no caches and no counters.
    message("s_icache_inv"),
    message("s_dcache_inv"),
    message("s_dcache_inv_vol"),
    message("s_dcache_wb"),
    message("s_dcache_wb_vol"),
    message("s_gl1_inv"),
    message("buffer_gl0_inv"),
    message("buffer_gl1_inv") | Caches::kDropped,
    message("buffer_inv") | Caches::kDroppedByScope,
    message("buffer_wbl2") | Counts::kLoad | Caches::kWrittenBackByScope,
    message("buffer_invl2"),
    message("buffer_wbinvl1") | Caches::kDropped,
    message("buffer_wbinvl1_vol") | Caches::kDropped,
    message("global_inv") | Caches::kDroppedByScope | Counts::kLoad,
    message("global_wb") | Counts::kStore | Caches::kWrittenBackByScope,
    message("global_wbinv") | Counts::kStore | Caches::kWrittenBackByScope,
    message("s_ttracedata"),
    message("s_ttracedata_imm"),
    message("s_incperflevel"),
    message("s_decperflevel"),
};

}  // namespace

std::span<const Op> control_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
