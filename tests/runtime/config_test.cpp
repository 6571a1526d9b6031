// SPDX-License-Identifier: MIT
#include "hipwright/config.h"

#include <cstdlib>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "runtime/config/fields.h"
#include "runtime/config/presets.h"

namespace hipwright {

namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// Sets a variable for one test.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

template <class Action>
std::vector<ConfigurationProblem> problems_of(const Action& action) {
  try {
    action();
  } catch (const AMDConfigurationError& error) {
    // Every problem is also in the text that people see.
    for (const ConfigurationProblem& problem : error.problems()) {
      EXPECT_THAT(error.what(), HasSubstr(problem.field));
      EXPECT_THAT(error.what(), HasSubstr(problem.value));
      EXPECT_THAT(error.what(), HasSubstr(problem.allowed));
      EXPECT_THAT(error.what(), HasSubstr(problem.origin));
    }
    return error.problems();
  }
  return {};
}

std::vector<ConfigurationProblem> toml_problems(std::string_view text) {
  return problems_of([&] { AMDConfig::from_toml(text, "f.toml"); });
}
std::vector<ConfigurationProblem> json_problems(std::string_view text) {
  return problems_of([&] { AMDConfig::from_json(text, "f.json"); });
}

const EffectiveConfig::Row& row(const EffectiveConfig& config, std::string_view field) {
  for (const EffectiveConfig::Row& candidate : config.rows)
    if (candidate.field == field) return candidate;
  throw std::out_of_range(std::string(field));
}

// --- Every field, in every way it can be given ---

struct FieldCase {
  const char* field;
  const char* toml;  // its value, also valid JSON
  const char* text;  // the same in the environment
  const char* shown;
  std::vector<const char*> refused_toml;  // valid TOML
  std::vector<const char*> refused_text;
};

std::ostream& operator<<(std::ostream& out, const FieldCase& test) {
  return out << test.field;
}

const std::vector<const char*> kNotBoolean = {"1", "\"true\"", "0.0", "[true]"};

class EveryField : public ::testing::TestWithParam<FieldCase> {};

TEST_P(EveryField, ComesFromTomlWithItsLine) {
  const FieldCase& test = GetParam();
  for (const std::string table : {"\n\n", "\n[amd]\n"}) {
    const auto config =
        AMDConfig::from_toml(table + test.field + " = " + test.toml, "dir/f.toml").effective();
    EXPECT_EQ(row(config, test.field).value, test.shown);
    EXPECT_EQ(row(config, test.field).origin, "dir/f.toml:3");
  }
}

TEST_P(EveryField, ComesFromJsonWithItsLine) {
  const FieldCase& test = GetParam();
  const std::string entry = std::string("\"") + test.field + "\":\n " + test.toml;
  for (const std::string& text : {"{\n" + entry + "}", "{\"amd\": {\n" + entry + "}\n}"}) {
    const auto config = AMDConfig::from_json(text, "f.json").effective();
    EXPECT_EQ(row(config, test.field).value, test.shown);
    EXPECT_EQ(row(config, test.field).origin, "f.json:2");
  }
}

TEST_P(EveryField, EnvironmentOverridesWhatAFileSet) {
  const FieldCase& test = GetParam();
  const runtime::Field& field = *runtime::find_field(test.field);
  const Variable variable(field.environment_variable(), test.text);
  const auto config = AMDConfig::from_toml("").effective();
  EXPECT_EQ(row(config, test.field).value, test.shown);
  EXPECT_EQ(row(config, test.field).origin, field.environment_variable());
}

TEST_P(EveryField, AnEmptyVariableIsNotSet) {
  const runtime::Field& field = *runtime::find_field(GetParam().field);
  const Variable variable(field.environment_variable(), "");
  EXPECT_EQ(row(AMDConfig().effective(), GetParam().field).origin, "default");
}

TEST_P(EveryField, ErrorsInAFileAreNamed) {
  const FieldCase& test = GetParam();
  for (const char* value : test.refused_toml) {
    const auto problems = toml_problems(std::string("\n") + test.field + " = " + value);
    ASSERT_THAT(problems, SizeIs(1)) << value;
    EXPECT_EQ(problems[0].field, test.field);
    EXPECT_EQ(problems[0].origin, "f.toml:2");
    EXPECT_FALSE(problems[0].value.empty());
    EXPECT_FALSE(problems[0].allowed.empty());
  }
  const auto null = json_problems(std::string("{\"") + test.field + "\": null}");
  ASSERT_THAT(null, SizeIs(1));
  EXPECT_EQ(null[0].value, "null");
  const auto object = json_problems(std::string("{\"") + test.field + "\": {\"a\": {\"b\": 1}}}");
  ASSERT_THAT(object, SizeIs(1));
  EXPECT_EQ(object[0].value, "an object");
}

TEST_P(EveryField, ErrorsInTheEnvironmentAreNamed) {
  const FieldCase& test = GetParam();
  const runtime::Field& field = *runtime::find_field(test.field);
  for (const char* value : test.refused_text) {
    const Variable variable(field.environment_variable(), value);
    const auto problems = problems_of([] { AMDConfig().effective(); });
    ASSERT_THAT(problems, SizeIs(1)) << value;
    EXPECT_EQ(problems[0].field, test.field);
    EXPECT_EQ(problems[0].value, value);
    EXPECT_EQ(problems[0].origin, field.environment_variable());
  }
}

FieldCase boolean(const char* field, bool is_default) {
  return {field,
          is_default ? "false" : "true",
          is_default ? "Off" : "1",
          is_default ? "false" : "true",
          kNotBoolean,
          {"maybe", "2", "true false"}};
}

INSTANTIATE_TEST_SUITE_P(
    Config, EveryField,
    ::testing::Values(FieldCase{"architecture",
                                "\"cdna2\"",
                                "CDNA2",
                                "CDNA2",
                                {"2", "true", "\"gfx906\"", "\"H100\"", "\"\""},
                                {"gfx924", "CDNA9", "MI50 32GB"}},
                      FieldCase{"device_id",
                                "3",
                                "3",
                                "3",
                                {"-1", "1024", "1.0", "\"1\"", "9223372036854775807", "1979-05-27"},
                                {"-1", "1 ", "one", "99999999999999999999", "0x1"}},
                      boolean("enable_memory_pooling", true),
                      FieldCase{"memory_pool_size_gb",
                                "2.5",
                                "2.5",
                                "2.5",
                                {"-0.1", "65537", "\"4\"", "true", "[1.0]"},
                                {"-1", "nan", "inf", "1e9", "4GB", "1,5"}},
                      FieldCase{"max_memory_fraction",
                                "1",
                                "1",
                                "1",
                                {"0", "0.0", "1.5", "-1", "\"all\""},
                                {"0", "1.01", "nan", "-nan", "90%"}},
                      boolean("enable_stream_ordered_allocator", false),
                      boolean("hip_kernel_cache_enabled", true),
                      FieldCase{"hip_compiler_cache_size",
                                "0",
                                "0",
                                "0",
                                {"-1", "1000001", "1.5", "\"10\"", "true"},
                                {"-1", "many", "1e3"}},
                      FieldCase{"hip_compiler_cache_dir",
                                "\"/var/cache/k\"",
                                "/var/cache/k",
                                "/var/cache/k",
                                {"1", "\"~/cache\"", "\"a\\u0000b\"", "false"},
                                {"~", "~/cache"}},
                      boolean("enable_profiling", false),
                      boolean("enable_strict_validation", false),
                      boolean("enable_oom_protection", true)),
    [](const auto& test) { return std::string(test.param.field); });

TEST(Config, EveryFieldIsTestedAbove) {
  const auto* suite = ::testing::UnitTest::GetInstance();
  int fields = 0;
  for (int i = 0; i < suite->total_test_suite_count(); ++i)
    if (std::string_view(suite->GetTestSuite(i)->name()) == "Config/EveryField")
      fields = suite->GetTestSuite(i)->total_test_count() / 6;
  EXPECT_EQ(fields, static_cast<int>(runtime::fields().size()));
}

// --- Files ---

TEST(Config, AllProblemsOfAFileAreReportedAtOnce) {
  const auto problems = toml_problems(
      "architecture = 'gfx906'\n"
      "max_memory_fraction = nan\n"
      "max_memory_fractoin = 0.5\n"
      "optimization_level = 'balanced'\n"
      "preset = 'inference'\n"
      "[nvidia]\n"
      "device_id = 0\n"
      "[amd]\n"
      "device_id = -2\n"
      "wholly_different_thing_that_is_long = 1\n");
  ASSERT_THAT(problems, SizeIs(8));
  EXPECT_EQ(problems.front().origin, "f.toml:1");
  EXPECT_EQ(problems.back().origin, "f.toml:10");
  const auto find = [&](std::string_view field) {
    for (const ConfigurationProblem& problem : problems)
      if (problem.field == field) return problem;
    ADD_FAILURE() << "no problem with " << field;
    return ConfigurationProblem{};
  };
  EXPECT_THAT(find("architecture").allowed, HasSubstr("GCN5.1"));
  EXPECT_EQ(find("max_memory_fraction").value, "nan");
  EXPECT_EQ(find("max_memory_fraction").allowed, "a number over 0, at most 1");
  EXPECT_THAT(find("max_memory_fractoin").allowed, HasSubstr("did you mean max_memory_fraction?"));
  EXPECT_THAT(find("optimization_level").allowed, HasSubstr("not supported by this version"));
  EXPECT_EQ(find("optimization_level").origin, "f.toml:4");
  EXPECT_THAT(find("preset").allowed, HasSubstr("removed from files"));
  EXPECT_EQ(find("nvidia").origin, "f.toml:6");
  EXPECT_EQ(find("device_id").origin, "f.toml:9");
  EXPECT_THAT(find("wholly_different_thing_that_is_long").allowed, HasSubstr("config fields"));
}

TEST(Config, AllProblemsOfAJsonFileAreReportedAtOnce) {
  const auto problems = json_problems(
      "{\"device_id\": 18446744073709551615,\n"
      " \"nvidia\": {\"device_id\": 1, \"x\": [[{}]]},\n"
      " \"amd\": {\"default_precision\": \"fp32\",\n"
      "   \"enable_profiling\": [true, {\"a\": 1}]},\n"
      " \"amd\": {\"device_id\": 1}}");
  ASSERT_THAT(problems, SizeIs(5));
  EXPECT_EQ(problems[0].value, "18446744073709551615");
  EXPECT_EQ(problems[1].field, "nvidia");
  EXPECT_EQ(problems[2].origin, "f.json:3");
  EXPECT_EQ(problems[3].value, "a list");
  EXPECT_EQ(problems[3].origin, "f.json:4");
  EXPECT_THAT(problems[4].allowed, HasSubstr("f.json:1 sets it, too"));
}

TEST(Config, AFieldThatIsSetTwiceIsAnError) {
  const auto toml = toml_problems("device_id = 1\n[amd]\ndevice_id = 1\n");
  ASSERT_THAT(toml, SizeIs(1));
  EXPECT_THAT(toml[0].allowed, HasSubstr("set only once"));
  EXPECT_THAT(json_problems("{\"device_id\": 1, \"device_id\": 2}"), SizeIs(1));
  EXPECT_THAT(json_problems("{\"amd\": 1}"), SizeIs(1));
}

TEST(Config, BrokenTextIsNamedByLineAndColumn) {
  const auto toml = toml_problems("device_id = 1\nenable_profiling = yes\n");
  ASSERT_THAT(toml, SizeIs(1));
  EXPECT_THAT(toml[0].origin, ::testing::StartsWith("f.toml:2:2"));
  EXPECT_THAT(toml[0].allowed, HasSubstr("valid TOML"));
  const auto json = json_problems("{\"device_id\": 1,\n \"enable_profiling\": yes}");
  ASSERT_THAT(json, SizeIs(1));
  EXPECT_EQ(json[0].origin, "f.json:2:22");
  EXPECT_THAT(json_problems(""), SizeIs(1));
  EXPECT_THAT(json_problems("[]"), SizeIs(1));
  EXPECT_THAT(json_problems("1"), SizeIs(1));
  EXPECT_THAT(json_problems("{\"device_id\": 1e999}"), SizeIs(1));
  EXPECT_THAT(json_problems("{\"device_id\": \"\xff\"}"), SizeIs(1));
  EXPECT_THAT(toml_problems("a = \"\xff\""), SizeIs(1));
}

TEST(Config, TextMadeToExhaustTheReaderIsRejected) {
  std::string deep = "a";
  for (int i = 0; i < 30'000; ++i) deep += ".a";
  EXPECT_THAT(toml_problems(deep + " = 1"), SizeIs(1));
  EXPECT_THAT(toml_problems("[" + deep + "]"), SizeIs(1));
  EXPECT_THAT(toml_problems("a = " + std::string(30'000, '[')), SizeIs(1));
  EXPECT_THAT(toml_problems(std::string(1 << 20, ' ')), SizeIs(1));
  EXPECT_THAT(json_problems("{\"a\":" + std::string(30'000, '[')), SizeIs(2));
  EXPECT_THAT(json_problems(std::string(1 << 20, ' ')), SizeIs(1));
  // What a person writes below a comment sign is not counted.
  EXPECT_NO_THROW(AMDConfig::from_toml("  # " + std::string(2000, '.') + "\ndevice_id = 1"));
}

TEST(Config, FilesAreTomlUnlessTheirNameSaysJson) {
  const auto folder = *TemporaryDirectory::create();
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder.path() / name) << text;
    return folder.path() / name;
  };
  const auto toml = AMDConfig::from_file(write("hipwright.toml", "\ndevice_id = 2\n"));
  EXPECT_EQ(toml.device_id, 2);
  EXPECT_EQ(row(toml.effective(), "device_id").origin,
            (folder.path() / "hipwright.toml").string() + ":2");
  EXPECT_EQ(AMDConfig::from_file(write("a.json", "{\"device_id\": 4}")).device_id, 4);
  const auto missing = problems_of([&] { AMDConfig::from_file(folder.path() / "none.toml"); });
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_THAT(missing[0].origin, HasSubstr("none.toml"));
}

// --- Code ---

TEST(Config, ValuesSetInCodeAreChecked) {
  const AMDConfig config{.architecture = static_cast<AMDArchitecture>(99),
                         .device_id = -1,
                         .memory_pool_size_gb = std::numeric_limits<double>::quiet_NaN(),
                         .max_memory_fraction = 1.5,
                         .preset = static_cast<Preset>(77)};
  const Variable variable("HIPWRIGHT_DEVICE_ID", "x");
  const auto problems = problems_of([&] { config.effective("gfx924"); });
  ASSERT_THAT(problems, SizeIs(7));
  EXPECT_EQ(problems[3].field, "max_memory_fraction");
  EXPECT_EQ(problems[3].value, "1.5");
  EXPECT_EQ(problems[3].origin, "code");
  EXPECT_EQ(problems[5].origin, "HIPWRIGHT_DEVICE_ID");
  EXPECT_THAT(problems[6].allowed, HasSubstr("gfx942"));
}

TEST(Config, TheBuilderCollectsAllProblemsOfFilesAndCode) {
  const auto folder = *TemporaryDirectory::create();
  std::ofstream(folder.path() / "a.toml") << "device_id = -1\nfast = true\n";
  const auto problems = problems_of(
      [&] { AMDConfigBuilder().file(folder.path() / "a.toml").max_memory_fraction(0).build(); });
  EXPECT_THAT(problems, SizeIs(3));
}

TEST(Config, TheBuilderSetsEveryField) {
  const auto config = AMDConfigBuilder()
                          .preset(Preset::kInference)
                          .architecture(AMDArchitecture::RDNA4)
                          .device_id(1)
                          .enable_memory_pooling(false)
                          .memory_pool_size_gb(3)
                          .max_memory_fraction(0.25)
                          .enable_stream_ordered_allocator(true)
                          .hip_kernel_cache_enabled(false)
                          .hip_compiler_cache_size(7)
                          .hip_compiler_cache_dir("/k")
                          .enable_profiling(true)
                          .enable_strict_validation(true)
                          .enable_oom_protection(false)
                          .build();
  const EffectiveConfig effective = config.effective();
  EXPECT_EQ(effective.architecture, AMDArchitecture::RDNA4);
  EXPECT_EQ(effective.device_id, 1);
  EXPECT_FALSE(effective.enable_memory_pooling);
  EXPECT_EQ(effective.memory_pool_size_gb, 3);
  EXPECT_EQ(effective.max_memory_fraction, 0.25);
  EXPECT_TRUE(effective.enable_stream_ordered_allocator);
  EXPECT_FALSE(effective.hip_kernel_cache_enabled);
  EXPECT_EQ(effective.hip_compiler_cache_size, 7u);
  EXPECT_EQ(effective.hip_compiler_cache_dir, "/k");
  EXPECT_TRUE(effective.enable_profiling);
  EXPECT_TRUE(effective.enable_strict_validation);
  EXPECT_FALSE(effective.enable_oom_protection);
  for (const EffectiveConfig::Row& each : effective.rows) EXPECT_EQ(each.origin, "code");
  EXPECT_THAT(effective.rows, SizeIs(runtime::fields().size()));
}

TEST(Config, ValuesSetInCodeAfterAFileHaveOriginCode) {
  auto config = AMDConfig::from_toml("device_id = 1\nenable_profiling = true", "f.toml");
  config.device_id = 2;
  EXPECT_EQ(row(config.effective(), "device_id").origin, "code");
  EXPECT_EQ(row(config.effective(), "enable_profiling").origin, "f.toml:2");
  config.merge({.enable_profiling = true});
  EXPECT_EQ(row(config.effective(), "enable_profiling").origin, "code");
}

TEST(Config, MergeTakesFieldsTheOtherHasSet) {
  AMDConfig config{.device_id = 1, .enable_profiling = true, .preset = Preset::kInference};
  config.merge(AMDConfig::from_toml("device_id = 5", "b.toml"));
  EXPECT_EQ(config.device_id, 5);
  EXPECT_EQ(config.enable_profiling, true);
  EXPECT_EQ(config.preset, Preset::kInference);
  EXPECT_EQ(row(config.effective(), "device_id").origin, "b.toml:1");
  EXPECT_EQ(config.merge({.preset = Preset::kDevelopment}).preset, Preset::kDevelopment);
}

// --- Architectures ---

TEST(Config, ArchitecturesHaveManyNames) {
  const std::pair<const char*, AMDArchitecture> cases[] = {
      {"auto", AMDArchitecture::AUTO},           {"CDNA", AMDArchitecture::CDNA},
      {"cdna1", AMDArchitecture::CDNA},          {"MI100", AMDArchitecture::CDNA},
      {"gfx90a:xnack+", AMDArchitecture::CDNA2}, {"Cdna3", AMDArchitecture::CDNA3},
      {"gfx942", AMDArchitecture::CDNA3},        {"amd instinct mi300x", AMDArchitecture::CDNA3},
      {"MI300", AMDArchitecture::CDNA3},         {"MI355X", AMDArchitecture::CDNA4},
      {"gfx1030", AMDArchitecture::RDNA2},       {"RX 7900 XTX", AMDArchitecture::RDNA3},
      {"Strix Halo", AMDArchitecture::RDNA3},    {"rdna4", AMDArchitecture::RDNA4}};
  for (const auto& [name, architecture] : cases)
    EXPECT_EQ(AMDConfig::from_toml(std::string("architecture = '") + name + "'").architecture,
              architecture)
        << name;
}

TEST(Config, ArchitecturesWithoutSettingsAreRejectedByName) {
  for (const char* name : {"gfx906", "MI60", "MI25", "gfx1010", "gfx1250"})
    EXPECT_THAT(toml_problems(std::string("architecture = '") + name + "'"), SizeIs(1)) << name;
}

TEST(Config, TheDeviceDecidesTheDefaults) {
  const std::tuple<const char*, AMDArchitecture, double> cases[] = {
      {"gfx942", AMDArchitecture::CDNA3, 16},
      {"gfx942:sramecc+:xnack-", AMDArchitecture::CDNA3, 16},
      {"gfx90a", AMDArchitecture::CDNA2, 8},
      {"gfx908", AMDArchitecture::CDNA, 4},
      {"MI350X", AMDArchitecture::CDNA4, 36},
      {"gfx1100", AMDArchitecture::RDNA3, 2}};
  for (const auto& [device, architecture, pool] : cases) {
    const EffectiveConfig config = AMDConfig().effective(device);
    EXPECT_EQ(config.architecture, architecture) << device;
    EXPECT_EQ(config.memory_pool_size_gb, pool) << device;
    EXPECT_EQ(row(config, "device_id").origin, "default");
    EXPECT_THAT(row(config, "memory_pool_size_gb").origin, HasSubstr("architecture gfx"));
    EXPECT_EQ(row(config, "architecture").origin, row(config, "memory_pool_size_gb").origin);
    EXPECT_TRUE(config.warnings.empty());
  }
}

TEST(Config, WithoutADeviceTheNamedArchitectureDecides) {
  const EffectiveConfig config = AMDConfig{.architecture = AMDArchitecture::CDNA3}.effective();
  EXPECT_EQ(config.memory_pool_size_gb, 16);
  EXPECT_EQ(row(config, "memory_pool_size_gb").origin, "architecture gfx942");
  EXPECT_EQ(row(config, "architecture").origin, "code");
}

TEST(Config, TheBuiltInDefaultsApply) {
  for (const char* device : {"", "sm_90", "gfx1151"}) {
    const EffectiveConfig config = AMDConfig().effective(device);
    EXPECT_EQ(config.memory_pool_size_gb, 8) << device;
    EXPECT_EQ(row(config, "memory_pool_size_gb").origin, "default");
    EXPECT_EQ(config.max_memory_fraction, 0.9);
    EXPECT_EQ(config.hip_compiler_cache_size, 100u);
  }
  // Not CDNA, and no name in AMDArchitecture: still a GPU that one may have.
  EXPECT_EQ(AMDConfig().effective("gfx906").architecture, AMDArchitecture::AUTO);
}

TEST(Config, AnArchitectureOtherThanTheDevicesIsReported) {
  AMDConfig config{.architecture = AMDArchitecture::CDNA3};
  for (const char* device : {"gfx90a", "gfx906", "sm_90"}) {
    const EffectiveConfig effective = config.effective(device);
    ASSERT_THAT(effective.warnings, SizeIs(1));
    EXPECT_THAT(effective.warnings[0], HasSubstr(device));
    EXPECT_THAT(effective.warnings[0], HasSubstr("CDNA3"));
    EXPECT_EQ(row(effective, "architecture").origin, std::string("architecture ") + device);
  }
  EXPECT_EQ(config.effective("gfx90a").memory_pool_size_gb, 8);
  EXPECT_EQ(config.effective("gfx90a").architecture, AMDArchitecture::CDNA2);
  EXPECT_TRUE(config.effective("gfx942").warnings.empty());
  EXPECT_EQ(row(config.effective("gfx942"), "architecture").origin, "code");

  config.enable_strict_validation = true;
  const auto problems = problems_of([&] { config.effective("gfx90a"); });
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].value, "CDNA3");
  EXPECT_THAT(problems[0].allowed, HasSubstr("gfx90a"));
  EXPECT_NO_THROW(config.effective("gfx942"));
}

// --- Precedence ---

TEST(Config, LaterSourcesWin) {
  AMDConfig config;
  EXPECT_EQ(row(config.effective(), "memory_pool_size_gb").origin, "default");
  EXPECT_EQ(row(config.effective("gfx942"), "memory_pool_size_gb").origin, "architecture gfx942");
  config.preset = Preset::kInference;
  EXPECT_EQ(row(config.effective("gfx942"), "memory_pool_size_gb").origin, "preset inference");
  EXPECT_EQ(config.effective("gfx942").memory_pool_size_gb, 4);
  config.merge(AMDConfig::from_toml("memory_pool_size_gb = 5", "f.toml"));
  EXPECT_EQ(config.effective("gfx942").memory_pool_size_gb, 5);
  const Variable variable("HIPWRIGHT_MEMORY_POOL_SIZE_GB", "6");
  EXPECT_EQ(config.effective("gfx942").memory_pool_size_gb, 6);
  EXPECT_EQ(row(config.effective("gfx942"), "memory_pool_size_gb").origin,
            "HIPWRIGHT_MEMORY_POOL_SIZE_GB");
}

TEST(Config, UnsupportedFieldsAreRejectedInTheEnvironment) {
  const Variable variable("HIPWRIGHT_OPTIMIZATION_LEVEL", "balanced");
  const auto problems = problems_of([] { AMDConfig().effective(); });
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].allowed, HasSubstr("not supported by this version"));
}

TEST(Config, PresetsDiffer) {
  for (const runtime::PresetInfo& info : runtime::presets()) {
    EXPECT_EQ(runtime::find_preset(to_string(info.preset)), &info);
    const EffectiveConfig config = AMDConfig{.preset = info.preset}.effective("gfx942");
    for (const runtime::PresetValue& value : info.values)
      EXPECT_EQ(row(config, value.field).origin, "preset " + std::string(to_string(info.preset)));
    EXPECT_TRUE(config.warnings.empty());
  }
  const EffectiveConfig development = AMDConfig{.preset = Preset::kDevelopment}.effective();
  EXPECT_TRUE(development.enable_profiling);
  EXPECT_FALSE(development.enable_strict_validation);
  EXPECT_EQ(runtime::find_preset("fast"), nullptr);
}

TEST(Config, APresetsArchitectureAppliesWithoutADevice) {
  const AMDConfig config{.preset = Preset::kGeneralTraining};
  EXPECT_EQ(config.effective().architecture, AMDArchitecture::CDNA2);
  EXPECT_EQ(row(config.effective(), "architecture").origin, "preset general-training");
  EXPECT_EQ(config.effective("gfx950").architecture, AMDArchitecture::CDNA4);
}

// --- The compiler's part ---

// The architecture that a compiler with these settings has.
std::string compiled_for(const AMDConfig& config = {}) {
  return CompilerConfig(config).architecture;
}

TEST(Config, TheCompilerFollowsTheDeviceThatTheUserNames) {
  const Variable variable("HIPWRIGHT_DEVICE", "soft:gfx1100,gfx90a#1");
  EXPECT_EQ(compiled_for(), "gfx1100");
  EXPECT_EQ(compiled_for({.device_id = 1}), "gfx90a");
  EXPECT_EQ(compiled_for({.architecture = AMDArchitecture::CDNA3}), "gfx1100");
  EXPECT_THROW(compiled_for({.device_id = 2}), AMDDeviceError);
  EXPECT_THROW(
      compiled_for({.architecture = AMDArchitecture::CDNA3, .enable_strict_validation = true}),
      AMDConfigurationError);
}

TEST(Config, TheCompilerChoosesWithoutANamedGpu) {
  for (const char* device : {"", "auto", "cpu"}) {
    const Variable variable("HIPWRIGHT_DEVICE", device);
    EXPECT_EQ(compiled_for(), "auto") << device;
    EXPECT_THAT(compiled_for({.architecture = AMDArchitecture::RDNA3}),
                ::testing::StartsWith("gfx11"))
        << device;
  }
  const Variable variable("HIPWRIGHT_DEVICE", "gpu");
  EXPECT_THROW(compiled_for(), AMDConfigurationError);
}

TEST(Config, TheCompilerGetsItsSettings) {
  const CompilerConfig defaults = AMDConfig{.preset = Preset::kLlmTraining};
  EXPECT_EQ(defaults.architecture, "auto");
  EXPECT_TRUE(defaults.hip_kernel_cache_enabled);
  EXPECT_EQ(defaults.hip_compiler_cache_size, 500u);

  const Variable variable("HIPWRIGHT_HIP_COMPILER_CACHE_SIZE", "9");
  const CompilerConfig compiler = AMDConfig{.architecture = AMDArchitecture::CDNA3,
                                            .hip_kernel_cache_enabled = false,
                                            .hip_compiler_cache_dir = "/k"};
  EXPECT_THAT(compiler.architecture, ::testing::StartsWith("gfx942"));
  EXPECT_FALSE(compiler.hip_kernel_cache_enabled);
  EXPECT_EQ(compiler.hip_compiler_cache_size, 9u);
  EXPECT_EQ(compiler.hip_compiler_cache_dir, "/k");
  EXPECT_THROW(static_cast<void>(CompilerConfig(AMDConfig{.device_id = -1})),
               AMDConfigurationError);
}

}  // namespace

}  // namespace hipwright
