// SPDX-License-Identifier: MIT
// Every operation of the kernel library, on every device, against the CPU in double precision. On
// the software GPU all checks are on, and must be silent.
#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/device_event.h"
#include "base/file.h"
#include "kernels/state.h"
#include "kernels/trial.h"

namespace hipwright::kernels {

namespace {

constexpr const char* kWave64[] = {"soft:gfx942", "soft:gfx90a", "soft:gfx950"};
constexpr const char* kWave32[] = {"soft:gfx1100", "soft:gfx1201", "soft:gfx1030", "soft:gfx1151"};

bool is_full() {
  return std::getenv("HIPWRIGHT_TEST_FULL") != nullptr;
}

// Before the software GPU is loaded, which reads its settings once.
class Checks {
 public:
  Checks() {
    ::setenv("HIPWRIGHT_SOFT_CHECK", "all", 1);
    ::setenv(kEventsVariable, file().c_str(), 1);
  }
  std::string new_events() {
    std::string text;
    const DeviceEvents events = read_events(file());
    for (; seen_ < events.list.size(); ++seen_)
      if (events.list[seen_].kind != EventKind::kStart) text += events.list[seen_].text + "\n";
    if (events.unreadable > 0) text += "unreadable events\n";
    return text;
  }

 private:
  std::filesystem::path file() const { return scratch_->path() / "events"; }
  Result<TemporaryDirectory> scratch_ = TemporaryDirectory::create();
  std::size_t seen_ = 0;
};
Checks& checks() {
  static Checks instance;
  return instance;
}

AMDConfig unpooled() {
  return AMDConfig{.enable_memory_pooling = false};
}

struct Bench {
  explicit Bench(const char* selector, KernelsConfig config = {})
      : device(Device::open(selector)), kernels(device, config), memory(device, unpooled()) {}

  std::vector<Storage> run(const Op& op, const Problem& problem,
                           const std::vector<Storage>& inputs) {
    Trial trial(op, problem, kernels, memory, inputs);
    trial.submit();
    return trial.results();
  }

  Device device;
  Kernels kernels;
  AMDMemoryManager memory;
};

std::vector<Storage> oracle(const Op& op, const Problem& problem,
                            const std::vector<Storage>& inputs) {
  static Bench bench("cpu", {.double_precision = true});
  return bench.run(op, problem, inputs);
}

class Cases : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    checks();
    try {
      bench = std::make_unique<Bench>(GetParam());
    } catch (const ROCmNotAvailableError& error) {
      const std::string selector = GetParam();
      ASSERT_TRUE(selector == "cuda" || selector == "hip") << error.what();
      GTEST_SKIP() << "not run: no device " << selector;
    }
  }

  // Software GPUs share the operations, each on one target of either wave size: compiling is slow.
  // What is made for a matrix unit runs on all of them, in one type each.
  bool is_mine(std::size_t index, const Problem& problem) const {
    const auto is_this = [](const char* name) { return std::string_view(name) == GetParam(); };
    if (is_full() ||
        (std::ranges::none_of(kWave64, is_this) && std::ranges::none_of(kWave32, is_this)))
      return true;
    if (all_ops()[index].instances == nullptr)
      return is_this(kWave64[index % std::size(kWave64)]) ||
             is_this(kWave32[index % std::size(kWave32)]);
    struct Part {
      const char* target;
      DataType type;
      std::string_view fp8;  // the form of 8-bit operands
    };
    constexpr Part kParts[] = {
        {"soft:gfx942", DataType::kBF16, "e4m3fnuz"}, {"soft:gfx90a", DataType::kF32, ""},
        {"soft:gfx950", DataType::kF16, "e4m3"},      {"soft:gfx1100", DataType::kBF16, "e4m3fnuz"},
        {"soft:gfx1201", DataType::kF16, "e4m3"},     {"soft:gfx1030", DataType::kF32, ""},
        {"soft:gfx1151", DataType::kF16, ""},
    };
    const std::string_view form = all_ops()[index].variants[problem.variant];
    return std::ranges::any_of(kParts, [&](const Part& part) {
      return is_this(part.target) && problem.type == part.type &&
             (!form.starts_with("e4m3") || form == part.fp8);
    });
  }

  std::unique_ptr<Bench> bench;
};

TEST_P(Cases, AreRight) {
  const unsigned units = bench->device.info().compute_units;
  for (std::size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    std::uint64_t seed = 0;
    for (const Problem& problem : awkward_problems(op)) {
      if (!is_mine(i, problem)) continue;
      const auto inputs = initial_storage(op, problem, ++seed);
      // As if the device were full, in part or whole, with the tiles for that.
      const unsigned seen[] = {units, 1, 0};
      bench->kernels.state().compute_units = seen[seed % 3];
      const auto expected = oracle(op, problem, inputs);
      EXPECT_EQ(difference(op, problem, expected, bench->run(op, problem, inputs)), "")
          << to_string(op, problem);
      EXPECT_EQ(checks().new_events(), "") << to_string(op, problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Cases,
                         testing::Values("cpu", "soft:gfx942", "soft:gfx90a", "soft:gfx950",
                                         "soft:gfx1100", "soft:gfx1201", "soft:gfx1030",
                                         "soft:gfx1151", "cuda", "hip"),
                         [](const auto& selector) {
                           std::string name = selector.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

}  // namespace

}  // namespace hipwright::kernels
