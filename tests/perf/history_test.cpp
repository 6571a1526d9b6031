// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json.h"
#include "perf/bisect/bisect.h"
#include "perf/history/history.h"
#include "perf/history/report.h"
#include "perf/history/sqlite.h"

namespace hipwright::perf {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Record record_of(double level, std::uint64_t spills = 0) {
  Record record{.tool = "1", .machine = {{"host_cpu", "A"}}};
  Benchmark benchmark{.name = "bench"};
  Measurement duration{.name = "duration_s", .unit = "s"};
  for (unsigned i = 0; i < 10; ++i) duration.samples.push_back({level * (1 + 0.002 * i), i});
  benchmark.measurements = {duration};
  benchmark.kernels = {{.kernel = "axpy",
                        .target = "gfx942",
                        .source = std::string(kCodeObject),
                        .counts = {{"vgpr_spills", spills}}}};
  record.benchmarks = {benchmark};
  return record;
}

Commit commit(int number) {
  return {fmt::format("{:040x}", number), fmt::format("Commit {}", number), 1'700'000'000 + number};
}

class HistoryFile : public testing::Test {
 protected:
  void SetUp() override {
    auto created = TemporaryDirectory::create();
    ASSERT_TRUE(created);
    scratch.emplace(*std::move(created));
    file = scratch->path() / "history.db";
  }
  // Twelve commits; the seventh is 10% slower and spills a register.
  void fill() {
    auto history = History::open(file);
    ASSERT_TRUE(history) << history.error().message();
    for (int i = 11; i >= 0; --i) {
      const auto added =
          history->add(record_of(i < 6 ? 1 + 0.001 * i : 1.1, i < 6 ? 0 : 1), commit(i));
      ASSERT_TRUE(added) << added.error().message();
      EXPECT_TRUE(*added);
    }
  }
  std::optional<TemporaryDirectory> scratch;
  fs::path file;
};

TEST_F(HistoryFile, FindsTheCommitThatChangedALevel) {
  fill();
  const auto history = History::open_to_read(file);
  ASSERT_TRUE(history) << history.error().message();
  const auto series = history->series({.metric = "duration_s"});
  ASSERT_TRUE(series) << series.error().message();
  ASSERT_THAT(*series, SizeIs(1));
  const Series& one = series->at(0);
  EXPECT_THAT(one.points, SizeIs(12));
  EXPECT_EQ(one.points.front().commit.subject, "Commit 0");
  ASSERT_THAT(one.changes, SizeIs(1));
  EXPECT_EQ(one.points[one.changes[0].at].commit.subject, "Commit 6");
  EXPECT_TRUE(is_worse(one, one.changes[0]));
  const auto machine = history->machine(one.key.machine);
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->at("host_cpu"), "A");
}

TEST_F(HistoryFile, FindsTheCommitThatChangedACount) {
  fill();
  const auto series = History::open_to_read(file)->series({.metric = "vgpr_spills"});
  ASSERT_TRUE(series);
  ASSERT_THAT(series->at(0).changes, SizeIs(1));
  EXPECT_EQ(series->at(0).points[series->at(0).changes[0].at].commit.subject, "Commit 6");
  EXPECT_THAT(history_text(*series, false), HasSubstr("worse  axpy (gfx942): vgpr_spills: +1 at"));
}

TEST_F(HistoryFile, KeepsARecordOnce) {
  auto history = History::open(file);
  ASSERT_TRUE(history);
  EXPECT_TRUE(*history->add(record_of(1), commit(1)));
  EXPECT_FALSE(*history->add(record_of(1), commit(1)));
  EXPECT_TRUE(*history->add(record_of(1), commit(2)));
  EXPECT_THAT(history->series()->at(0).points, SizeIs(2));
}

TEST_F(HistoryFile, MachinesHaveSeriesOfTheirOwn) {
  auto history = History::open(file);
  ASSERT_TRUE(history);
  Record other = record_of(2);
  other.machine["host_cpu"] = "B";
  ASSERT_TRUE(history->add(record_of(1), commit(1)));
  ASSERT_TRUE(history->add(other, commit(2)));
  const auto series = history->series({.metric = "duration_s"});
  ASSERT_THAT(*series, SizeIs(2));
  EXPECT_NE(series->at(0).title, series->at(1).title);
}

TEST_F(HistoryFile, ReportsAreSafeAndComplete) {
  auto history = History::open(file);
  ASSERT_TRUE(history);
  Record record = record_of(1);
  record.benchmarks[0].name = "<script>alert(1)</script>\x1b[31m";
  for (int i = 0; i < 3; ++i) {
    Commit each = commit(i);
    each.subject = "\"><img src=x onerror=alert(1)>";
    each.time = i == 0 ? INT64_MIN : i == 1 ? INT64_MAX : 0;
    ASSERT_TRUE(history->add(record, each));
  }
  const auto series = history->series();
  ASSERT_TRUE(series);
  const std::string html = history_html(*series, "<b>title");
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<b>title")));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(history_text(*series, false), Not(HasSubstr("\x1b")));
}

std::string error_of(const std::string& bytes) {
  const auto history = History::of_bytes(bytes, "h.db");
  if (!history) return history.error().message();
  const auto series = history->series();
  return series ? "" : series.error().message();
}

TEST_F(HistoryFile, OtherFilesAreErrors) {
  EXPECT_THAT(error_of(""), HasSubstr("not a history"));
  EXPECT_THAT(error_of(std::string(5000, 'x')), HasSubstr("not a database"));
  EXPECT_FALSE(History::open_to_read(file));
  EXPECT_FALSE(History::open_to_read("/dev/zero"));
  ASSERT_TRUE(write_file_atomic(file, std::string(5000, 'x')));
  EXPECT_FALSE(History::open(file));
}

TEST_F(HistoryFile, DamageIsAnErrorOrHarmless) {
  fill();
  const auto bytes = read_file(file);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(error_of(*bytes), "");
  for (std::size_t size = 0; size < bytes->size(); size += 487) error_of(bytes->substr(0, size));
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = *bytes;
    for (int k = 0; k < 8; ++k)
      damaged[random.below(damaged.size())] = static_cast<char>(random.next());
    error_of(damaged);
  }
}

// What a stranger could have put into the file.
TEST_F(HistoryFile, ViewsTriggersAndOddValuesAreRejected) {
  for (const auto& [sql, why] : std::vector<std::pair<const char*, const char*>>{
           {"CREATE VIEW v AS SELECT 1", "more than tables"},
           {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END", "more than tables"},
           {"UPDATE points SET value = -1 WHERE exact = 0", "damaged"},
           {"UPDATE points SET value = 9e999 WHERE exact = 0", "damaged"},
           {"UPDATE points SET value = 'text' WHERE exact = 0", "damaged"},
           {"PRAGMA user_version = 7", "version 7 is unsupported"},
           {"PRAGMA application_id = 7", "not a history"},
           {"DROP TABLE points", "no such table"}}) {
    std::error_code ignored;
    fs::remove(file, ignored);
    fill();
    {
      const auto database = Sqlite::open(file, Sqlite::Mode::kCreate);
      ASSERT_TRUE(database);
      ASSERT_TRUE(database->execute(sql)) << sql;
    }
    EXPECT_THAT(error_of(*read_file(file)), HasSubstr(why)) << sql;
  }
}

std::vector<Revision> revisions(std::size_t count) {
  std::vector<Revision> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back({.id = std::to_string(i)});
  return list;
}

TEST(Search, FindsTheFirstBadCommitInFewSteps) {
  for (std::size_t count = 1; count <= 40; ++count)
    for (std::size_t first = 0; first < count; ++first) {
      const auto found = search(revisions(count), [&](const Revision& revision) -> Result<Step> {
        return Step{revision, std::stoul(revision.id) >= first ? Judgement::kBad : Judgement::kGood,
                    ""};
      });
      ASSERT_TRUE(found);
      ASSERT_THAT(found->suspects, SizeIs(1));
      EXPECT_EQ(found->suspects[0].id, std::to_string(first));
      EXPECT_LE(found->steps.size(), 6U);
    }
}

TEST(Search, NamesAllSuspectsWhenSomeAreUnknown) {
  for (std::size_t first = 0; first < 10; ++first) {
    const auto found = search(revisions(10), [&](const Revision& revision) -> Result<Step> {
      const std::size_t number = std::stoul(revision.id);
      const bool is_unknown = number >= 4 && number <= 6;
      return Step{revision,
                  is_unknown        ? Judgement::kUnknown
                  : number >= first ? Judgement::kBad
                                    : Judgement::kGood,
                  ""};
    });
    ASSERT_TRUE(found);
    const bool is_hidden = first >= 4 && first <= 7;
    EXPECT_THAT(found->suspects, SizeIs(is_hidden ? 4 : 1)) << first;
    EXPECT_TRUE(std::ranges::any_of(
        found->suspects, [&](const Revision& each) { return each.id == std::to_string(first); }));
  }
}

}  // namespace
}  // namespace hipwright::perf
