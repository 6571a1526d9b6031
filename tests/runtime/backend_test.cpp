// SPDX-License-Identifier: MIT
#include "hipwright/backend.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "device/device.h"
#include "hipwright/checkpoint.h"
#include "hipwright/multi_gpu.h"
#include "runtime/select.h"

namespace hipwright {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kSource = R"(
extern "C" __global__ void double_it(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
extern "C" __global__ void wave(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = warpSize;
}
)";

const CpuKernel kDouble("double_it", [](const CpuBlock& block, int* data, int n) {
  block.each_thread([&](Dim3 thread) {
    const int i = static_cast<int>(block.index.x * block.size.x + thread.x);
    if (i < n) data[i] *= 2;
  });
});
const CpuKernel kThrows("throws", [](const CpuBlock&) {
  throw std::runtime_error("the kernel's own words");
});

void choose(const char* device) {
  ::setenv("HIPWRIGHT_DEVICE", device, 1);
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::vector<int> doubled(Backend& backend) {
  std::vector<int> values{1, 2, 3};
  const auto size = values.size() * sizeof(int);
  const DeviceBuffer buffer = backend.memory().allocate(size);
  backend.utilities().copy_to_device(buffer.data(), values.data(), size);
  backend.launch(backend.load_kernel(kSource, "double_it"), {1}, {64}, buffer, 3);
  backend.utilities().copy_to_host(values.data(), buffer.data(), size);
  backend.synchronize();
  return values;
}

TEST(Backend, WithoutAGpuItFallsBackToTheCpuAndWarnsOnce) {
  ::unsetenv("HIPWRIGHT_DEVICE");
  if (device::open_hip()) GTEST_SKIP() << "not run: this machine has an AMD GPU";
  testing::internal::CaptureStderr();
  AMDBackend backend;
  const AMDBackend second;
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(backend.is_available());
  EXPECT_EQ(backend.device().type(), "cpu");
  EXPECT_FALSE(backend.fallback_reason().empty());
  EXPECT_THAT(said, HasSubstr("using the CPU instead of an AMD GPU: "));
  EXPECT_EQ(said.find('\n'), said.size() - 1) << "one line: " << said;
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
}

TEST(Backend, StrictValidationRejectsTheCpuWithTheReason) {
  ::unsetenv("HIPWRIGHT_DEVICE");
  if (device::open_hip()) GTEST_SKIP() << "not run: this machine has an AMD GPU";
  try {
    const AMDBackend backend(AMDConfig{.enable_strict_validation = true});
    FAIL() << "nothing was thrown";
  } catch (const ROCmNotAvailableError& error) {
    EXPECT_THAT(error.what(), HasSubstr("an AMD GPU"));
    EXPECT_FALSE(error.advice().empty());
  }
}

TEST(Backend, ARequestedCpuIsNotAFallback) {
  choose("cpu");
  const AMDBackend backend(AMDConfig{.enable_strict_validation = true});
  EXPECT_EQ(backend.fallback_reason(), "");
  EXPECT_FALSE(backend.is_available());
  EXPECT_EQ(backend.get_device_info().id, "cpu");
}

TEST(Backend, AMissingNamedDeviceIsAnErrorInAnyMode) {
  choose("cuda");
  if (device::open_cuda()) GTEST_SKIP() << "not run: this machine has an NVIDIA GPU";
  EXPECT_THROW(AMDBackend(), ROCmNotAvailableError);
  EXPECT_THROW(NVIDIABackend(), ROCmNotAvailableError);
  choose("gpu");
  EXPECT_THROW(AMDBackend(), AMDConfigurationError);
  EXPECT_THAT(message([] { AMDBackend(); }), HasSubstr("HIPWRIGHT_DEVICE"));
}

TEST(Backend, ANumberOutOfRangeIsADeviceError) {
  choose("cpu");
  EXPECT_THROW(AMDBackend(AMDConfig{.device_id = 99}), AMDDeviceError);
  AMDBackend backend;
  for (const int index : {-1, 1, 99}) {
    EXPECT_THROW(backend.set_device(index), AMDDeviceError);
    EXPECT_THAT(message([&] { backend.set_device(index); }), HasSubstr(std::to_string(index)));
  }
  backend.set_device(0);
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
}

TEST(Backend, AnNvidiaBackendDoesNotFollowASelectorOfAmdDevices) {
  if (device::open_cuda()) GTEST_SKIP() << "not run: this machine has an NVIDIA GPU";
  choose("soft:gfx942");
  const NVIDIABackend backend;
  EXPECT_EQ(backend.device().type(), "cpu");
  EXPECT_FALSE(backend.fallback_reason().empty());
}

TEST(Backend, SoftwareGpusOfTwoKindsWorkSideBySide) {
  choose("soft:gfx942,gfx1100");
  AMDBackend backend;
  EXPECT_TRUE(backend.is_available());
  ASSERT_EQ(backend.get_all_devices().size(), 2u);
  const auto wave_size = [&] {
    int value = 0;
    const DeviceBuffer buffer = backend.memory().allocate(sizeof value);
    backend.launch(backend.load_kernel(kSource, "wave"), {1}, {1}, buffer, 1);
    backend.utilities().copy_to_host(&value, buffer.data(), sizeof value);
    backend.synchronize();
    return value;
  };
  EXPECT_EQ(backend.get_device_info().wave_size, 64u);
  EXPECT_EQ(wave_size(), 64);
  AMDMemoryManager& first = backend.memory();
  backend.set_device(1);
  EXPECT_NE(&backend.memory(), &first);
  EXPECT_EQ(backend.get_device_info().wave_size, 32u);
  EXPECT_EQ(wave_size(), 32);
  EXPECT_THROW(backend.set_device(2), AMDDeviceError);
}

TEST(Backend, ChoosesTheDeviceByItsConfiguredNumber) {
  choose("soft:gfx942,gfx1100");
  EXPECT_THAT(AMDBackend(AMDConfig{.device_id = 1}).get_device_info().architecture,
              HasSubstr("gfx1100"));
}

TEST(Backend, AMismatchedArchitectureIsAWarningOrInStrictModeAnError) {
  choose("soft:gfx942");
  testing::internal::CaptureStderr();
  const AMDBackend backend(AMDConfig{.architecture = AMDArchitecture::CDNA2});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("CDNA2"));
  EXPECT_THROW(AMDBackend(AMDConfig{.architecture = AMDArchitecture::CDNA2,
                                    .enable_strict_validation = true}),
               AMDConfigurationError);
  EXPECT_EQ(AMDBackend(AMDConfig{.architecture = AMDArchitecture::AUTO}).config().architecture,
            AMDArchitecture::CDNA3);
}

TEST(Backend, AnAmdArchitectureDoesNotMatchTheCpu) {
  choose("cpu");
  testing::internal::CaptureStderr();
  const AMDBackend backend(AMDConfig{.architecture = AMDArchitecture::CDNA3});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("the device is cpu"));
  EXPECT_EQ(backend.config().architecture, AMDArchitecture::AUTO);
  EXPECT_THROW(AMDBackend(AMDConfig{.architecture = AMDArchitecture::CDNA3,
                                    .enable_strict_validation = true}),
               AMDConfigurationError);
}

TEST(Backend, ANumberOutOfRangeIsAnErrorWithTheCpuFallback) {
  ::unsetenv("HIPWRIGHT_DEVICE");
  if (device::open_hip()) GTEST_SKIP() << "not run: this machine has an AMD GPU";
  EXPECT_THROW(AMDBackend(AMDConfig{.device_id = 99}), AMDDeviceError);
  EXPECT_THAT(message([] { AMDBackend(AMDConfig{.device_id = 99}); }),
              AllOf(HasSubstr("99"), HasSubstr("used as a fallback")));
}

TEST(Backend, TheSettingsAreThoseOfTheDeviceThatIsUsed) {
  choose("soft:gfx942,gfx1100");
  AMDBackend backend;
  const EffectiveConfig& first = backend.config();
  EXPECT_EQ(first.architecture, AMDArchitecture::CDNA3);
  backend.set_device(1);
  EXPECT_EQ(backend.config().architecture, AMDArchitecture::RDNA3);
  EXPECT_EQ(backend.config().device_id, 1);
  EXPECT_EQ(first.architecture, AMDArchitecture::CDNA3) << "a reference stays what it was";
  backend.set_device(0);
  EXPECT_EQ(backend.config().architecture, AMDArchitecture::CDNA3);
}

TEST(Backend, AKernelIsCompiledOnlyForTheConfiguredArchitecture) {
  choose("soft:gfx942");
  AMDBackend backend;
  EXPECT_NO_THROW(backend.load_kernel(kSource, "double_it", {.architecture = "gfx942"}));
  try {
    backend.load_kernel(kSource, "double_it", {.architecture = "gfx90a"});
    FAIL() << "nothing was thrown";
  } catch (const HIPCompilationError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("gfx90a"), HasSubstr("gfx942")));
    EXPECT_FALSE(error.advice().empty());
  }
}

// What `hipwright devices` shows is what programs get.
TEST(Backend, UsesTheDeviceThatTheToolNames) {
  for (const char* named : {"", "cpu", "auto", "soft:gfx942,gfx1100", "gpu", "cuda:7"}) {
    for (const char* id : {"", "1"}) {
      SCOPED_TRACE(std::string(named) + " " + id);
      choose(named);
      ::setenv("HIPWRIGHT_DEVICE_ID", id, 1);
      testing::internal::CaptureStderr();
      const runtime::Choice choice = runtime::default_choice(runtime::Vendor::kAmd);
      EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
      std::string used;
      try {
        used = AMDBackend().device().id();
      } catch (const AMDBackendError& error) {
        EXPECT_EQ(choice.by, error.what());
      }
      EXPECT_EQ(choice.device, used);
      EXPECT_FALSE(choice.by.empty());
    }
  }
  ::unsetenv("HIPWRIGHT_DEVICE_ID");
}

// Every refusal says which call it was, on what device where there is one, and what to do.
TEST(Backend, EveryMisuseCarriesCallDeviceAndAdvice) {
  choose("cpu");
  AMDBackend backend;
  HIPUtilities& utils = backend.utilities();
  const Device cpu = backend.device(), soft = Device::open("soft:gfx942");
  const Stream foreign = HIPUtilities(soft, {}).create_stream("foreign");
  const Event event = utils.create_event(), its_event = HIPUtilities(soft, {}).create_event();
  const DeviceBuffer buffer = backend.memory().allocate(64);
  PinnedBuffer pinned = utils.allocate_pinned(8);
  AMDMemoryManager its_memory(soft, {});
  AMDMemoryManager moved_from(cpu, {}), moved_to(std::move(moved_from));
  Collectives group({cpu, cpu});
  int host = 0;
  struct Row {
    const char* device;
    std::function<void()> call;
  };
  const std::vector<Row> rows{
      {"", [] { Device().synchronize(); }},
      {"", [] { static_cast<void>(Device().info()); }},
      {"'nonsense'", [] { Device::open("nonsense"); }},
      {"", [] { Stream().synchronize(); }},
      {"", [] { static_cast<void>(Stream().idle()); }},
      {"", [] { Event().record(); }},
      {"cpu", [&] { event.record(foreign); }},
      {"cpu", [&] { foreign.wait(event); }},
      {"cpu", [&] { static_cast<void>(event.elapsed_ms(its_event)); }},
      {"", [] { static_cast<void>(Kernel().name()); }},
      {"", [] { Graph().replay(); }},
      {"", [] { const auto scope = PrivatePool().use(); }},
      {"", [] { HIPUtilities(Device(), {}); }},
      {"cpu", [&] { HIPUtilities(cpu, {}, &its_memory); }},
      {"", [] { AMDMemoryManager(Device(), {}); }},
      {"", [&] { moved_from.allocate(1); }},
      {"", [] { DeviceBuffer().record_use({}); }},
      {"cpu", [&] { backend.memory().allocate(1, {.stream = foreign}); }},
      {"cpu", [&] { utils.get_stream("none"); }},
      {"cpu",
       [&] {
         utils.create_stream("twice");
         utils.create_stream("twice");
       }},
      {"cpu", [&] { utils.fill(buffer.data(), 0, 4, foreign); }},
      {"cpu", [&] { utils.copy_to_host(pinned, buffer.data(), 9); }},
      {"cpu", [&] { utils.launch(Kernel(), {1}, {1}); }},
      {"cpu", [&] { utils.export_trace("/tmp/never"); }},
      {"cpu",
       [&] { utils.capture_graph("g", [&](const Stream& stream) { stream.synchronize(); }); }},
      {"99", [&] { backend.set_device(99); }},
      {"cpu", [&] { register_cpu_kernel("", {}, {}); }},
      {"", [] { copy_between(nullptr, Device(), nullptr, Device(), 1); }},
      {"cpu", [&] { enable_peer_access(cpu, soft); }},
      {"", [] { const Collectives none{std::vector<Device>{}}; }},
      {"cpu",
       [&] {
         Collectives({cpu, soft});
       }},
      {"cpu", [&] { group.all_reduce({&host}, 1, DataType::kF32); }},
      {"cpu",
       [&] {
         group.all_reduce({&host, nullptr}, 1, DataType::kF32);
       }},
      {"cpu",
       [&] {
         group.broadcast({&host, &host}, 1, DataType::kF32, 2);
       }},
      {"", [] { static_cast<void>(Tensor{.shape = {-1}}.elements()); }},
      {"",
       [] {
         static_cast<void>(
             Tensor{.type = DataType::kF64, .shape = {std::int64_t{1} << 61}}.bytes());
       }},
      {"", [] { static_cast<void>(size_of(static_cast<DataType>(99))); }},
      {"", [&] { load_checkpoint("/nowhere/at/all", backend); }},
      {"", [] { static_cast<void>(AMDConfig{.max_memory_fraction = 2.0}.effective()); }},
      {"", [] { ROCmCompiler{CompilerConfig{.architecture = "gfx1"}}; }},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    try {
      rows[i].call();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const AMDBackendError& error) {
      SCOPED_TRACE(error.what());
      EXPECT_NE(error.call(), "");
      EXPECT_EQ(error.device(), rows[i].device);
      EXPECT_NE(error.advice(), "");
    }
  }
}

TEST(Backend, CanBeUsedAfterCleanup) {
  choose("cpu");
  AMDBackend backend;
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
  DeviceBuffer kept = backend.memory().allocate(1000);
  backend.cleanup();
  kept.reset();
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
}

class BackendFailures : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("cuda") && !device::open_cuda())
      GTEST_SKIP() << "not run: no device cuda";
    choose(GetParam());
  }
};

TEST_P(BackendFailures, LeaveTheProcessUsable) {
  AMDBackend backend;
  const std::string id = backend.device().id();
  // Memory.
  const std::size_t too_much = std::size_t{1} << 45;
  try {
    backend.memory().allocate(too_much, {.purpose = "everything"});
    FAIL() << "nothing was thrown";
  } catch (const ROCmMemoryError& error) {
    EXPECT_EQ(error.device(), id);
    EXPECT_TRUE(error.device_usable());
    EXPECT_FALSE(error.advice().empty());
  }
  // A launch.
  const Kernel kernel = backend.load_kernel(kSource, "double_it");
  const DeviceBuffer buffer = backend.memory().allocate(100);
  EXPECT_THROW(backend.launch(kernel, {1}, {1 << 20}, buffer, 1), AMDDeviceError);
  EXPECT_THROW(backend.launch(kernel, {1}, {64}, buffer), AMDDeviceError);
  EXPECT_THAT(message([&] { backend.launch(kernel, {1}, {64}, buffer, 1.0); }),
              HasSubstr("argument 2 has 8 bytes"));
  EXPECT_THROW(backend.launch(Kernel(), {1}, {1}), AMDDeviceError);
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendFailures, testing::Values("cpu", "soft:gfx942", "cuda"),
                         [](const auto& selector) {
                           std::string name = selector.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

TEST(Backend, AnExceptionInACpuKernelIsThrownByTheNextWait) {
  choose("cpu");
  AMDBackend backend;
  backend.launch(backend.load_kernel("", "throws"), {4}, {1});
  EXPECT_THAT(message([&] { backend.synchronize(); }), HasSubstr("the kernel's own words"));
  EXPECT_THAT(doubled(backend), ElementsAre(2, 4, 6));
}

// What a fault leaves behind must be what the exception says: true when it is.
bool fault_tells_the_truth() {
  AMDBackend backend;
  try {
    backend.launch(backend.load_kernel(kSource, "double_it"), {1}, {64}, static_cast<int*>(nullptr),
                   64);
    backend.synchronize();
  } catch (const AMDDeviceError& error) {
    if (!error.details().code_name.starts_with("hipError") || error.call().empty()) return false;
    try {
      return doubled(backend) == std::vector<int>{2, 4, 6} && error.device_usable();
    } catch (const AMDBackendError&) {
      return !error.device_usable();
    }
  }
  return false;
}

// In a process of its own: a fault may end the use of the device.
TEST(Backend, AKernelFaultReportsWhetherTheDeviceIsUsable) {
  choose("soft:gfx942");
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::_Exit(fault_tells_the_truth() ? 0 : 1), testing::ExitedWithCode(0), "");
}

// The compiler's settings reach it.
TEST(Backend, KernelsAreCachedWhereAndAsConfigured) {
  choose("soft:gfx942");
  const auto folder = *TemporaryDirectory::create();
  const auto entries = [&] {
    return std::distance(std::filesystem::recursive_directory_iterator(folder.path()),
                         std::filesystem::recursive_directory_iterator());
  };
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  const auto compile = [&](const AMDConfig& config) {
    AMDBackend backend(config);
    backend.load_kernel(kSource, "double_it");
    backend.load_kernel(kSource, "double_it");
    return backend.compiler().get_compilation_stats();
  };
  const CompilationStats off =
      compile({.hip_kernel_cache_enabled = false, .hip_compiler_cache_dir = folder.path() / "off"});
  EXPECT_EQ(off.misses, 2u);
  EXPECT_EQ(entries(), 0);
  const CompilationStats on = compile({.hip_compiler_cache_dir = folder.path() / "on"});
  EXPECT_EQ(on.misses, 1u);
  EXPECT_EQ(on.memory_hits, 1u);
  EXPECT_GT(entries(), 1);
  // Nothing is kept in memory: the second look-up finds the file.
  const CompilationStats small =
      compile({.hip_compiler_cache_size = 0, .hip_compiler_cache_dir = folder.path() / "on"});
  EXPECT_EQ(small.disk_hits, 2u);
}

TEST(Backend, ASourceThatDoesNotCompileKeepsTheCompilersMessages) {
  choose("soft:gfx942");
  AMDBackend backend;
  try {
    backend.load_kernel("__global__ void k() { nonsense; }", "k");
    FAIL() << "nothing was thrown";
  } catch (const HIPCompilationError& error) {
    ASSERT_FALSE(error.messages().empty());
    EXPECT_EQ(error.messages()[0].line, 1u);
  }
}

}  // namespace

}  // namespace hipwright
