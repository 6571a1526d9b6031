// SPDX-License-Identifier: MIT
// fuzz_replay FUZZER FOLDER: gives every file below FOLDER to the fuzzer, without mutating it. What
// the fuzzers once found stays fixed, in every build and without libFuzzer.
#include "fuzz/replay.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"

using namespace hipwright;

namespace fs = std::filesystem;

namespace {

const Fuzzer* fuzzer_named(std::string_view name) {
  const std::span fuzzers(kFuzzers, kFuzzerCount);
  const auto found = std::ranges::find(fuzzers, name, &Fuzzer::name);
  return found == fuzzers.end() ? nullptr : &*found;
}

std::vector<fs::path> seeds_in(const fs::path& folder) {
  std::vector<fs::path> seeds;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file()) seeds.push_back(entry.path());
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  const Fuzzer* fuzzer = argc == 3 ? fuzzer_named(argv[1]) : nullptr;
  if (!fuzzer) {
    fmt::print(stderr, "usage: fuzz_replay FUZZER FOLDER\n");
    return 2;
  }
  const std::vector<fs::path> seeds = seeds_in(argv[2]);
  if (seeds.empty()) {
    fmt::print(stderr, "no seeds in {}\n", argv[2]);
    return 1;
  }
  for (const fs::path& seed : seeds) {
    const auto bytes = read_file(seed);
    if (!bytes) {
      fmt::print(stderr, "{}\n", bytes.error().message());
      return 1;
    }
    // Before it runs: the last line names the seed that ended the process.
    fmt::print("{}\n", seed.string());
    std::fflush(stdout);
    // At its own end of the heap, so that sanitizers see reads past it.
    const std::vector<std::uint8_t> copy(bytes->begin(), bytes->end());
    fuzzer->run(copy.data(), copy.size());
  }
  return 0;
}
