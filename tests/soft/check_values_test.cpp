// SPDX-License-Identifier: MIT
// How undefined and approximate values travel, instruction by instruction, and what reports count.
#include <gmock/gmock.h>

#include "base/json.h"
#include "soft/check/checks.h"
#include "soft/check/report.h"
#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using ::testing::HasSubstr;

// v0 is each lane's number times four and s[2:3] points to memory; v0 and s0 to s15 are defined,
// other registers are not.
class Bench {
 public:
  explicit Bench(std::string_view gfx, bool report = false) : lab(gfx), checks(options(report)) {
    const auto memory = lab.memory().allocate(4096, MemoryKind::kDevice);
    EXPECT_TRUE(memory);
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) lab.set_v(0, lane, 4 * lane);
    lab.set_s64(2, *memory);
    watch = checks.watch();
    watch->begin(lab.group());
    lab.wave().watch = watch.get();
  }
  ~Bench() { lab.wave().watch = nullptr; }
  void run(const std::string& text) {
    lab.run(text);
    EXPECT_NE(lab.wave().state, WaveState::kFault) << lab.wave().fault.what;
  }
  static CheckOptions options(bool report) {
    CheckOptions options;
    options.waits = options.races = false;
    options.report = report;
    return options;
  }

  Lab lab;
  Checks checks;
  std::unique_ptr<Watch> watch;
};

struct ValueCase {
  const char* name;
  const char* text;
  std::optional<FindingKind> kind;
  const char* words = "";
};
void PrintTo(const ValueCase& each, std::ostream* out) {
  *out << each.name;
}

constexpr auto kStore = FindingKind::kUninitialisedStore;
constexpr auto kAddress = FindingKind::kUninitialisedAddress;
constexpr auto kBranch = FindingKind::kUninitialisedBranch;

class CheckValues : public testing::TestWithParam<ValueCase> {};

TEST_P(CheckValues, AreFollowed) {
  Bench bench("gfx942");
  bench.run(GetParam().text);
  const auto all = bench.checks.findings().all();
  if (!GetParam().kind) {
    EXPECT_EQ(bench.checks.findings().text(), "");
    return;
  }
  ASSERT_EQ(all.size(), 1U) << bench.checks.findings().text();
  EXPECT_EQ(all[0].kind, *GetParam().kind);
  EXPECT_THAT(all[0].what, HasSubstr(GetParam().words));
}

#define STORE "\nglobal_store_dword v0, v6, s[2:3]"
#define STORE_SHORT "\nglobal_store_short v0, v6, s[2:3]"

const ValueCase kCases[] = {
    {"move", "v_mov_b32 v6, v5" STORE, kStore, "it comes from v5, which was never written"},
    {"computed_only", "v_add_f32 v6, v5, v5", std::nullopt},
    {"defined", "v_mov_b32 v6, v0" STORE, std::nullopt},
    {"sum", "v_add_u32 v6, v5, v0" STORE, kStore, "v5"},
    {"scalar", "v_add_u32 v6, s40, v0" STORE, kStore, "it comes from s40"},
    {"and_zero", "v_and_b32 v6, 0, v5" STORE, std::nullopt},
    {"and_part", "v_and_b32 v6, 0xff, v5" STORE, kStore},
    {"and_high", "v_and_b32 v6, 0xff0000, v5" STORE_SHORT, std::nullopt},
    {"or_ones", "v_or_b32 v6, -1, v5" STORE, std::nullopt},
    {"shift_up", "v_lshlrev_b32 v6, 16, v5" STORE_SHORT, std::nullopt},
    {"shift_up_a_little", "v_lshlrev_b32 v6, 12, v5" STORE_SHORT, kStore},
    {"shift_down", "v_mov_b32 v7, 0\nv_lshl_or_b32 v7, v5, 16, v7\nv_lshrrev_b32 v6, 16, v7" STORE,
     kStore},
    {"extract_defined", "v_lshlrev_b32 v7, 16, v5\nv_bfe_u32 v6, v7, 0, 8" STORE, std::nullopt},
    {"extract_undefined", "v_lshlrev_b32 v7, 16, v5\nv_bfe_u32 v6, v7, 16, 8" STORE, kStore},
    {"carry", "v_lshlrev_b32 v7, 16, v5\nv_add_u32 v6, v7, v0" STORE_SHORT, std::nullopt},
    {"permute_others", "s_mov_b32 s6, 0x03020100\nv_perm_b32 v6, v5, v0, s6" STORE, std::nullopt},
    {"permute", "s_mov_b32 s6, 0x07060504\nv_perm_b32 v6, v5, v0, s6" STORE, kStore},
    {"permute_other_signs", "s_mov_b32 s6, 0x09080908\nv_perm_b32 v6, v5, v0, s6" STORE,
     std::nullopt},
    {"permute_low_sign", "s_mov_b32 s6, 0x0c0c0c0a\nv_perm_b32 v6, v5, v0, s6" STORE, kStore},
    {"permute_high_sign", "s_mov_b32 s6, 0x0c0c0c0b\nv_perm_b32 v6, v5, v0, s6" STORE, kStore},
    {"select_other", "s_mov_b64 vcc, -1\nv_cndmask_b32 v6, v5, v0, vcc" STORE, std::nullopt},
    {"select", "s_mov_b64 vcc, 0\nv_cndmask_b32 v6, v5, v0, vcc" STORE, kStore, "v5"},
    {"select_by", "v_cmp_eq_u32 vcc, v5, v0\nv_cndmask_b32 v6, 0, v0, vcc" STORE, kStore, "v5"},
    {"wide_low", "v_mad_u64_u32 v[6:7], vcc, s4, s4, v[0:1]" STORE, std::nullopt},
    {"wide_high", "v_mad_u64_u32 v[8:9], vcc, s4, s4, v[0:1]\nv_mov_b32 v6, v9" STORE, kStore,
     "v1"},
    {"dpp", "v_mov_b32_dpp v6, v5 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf" STORE, kStore},
    {"sdwa_part",
     "v_mov_b32 v6, v5\nv_mov_b32_sdwa v6, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE "
     "src0_sel:WORD_0" STORE_SHORT,
     std::nullopt},
    {"packed_low", "v_pk_add_u16 v6, v0, v5 op_sel_hi:[0,0]" STORE_SHORT, kStore},
    {"packed_floats_other", "v_mov_b32 v8, v0\nv_pk_add_f32 v[6:7], v[8:9], v[8:9]" STORE,
     std::nullopt},
    {"packed_floats",
     "v_mov_b32 v8, v0\nv_pk_add_f32 v[10:11], v[8:9], v[8:9]\nv_mov_b32 v6, v11" STORE, kStore,
     "v9"},
    {"packed_floats_selected",
     "v_mov_b32 v8, v0\nv_pk_add_f32 v[10:11], v[8:9], v[8:9] op_sel_hi:[0,0]\nv_mov_b32 v6, "
     "v11" STORE,
     std::nullopt},
    {"packed_floats_crossed",
     "v_mov_b32 v8, v0\nv_pk_mul_f32 v[6:7], v[8:9], v[8:9] op_sel:[1,0]" STORE, kStore, "v9"},
    {"packed_move_other", "v_mov_b32 v8, v0\nv_pk_mov_b32 v[6:7], v[8:9], v[10:11]" STORE,
     std::nullopt},
    {"packed_move",
     "v_mov_b32 v8, v0\nv_pk_mov_b32 v[10:11], v[8:9], v[8:9] op_sel:[0,1]\nv_mov_b32 v6, "
     "v11" STORE,
     kStore, "v9"},
    {"mixed_half_other",
     "v_lshlrev_b32 v7, 16, v5\nv_fma_mix_f32 v6, v7, v0, v0 op_sel_hi:[1,0,0]" STORE,
     std::nullopt},
    {"mixed_half",
     "v_lshlrev_b32 v7, 16, v5\nv_fma_mix_f32 v6, v7, v0, v0 op_sel:[1,0,0] "
     "op_sel_hi:[1,0,0]" STORE,
     kStore},
    {"lds_unwritten", "ds_read_b32 v6, v0\ns_waitcnt lgkmcnt(0)" STORE, kStore,
     "shared memory that was never written"},
    {"lds_written", "ds_write_b32 v0, v0\nds_read_b32 v6, v0\ns_waitcnt lgkmcnt(0)" STORE,
     std::nullopt},
    {"lds_undefined", "ds_write_b32 v0, v5\nds_read_b32 v6, v0\ns_waitcnt lgkmcnt(0)" STORE,
     kStore},
    {"scratch_unwritten", "scratch_load_dword v6, off, s4\ns_waitcnt vmcnt(0)" STORE, kStore,
     "private memory"},
    {"scratch_written",
     "scratch_store_dword off, v0, s4\nscratch_load_dword v6, off, s4\ns_waitcnt vmcnt(0)" STORE,
     std::nullopt},
    {"half_loaded", "global_load_short_d16 v6, v0, s[2:3]\ns_waitcnt vmcnt(0)" STORE_SHORT,
     std::nullopt},
    {"other_half", "global_load_short_d16 v6, v0, s[2:3]\ns_waitcnt vmcnt(0)" STORE, kStore},
    {"address", "global_load_dword v6, v5, s[2:3]", kAddress, "v5"},
    {"scalar_address", "s_load_dword s6, s[2:3], s40", kAddress, "s40"},
    {"spill", "v_writelane_b32 v5, s4, 3\nv_readlane_b32 s20, v5, 3\nv_mov_b32 v6, s20" STORE,
     std::nullopt},
    {"spill_elsewhere",
     "v_writelane_b32 v5, s4, 3\nv_readlane_b32 s20, v5, 4\nv_mov_b32 v6, s20" STORE, kStore, "v5"},
    {"clock", "s_memtime s[20:21]\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v6, s20" STORE, std::nullopt},
    {"branch", "s_cmp_eq_u32 s40, 0\ns_cbranch_scc1 0", kBranch, "s40"},
    {"branch_known", "s_or_b32 s41, s40, 1\ns_cmp_eq_u32 s41, 0\ns_cbranch_scc1 0", std::nullopt},
    {"branch_vcc", "v_cmp_eq_u32 vcc, v5, v0\ns_cbranch_vccz 0", kBranch, "v5"},
    {"exec", "v_cmp_eq_u32 vcc, v5, v0\ns_and_saveexec_b64 s[30:31], vcc", kBranch, "v5"},
    {"exec_inactive",
     "s_mov_b64 exec, 15\nv_cmp_eq_u32 vcc, 0, v0\ns_mov_b32 vcc_hi, s40\n"
     "s_and_saveexec_b64 s[30:31], vcc",
     std::nullopt},
};

INSTANTIATE_TEST_SUITE_P(Cases, CheckValues, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

// A vector of bytes that is put together one by one, as gfx11's 16-bit instructions do it.
TEST(CheckValuesHalves, BytesOfHalvesAreFollowed) {
  const std::string first_byte = "v_bfi_b32 v5, 0xff, v0, v5\nv_mov_b32 v6, 0\n";
  const std::string store = "\nglobal_store_b32 v0, v6, s[2:3]";
  for (const char* const defined :
       {"v_and_b16 v6.l, v5.l, 0xff", "v_lshlrev_b16 v6.h, 8, v5.l", "v_or_b16 v6.l, v5.h, -1",
        "v_mov_b16 v7.l, v5.l\nv_and_b16 v6.h, v7.l, 0xff"}) {
    Bench bench("gfx1100");
    bench.run(first_byte + defined + store);
    EXPECT_EQ(bench.checks.findings().text(), "") << defined;
  }
  for (const char* const undefined : {"v_mov_b16 v6.l, v5.l", "v_lshrrev_b16 v6.l, 8, v5.l",
                                      "v_xor_b16 v6.h, v5.h, 1", "v_not_b16 v6.l, v5.h"}) {
    Bench bench("gfx1100");
    bench.run(first_byte + undefined + store);
    EXPECT_EQ(bench.checks.findings().all().size(), 1U) << undefined;
  }
}

TEST(CheckValuesJump, AnUndefinedTargetIsABranch) {
  Bench bench("gfx942");
  bench.lab.run("s_setpc_b64 s[40:41]");  // it goes nowhere
  const auto all = bench.checks.findings().all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, kBranch);
}

void expect_inactive_lane_read(Bench& bench) {
  const auto all = bench.checks.findings().all();
  ASSERT_EQ(all.size(), 1U) << bench.checks.findings().text();
  EXPECT_EQ(all[0].kind, FindingKind::kInactiveLane);
  ASSERT_TRUE(all[0].other);
  EXPECT_THAT(all[0].other->instruction, HasSubstr("ds_bpermute_b32"));
}

TEST(CheckValuesInactive, LanesThatDoNotRunHaveNoValue) {
  Bench bench("gfx942");
  bench.run(
      "s_mov_b64 exec, 15\nv_mov_b32 v7, 64\nds_bpermute_b32 v6, v7, v0\n"
      "s_waitcnt lgkmcnt(0)" STORE);
  expect_inactive_lane_read(bench);
}

TEST(CheckValuesInactive, AreBlamedThroughSharedMemory) {
  Bench bench("gfx942");
  // v5 is undefined where nothing runs: that is not where the value comes from.
  bench.run(
      "s_mov_b64 exec, 15\nv_mov_b32 v5, 1\nv_mov_b32 v7, 64\nds_bpermute_b32 v8, v7, v5\n"
      "s_waitcnt lgkmcnt(0)\nv_add_u32 v6, v5, v8\nds_write_b32 v0, v6\nds_read_b32 v6, v0\n"
      "s_waitcnt lgkmcnt(0)" STORE);
  expect_inactive_lane_read(bench);
}

TEST(CheckFindings, AreCountedOncePerInstructionAndReadable) {
  Bench bench("gfx942");
  const std::string loop = "s_mov_b32 s6, 5\nv_mov_b32 v6, v5" STORE
                           "\ns_sub_u32 s6, s6, 1\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 65530";
  bench.run(loop);
  const auto all = bench.checks.findings().all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].count, 5U);
  EXPECT_EQ(bench.checks.findings().errors(), 1U);
  const std::string text = bench.checks.findings().text();
  EXPECT_THAT(text, HasSubstr("error: uninitialised-store: "));
  EXPECT_THAT(text, HasSubstr("global_store_dword v0, v6, s[2:3]"));
  EXPECT_THAT(text, HasSubstr("by workgroup (0,0,0), wave 0, lane 0"));
  EXPECT_THAT(text, HasSubstr("5 occurrences"));
  const Json json = bench.checks.findings().json();
  EXPECT_EQ(json[0]["kind"], "uninitialised-store");
  EXPECT_EQ(json[0]["count"], 5);
}

// --- reports ---

KernelCounts counts_of(std::string_view gfx, const std::string& text) {
  auto bench = std::make_unique<Bench>(gfx, true);
  bench->run(text);
  bench->lab.wave().watch = nullptr;
  bench->watch.reset();
  const auto kernels = bench->checks.report().kernels();
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.empty() ? KernelCounts{} : kernels[0];
}

TEST(CheckLaneConflict, BothPairsOfAWrite2AreCompared) {
  for (const bool second : {false, true}) {
    Lab lab("gfx942");
    Checks checks(*parse_checks("races"));
    const auto watch = checks.watch();
    watch->begin(lab.group());
    lab.wave().watch = watch.get();
    for (unsigned lane = 0; lane < 64; ++lane) {
      lab.set_v(0, lane, 0);
      lab.set_v(1, lane, second ? 5 : lane);
      lab.set_v(2, lane, second ? lane : 5);
    }
    lab.run("ds_write2_b32 v0, v1, v2 offset1:1");
    lab.wave().watch = nullptr;
    const auto all = checks.findings().all();
    ASSERT_EQ(all.size(), 1U) << checks.findings().text();
    EXPECT_EQ(all[0].kind, FindingKind::kLaneConflict);
    EXPECT_EQ(all[0].memory, second ? 4U : 0U);
  }
}

TEST(CheckReport, CountsByClassAndLanes) {
  const KernelCounts counts = counts_of(
      "gfx942", "v_mov_b32 v6, v0\ns_mov_b64 exec, 15\nv_mov_b32 v6, v0\nv_rcp_f32 v6, v0");
  const auto of = [&](OpClass kind) { return counts.instructions[static_cast<unsigned>(kind)]; };
  EXPECT_EQ(of(OpClass::kVector), 2U);
  EXPECT_EQ(of(OpClass::kTranscendental), 1U);
  EXPECT_EQ(of(OpClass::kScalar), 1U);
  EXPECT_EQ(counts.vector_lanes, 64U + 4 + 4);
  EXPECT_EQ(counts.vector_lane_slots, 192U);
  EXPECT_EQ(counts.operations.at("v_rcp_f32").fidelity, Fidelity::kApproximate);
  EXPECT_EQ(counts.operations.at("v_mov_b32").fidelity, Fidelity::kExact);
}

TEST(CheckReport, CountsLinesOfGlobalAccesses) {
  // 64 consecutive dwords are two lines of 128 bytes; with a stride of 64 bytes, 32.
  KernelCounts counts = counts_of("gfx942", "global_load_dword v6, v0, s[2:3]");
  EXPECT_EQ(counts.global[0].accesses, 1U);
  EXPECT_EQ(counts.global[0].bytes, 256U);
  EXPECT_EQ(counts.global[0].lines, 2U);
  counts = counts_of("gfx942",
                     "v_lshlrev_b32 v6, 4, v0\nglobal_load_dword v7, v6, s[2:3]\n"
                     "global_store_dword v6, v0, s[2:3]");
  EXPECT_EQ(counts.global[0].lines, 32U);
  EXPECT_EQ(counts.global[1].lines, 32U);
}

TEST(CheckReport, CountsBankConflicts) {
  EXPECT_EQ(counts_of("gfx942", "ds_read_b32 v6, v0").lds_conflicts, 0U);
  // All lanes want dwords of one bank: 32 passes where one would do, twice.
  EXPECT_EQ(counts_of("gfx942", "v_lshlrev_b32 v6, 5, v0\nds_read_b32 v7, v6").lds_conflicts, 62U);
  // The same dword for all is one pass.
  EXPECT_EQ(counts_of("gfx942", "v_mov_b32 v6, 0\nds_read_b32 v7, v6").lds_conflicts, 0U);
  // gfx950 has 64 banks: every second lane of a stride of 32 dwords has its own.
  EXPECT_EQ(counts_of("gfx950", "v_lshlrev_b32 v6, 5, v0\nds_read_b32 v7, v6").lds_conflicts, 30U);
}

TEST(CheckReport, ReportsWhereApproximateValuesDecide) {
  KernelCounts counts = counts_of(
      "gfx942", "v_rcp_f32 v6, v0\nv_cmp_lt_f32 vcc, v6, v0\ns_and_saveexec_b64 s[30:31], vcc");
  ASSERT_EQ(counts.approximate_uses.size(), 1U);
  EXPECT_TRUE(counts.approximate_uses.begin()->second.branch);
  counts = counts_of("gfx942",
                     "v_exp_f32 v6, v0\nv_cvt_u32_f32 v6, v6\nv_and_b32 v6, 12, v6\n"
                     "global_load_dword v7, v6, s[2:3]");
  ASSERT_EQ(counts.approximate_uses.size(), 1U);
  EXPECT_FALSE(counts.approximate_uses.begin()->second.branch);
  EXPECT_TRUE(counts_of("gfx942", "v_rcp_f32 v6, v0\nglobal_store_dword v0, v6, s[2:3]")
                  .approximate_uses.empty());
}

TEST(CheckReport, ReadsAsTextAndJson) {
  auto bench = std::make_unique<Bench>("gfx942", true);
  bench->run("v_rcp_f32 v6, v0" STORE);
  bench->lab.wave().watch = nullptr;
  bench->watch.reset();
  const std::string text = bench->checks.report().text();
  EXPECT_THAT(text, HasSubstr("active lanes: 100.0%"));
  EXPECT_THAT(text, HasSubstr("global stores: 256 bytes in 1 accesses, 2.00 lines of 128 bytes"));
  EXPECT_THAT(text, HasSubstr("v_rcp_f32"));
  const Json json = bench->checks.report().json();
  EXPECT_EQ(json[0]["global"]["stores"]["lines"], 2);
  EXPECT_EQ(json[0]["fidelity"]["approximate"][0]["operation"], "v_rcp_f32");
}

}  // namespace
}  // namespace hipwright::soft
