// SPDX-License-Identifier: MIT
#include "verify/shard.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace hipwright::verify {
namespace {

// The launchers' variables, and nothing of who runs the test.
std::string shard_with(const std::map<std::string, std::string>& variables) {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID",
        "SLURM_NTASKS", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
        "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "HIPWRIGHT_SHARDS"})
    ::unsetenv(name);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  const auto shard = shard_of_environment();
  if (!shard) return shard.error().message();
  return std::to_string(shard->index) + "/" + std::to_string(shard->count);
}

TEST(Shard, IsWhatTheUserSays) {
  const auto shard = parse_shard("1/4");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->index, 1U);
  EXPECT_EQ(shard->count, 4U);
  for (const char* wrong : {"", "1", "4/4", "1/0", "-1/4", "1/4x", "a/b"})
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
}

TEST(Shard, AllTogetherDoEverythingOnce) {
  for (std::size_t item = 0; item < 100; ++item) {
    int done = 0;
    for (unsigned index = 0; index < 7; ++index) done += Shard{index, 7, ""}.has(item);
    EXPECT_EQ(done, 1);
  }
}

TEST(Shard, IsWhatTheLauncherSays) {
  EXPECT_EQ(shard_with({}), "0/1");
  EXPECT_EQ(shard_with({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), "3/4");
  EXPECT_EQ(shard_with({{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "8"}}), "2/8");
  EXPECT_EQ(shard_with({{"JOB_COMPLETION_INDEX", "5"}, {"HIPWRIGHT_SHARDS", "6"}}), "5/6");
}

// An array from 10 to 16 in steps of 2, each job with one task or with two.
TEST(Shard, CountsJobsOfAnArrayAndTheirTasks) {
  std::map<std::string, std::string> variables = {
      {"SLURM_ARRAY_TASK_ID", "14"},  {"SLURM_ARRAY_TASK_MIN", "10"},
      {"SLURM_ARRAY_TASK_STEP", "2"}, {"SLURM_ARRAY_TASK_COUNT", "4"},
      {"SLURM_PROCID", "0"},          {"SLURM_NTASKS", "1"}};
  EXPECT_EQ(shard_with(variables), "2/4");
  variables["SLURM_PROCID"] = "1";
  variables["SLURM_NTASKS"] = "2";
  EXPECT_EQ(shard_with(variables), "5/8");
}

TEST(Shard, SaysWhatTheLauncherLeavesOut) {
  const std::string said = shard_with({{"JOB_COMPLETION_INDEX", "5"}});
  EXPECT_NE(said.find("HIPWRIGHT_SHARDS"), std::string::npos) << said;
  EXPECT_NE(shard_with({{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "4"}})
                .find("no shard 4 of 4"),
            std::string::npos);
  shard_with({});
}

}  // namespace
}  // namespace hipwright::verify
