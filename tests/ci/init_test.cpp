// SPDX-License-Identifier: MIT
#include "ci/init/init.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/engine.h"
#include "syntax/workflow/workflow.h"

namespace hipwright::ci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

NewWorkflow planned(Preset preset, const char* targets = "gfx90a,gfx942,gfx1100,gfx1201") {
  return plan_workflow({.preset = preset, .has_ctest = true, .has_pytest = true},
                       {.targets = arch::parse_targets(targets).value()});
}

TEST(Init, WritesWorkflowsWithoutFindings) {
  for (const Preset preset : {Preset::kCpp, Preset::kTorchExtension, Preset::kPython}) {
    const std::string text = workflow_text(planned(preset));
    const lint::Options options{.select = {"workflow"}};
    const auto report = lint::lint_text(options, ".github/workflows/rocm.yml", text).value();
    for (const lint::Finding& finding : report.findings)
      ADD_FAILURE() << to_string(preset) << ":" << finding.position.line << ": " << finding.code
                    << " " << finding.message;
    const syntax::workflow::File file(text);
    EXPECT_GE(file.jobs().size(), 3U);
    EXPECT_NE(file.job("summary"), nullptr);
  }
}

TEST(Init, RunsOneTargetOfEachWaveSize) {
  const std::string text = workflow_text(planned(Preset::kCpp));
  EXPECT_THAT(text, HasSubstr("gfx: [gfx90a, gfx942, gfx1100, gfx1201]"));
  EXPECT_THAT(text, HasSubstr("gfx: [gfx90a, gfx1100]"));
}

TEST(Update, ReplacesWhatNobodyEdited) {
  const NewWorkflow old = planned(Preset::kCpp, "gfx942"), now = planned(Preset::kCpp);
  const auto updated = update_workflow(workflow_text(old), now, "rocm.yml").value();
  EXPECT_EQ(updated.text, workflow_text(now));
  EXPECT_THAT(updated.kept, IsEmpty());
  EXPECT_EQ(update_workflow(updated.text, now, "rocm.yml")->text, updated.text);
}

TEST(Update, KeepsHandEdits) {
  const NewWorkflow old = planned(Preset::kCpp, "gfx942"), now = planned(Preset::kCpp);
  std::string text = workflow_text(old);
  const std::string step = "cmake --build build --parallel\n";
  text.replace(text.find(step), step.size(), "cmake --build build --parallel 2 # small runner\n");
  text += "\n  mine:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n";
  const auto updated = update_workflow(text, now, "rocm.yml").value();
  EXPECT_THAT(updated.kept, ElementsAre("job compile: edited by hand", "job mine: added by hand"));
  EXPECT_THAT(updated.text, HasSubstr("--parallel 2 # small runner"));
  EXPECT_THAT(updated.text, HasSubstr("  mine:\n"));
  EXPECT_THAT(updated.text, HasSubstr("gfx: [gfx90a, gfx1100]")) << "the other jobs are updated";
  EXPECT_THAT(updated.text, Not(HasSubstr("gfx: [gfx90a, gfx942, gfx1100, gfx1201]")));
  EXPECT_EQ(update_workflow(updated.text, now, "rocm.yml")->text, updated.text);
  EXPECT_TRUE(syntax::workflow::File(updated.text).yaml().problems().empty());
}

TEST(Update, RefusesWhatItCannotRead) {
  EXPECT_FALSE(update_workflow("jobs: [", planned(Preset::kCpp), "rocm.yml"));
  EXPECT_FALSE(update_workflow("on: push\n", planned(Preset::kCpp), "rocm.yml"));
}

}  // namespace
}  // namespace hipwright::ci
