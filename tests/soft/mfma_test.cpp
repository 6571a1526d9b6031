// SPDX-License-Identifier: MIT
// Every MFMA and SMFMAC on every target that has it, against the oracle of matrix_oracle.h.
#include <gtest/gtest.h>

#include <cstdlib>
#include <span>

#include "soft/exec/ops/ops.h"
#include "soft/lab.h"
#include "soft/mfma_run.h"

namespace hipwright::soft {

namespace generic {
std::span<const Op> mfma_ops();
}

namespace {

using namespace matrix_test;

std::vector<std::string> matrix_names(std::string_view prefix) {
  std::vector<std::string> names;
  for (const Op* op : all_ops())
    if (op->name.starts_with(prefix)) names.emplace_back(op->name);
  return names;
}

// Calls f(run, shape, gfx) for each instruction on each target whose assembler takes it.
template <class F>
unsigned for_each_mfma(std::string_view prefix, F f) {
  unsigned count = 0;
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950"})
    for (const std::string& name : matrix_names(prefix)) {
      const Shape shape = parse(name);
      if (shape.any_format) continue;
      MfmaRun run(gfx, shape);
      // The older spelling assembles on newer targets too.
      const bool old = gfx == "gfx908" || gfx == "gfx90a";
      if (shape.old != old || !run.lab().accepts(run.text())) continue;
      f(run, shape, gfx);
      ++count;
    }
  return count;
}

TEST(Mfma, SmallIntegersLandInTheDocumentedPlaces) {
  std::mt19937_64 random(1);
  const unsigned count =
      for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape&, const std::string&) {
        run.fill(0, random);
        run.lab().run(run.text());
        run.expect("small integers");
      });
  EXPECT_EQ(count, 20U + 27U + 32U + 36U);  // gfx908, gfx90a, gfx942, gfx950
}

TEST(Mfma, RandomAndSpecialValuesGiveTheModelsBits) {
  std::mt19937_64 random(2);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape&, const std::string&) {
    for (const int style : {1, 1, 2, 2, 3, 3}) {
      run.fill(style, random);
      run.lab().run(run.text());
      run.expect(fmt::format("style {}", style));
    }
  });
}

// What the accumulator does to the sum: cancels it to the last bits, outweighs it or disappears.
TEST(Mfma, AccumulatorsOfEverySizeGiveTheModelsBits) {
  std::mt19937_64 random(14);
  for_each_mfma("v_mfma_f32", [&](MfmaRun& run, const Shape&, const std::string&) {
    for (unsigned round = 0; round < 9; ++round) {
      run.fill(round % 3 == 2 ? 2 : 1, random);
      run.replace_c([](std::uint32_t) { return 0; });
      run.lab().run(run.text());
      run.expect("from zero");
      if (round % 3 != 2) run.expect_near("from zero");
      run.replace_c([&](std::uint32_t sum) -> std::uint32_t {
        const std::uint32_t opposite = sum ^ 0x80000000U;
        switch (random() % 8) {
          case 0:
            return opposite;
          case 1:
          case 2:  // the upper bits cancel
            return opposite ^ static_cast<std::uint32_t>(random() >> (40 + random() % 24));
          case 3:  // some exponents apart
            return sum + static_cast<std::uint32_t>(
                             (static_cast<std::int64_t>(random() % 64) - 32) * 0x800000);
          case 4:
            return static_cast<std::uint32_t>(random() & 0x80ffffff);  // denormals and near
          case 5:
            return static_cast<std::uint32_t>(random());
          case 6:  // so much larger that one bit of the sum is left, or none
            return (opposite & 0x7fffffff) < 0x70000000 ? opposite + 24 * 0x800000 : opposite;
          default:
            return opposite - static_cast<std::uint32_t>(random() % 12 * 0x800000);
        }
      });
      run.lab().run(run.text());
      run.expect(fmt::format("round {}", round));
    }
  });
}

TEST(Mfma, InactiveLanesTakePart) {
  std::mt19937_64 random(3);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape&, const std::string&) {
    run.fill(1, random);
    run.lab().wave().set_exec(0x00ff00f0'12345678);
    run.lab().run(run.text());
    run.expect("partial exec");
  });
}

TEST(Mfma, AccumulatorsMayBeTheDestination) {
  std::mt19937_64 random(4);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape& shape, const std::string& gfx) {
    run.fill(1, random);
    const std::string text = run.text("a", "0");
    if (gfx == "gfx908") return;  // all tests of it write accumulators
    // One register file for both on gfx90a and later: C must be a constant here.
    ASSERT_TRUE(run.lab().accepts(text)) << gfx << " " << text;
    for (auto& [at, bits] : run.matrices().c) bits = 0;
    run.lab().run(text);
    run.expect(shape.name + " to accumulators", true);
  });
}

TEST(Mfma, ConstantsAreOfTheAccumulatorsType) {
  std::mt19937_64 random(5);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape& shape, const std::string&) {
    for (const std::string constant : {"1.0", "-4.0", "64"}) {
      run.fill(0, random);
      const bool integer = constant == "64";
      const double value = std::stod(constant);
      const std::uint64_t bits = integer ? 64
                                 : shape.out == "f64"
                                     ? std::bit_cast<std::uint64_t>(value)
                                     : std::bit_cast<std::uint32_t>(static_cast<float>(value));
      for (auto& [at, c] : run.matrices().c) c = bits;
      const std::string text = run.text("v", constant);
      if (!run.lab().accepts(text)) continue;
      run.lab().run(text);
      run.expect("C = " + constant);
    }
  });
}

TEST(Mfma, BlocksOfAAreBroadcast) {
  std::mt19937_64 random(6);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape& shape, const std::string&) {
    if (shape.blocks == 1 || shape.out == "f64") return;
    for (unsigned cbsz = 1; 1U << cbsz <= shape.blocks; ++cbsz)
      for (unsigned abid : {0U, (1U << cbsz) - 1}) {
        run.fill(1, random);
        run.lab().run(run.text("v", "", fmt::format(" cbsz:{} abid:{}", cbsz, abid)));
        const auto a = run.matrices().a;
        for (auto& [at, bits] : run.matrices().a) {
          const auto [block, row, k] = at;
          bits = a.at({block / (1U << cbsz) * (1U << cbsz) + abid, row, k});
        }
        run.expect(fmt::format("cbsz {} abid {}", cbsz, abid));
      }
  });
}

TEST(Mfma, LanesOfBFollowThePattern) {
  // BLGP: which 16 lanes of B each 16 lanes read.
  constexpr unsigned kGroups[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                      {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
  std::mt19937_64 random(7);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape& shape, const std::string& gfx) {
    if (shape.out == "f64") return;
    const bool every_shape = gfx == "gfx908" || gfx == "gfx90a";
    if (!every_shape && shape.blocks == 1 && shape.a != "f32") return;
    for (unsigned blgp = 1; blgp < 8; ++blgp) {
      run.fill(1, random);
      run.lab().run(run.text("v", "", fmt::format(" blgp:{}", blgp)));
      const unsigned per_lane = shape.m * shape.k * shape.blocks / kLanes;
      const auto b = run.matrices().b;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned element = 0; element < per_lane; ++element) {
          const unsigned source = kGroups[blgp][lane / 16] * 16 + lane % 16;
          const auto to = input_position(shape, shape.k, element, lane);
          const auto from = input_position(shape, shape.k, element, source);
          run.matrices().b[{to.block, to.k, to.row}] = b.at({from.block, from.k, from.row});
        }
      run.expect(fmt::format("blgp {}", blgp));
    }
  });
}

TEST(Mfma, SignsOfDoublesCanBeFlipped) {
  std::mt19937_64 random(8);
  for_each_mfma("v_mfma_f64", [&](MfmaRun& run, const Shape&, const std::string& gfx) {
    if (gfx == "gfx90a") return;
    for (unsigned neg = 1; neg < 8; ++neg) {
      run.fill(1, random);
      run.lab().run(
          run.text("v", "", fmt::format(" neg:[{},{},{}]", neg & 1, neg >> 1 & 1, neg >> 2)));
      const auto flip = [](auto& matrix) {
        for (auto& [at, bits] : matrix) bits ^= std::uint64_t{1} << 63;
      };
      if (neg & 1) flip(run.matrices().a);
      if (neg & 2) flip(run.matrices().b);
      if (neg & 4) flip(run.matrices().c);
      run.expect(fmt::format("neg {}", neg));
    }
  });
}

TEST(Mfma, SumsMayReplaceTheirOwnAccumulator) {
  std::mt19937_64 random(9);
  for_each_mfma("v_mfma_", [&](MfmaRun& run, const Shape& shape, const std::string&) {
    run.fill(1, random);
    const unsigned dwords = shape.out_elements() * (shape.out == "f64" ? 2 : 1);
    for (unsigned row = 0; row < dwords; ++row)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        run.lab().set_v(run.file_row(kD) + row, lane, run.lab().v(run.file_row(kC) + row, lane));
    run.lab().run(run.text("v", registers(run.file(), kD, dwords)));
    run.expect("in place");
  });
}

TEST(Smfmac, StoredElementsMeetTheRowsThatTheIndexNames) {
  std::mt19937_64 random(10);
  const unsigned count =
      for_each_mfma("v_smfmac_", [&](MfmaRun& run, const Shape& shape, const std::string& gfx) {
        const unsigned set_bits = shape.m * shape.stored() / kLanes * 2;
        for (unsigned abid = 0; abid < 32 / set_bits; ++abid)
          for (const int style : {0, 1}) {
            run.fill(style, random);
            run.fill_index(abid, random);
            const unsigned words = shape.out_elements();
            for (unsigned row = 0; row < words; ++row)
              for (unsigned lane = 0; lane < kLanes; ++lane)
                run.lab().set_v(kD + row, lane, run.lab().v(kC + row, lane));
            run.lab().run(run.text("v", "", abid ? fmt::format(" abid:{}", abid) : ""));
            const std::string what = fmt::format("abid {}", abid);
            if (shape.out == "i32" || style == 0)
              run.expect(what);
            else
              run.expect_near(what);
          }
        // A cbsz that is not 0 always takes the first set.
        run.fill(0, random);
        run.fill_index(0, random);
        for (unsigned row = 0; row < shape.out_elements(); ++row)
          for (unsigned lane = 0; lane < kLanes; ++lane)
            run.lab().set_v(kD + row, lane, run.lab().v(kC + row, lane));
        run.lab().run(run.text("v", "", " cbsz:1 abid:1"));
        run.expect(gfx + " cbsz");
      });
  EXPECT_GE(count, 14U + 28U);
}

// --- fidelity and refusals ---

TEST(Mfma, OnlyPublishedModelsAreLabelledExact) {
  const Op* f16 = find_op("v_mfma_f32_32x32x8_f16");
  ASSERT_TRUE(f16);
  EXPECT_EQ(fidelity_on(*f16, Isa::kGfx942), Fidelity::kExact);
  EXPECT_EQ(fidelity_on(*f16, Isa::kGfx950), Fidelity::kApproximate);
  EXPECT_FALSE(f16->bound.empty());
  for (const Op* op : all_ops()) {
    if (op->kind != OpClass::kMatrix) continue;
    EXPECT_TRUE(op->fidelity == Fidelity::kExact || !op->bound.empty()) << op->name;
    if (op->name.find("_i32_") != std::string_view::npos) {
      EXPECT_EQ(fidelity_on(*op, Isa::kGfx950), Fidelity::kExact) << op->name;
    }
  }
}

TEST(Mfma, TheFastModeIsOptInAndLabelledApproximate) {
  ASSERT_EQ(setenv("HIPWRIGHT_SOFT_MFMA", "fast", 1), 0);
  const std::span<const Op> fast = generic::mfma_ops();
  ASSERT_EQ(unsetenv("HIPWRIGHT_SOFT_MFMA"), 0);
  const std::span<const Op> exact = generic::mfma_ops();
  ASSERT_EQ(fast.size(), exact.size());
  std::mt19937_64 random(13);
  for (std::size_t i = 0; i < fast.size(); ++i) {
    ASSERT_EQ(fast[i].name, exact[i].name);
    const Shape shape = fast[i].name.starts_with("v_mfma_f32") ? parse(fast[i].name) : Shape{};
    if (shape.name.empty() || shape.any_format || shape.old) continue;
    EXPECT_EQ(fast[i].fidelity == Fidelity::kApproximate, shape.a != "f32" || shape.k > 16)
        << fast[i].name;
    MfmaRun run("gfx950", shape);
    run.fill(1, random);
    Inst inst;
    const auto place = [](Operand& operand, unsigned row, unsigned dwords) {
      operand.kind = Operand::Kind::kVector;
      operand.index = static_cast<std::uint16_t>(row);
      operand.dwords = static_cast<std::uint8_t>(dwords);
    };
    place(inst.src[0], kA, 16);
    place(inst.src[1], kB, 16);
    place(inst.src[2], kC, 32);
    place(inst.dst[0], kD, 32);
    fast[i].run(run.lab().wave(), inst);
    ASSERT_EQ(run.lab().wave().state, WaveState::kReady) << run.lab().wave().fault.what;
    run.expect_near("fast");
  }
}

TEST(Mfma, UndocumentedModifiersStopTheWave) {
  for (const char* text :
       {"v_mfma_f32_32x32x8_f16 v[64:79], v[0:1], v[16:17], v[32:47] blgp:1",
        "v_mfma_f32_32x32x8_f16 v[64:79], v[0:1], v[16:17], v[32:47] cbsz:1",
        "v_mfma_f32_32x32x4_2b_f16 v[64:95], v[0:1], v[16:17], v[32:63] cbsz:2"}) {
    Lab lab("gfx942");
    lab.run(text);
    EXPECT_EQ(lab.wave().state, WaveState::kFault) << text;
    EXPECT_EQ(lab.wave().fault.kind, Fault::Kind::kUnsupported) << text;
  }
}

TEST(Accvgpr, MovesBetweenTheTwoHalvesOfTheFileUnderExec) {
  for (const std::string gfx : {"gfx90a", "gfx942", "gfx950"}) {
    Lab lab(gfx);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      lab.set_v(1, lane, lane * 3 + 1);
      lab.set_v(256 + 7, lane, 77);
      lab.set_v(256 + 8, lane, 88);
      lab.set_v(2, lane, 22);
    }
    lab.wave().set_exec(0xff);
    lab.run("v_accvgpr_write_b32 a7, v1\nv_accvgpr_mov_b32 a8, a7\nv_accvgpr_read_b32 v2, a8");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(lab.v(256 + 7, lane), lane < 8 ? lane * 3 + 1 : 77U);
      EXPECT_EQ(lab.v(256 + 8, lane), lane < 8 ? lane * 3 + 1 : 88U);
      EXPECT_EQ(lab.v(2, lane), lane < 8 ? lane * 3 + 1 : 22U);
    }
    lab.run("v_accvgpr_write_b32 a7, 1.0");
    EXPECT_EQ(lab.v(256 + 7, 0), 0x3f800000U);
  }
}

}  // namespace
}  // namespace hipwright::soft
