// SPDX-License-Identifier: MIT
// What results prove, without running anything: they are written by hand here.
#include "base/json.h"
#include "verify/devices.h"
#include "verify/folder.h"
#include "verify/kernel/results.h"
#include "verify/kernel/sweep.h"

namespace hipwright::verify {
namespace {

class Sweep : public testing::Test {
 protected:
  Sweep() {
    folder_.add("k.hip", "text");
    specs_ = read_specs(folder_.add("a.kernel.toml", R"([k]
source = "k.hip"
block = [64]
grid = [2]
arguments = [ { name = "y", type = "i32", shape = [128], output = true } ]
invariants = ["sum(y) == 128"]
)"))
                 .value();
    options_.devices = {"soft:gfx942", "soft:gfx1100"};
    options_.schedules = 1;
    cells_ = cells_of(specs_, options_);
  }

  // All ones but where `wrong` says so.
  void give(const Cell& cell, const std::vector<std::size_t>& wrong = {},
            Json findings = Json::array()) {
    CellResult result;
    result.stage = Stage::kDone;
    result.device = cell.device;
    result.compiler = "a compiler";
    result.wave_size = cell.device == "soft:gfx942" ? 64 : 32;
    result.block_size = 64;
    result.findings = CheckFindings(std::move(findings));
    Values values = zeros(DataType::kI32, {128});
    for (std::size_t i = 0; i < 128; ++i) store(values, i, 1);
    for (const std::size_t i : wrong) store(values, i, 7);
    result.outputs.emplace("y", std::move(values));
    put(cell, result);
  }
  void put(const Cell& cell, const CellResult& result) {
    const auto written = write_result(folder_.path(), cell_id(specs_[0], cell), cell, result);
    ASSERT_TRUE(written) << written.error().message();
  }
  std::vector<Check> judged() {
    auto checks = judge(specs_, cells_, {folder_.path()});
    EXPECT_TRUE(checks) << checks.error().message();
    return checks.value_or(std::vector<Check>());
  }
  static std::vector<std::string> failed(const std::vector<Check>& checks) {
    std::vector<std::string> questions;
    for (const Check& check : checks)
      if (check.verdict == Verdict::kFail) questions.push_back(check.question);
    return questions;
  }

  TestFolder folder_;
  std::vector<KernelSpec> specs_;
  SweepOptions options_;
  std::vector<Cell> cells_;
};

TEST_F(Sweep, HasEveryDeviceAndASchedulePerWaveSize) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells_) texts.push_back(cell.text());
  EXPECT_EQ(texts, (std::vector<std::string>{"k on soft:gfx942, seed 1, deterministic",
                                             "k on soft:gfx942, seed 1, random:1",
                                             "k on soft:gfx1100, seed 1, deterministic",
                                             "k on soft:gfx1100, seed 1, random:1"}));
}

TEST_F(Sweep, PassesWhenAllAgree) {
  for (const Cell& cell : cells_) give(cell);
  const Pyramid pyramid{"k", judged()};
  EXPECT_EQ(failed(pyramid.checks), std::vector<std::string>());
  for (const Level level : {Level::kBuild, Level::kFunctional, Level::kNumerical})
    EXPECT_EQ(verdict_of(pyramid, level), Verdict::kPass);
}

TEST_F(Sweep, AgreementOnNothingProvesNothing) {
  for (const Cell& cell : cells_) {
    give(cell);
    CellResult result = *read_result(folder_.path(), cell_id(specs_[0], cell)).value();
    result.outputs["y"] = zeros(DataType::kI32, {128});  // unchanged by the launch
    put(cell, result);
  }
  unsigned unproven = 0;
  for (const Check& check : judged())
    if (check.question.find("agree") != std::string::npos ||
        check.question.find("does not matter") != std::string::npos) {
      EXPECT_EQ(check.verdict, Verdict::kNotChecked) << check.question;
      EXPECT_NE(check.evidence.find("y: unchanged by the launch"), std::string::npos)
          << check.evidence;
      ++unproven;
    }
  EXPECT_EQ(unproven, 3U);
}

TEST_F(Sweep, WhatIsWrittenAndNotComparedIsSaid) {
  for (const Cell& cell : cells_) {
    give(cell);
    CellResult result = *read_result(folder_.path(), cell_id(specs_[0], cell)).value();
    result.also_written = {"x"};
    put(cell, result);
  }
  unsigned said = 0;
  for (const Check& check : judged())
    if (check.question == "every buffer it writes is compared") {
      EXPECT_EQ(check.verdict, Verdict::kNotChecked);
      EXPECT_NE(check.evidence.find("writes x"), std::string::npos) << check.evidence;
      ++said;
    }
  EXPECT_EQ(said, 1U);
}

TEST_F(Sweep, DifferentWavesAreSaidWithTheirLanes) {
  std::vector<std::size_t> upper;
  for (std::size_t i = 0; i < 128; ++i)
    if (i % 64 >= 32) upper.push_back(i);
  for (const Cell& cell : cells_)
    give(cell, cell.device == "soft:gfx942" ? upper : std::vector<std::size_t>());
  const std::vector<Check> checks = judged();
  EXPECT_EQ(failed(checks),
            (std::vector<std::string>{"wave32 (soft:gfx1100) and wave64 (soft:gfx942) agree",
                                      "sum(y) == 128 on soft:gfx942"}));
  for (const Check& check : checks)
    if (check.question.starts_with("wave32")) {
      EXPECT_NE(check.evidence.find("lane"), std::string::npos) << check.evidence;
      EXPECT_TRUE(check.picture.starts_with("\x89PNG"));
      EXPECT_EQ(check.setting.compiler, "a compiler");
    }
}

TEST_F(Sweep, AScheduleThatMattersFailsBeforeNumbersDo) {
  for (const Cell& cell : cells_)
    give(cell, cell.schedule == "random:1" && cell.device == "soft:gfx942"
                   ? std::vector<std::size_t>{5}
                   : std::vector<std::size_t>());
  const std::vector<Check> checks = judged();
  EXPECT_EQ(failed(checks),
            std::vector<std::string>{"wave order does not matter on soft:gfx942 (random:1)"});
  for (const Check& check : checks)
    EXPECT_TRUE(check.verdict != Verdict::kFail || check.level == Level::kFunctional);
}

TEST_F(Sweep, FindingsOfTheChecksAreFailures) {
  for (const Cell& cell : cells_)
    give(cell, {},
         Json::array({{{"kind", "lds-race"}, {"severity", "error"}, {"what", "a store"}}}));
  const std::vector<Check> checks = judged();
  EXPECT_EQ(failed(checks).size(), 4U);
  EXPECT_NE(checks[1].evidence.find("lds-race: a store"), std::string::npos) << checks[1].evidence;
}

TEST_F(Sweep, WhatDidNotRunIsNotAPass) {
  give(cells_[0]);
  const Pyramid pyramid{"k", judged()};
  EXPECT_EQ(failed(pyramid.checks), std::vector<std::string>());
  EXPECT_EQ(verdict_of(pyramid, Level::kFunctional), Verdict::kNotChecked);
}

TEST_F(Sweep, AResultWithoutWhatTheChecksFoundIsNone) {
  for (const Cell& cell : cells_) give(cell);
  auto result = read_result(folder_.path(), cell_id(specs_[0], cells_[0])).value().value();
  result.is_whole = false;  // the sweep was killed before it added them
  put(cells_[0], result);
  const Pyramid pyramid{"k", judged()};
  EXPECT_EQ(counts_of(pyramid, Level::kFunctional).open, 1U);
}

TEST_F(Sweep, CompilersThatRefuseAndDevicesThatAreLostAreSaid) {
  put(cells_[0], {.stage = Stage::kBuild, .error = "k.hip:1: error"});
  put(cells_[2], {.stage = Stage::kLost, .error = "no answer"});
  const std::vector<Check> checks = judged();
  EXPECT_EQ(failed(checks),
            (std::vector<std::string>{"compiles for soft:gfx942", "runs on soft:gfx1100"}));
}

TEST_F(Sweep, CodeForOtherGpusIsNotAFailure) {
  give(cells_[0]);
  put(cells_[2], {.stage = Stage::kOtherTarget, .error = "k.co has code for gfx942 only"});
  put(cells_[3], {.stage = Stage::kOtherTarget, .error = "k.co has code for gfx942 only"});
  const Pyramid pyramid{"k", judged()};
  EXPECT_EQ(failed(pyramid.checks), std::vector<std::string>());
  EXPECT_EQ(counts_of(pyramid, Level::kBuild).open, 1U);
  EXPECT_EQ(verdict_of(pyramid, Level::kBuild), Verdict::kNotChecked);
}

TEST_F(Sweep, WhatTakesTooLongIsAHangWhenOthersWereQuick) {
  CellResult slow{.stage = Stage::kTimedOut, .device = "soft:gfx942", .seconds = 300};
  put(cells_[0], slow);
  EXPECT_EQ(failed(judged()), std::vector<std::string>());
  for (const Check& check : judged())
    if (check.question == "runs on soft:gfx942") {
      EXPECT_EQ(check.verdict, Verdict::kNotChecked);
      EXPECT_NE(check.evidence.find("--timeout"), std::string::npos);
    }
  give(cells_[2]);
  EXPECT_EQ(failed(judged()), std::vector<std::string>{"runs on soft:gfx942"});
  for (const Check& check : judged())
    if (check.verdict == Verdict::kFail) {
      EXPECT_NE(check.evidence.find("soft:gfx1100"), std::string::npos) << check.evidence;
    }
}

TEST_F(Sweep, BuildsTellWhatTheKernelTakes) {
  const Resources takes{{"vgprs", 70}, {"sgprs", 18}, {"lds", 512}, {"scratch", 16}, {"spills", 3}};
  const auto build = [&](const Limits& limits) {
    specs_[0].limits = limits;
    for (const Cell& cell : cells_)
      put(cell, {.stage = Stage::kRun, .compiler = "a compiler", .resources = takes});
    const std::vector<Check> checks = judged();
    const auto found = std::find_if(checks.begin(), checks.end(), [](const Check& check) {
      return check.level == Level::kBuild;
    });
    return found == checks.end() ? Check() : *found;
  };
  const Check spilled = build({});
  EXPECT_EQ(spilled.verdict, Verdict::kPass);
  EXPECT_EQ(spilled.evidence,
            "70 VGPRs, 18 SGPRs, 512 bytes of LDS, 16 bytes of scratch, 3 registers spilled\n"
            "warning: 3 registers spilled to memory");
  const Check limited = build({{"spills", 0}, {"vgprs", 70}});
  EXPECT_EQ(limited.verdict, Verdict::kFail);
  EXPECT_NE(limited.evidence.find("3 spills exceeds the spec's limit of 0"), std::string::npos);
  EXPECT_EQ(limited.evidence.find("vgprs exceeds"), std::string::npos);
}

TEST_F(Sweep, DevicesWithoutASourceAreSaid) {
  options_.devices = {"soft:gfx942", "cuda:0"};
  const std::vector<Check> checks = left_out(specs_, options_);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].question, "runs on cuda:0");
  EXPECT_EQ(checks[0].verdict, Verdict::kNotChecked);
  EXPECT_NE(checks[0].evidence.find("cuda = "), std::string::npos);
  for (const Cell& cell : cells_of(specs_, options_)) EXPECT_NE(cell.device, "cuda:0");
}

TEST_F(Sweep, MergesWhatOtherMachinesRan) {
  give({"k", "hip:3", 1, ""});
  give({"another", "hip:4", 1, ""});
  EXPECT_EQ(devices_in({folder_.path()}, specs_).value(), std::vector<std::string>{"hip:3"});
}

TEST(Devices, AreWrittenInOneWay) {
  constexpr std::string_view kKinds[] = {"soft", "hip", "cuda"};
  const auto ids = [&](const std::vector<std::string>& names) {
    return device_ids(names, kKinds, false);
  };
  EXPECT_EQ(ids({"cuda", "soft:MI300X", "hip:1", "cuda:0"}).value(),
            (std::vector<std::string>{"cuda:0", "soft:gfx942", "hip:1"}));
  for (const char* wrong : {"banana", "soft:", "soft:gfx1", "cpu", "auto", "hip:x"})
    EXPECT_FALSE(ids({wrong})) << wrong;
}

TEST_F(Sweep, AResultThatIsDamagedIsAnError) {
  for (const Cell& cell : cells_) give(cell);
  folder_.add(cell_id(specs_[0], cells_[0]) + ".json", "{");
  EXPECT_FALSE(judge(specs_, cells_, {folder_.path()}));
}

}  // namespace
}  // namespace hipwright::verify
