// SPDX-License-Identifier: MIT
// Random programs give the same bits on the host and on every target, at -O0 and at -O3, and no
// finding when they are checked: they do nothing wrong.
// HIPWRIGHT_DIFFERENTIAL_SEEDS=N runs N programs per target instead of a few.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "base/file.h"
#include "base/process.h"
#include "soft/check/checks.h"
#include "soft/lab.h"
#include "soft/launch/launch.h"
#include "soft/random_program.h"
#include "toolchain/probe.h"

namespace hipwright::soft {

namespace {

constexpr unsigned kInputs = 200;  // not a multiple of any wave size

std::vector<std::uint64_t> inputs() {
  std::mt19937_64 random(42);
  std::vector<std::uint64_t> values(kInputs);
  for (auto& value : values) value = random();
  for (unsigned i = 0; i < 16; ++i) values[i] = i;
  return values;
}

void compile(const std::filesystem::path& source, const std::filesystem::path& output,
             std::vector<std::string> flags) {
  const auto clang = toolchain::find_clang();
  ASSERT_TRUE(clang) << clang.error().message();
  ProcessCommand command{.argv = {clang->cxx.string(), "-std=c++17", "-w", "-ffp-contract=off",
                                  "-o", output.string(), source.string()}};
  command.argv.insert(command.argv.end(), flags.begin(), flags.end());
  const auto done = run(command);
  ASSERT_TRUE(done && done->ok()) << (done ? done->err : done.error().message());
}

std::vector<std::uint64_t> run_on_host(const std::filesystem::path& library,
                                       const std::vector<std::uint64_t>& in) {
  std::vector<std::uint64_t> out(in.size());
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    ADD_FAILURE() << ::dlerror();
    return out;
  }
  using Run = void (*)(const std::uint64_t*, std::uint64_t*, unsigned);
  Run run_all = nullptr;
  void* symbol = ::dlsym(handle, "run");
  std::memcpy(&run_all, &symbol, sizeof(run_all));
  if (run_all) run_all(in.data(), out.data(), static_cast<unsigned>(in.size()));
  ::dlclose(handle);
  return out;
}

std::vector<std::uint64_t> run_on_device(const std::filesystem::path& file, const std::string& gfx,
                                         const std::vector<std::uint64_t>& in, bool checked) {
  std::vector<std::uint64_t> out(in.size());
  Memory memory(std::uint64_t{1} << 30);
  auto bytes = read_file(file);
  auto object = toolchain::CodeObject::parse(toolchain::Bytes(std::move(*bytes)), file.string());
  if (!object) {
    ADD_FAILURE() << object.error().message();
    return out;
  }
  auto image = Image::load(std::move(*object), gfx, memory);
  if (!image) {
    ADD_FAILURE() << image.error().message();
    return out;
  }
  const std::uint64_t size = in.size() * sizeof(std::uint64_t);
  const std::uint64_t from = *memory.allocate(size, MemoryKind::kDevice);
  const std::uint64_t to = *memory.allocate(size, MemoryKind::kDevice);
  std::memcpy(reinterpret_cast<void*>(from), in.data(), size);
  struct {
    std::uint64_t in, out;
    std::uint32_t count;
  } arguments{from, to, static_cast<std::uint32_t>(in.size())};
  Checks checks({});
  const Engine engine{.memory = &memory,
                      .limits = {.steps_per_wave = 100'000'000},
                      .watch = checked ? checks.watch_factory() : WatchFactory()};
  const LaunchRequest request{.kernel = (*image)->kernel("run"),
                              .grid = {static_cast<std::uint32_t>((in.size() + 63) / 64), 1, 1},
                              .block = {64, 1, 1},
                              .arguments = std::as_bytes(std::span(&arguments, 1)).first(20)};
  const auto outcome = launch(engine, request);
  if (!outcome)
    ADD_FAILURE() << outcome.error().message();
  else if (outcome->failure)
    ADD_FAILURE() << outcome->failure->message();
  EXPECT_TRUE(checks.findings().empty()) << checks.findings().text();
  std::memcpy(out.data(), reinterpret_cast<void*>(to), size);
  return out;
}

class Differential : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Differential, RandomProgramsGiveTheHostsBits) {
  const std::string gfx = GetParam();
  const char* wanted = std::getenv("HIPWRIGHT_DIFFERENTIAL_SEEDS");
  const int seeds = wanted ? std::atoi(wanted) : 2;
  const auto folder = *TemporaryDirectory::create();
  const auto in = inputs();
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto source = folder.path() / "program.cpp";
    ASSERT_TRUE(write_file_atomic(source, random_program(static_cast<std::uint64_t>(seed))));
    const auto host = folder.path() / "host.so";
    compile(source, host, {"-O1", "-shared", "-fPIC"});
    const auto expected = run_on_host(host, in);
    for (const char* level : {"-O0", "-O3"}) {
      const auto object = folder.path() / "device.co";
      compile(source, object,
              {level, "--target=amdgcn-amd-amdhsa", "-mcpu=" + gfx, "-nogpulib", "-fuse-ld=lld"});
      if (HasFatalFailure()) return;
      for (const bool checked : {false, true}) {
        SCOPED_TRACE(fmt::format("seed {} {}{}", seed, level, checked ? ", checked" : ""));
        const auto got = run_on_device(object, gfx, in, checked);
        unsigned wrong = 0, first = 0;
        for (unsigned i = 0; i < in.size(); ++i)
          if (got[i] != expected[i] && wrong++ == 0) first = i;
        EXPECT_EQ(wrong, 0U) << "first at input " << first << std::hex << ": host "
                             << expected[first] << ", " << gfx << " " << got[first];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Differential, testing::ValuesIn(all_targets()),
                         [](const auto& tested) { return tested.param; });

}  // namespace hipwright::soft
