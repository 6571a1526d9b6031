// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>
#include <vector>

#include "base/file.h"

namespace hipwright {
namespace {

// The umask belongs to all threads at once; writing files must not play with it.
TEST(WriteFileAtomic, ThreadsNeitherChangeNorMissTheUmask) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const mode_t before = ::umask(027);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 200; ++i)
        EXPECT_TRUE(write_file_atomic(folder->path() / (std::to_string(thread) + std::to_string(i)),
                                      "text", 0666, Durability::kProcessDeath));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(::umask(before), 027u);
  for (const auto& file : std::filesystem::directory_iterator(folder->path()))
    EXPECT_EQ(static_cast<unsigned>(file.status().permissions()), 0640u) << file.path();
}

}  // namespace
}  // namespace hipwright
