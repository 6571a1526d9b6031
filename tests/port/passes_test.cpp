// SPDX-License-Identifier: MIT
// Every pass is declared, ordered and shown at work: tests/port/passes/<name>/before is ported to
// tests/port/passes/<name>/after, which holds what changed (and what is new, of passes over the
// tree). What the port reports of a line stands behind it: `// reports: HP202`.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "paths.h"
#include "port/codes.h"
#include "port/pass.h"
#include "port/port.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kFixtures = tests_folder() / "port/passes";

using Files = std::map<std::string, std::string>;

Files files_below(const fs::path& folder) {
  Files files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).generic_string()] =
          read_file(entry.path()).value_or("unreadable");
  return files;
}

// "a.cu:3 HP202"
using Said = std::multiset<std::string>;

Said expected(const Files& before) {
  constexpr std::string_view kMark = "reports:";
  Said all;
  for (const auto& [path, text] : before) {
    std::size_t line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view words = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      std::size_t at = words.find(kMark);
      if (at == std::string_view::npos) continue;
      while ((at = words.find("HP", at)) != std::string_view::npos) {
        all.insert(fmt::format("{}:{} {}", path, line, words.substr(at, 5)));
        at += 5;
      }
    }
  }
  return all;
}

Said said(const Ported& ported) {
  Said all;
  for (const PortedFile& file : ported.files)
    for (const Diagnostic& each : file.diagnostics)
      all.insert(fmt::format("{}:{} {}", each.path, each.position.line, each.code));
  return all;
}

// New files are the business of passes over the tree; they do not add headers of the SDK.
Files changed_and_new(const Pass& pass, const Ported& ported) {
  Files files;
  if (pass.tree != nullptr) files = ported.added;
  for (const PortedFile& file : ported.files)
    if (file.is_changed()) files[file.path_after()] = file.after();
  return files;
}

// A fixture is ported to HIP with half waves, unless the name of its folder asks for something
// else: names.dual, half_waves.native, headers.hipify.
std::vector<fs::path> fixtures_of(const Pass& pass) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(kFixtures))
    if (const std::string name = entry.path().filename().string();
        name.substr(0, name.find('.')) == pass.name)
      folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

Result<Ported> port_fixture(const fs::path& folder) {
  Options options{.path = folder / "before", .mode = Mode::kHip};
  if (folder.extension() == ".dual") options.mode = Mode::kDual;
  if (folder.extension() == ".native") options.warp = Warp::kNative;
  if (folder.extension() == ".hipify") {
    options.style = Style::kHipify;
    options.launches = LaunchSyntax::kHip;
  }
  if (fs::exists(folder / project::kRulesName)) {
    HW_TRY(options.rules, project::read_rules(folder / project::kRulesName));
  }
  return port(options);
}

std::set<std::string_view> emitted_by(std::string_view pass, const Ported& ported) {
  std::set<std::string_view> codes;
  for (const PortedFile& file : ported.files)
    if (const auto found = file.emitted.find(pass); found != file.emitted.end())
      codes.insert(found->second.begin(), found->second.end());
  return codes;
}

class EveryPass : public testing::TestWithParam<std::string> {};

TEST_P(EveryPass, DoesWhatItsFixturesShow) {
  const Pass& pass = *find_pass(GetParam());
  std::set<std::string_view> shown;
  for (const fs::path& folder : fixtures_of(pass)) {
    const auto ported = port_fixture(folder);
    ASSERT_TRUE(ported) << ported.error().message();
    EXPECT_EQ(said(*ported), expected(files_below(folder / "before"))) << folder;
    const Files after = changed_and_new(pass, *ported), wanted = files_below(folder / "after");
    for (const auto& [path, text] : after)
      EXPECT_EQ(text, wanted.contains(path) ? wanted.at(path) : "") << folder / "after" / path;
    for (const auto& [path, text] : wanted)
      EXPECT_TRUE(after.contains(path)) << folder / "after" / path << " stays as it was";
    shown.merge(emitted_by(pass.name, *ported));
  }
  // With all of its codes: a fixture fails when its pass does nothing.
  for (const CodeId code : pass.codes)
    EXPECT_TRUE(shown.contains(code))
        << pass.name << " emits no " << code.text() << " in " << kFixtures / pass.name;
}

TEST_P(EveryPass, SaysWhatItLooksAt) {
  const Pass& pass = *find_pass(GetParam());
  EXPECT_FALSE(pass.files().empty());
  EXPECT_EQ(pass.text != nullptr, pass.language != Language::kOther);
}

// The first digit of a code is its phase, and the folder of the pass, too.
TEST_P(EveryPass, HasCodesOfOnePhase) {
  constexpr std::array<std::string_view, kPhaseCount> kFolders = {
      "environment", "detection", "source", "wave",  "build",
      "libraries",   "compile",   "graphs", "verify"};
  const Pass& pass = *find_pass(GetParam());
  for (const CodeId code : pass.codes) EXPECT_EQ(code.phase(), pass.phase()) << code.text();
  EXPECT_EQ(pass.source.substr(0, pass.source.find('/')),
            kFolders[static_cast<std::size_t>(pass.phase())]);
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Pass& pass : all_passes()) list.emplace_back(pass.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Passes, EveryPass, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(Passes, FixturesAreThoseOfPasses) {
  for (const auto& entry : fs::directory_iterator(kFixtures)) {
    const std::string name = entry.path().filename().string();
    EXPECT_NE(find_pass(name.substr(0, name.find('.'))), nullptr) << entry.path();
  }
}

TEST(Passes, AndLaterStepsEmitEveryCodeThatHasAPage) {
  std::set<std::string_view> declared, pages;
  for (const Pass& pass : all_passes()) declared.insert(pass.codes.begin(), pass.codes.end());
  for (const LaterStep& step : later_steps()) declared.insert(step.codes.begin(), step.codes.end());
  for (const Code& code : all_codes()) pages.insert(code.code);
  EXPECT_EQ(declared, pages);
}

TEST(Passes, RunInTheOrderThatTheyAskFor) {
  std::vector<std::string_view> order;
  for (const Pass& pass : all_passes()) order.push_back(pass.name);
  const auto place = [&](std::string_view name) { return std::ranges::find(order, name); };
  for (const Pass& pass : all_passes()) {
    for (const std::string_view first : pass.after) EXPECT_LT(place(first), place(pass.name));
    for (const std::string_view later : pass.before) EXPECT_LT(place(pass.name), place(later));
  }
}

Pass pass_named(std::string_view name, std::vector<std::string_view> after = {},
                std::vector<std::string_view> before = {}) {
  return {.codes = {"HP201"}, .after = std::move(after), .before = std::move(before), .name = name};
}

std::string order_of(std::vector<Pass> passes) {
  const auto ordered = in_order(std::move(passes));
  if (!ordered) return ordered.error().message();
  std::string names;
  for (const Pass& pass : *ordered) names += pass.name;
  return names;
}

TEST(Passes, AreOrderedByWhatTheySayAndThenByName) {
  EXPECT_EQ(order_of({pass_named("c"), pass_named("a"), pass_named("b")}), "abc");
  EXPECT_EQ(order_of({pass_named("a", {"c"}), pass_named("b"), pass_named("c")}), "bca");
  EXPECT_EQ(order_of({pass_named("a"), pass_named("b", {}, {"a"}), pass_named("c")}), "bac");
}

TEST(Passes, ThatCannotBeOrderedAreNamed) {
  EXPECT_THAT(order_of({pass_named("a", {"b"}), pass_named("b", {"a"}), pass_named("c")}),
              HasSubstr("a cycle holds up a, b"));
  EXPECT_THAT(order_of({pass_named("a", {}, {"a"})}), HasSubstr("a cycle holds up a"));
  EXPECT_THAT(order_of({pass_named("a", {"x"})}), HasSubstr("no such pass: x"));
  EXPECT_THAT(order_of({pass_named("a"), pass_named("a")}), HasSubstr("two passes have this name"));
}

}  // namespace
}  // namespace hipwright::port
