// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "base/json.h"
#include "perf/record/json_input.h"
#include "perf/record/record.h"
#include "perf/record/rocm_profile.h"

namespace hipwright::perf {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

Record example() {
  Record record{.tool = "0.1",
                .made = "2026-03-01T12:00:00Z",
                .label = "main",
                .session = "5e55",
                .machine = {{"host_cpu", "EPYC"}, {"rocm", "none"}}};
  record.benchmarks = {
      {.name = "bench",
       .command = {"./bench", "--n", "3"},
       .exit_code = 0,
       .measurements = {{.name = "duration_s", .unit = "s", .samples = {{1.5, 0}, {1.25, 1}}},
                        {.name = "tokens", .better = Better::kHigher, .samples = {{3, 0}}}},
       .kernels = {{.kernel = "axpy",
                    .target = "gfx942",
                    .source = std::string(kSoftwareGpu),
                    .producer = "clang",
                    .counts = {{"instructions", 18446744073709551615U}},
                    .unstable = {"instructions"}}}},
      {.name = "broken", .status = RunStatus::kError, .error = "exit code 3", .exit_code = 3}};
  return record;
}

TEST(Record, IsTheSameAfterWritingAndReading) {
  const std::string text = json_text(record_json(example()));
  const auto read = parse_record(text, "record.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(json_text(record_json(*read)), text);
  EXPECT_EQ(read->benchmarks[0].kernels[0].counts.at("instructions"), 18446744073709551615U);
  EXPECT_EQ(read->benchmarks[1].exit_code, 3);
}

struct Bad {
  std::string text;
  std::string why;
};

std::string changed(const std::string& from, const std::string& to) {
  std::string text = record_json(example()).dump();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Record, DamagedOnesAreErrorsThatNameTheField) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  std::string wide = "{";
  for (int i = 0; i < 20'000; ++i) wide += fmt::format("\"k{}\":{{}},", i);
  wide.back() = '}';
  const std::vector<Bad> all = {
      {"", "invalid JSON"},
      {"{", "invalid JSON"},
      {"[]", "neither a record"},
      {"\"x\"", "neither a record"},
      {"{\"format\": \"other\"}", "neither a record"},
      {"{\"format\":\xff\xfe}", "invalid JSON"},
      {"{\"format\": \"\xff\"}", "invalid JSON"},
      {"{\"a\": {\"status\": \"success\"}, \"a\": {}}", "duplicate key \"a\""},
      {deep, "nested deeper"},
      {wide, "more than 10000 members"},
      {changed("\"version\":1", "\"version\":2"), "version 2 is unsupported"},
      {changed("\"version\":1", "\"version\":-1"), "$.version': not a whole number"},
      {changed("1.5", "1e999"), "out of range"},
      {changed("1.5", "-1.5"), "$.benchmarks[0].measurements[0].values[0]': not a positive number"},
      {changed("1.5", "\"x\""), "values[0]': not a number"},
      {changed("1.5,", ""), "not one round for each value"},
      {changed("\"rounds\":[0,1]", "\"rounds\":[0,99999999999]"), "rounds[1]"},
      {changed("\"success\"", "\"fine\""), "unknown status \"fine\""},
      {changed("\"broken\"", "\"bench\""), "a second benchmark \"bench\""},
      {changed("\"tokens\"", "\"duration_s\""), "a second measurement"},
      {changed("software GPU", "guess"), "unknown source \"guess\""},
      {changed("18446744073709551615", "18446744073709551616"), "not a whole number"},
      {changed("\"exit_code\":3", "\"exit_code\":300"), "not an exit code"},
      {changed("\"EPYC\"", "7"), "$.machine.host_cpu': not a string"},
      {changed("\"better\":\"lower\"", "\"better\":\"loewer\""), "neither \"lower\" nor"},
  };
  for (const Bad& bad : all) {
    const auto read = parse_record(bad.text, "r.json");
    ASSERT_FALSE(read) << bad.why;
    EXPECT_THAT(read.error().message(), HasSubstr(bad.why));
    EXPECT_THAT(read.error().message(), HasSubstr("r.json"));
  }
}

TEST(Record, EveryCutOfARecordIsAnError) {
  const std::string text = record_json(example()).dump();
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_record(text.substr(0, size), "cut"));
}

constexpr const char* kProfile = R"({
  "examples\\v1\\qwen.py": {"example": "examples\\v1\\qwen.py", "status": "success", "exit_code": 0,
    "rocm_info": {"torch_available": true, "torch_version": "2.9", "hip_version": "7.0", "device_count": 1,
                  "cuda_compiled_version": null, "is_cuda_available": true, "device_name": "AMD R9700", "current_device": 0},
    "duration_s": 12.5, "peak_memory_mb": 2048.0, "hip_version": "7.0", "device_name": "AMD R9700",
    "baseline_comparison": {"duration_delta_s": 1.0}},
  "./examples/flux.py": {"example": "examples/flux.py", "status": "error", "error": "no weights", "exit_code": -9,
    "rocm_info": {"hip_version": "7.0"}}
})";

TEST(Profile, BecomesARecord) {
  const auto record = parse_record(kProfile, "rocm_profile.json");
  ASSERT_TRUE(record) << record.error().message();
  const Benchmark* qwen = record->benchmark("examples/v1/qwen.py");
  ASSERT_NE(qwen, nullptr);
  EXPECT_EQ(qwen->measurement(kDuration)->samples[0].value, 12.5);
  EXPECT_EQ(qwen->measurement(kDeviceMemory)->samples[0].value, 2048);
  const Benchmark* flux = record->benchmark("examples/flux.py");
  ASSERT_NE(flux, nullptr);
  EXPECT_EQ(flux->status, RunStatus::kError);
  EXPECT_EQ(flux->error, "no weights");
  EXPECT_EQ(flux->exit_code, 137);
  EXPECT_THAT(
      record->machine,
      UnorderedElementsAre(Pair("device_name", "AMD R9700"), Pair("hip_version", "7.0"),
                           Pair("torch_version", "2.9"), Pair("cuda_compiled_version", "none")));
}

TEST(Profile, IsTheSameAfterWritingAndReading) {
  const auto record = parse_record(kProfile, "rocm_profile.json");
  ASSERT_TRUE(record);
  const Json info = {{"hip_version", "7.0"}, {"device_name", "AMD R9700"}};
  const Json written = profile_json(*record, info);
  const Json& qwen = written["examples/v1/qwen.py"];
  EXPECT_EQ(qwen["duration_s"], 12.5);
  EXPECT_EQ(qwen["peak_memory_mb"], 2048.0);
  EXPECT_EQ(qwen["device_name"], "AMD R9700");
  EXPECT_TRUE(qwen["rocm_info"].contains("torch_available"));
  EXPECT_EQ(written["examples/flux.py"]["status"], "error");
  EXPECT_FALSE(written["examples/flux.py"].contains("duration_s"));
  const auto again = parse_record(written.dump(), "again");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->benchmarks.size(), record->benchmarks.size());
}

TEST(Profile, ComparesWithABaseline) {
  const auto base = parse_record(kProfile, "base"), head = parse_record(kProfile, "head");
  ASSERT_TRUE(base && head);
  Record slower = *head;
  slower.benchmarks[0].measurements[0].samples[0].value = 25;
  slower.benchmarks[0].measurements[1].samples[0].value = 2000;
  const Json json = profile_json(slower, Json::object(), &*base);
  const Json& comparison = json["examples/v1/qwen.py"]["baseline_comparison"];
  EXPECT_EQ(comparison["duration_delta_s"], 12.5);
  EXPECT_EQ(comparison["duration_delta_pct"], 100.0);
  EXPECT_EQ(comparison["peak_memory_delta_mb"], -48.0);
  EXPECT_FALSE(json["examples/flux.py"].contains("baseline_comparison"));
}

TEST(Profile, DamagedOnesAreErrors) {
  for (const Bad& bad : std::vector<Bad>{
           {"{}", "no examples"},
           {R"({"a": 1})", "$.a"},
           {R"({"a": {"status": "odd"}})", "unknown status"},
           {R"({"a": {"status": "success", "duration_s": -1}})", "$.a.duration_s': negative"},
           {R"({"a": {"status": "success", "duration_s": "1"}})", "not a number"},
           {R"({"a": {"status": "success"}, "./a": {"status": "success"}})", "a second example"},
           {R"({"a": {"status": "error", "exit_code": 1e300}})", "not an exit code"}}) {
    const auto read = parse_record(bad.text, "p.json");
    ASSERT_FALSE(read) << bad.text;
    EXPECT_THAT(read.error().message(), HasSubstr(bad.why));
  }
}

TEST(Profile, PathsAreTheSameOnEverySystem) {
  for (const char* path : {"examples/v1/a.py", "examples\\v1\\a.py", "./examples//v1/a.py",
                           ".\\examples\\x\\..\\v1\\a.py"})
    EXPECT_EQ(normal_path(path), "examples/v1/a.py");
}

}  // namespace
}  // namespace hipwright::perf
