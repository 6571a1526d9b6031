// SPDX-License-Identifier: MIT
// Control instructions on every target that has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "soft/exec/barrier.h"
#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using ::testing::HasSubstr;

// Runs on all targets whose assembler takes the text, and on some at least.
template <class Body>
void on_targets(std::string_view text, Body body) {
  unsigned count = 0;
  for (const std::string& target : all_targets()) {
    SCOPED_TRACE(target);
    Lab lab(target);
    if (!lab.accepts(text)) continue;
    ++count;
    body(lab);
  }
  EXPECT_GT(count, 0U) << text;
}

TEST(Control, Branches) {
  const struct {
    const char* name;
    std::uint32_t scc;
    std::uint64_t vcc, exec;
    bool taken;
  } cases[] = {
      {"s_branch", 0, 0, 1, true},
      {"s_cbranch_scc0", 0, 0, 1, true},
      {"s_cbranch_scc0", 1, 0, 1, false},
      {"s_cbranch_scc1", 0, 0, 1, false},
      {"s_cbranch_scc1", 1, 0, 1, true},
      {"s_cbranch_vccz", 0, 0, 1, true},
      {"s_cbranch_vccz", 0, 4, 1, false},
      {"s_cbranch_vccnz", 0, 0, 1, false},
      {"s_cbranch_vccnz", 0, 1ULL << 31, 1, true},
      {"s_cbranch_execz", 0, 0, 0, true},
      {"s_cbranch_execz", 0, 0, 2, false},
      {"s_cbranch_execnz", 0, 0, 0, false},
      {"s_cbranch_execnz", 0, 0, 1ULL << 31, true},
      {"s_cbranch_cdbgsys", 1, 1, 1, false},
      {"s_cbranch_cdbguser", 1, 1, 1, false},
      {"s_cbranch_cdbgsys_or_user", 1, 1, 1, false},
      {"s_cbranch_cdbgsys_and_user", 1, 1, 1, false},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const std::string text = std::string("s_mov_b32 s0, 1\n") + test.name +
                             " done\ns_mov_b32 s0, 2\ndone: s_mov_b32 s1, 3";
    on_targets(text, [&](Lab& lab) {
      lab.set_s(kScc, test.scc);
      lab.set_s64(kVccLo, test.vcc);
      lab.wave().set_exec(test.exec);
      lab.run(text);
      EXPECT_EQ(lab.s(0), test.taken ? 1U : 2U);
      EXPECT_EQ(lab.s(1), 3U);
    });
  }
}

TEST(Control, HighHalfOfVccCountsInWave64Only) {
  const char* text = "s_mov_b32 s0, 1\ns_cbranch_vccz done\ns_mov_b32 s0, 2\ndone: s_nop 0";
  for (const unsigned size : {32U, 64U}) {
    Lab lab("gfx1100", size);
    lab.set_s64(kVccLo, 1ULL << 40);
    lab.run(text);
    EXPECT_EQ(lab.s(0), size == 32 ? 1U : 2U);
  }
}

TEST(Control, LoopsBackwards) {
  const char* text = R"(
    s_mov_b32 s0, 0
    again: s_add_u32 s0, s0, 1
    s_cmp_lt_u32 s0, 100
    s_cbranch_scc1 again)";
  on_targets(text, [&](Lab& lab) {
    lab.run(text);
    EXPECT_EQ(lab.s(0), 100U);
  });
}

TEST(Control, CallsAndReturns) {
  const char* text = R"(
    s_mov_b32 s0, 0
    s_getpc_b64 s[4:5]
    base: s_add_u32 s4, s4, function-base
    s_addc_u32 s5, s5, 0
    s_swappc_b64 s[6:7], s[4:5]
    s_add_u32 s0, s0, 100
    s_call_b64 s[6:7], function
    s_add_u32 s0, s0, 1000
    s_branch done
    function: s_add_u32 s0, s0, 1
    s_setpc_b64 s[6:7]
    done: s_nop 0)";
  on_targets(text, [&](Lab& lab) {
    lab.run(text);
    EXPECT_EQ(lab.wave().state, WaveState::kEnded);
    EXPECT_EQ(lab.s(0), 1102U);
  });
}

TEST(Control, JumpsOutsideTheCodeAreFaults) {
  on_targets("s_setpc_b64 s[0:1]", [](Lab& lab) {
    for (const std::uint64_t address : {0ULL, 2ULL, 0xdeadbeef000ULL, ~0ULL - 3}) {
      lab.set_s64(0, address);
      lab.run("s_setpc_b64 s[0:1]");
      ASSERT_EQ(lab.wave().state, WaveState::kFault);
      EXPECT_EQ(lab.wave().fault.kind, Fault::Kind::kBadJump);
      EXPECT_EQ(lab.wave().fault.address, address);
    }
  });
}

TEST(Control, WaitsAndCacheControlDoNothing) {
  for (const char* text : {"s_nop 7",
                           "s_waitcnt 0",
                           "s_waitcnt vmcnt(0) lgkmcnt(0)",
                           "s_waitcnt_vscnt null, 0x0",
                           "s_waitcnt_vmcnt null, 0x0",
                           "s_waitcnt_expcnt null, 0x0",
                           "s_waitcnt_lgkmcnt null, 0x0",
                           "s_waitcnt_depctr 0xfff",
                           "s_wait_alu 0xfff",
                           "s_wait_idle",
                           "s_wait_event 0x1",
                           "s_wait_loadcnt 0x0",
                           "s_wait_storecnt 0x0",
                           "s_wait_samplecnt 0x0",
                           "s_wait_bvhcnt 0x0",
                           "s_wait_expcnt 0x0",
                           "s_wait_dscnt 0x0",
                           "s_wait_kmcnt 0x0",
                           "s_wait_loadcnt_dscnt 0x0",
                           "s_wait_storecnt_dscnt 0x0",
                           "s_delay_alu instid0(VALU_DEP_1)",
                           "s_clause 0x1\ns_nop 0\ns_nop 0",
                           "s_setprio 3",
                           "s_sleep 5",
                           "s_sleep_var s0",
                           "s_wakeup",
                           "s_version 5",
                           "s_set_inst_prefetch_distance 0x1",
                           "s_icache_inv",
                           "s_dcache_inv",
                           "s_dcache_wb",
                           "s_dcache_inv_vol",
                           "s_dcache_wb_vol",
                           "buffer_gl0_inv",
                           "buffer_gl1_inv",
                           "buffer_inv sc1",
                           "buffer_wbl2 sc0 sc1",
                           "buffer_wbl2",
                           "buffer_invl2",
                           "buffer_wbinvl1",
                           "buffer_wbinvl1_vol",
                           "global_inv scope:SCOPE_SYS",
                           "global_wb scope:SCOPE_SYS",
                           "global_wbinv scope:SCOPE_SYS",
                           "s_ttracedata",
                           "s_ttracedata_imm 0x1",
                           "s_incperflevel 1",
                           "s_decperflevel 1",
                           "s_trap 3",
                           "s_sethalt 0",
                           "s_setkill 0",
                           "s_barrier",
                           "s_sendmsg sendmsg(MSG_INTERRUPT)",
                           "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)",
                           "s_barrier_signal -2",
                           "s_barrier_wait -2",
                           "s_barrier_signal 0",
                           "s_barrier_wait 0"}) {
    SCOPED_TRACE(text);
    on_targets(text, [&](Lab& lab) {
      lab.wave().set_exec(5);
      const auto scalars = lab.wave().scalars;
      lab.run(text);
      EXPECT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      EXPECT_EQ(lab.wave().scalars, scalars);
      EXPECT_EQ(lab.wave().exec, 5U);
    });
  }
}

TEST(Control, RejectedAndFaulting) {
  const struct {
    const char* text;
    Fault::Kind kind;
    const char* what;
  } cases[] = {
      {"s_trap 2", Fault::Kind::kTrap, "abort()"},
      {"s_trap 7", Fault::Kind::kTrap, "trap 7"},
      {"s_sethalt 1", Fault::Kind::kUnsupported, "debugger"},
      {"s_code_end", Fault::Kind::kUnsupported, "past the end"},
      {"s_sendmsghalt sendmsg(MSG_INTERRUPT)", Fault::Kind::kUnsupported, "debugger"},
      {"s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)", Fault::Kind::kUnsupported, "message"},
      {"s_rfe_b64 s[0:1]", Fault::Kind::kUnsupported, ""},
      {"s_cbranch_i_fork s[0:1], 1", Fault::Kind::kUnsupported, ""},
      {"s_alloc_vgpr s0", Fault::Kind::kUnsupported, ""},
      {"s_getreg_b32 s0, hwreg(33)", Fault::Kind::kUnsupported, "register 33"},
      {"s_setreg_b32 hwreg(HW_REG_LDS_ALLOC), s0", Fault::Kind::kUnsupported, "register 6"},
      {"s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DDID)", Fault::Kind::kUnsupported, "0x81"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.text);
    on_targets(test.text, [&](Lab& lab) {
      lab.run(test.text);
      ASSERT_EQ(lab.wave().state, WaveState::kFault);
      EXPECT_EQ(lab.wave().fault.kind, test.kind);
      EXPECT_THAT(lab.wave().fault.what, HasSubstr(test.what));
      EXPECT_NE(lab.wave().fault.inst, nullptr);
    });
  }
}

TEST(Control, ModeRegister) {
  for (const char* name : {"HW_REG_MODE", "HW_REG_WAVE_MODE"}) {
    const std::string reg(name);
    const std::string text = "s_setreg_imm32_b32 hwreg(" + reg + ", 0, 8), 0x5b\n" +
                             "s_getreg_b32 s0, hwreg(" + reg + ", 0, 8)\n" + "s_mov_b32 s1, 2\n" +
                             "s_setreg_b32 hwreg(" + reg + ", 4, 2), s1\n" +
                             "s_getreg_b32 s2, hwreg(" + reg + ", 0, 8)\n" +
                             "s_getreg_b32 s3, hwreg(" + reg + ", 6, 2)\n";
    on_targets(text, [&](Lab& lab) {
      lab.run(text);
      EXPECT_EQ(lab.s(0), 0x5bU);
      EXPECT_EQ(lab.s(2), 0x6bU);
      EXPECT_EQ(lab.s(3), 1U);
      const FloatMode& mode = lab.wave().mode;
      EXPECT_EQ(mode.round_f32, 3);
      EXPECT_EQ(mode.round_f64_f16, 2);
      EXPECT_EQ(mode.denormal_f32, 2);
      EXPECT_EQ(mode.denormal_f64_f16, 1);
      EXPECT_TRUE(mode.dx10_clamp);
      EXPECT_TRUE(mode.ieee);
    });
  }
  on_targets("s_round_mode 0x6", [](Lab& lab) {
    lab.run("s_round_mode 0x6\ns_denorm_mode 0x4");
    EXPECT_EQ(lab.wave().mode.round_f32, 2);
    EXPECT_EQ(lab.wave().mode.round_f64_f16, 1);
    EXPECT_EQ(lab.wave().mode.denormal_f32, 0);
    EXPECT_EQ(lab.wave().mode.denormal_f64_f16, 1);
  });
}

TEST(Control, ClampAndIeeeBitsOfTheModeRegister) {
  const char* text = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), 1";
  on_targets(text, [&](Lab& lab) {
    if (lab.wave().isa == Isa::kGfx12) return;
    lab.run(text);
    EXPECT_TRUE(lab.wave().mode.dx10_clamp);
    EXPECT_FALSE(lab.wave().mode.ieee);
  });
}

TEST(Control, AperturesOfTheWindows) {
  const char* text =
      "s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\ns_lshl_b32 s0, s0, 16\n"
      "s_getreg_b32 s1, hwreg(HW_REG_SH_MEM_BASES, 0, 16)\ns_lshl_b32 s1, s1, 16";
  on_targets(text, [&](Lab& lab) {
    lab.run(text);
    EXPECT_EQ(lab.s(0), kSharedAperture >> 32);
    EXPECT_EQ(lab.s(1), kPrivateAperture >> 32);
  });
}

TEST(Control, StatusShowsScc) {
  for (const std::uint32_t scc : {0U, 1U}) {
    on_targets("s_getreg_b32 s0, hwreg(HW_REG_STATUS, 0, 1)", [&](Lab& lab) {
      if (lab.wave().isa == Isa::kGfx12) return;
      lab.set_s(kScc, scc);
      lab.run("s_getreg_b32 s0, hwreg(HW_REG_STATUS, 0, 1)");
      EXPECT_EQ(lab.s(0), scc);
    });
    on_targets("s_getreg_b32 s0, hwreg(HW_REG_WAVE_STATE_PRIV, 9, 1)", [&](Lab& lab) {
      lab.set_s(kScc, scc);
      lab.run("s_getreg_b32 s0, hwreg(HW_REG_WAVE_STATE_PRIV, 9, 1)");
      EXPECT_EQ(lab.s(0), scc);
    });
  }
}

TEST(Control, ClocksRise) {
  for (const char* text : {"s_memtime s[0:1]\ns_nop 0\ns_nop 0\ns_memtime s[2:3]",
                           "s_memrealtime s[0:1]\ns_sleep 1\ns_memrealtime s[2:3]",
                           "s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)\n"
                           "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME)",
                           "s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES_LO)\n"
                           "s_getreg_b32 s1, hwreg(HW_REG_SHADER_CYCLES_HI)\n"
                           "s_getreg_b32 s2, hwreg(HW_REG_SHADER_CYCLES_LO)\n"
                           "s_getreg_b32 s3, hwreg(HW_REG_SHADER_CYCLES_HI)"}) {
    SCOPED_TRACE(text);
    on_targets(text, [&](Lab& lab) {
      lab.run(text);
      EXPECT_LE(lab.s64(0), lab.s64(2));
      EXPECT_GT(lab.s64(2), 0U);
    });
  }
}

// gfx9: registers of vector instructions relative to M0.
TEST(Control, IndexedRegisters) {
  const struct {
    const char* text;
    unsigned written, read;  // rows that v_mov_b32 v4, v8 means with index 3
  } cases[] = {
      {"s_set_gpr_idx_on s0, gpr_idx(SRC0)", 4, 11},
      {"s_set_gpr_idx_on s0, gpr_idx(DST)", 7, 8},
      {"s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)", 7, 11},
      {"s_set_gpr_idx_on s0, gpr_idx(SRC1)", 4, 8},
      {"s_set_gpr_idx_on s1, gpr_idx(SRC0)\ns_set_gpr_idx_idx s0", 4, 11},
      {"s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_set_gpr_idx_mode gpr_idx(DST)", 7, 8},
      {"s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)\ns_set_gpr_idx_off", 4, 8},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.text);
    const std::string text =
        std::string(test.text) + "\nv_mov_b32 v4, v8\ns_set_gpr_idx_off\nv_mov_b32 v20, v8";
    on_targets(text, [&](Lab& lab) {
      for (unsigned row = 0; row < 32; ++row)
        for (unsigned lane = 0; lane < lab.lanes(); ++lane) lab.set_v(row, lane, row * 100 + lane);
      lab.set_s(0, 3);
      lab.set_s(1, 250);
      lab.run(text);
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        EXPECT_EQ(lab.v(test.written, lane), test.read * 100 + lane);
        EXPECT_EQ(lab.v(4, lane), (test.written != 4 ? 4 : test.read) * 100 + lane);
        EXPECT_EQ(lab.v(20, lane), 800 + lane);
      }
    });
  }
  on_targets("s_set_gpr_idx_on s0, gpr_idx(SRC0)", [](Lab& lab) {
    lab.set_s(0, 250);
    lab.run("s_set_gpr_idx_on s0, gpr_idx(SRC0)\nv_mov_b32 v4, v8");
    EXPECT_EQ(lab.wave().fault.kind, Fault::Kind::kUnsupported);
  });
}

TEST(Control, IndexedLanesAndAccumulators) {
  const std::string text =
      "s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)\n"
      "v_writelane_b32 v4, s5, 7\n"
      "v_readlane_b32 s6, v8, 9\n"
      "v_readfirstlane_b32 s7, v8\n"
      "v_accvgpr_write_b32 a4, v8\n"
      "v_accvgpr_read_b32 v12, a4\n"
      "s_set_gpr_idx_off\n"
      "v_accvgpr_read_b32 v20, a4\n";
  on_targets(text, [&](Lab& lab) {
    for (unsigned row = 0; row < 32; ++row)
      for (unsigned lane = 0; lane < 64; ++lane) {
        lab.set_v(row, lane, row * 100 + lane);
        lab.set_v(kAccumulator0 + row, lane, 10'000 + row * 100 + lane);
      }
    lab.set_s(0, 3);
    lab.set_s(5, 77);
    lab.wave().set_exec(~0ULL << 2);
    lab.run(text);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    EXPECT_EQ(lab.s(6), 1109U);
    EXPECT_EQ(lab.s(7), 1102U);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(lab.v(4, lane), 400 + lane);
      EXPECT_EQ(lab.v(7, lane), lane == 7 ? 77 : 700 + lane);
      EXPECT_EQ(lab.v(kAccumulator0 + 4, lane), 10'400 + lane);
      EXPECT_EQ(lab.v(kAccumulator0 + 7, lane), (lane < 2 ? 10'700 : 1'100) + lane);
      EXPECT_EQ(lab.v(15, lane), (lane < 2 ? 1'500 : 1'100) + lane);
      EXPECT_EQ(lab.v(20, lane), (lane < 2 ? 2'000 : 10'400) + lane);
    }
  });
  // Accumulators are a file of their own: v255 is not followed by a0, nor a255 by anything.
  for (const char* beyond : {"v_accvgpr_read_b32 v1, a254", "v_mov_b32 v1, v254"})
    on_targets(beyond, [&](Lab& lab) {
      const std::string on = "s_set_gpr_idx_on s0, gpr_idx(SRC0)\n";
      if (!lab.accepts(on)) return;
      lab.set_s(0, 3);
      lab.run(on + beyond);
      EXPECT_EQ(lab.wave().fault.kind, Fault::Kind::kUnsupported);
    });
}

// gfx9: while VSKIP is set, vector and memory instructions are not issued; scalar ones are.
TEST(Control, SkippedVectorInstructions) {
  const struct {
    const char *on, *off;
  } cases[] = {
      {"s_setvskip s0, 3", "s_setvskip s0, 4"},
      {"s_setvskip -1, 35", "s_setvskip 0, 0"},  // five bits of the second source count
      {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1",
       "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0"},
  };
  for (const auto& test : cases) {
    const std::string text = std::string(test.on) +
                             "\nv_mov_b32 v4, v8\n"
                             "v_readfirstlane_b32 s6, v8\n"
                             "v_cmp_eq_u32 vcc, v8, v8\n"
                             "ds_write_b32 v9, v8\n"
                             "global_load_dword v5, v[10:11], off\n"
                             "s_mov_b32 s7, 5\n"
                             "s_getreg_b32 s8, hwreg(HW_REG_MODE, 28, 1)\n" +
                             test.off +
                             "\nv_mov_b32 v6, v8\n"
                             "s_getreg_b32 s9, hwreg(HW_REG_MODE, 28, 1)\n";
    SCOPED_TRACE(text);
    unsigned count = 0;
    for (const std::string target : {"gfx908", "gfx90a", "gfx942", "gfx950"}) {
      Lab lab(target);
      ASSERT_TRUE(lab.accepts(text)) << target;
      ++count;
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned row = 4; row < 9; ++row) lab.set_v(row, lane, row * 100 + lane);
        lab.set_v64(10, lane, 0);  // a load from there would fault
        lab.set_v(9, lane, lane * 4);
      }
      lab.set_s(0, 8);
      lab.set_s(6, 1);
      lab.set_s64(kVccLo, 0);
      lab.run(text);
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      EXPECT_EQ(lab.s(6), 1U);
      EXPECT_EQ(lab.s(7), 5U);
      EXPECT_EQ(lab.s(8), 1U);
      EXPECT_EQ(lab.s(9), 0U);
      EXPECT_EQ(lab.s64(kVccLo), 0U);
      for (unsigned lane = 0; lane < 64; ++lane) {
        EXPECT_EQ(lab.v(4, lane), 400 + lane);
        EXPECT_EQ(lab.v(5, lane), 500 + lane);
        EXPECT_EQ(lab.v(6, lane), 800 + lane);
        EXPECT_EQ(lab.group().lds[lane * 4], 0);
      }
    }
    EXPECT_EQ(count, 4U);
  }
}

// Barriers with waves that are moved by hand.
struct Group {
  Workgroup group;
  explicit Group(unsigned count) : group() {
    group.waves.resize(count);
    for (Wave& wave : group.waves) wave.group = &group;
    start_barriers(group);
  }
  Wave& operator[](unsigned i) { return group.waves[i]; }
  std::string states() const {
    std::string text;
    for (const Wave& wave : group.waves)
      text += wave.state == WaveState::kReady ? 'r' : wave.state == WaveState::kEnded ? 'e' : 'w';
    return text;
  }
};

TEST(Barrier, AllWavesMeet) {
  Group waves(3);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(signal_barrier(waves[0], kGroupBarrier));
    wait_barrier(waves[0], kGroupBarrier);
    EXPECT_FALSE(signal_barrier(waves[2], kGroupBarrier));
    wait_barrier(waves[2], kGroupBarrier);
    EXPECT_EQ(waves.states(), "wrw");
    EXPECT_EQ(barrier_state(waves[0], kGroupBarrier), 2U << 16 | 3U << 4 | 1U);
    signal_barrier(waves[1], kGroupBarrier);
    EXPECT_EQ(waves.states(), "rrr");
    wait_barrier(waves[1], kGroupBarrier);
    EXPECT_EQ(waves.states(), "rrr");
    EXPECT_EQ(waves.group.barrier.phase, static_cast<std::uint64_t>(round + 1));
  }
}

TEST(Barrier, WorkBetweenSignalAndWait) {
  Group waves(2);
  signal_barrier(waves[0], kGroupBarrier);
  signal_barrier(waves[1], kGroupBarrier);
  wait_barrier(waves[0], kGroupBarrier);
  EXPECT_EQ(waves.states(), "rr");
  // The second round does not take the first one for its own.
  signal_barrier(waves[0], kGroupBarrier);
  wait_barrier(waves[0], kGroupBarrier);
  EXPECT_EQ(waves.states(), "wr");
  wait_barrier(waves[1], kGroupBarrier);
  EXPECT_EQ(waves.states(), "wr");
  signal_barrier(waves[1], kGroupBarrier);
  EXPECT_EQ(waves.states(), "rr");
}

TEST(Barrier, EndedWavesDoNotCount) {
  Group waves(3);
  signal_barrier(waves[0], kGroupBarrier);
  wait_barrier(waves[0], kGroupBarrier);
  end_wave(waves[1]);
  EXPECT_EQ(waves.states(), "wer");
  end_wave(waves[2]);
  EXPECT_EQ(waves.states(), "ree");
}

TEST(Barrier, NamedBarriersHaveTheirOwnMembers) {
  Group waves(4);
  init_barrier(waves[0], 3, 2);
  join_barrier(waves[1], 3);
  join_barrier(waves[2], 3);
  signal_barrier(waves[1], 3);
  wait_barrier(waves[1], 3);
  EXPECT_EQ(waves.states(), "rwrr");
  signal_barrier(waves[2], 3);
  wait_barrier(waves[2], 3);
  EXPECT_EQ(waves.states(), "rrrr");
  EXPECT_EQ(waves.group.barrier.arrived, 0U);
  // A member that leaves is waited for no longer.
  signal_barrier(waves[1], 3);
  wait_barrier(waves[1], 3);
  EXPECT_EQ(waves.states(), "rwrr");
  EXPECT_TRUE(leave_barrier(waves[2]));
  EXPECT_EQ(waves.states(), "rrrr");
  EXPECT_FALSE(leave_barrier(waves[2]));
}

TEST(Barrier, FirstSignalInScc) {
  const char* text = "s_barrier_signal_isfirst -1\ns_get_barrier_state s0, -1";
  on_targets(text, [&](Lab& lab) {
    lab.group().waves.reserve(1);
    lab.group().barrier.members = 3;
    lab.run(text);
    EXPECT_EQ(lab.s(kScc), 1U);
    EXPECT_EQ(lab.s(0), 1U << 16 | 3U << 4 | 1U);
    lab.group().barrier = {.members = 3, .arrived = 1};
    lab.run(text);
    EXPECT_EQ(lab.s(kScc), 0U);
  });
}

}  // namespace
}  // namespace hipwright::soft
