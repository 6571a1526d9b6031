// SPDX-License-Identifier: MIT
#include "ci/init/init.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "lint/engine.h"
#include "paths.h"
#include "syntax/workflow/workflow.h"

namespace hipwright::ci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

Component component(Preset kind, std::string path = "") {
  return {.path = std::move(path),
          .kind = kind,
          .has_ctest = true,
          .has_pytest = true,
          .uses_torch = kind == Preset::kTorchExtension,
          .examples = {"examples/a.py"}};
}

Repository repository(Preset preset) {
  if (preset == Preset::kMonorepo)
    return {.components = {component(Preset::kCpp, "libs/core"),
                           component(Preset::kTorchExtension, "python/ext"),
                           component(Preset::kPython, "tools")}};
  return {.components = {component(preset)}};
}

InitOptions for_targets(const char* targets = "gfx90a,gfx942,gfx1100,gfx1201") {
  return {.targets = arch::parse_targets(targets).value()};
}

constexpr Preset kAll[] = {Preset::kCpp, Preset::kTorchExtension, Preset::kPython,
                           Preset::kMonorepo};

NewWorkflow checks(Preset preset, const char* targets = "gfx90a,gfx942,gfx1100,gfx1201") {
  return plan_workflows(repository(preset), for_targets(targets)).front();
}

NewWorkflow release(Preset preset) {
  return plan_workflows(repository(preset), for_targets()).back();
}

std::vector<std::string> ids(const NewWorkflow& workflow) {
  std::vector<std::string> all;
  for (const NewJob& job : workflow.jobs) all.push_back(job.id);
  return all;
}

TEST(Init, WritesWorkflowsWithoutFindings) {
  for (const Preset preset : kAll)
    for (const NewWorkflow& workflow : plan_workflows(repository(preset), for_targets())) {
      const std::string text = workflow_text(workflow);
      const lint::Options options{.select = {"workflow"}};
      const auto report = lint::lint_text(options, workflow_path(workflow), text).value();
      for (const lint::Finding& finding : report.findings)
        ADD_FAILURE() << to_string(preset) << ":" << finding.position.line << ": " << finding.code
                      << " " << finding.message;
      const syntax::workflow::File file(text);
      EXPECT_NE(file.job("summary"), nullptr);
    }
}

TEST(Init, HasTheJobsOfEachPreset) {
  EXPECT_THAT(ids(checks(Preset::kCpp)),
              ElementsAre("configure", "lint", "compile", "compile-windows", "software-gpu", "perf",
                          "gpu-linux", "gpu-windows", "profile-linux", "summary"));
  EXPECT_THAT(
      ids(checks(Preset::kTorchExtension)),
      ElementsAre("configure", "lint", "wheel-linux", "wheel-windows", "test", "perf", "gpu-linux",
                  "gpu-windows", "profile-linux", "profile-windows", "summary"));
  EXPECT_THAT(ids(checks(Preset::kPython)),
              ElementsAre("configure", "lint", "wheel", "test", "gpu-linux", "gpu-windows",
                          "profile-linux", "profile-windows", "summary"));
  EXPECT_THAT(ids(release(Preset::kTorchExtension)),
              ElementsAre("configure", "wheel-linux", "wheel-windows", "test", "gpu-linux",
                          "gpu-windows", "release", "publish", "summary"));
  EXPECT_THAT(ids(checks(Preset::kMonorepo)), Contains("compile-core"));
  EXPECT_THAT(ids(checks(Preset::kMonorepo)), Contains("wheel-linux-ext"));
  EXPECT_THAT(ids(checks(Preset::kMonorepo)), Contains("wheel-tools"));
}

// Machines of the project run only code of people who may push to it, for whatever reason a job
// is conditional otherwise.
TEST(Init, KeepsForksAwayFromSelfHostedRunners) {
  for (const Preset preset : kAll)
    for (const NewWorkflow& workflow : plan_workflows(repository(preset), for_targets()))
      for (const NewJob& job : workflow.jobs)
        EXPECT_EQ(
            job.runs_on.find("self-hosted") != std::string::npos,
            job.condition.find("head.repo.full_name == github.repository") != std::string::npos)
            << job.id;
}

TEST(Init, ReleasesWithoutCaches) {
  for (const Preset preset : kAll) {
    const std::string text = workflow_text(release(preset));
    EXPECT_EQ(text.find("actions/cache"), text.npos) << to_string(preset);
    EXPECT_EQ(text.find("cache: pip"), text.npos) << to_string(preset);
    EXPECT_THAT(text, HasSubstr("contents: write"));
  }
  EXPECT_THAT(workflow_text(checks(Preset::kCpp)), Not(HasSubstr("contents: write")));
}

TEST(Init, UploadsLogsOfFailedJobs) {
  for (const Preset preset : kAll)
    for (const NewJob& job : checks(preset).jobs)
      for (const NewStep& step : job.steps)
        if (step.name == "Upload logs") EXPECT_EQ(step.condition, "always()") << job.id;
}

// A script that a workflow or the page names is written, too.
TEST(Init, WritesTheScriptsThatItCalls) {
  for (const Preset preset : kAll) {
    const auto files = init_files(repository(preset), for_targets());
    EXPECT_THAT(files, Contains(Key(".github/rocm/setup-runner.sh")));
    for (const auto& [path, text] : files)
      for (std::size_t at = text.find(".github/rocm/"); at != std::string::npos;
           at = text.find(".github/rocm/", at + 1)) {
        const std::size_t end = text.find_first_of("\"'` \n;,)*", at);
        const std::string name = text.substr(at, end - at);
        if (name.ends_with(".sh") || name.ends_with(".py") || name.ends_with(".ps1"))
          EXPECT_THAT(files, Contains(Key(name))) << path;
      }
  }
}

TEST(Init, ShowsWhichTargetsAreCovered) {
  const auto files = init_files(repository(Preset::kCpp), for_targets());
  const std::string& page = files.at(".github/rocm/README.md");
  EXPECT_THAT(page,
              HasSubstr("| gfx942 (CDNA3) | 64 | compiled | - | - | if a runner has it | - |"));
  EXPECT_THAT(page, HasSubstr("| gfx1100 (RDNA3) | 32 | compiled | compiled | tested |"));
  EXPECT_THAT(page, HasSubstr("`ROCM_EXTRA_LIB_DIRS`"));
}

class Look : public testing::Test {
 protected:
  void add(const std::string& path, std::string_view text = "") {
    const auto file = scratch_.path() / path;
    ASSERT_TRUE(make_directories(file.parent_path()));
    ASSERT_TRUE(write_file_atomic(file, text));
  }
  const std::filesystem::path& root() const { return scratch_.path(); }

 private:
  TemporaryDirectory scratch_ = TemporaryDirectory::create().value();
};

TEST_F(Look, RecognisesABuildAtTheTop) {
  add("CMakeLists.txt", "enable_testing()");
  add("third_party/x/CMakeLists.txt");
  const auto found = look_at(root(), std::nullopt).value();
  EXPECT_EQ(found.preset(), Preset::kCpp);
  EXPECT_TRUE(found.components[0].has_ctest);
}

TEST_F(Look, RecognisesATorchExtension) {
  add("setup.py", "from torch.utils.cpp_extension import CUDAExtension");
  add("CMakeLists.txt");
  add("examples/run.py");
  const auto found = look_at(root(), std::nullopt).value();
  EXPECT_EQ(found.preset(), Preset::kTorchExtension);
  EXPECT_THAT(found.components[0].examples, ElementsAre("examples/run.py"));
}

TEST_F(Look, RecognisesAMonorepo) {
  add("libs/core/CMakeLists.txt");
  add("libs/core/tests/CMakeLists.txt", "add_test(NAME t COMMAND t)");
  add("python/ext/setup.py", "import torch.utils.cpp_extension");
  add("docs/page.md");
  const auto found = look_at(root(), std::nullopt).value();
  ASSERT_EQ(found.components.size(), 2U);
  EXPECT_EQ(found.preset(), Preset::kMonorepo);
  EXPECT_EQ(found.components[0].path, "libs/core");
  EXPECT_TRUE(found.components[0].has_ctest);
  EXPECT_EQ(found.components[1].kind, Preset::kTorchExtension);
}

TEST_F(Look, RefusesWhatItCannotTellApart) {
  EXPECT_FALSE(look_at(root(), std::nullopt)) << "nothing to build";
  add("a/core/CMakeLists.txt");
  add("b/core/CMakeLists.txt");
  EXPECT_FALSE(look_at(root(), std::nullopt)) << "both would be called core";
}

TEST_F(Look, RefusesNamesThatScriptsWouldSplit) {
  add("my lib/CMakeLists.txt");
  EXPECT_FALSE(look_at(root(), std::nullopt));
}

TEST(Update, ReplacesWhatNobodyEdited) {
  const NewWorkflow old = checks(Preset::kCpp, "gfx942"), now = checks(Preset::kCpp);
  const auto updated = update_workflow(workflow_text(old), now, "rocm.yml").value();
  EXPECT_EQ(updated.text, workflow_text(now));
  EXPECT_THAT(updated.kept, IsEmpty());
  EXPECT_EQ(update_workflow(updated.text, now, "rocm.yml")->text, updated.text);
}

TEST(Update, KeepsHandEdits) {
  const NewWorkflow old = checks(Preset::kCpp, "gfx942"), now = checks(Preset::kCpp);
  std::string text = workflow_text(old);
  const std::string step = "cmake --build build --parallel\n";
  text.replace(text.find(step), step.size(), "cmake --build build --parallel 2 # small runner\n");
  text += "\n  mine:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n";
  const auto updated = update_workflow(text, now, "rocm.yml").value();
  EXPECT_THAT(updated.kept, ElementsAre("job compile: edited by hand", "job mine: added by hand"));
  EXPECT_THAT(updated.text, HasSubstr("--parallel 2 # small runner"));
  EXPECT_THAT(updated.text, HasSubstr("  mine:\n"));
  EXPECT_THAT(updated.text, HasSubstr("'gfx90a,gfx942,gfx1100,gfx1201'"))
      << "the other jobs are updated";
  EXPECT_EQ(update_workflow(updated.text, now, "rocm.yml")->text, updated.text);
  EXPECT_TRUE(syntax::workflow::File(updated.text).yaml().problems().empty());
}

TEST(Update, NewJobsComeBeforeTheKeysBehindTheJobs) {
  const NewWorkflow now = checks(Preset::kCpp);
  const std::string text =
      "on: push\njobs:\n  mine:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: make\n"
      "permissions:\n  contents: read\n";
  const auto updated = update_workflow(text, now, "rocm.yml").value();
  EXPECT_THAT(updated.text, testing::EndsWith("\npermissions:\n  contents: read\n"));
  const syntax::workflow::File workflow(updated.text);
  const syntax::yaml::File& yaml = workflow.yaml();
  EXPECT_EQ(yaml.get(yaml.root(), "jobs")->entries.size(), now.jobs.size() + 1);
  EXPECT_EQ(yaml.get(yaml.root(), "permissions")->entries.size(), 1U);
  EXPECT_EQ(update_workflow(updated.text, now, "rocm.yml")->text, updated.text);
}

TEST(Update, RefusesWhatItCannotRead) {
  EXPECT_FALSE(update_workflow("jobs: [", checks(Preset::kCpp), "rocm.yml"));
  EXPECT_FALSE(update_workflow("on: push\n", checks(Preset::kCpp), "rocm.yml"));
  const auto wide = update_workflow("on: push\njobs:\n    mine:\n        runs-on: ubuntu-24.04\n",
                                    checks(Preset::kCpp), "rocm.yml");
  ASSERT_FALSE(wide) << "new jobs have two columns";
  EXPECT_THAT(wide.error().message(), HasSubstr("line 3"));
}

TEST(Update, KnowsWholeFilesThatWereEdited) {
  for (const char* path : {"a.sh", "a.md"}) {
    std::string text = marked_file("#!/bin/sh\necho a\n", path);
    EXPECT_TRUE(is_as_generated(text)) << text;
    text.insert(text.find("echo"), "# mine\n");
    EXPECT_FALSE(is_as_generated(text));
  }
  EXPECT_FALSE(is_as_generated("echo a\n"));
}

}  // namespace
}  // namespace hipwright::ci
