// SPDX-License-Identifier: MIT
// Any text is a profile, or a contest, or an error that names the file.
#include <cstdint>

#include "github/contest/contest.h"
#include "github/profile/profile.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto contest = github::read_contest(text, "mine.toml"); !contest)
    HW_ASSERT(contest.error().on.starts_with("mine.toml"));
  github::Profile profile;
  const auto read = github::read_profile(text, "mine.toml", profile);
  if (!read) {
    HW_ASSERT(read.error().on.starts_with("mine.toml"));
    return 0;
  }
  HW_ASSERT(!profile.repository.empty());
  static_cast<void>(profile.is_rocm_path("csrc/rocm/a.cu"));
  return 0;
}
