// SPDX-License-Identifier: MIT
// What results prove, without running anything: they are written by hand here.
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
    result.findings = std::move(findings);
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
  EXPECT_EQ(failed(checks), std::vector<std::string>{
                                "the order of waves does not matter on soft:gfx942 (random:1)"});
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

TEST_F(Sweep, CompilersThatRefuseAndDevicesThatAreLostAreSaid) {
  put(cells_[0], {.stage = Stage::kBuild, .error = "k.hip:1: error"});
  put(cells_[2], {.stage = Stage::kLost, .error = "no answer"});
  const std::vector<Check> checks = judged();
  EXPECT_EQ(failed(checks),
            (std::vector<std::string>{"compiles for soft:gfx942", "runs on soft:gfx1100"}));
}

TEST_F(Sweep, AResultThatIsDamagedIsAnError) {
  for (const Cell& cell : cells_) give(cell);
  folder_.add(cell_id(specs_[0], cells_[0]) + ".json", "{");
  EXPECT_FALSE(judge(specs_, cells_, {folder_.path()}));
}

}  // namespace
}  // namespace hipwright::verify
