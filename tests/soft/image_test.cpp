// SPDX-License-Identifier: MIT
#include "soft/load/image.h"

#include <gmock/gmock.h>

#include "soft/load/compatible.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

using namespace toolchain;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Image, Compatibility) {
  const struct {
    const char* code;
    const char* device;
    bool loads;
  } cases[] = {
      {"gfx942", "gfx942", true},
      {"gfx942", "gfx90a", false},
      {"gfx90a", "gfx942", false},
      {"gfx9-4-generic", "gfx942", true},
      {"gfx9-4-generic", "gfx950", true},
      {"gfx9-4-generic", "gfx90a", false},
      {"gfx11-generic", "gfx1100", true},
      {"gfx12-generic", "gfx1201", true},
      {"gfx12-generic", "gfx1100", false},
      {"gfx942:xnack+", "gfx942", true},
      {"gfx942:xnack+", "gfx942:xnack+", true},
      {"gfx942:xnack+", "gfx942:xnack-", false},
      {"gfx942", "gfx942:sramecc+:xnack-", true},
      {"gfx942:sramecc-", "gfx942:sramecc+", false},
  };
  for (const auto& test : cases)
    EXPECT_EQ(
        is_loadable(arch::parse_target(test.code).value(), arch::parse_target(test.device).value()),
        test.loads)
        << test.code << " on " << test.device;
  const auto code = arch::parse_target("gfx90a:xnack+").value();
  EXPECT_THAT(check_loadable(code, "gfx942", "a.co").error().message(),
              AllOf(HasSubstr("a.co"), HasSubstr("gfx90a:xnack+"), HasSubstr("gfx942")));
  EXPECT_THAT(check_loadable(code, "gfx1010", "a.co").error().message(),
              HasSubstr("the software GPU does not support gfx1010"));
}

constexpr std::string_view kSource = R"(
__device__ int zeros[1000];
__device__ int filled[3] = {1, 2, 3};
__constant__ const int* pointers[2] = {&filled[1], &filled[2]};
extern "C" __global__ void first(int* p) { *p = filled[0] + zeros[5] + *pointers[1]; }
extern "C" __global__ void second(int* p) { zeros[1] = *p; filled[2] = *p; }
)";

TEST(Image, PlacesAndRelocates) {
  HIPWRIGHT_NEEDS_CLANG();
  for (const std::string& target : all_targets()) {
    SCOPED_TRACE(target);
    Machine machine(target, kSource);
    const Image& image = *machine.image;
    ASSERT_EQ(image.kernels().size(), 2U);
    EXPECT_EQ(image.kernel("third"), nullptr);
    const LoadedKernel* first = image.kernel("first");
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->entry % 256, 0U);
    EXPECT_EQ(image.kernel_at(first->descriptor), first);
    EXPECT_EQ(image.symbolize(first->entry), "first");
    EXPECT_EQ(image.symbolize(first->entry + 8), "first+0x8");
    EXPECT_EQ(image.symbolize(16), "0x10");

    const LoadedVariable* zeros = image.variable("zeros");
    const LoadedVariable* filled = image.variable("filled");
    const LoadedVariable* pointers = image.variable("pointers");
    ASSERT_TRUE(zeros && filled && pointers);
    EXPECT_EQ(zeros->size, 4000U);
    EXPECT_EQ(reinterpret_cast<const int*>(zeros->address)[999], 0);
    EXPECT_EQ(reinterpret_cast<const std::uint64_t*>(pointers->address)[1], filled->address + 8);

    // Code can be read, data can be written, nothing else is there.
    EXPECT_FALSE(machine.memory.find(first->entry)->writable);
    EXPECT_TRUE(machine.memory.find(zeros->address)->writable);
    EXPECT_EQ(machine.memory.find(zeros->address)->kind, MemoryKind::kCode);

    int* p = machine.upload(std::vector<int>{40});
    machine.run("second", over(1, 1), p);
    machine.run("first", over(1, 1), p);
    EXPECT_EQ(*p, 1 + 0 + 40);
  }
}

TEST(Image, FreesItsMemory) {
  HIPWRIGHT_NEEDS_CLANG();
  Memory memory(std::uint64_t{1} << 30);
  std::uint64_t entry = 0;
  {
    const auto image =
        Image::load(compiled_for("gfx942", kSource, {"-O3"}), "gfx942", memory).value();
    entry = image->kernel("first")->entry;
    EXPECT_TRUE(memory.find(entry));
    // Two copies do not get in each other's way.
    const auto copy =
        Image::load(compiled_for("gfx942", kSource, {"-O3"}), "gfx942", memory).value();
    EXPECT_NE(copy->kernel("first")->entry, entry);
  }
  EXPECT_TRUE(memory.live().empty());
}

TEST(Image, GenericCodeRuns) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::pair<const char*, const char*> cases[] = {{"gfx9-4-generic", "gfx942"},
                                                       {"gfx9-4-generic", "gfx950"},
                                                       {"gfx11-generic", "gfx1100"},
                                                       {"gfx12-generic", "gfx1201"}};
  for (const auto& [code, device] : cases) {
    SCOPED_TRACE(code);
    std::string bytes = testing_fixture::compiled_object(
        code, 6, std::string(kPrelude) + std::string(kSource), {"-O3"});
    auto object = CodeObject::parse(std::move(bytes), "generic.co");
    ASSERT_TRUE(object) << object.error().message();
    Memory memory(std::uint64_t{1} << 30);
    const auto image = Image::load(*std::move(object), device, memory);
    ASSERT_TRUE(image) << image.error().message();
    const std::uint64_t p = memory.allocate(4, MemoryKind::kDevice).value();
    LaunchRequest request = over(1, 1);
    request.kernel = (*image)->kernel("first");
    request.arguments = std::as_bytes(std::span(&p, 1));
    Engine engine;
    engine.memory = &memory;
    const auto outcome = launch(engine, request);
    ASSERT_TRUE(outcome && !outcome->failure);
    EXPECT_EQ(*reinterpret_cast<const int*>(p), 4);
  }
}

TEST(Image, MissingSymbolsAreNamed) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string bytes = testing_fixture::compiled(
      "extern int one, two; int *first = &one, *second = &two, *third = &one;",
      {"-x", "c", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-fvisibility=default",
       "-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,undefs"});
  auto object = CodeObject::parse(bytes, "parts.co");
  ASSERT_TRUE(object) << object.error().message();
  Memory memory(std::uint64_t{1} << 30);
  const auto image = Image::load(*std::move(object), "gfx942", memory);
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message(), HasSubstr("undefined symbols: one, two"));
}

TEST(Image, TooLargeForTheDevice) {
  HIPWRIGHT_NEEDS_CLANG();
  Memory memory(4096);
  const auto image = Image::load(compiled_for("gfx942", kSource, {"-O3"}), "gfx942", memory);
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message(), AllOf(StartsWith("cannot load"), HasSubstr("4096 free")));
}

}  // namespace
}  // namespace hipwright::soft
