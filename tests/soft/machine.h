// SPDX-License-Identifier: MIT
// A device of one target with the code of a small source file on it. The source is compiled by the
// installed clang-22 without any library: once per target and set of options.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "soft/lab.h"
#include "soft/launch/launch.h"
#include "soft/load/image.h"
#include "toolchain/code_object_fixture.h"

namespace hipwright::soft {

// The words that HIP's headers would give.
inline constexpr std::string_view kPrelude = R"(
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline __attribute__((noinline))
typedef unsigned int u32;
typedef unsigned long u64;
#define tid_x __builtin_amdgcn_workitem_id_x()
#define tid_y __builtin_amdgcn_workitem_id_y()
#define tid_z __builtin_amdgcn_workitem_id_z()
#define group_x __builtin_amdgcn_workgroup_id_x()
#define group_y __builtin_amdgcn_workgroup_id_y()
#define group_z __builtin_amdgcn_workgroup_id_z()
#define size_x __builtin_amdgcn_workgroup_size_x()
#define size_y __builtin_amdgcn_workgroup_size_y()
#define size_z __builtin_amdgcn_workgroup_size_z()
#define grid_x __builtin_amdgcn_grid_size_x()
#define grid_y __builtin_amdgcn_grid_size_y()
#define grid_z __builtin_amdgcn_grid_size_z()
static __device__ inline void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
)";

inline toolchain::CodeObject compiled_for(const std::string& target, std::string_view source,
                                          const std::vector<std::string>& options) {
  static std::map<std::pair<std::string, std::string>, toolchain::CodeObject> cache;
  std::string key(source);
  for (const std::string& option : options) key += "\n" + option;
  const auto found = cache.find({target, key});
  if (found != cache.end()) return found->second;
  std::string bytes = toolchain::testing_fixture::compiled_object(
      target, 5, std::string(kPrelude) + std::string(source), options);
  auto object = toolchain::CodeObject::parse(std::move(bytes), target + " code");
  EXPECT_TRUE(object) << (object ? "" : object.error().message());
  return cache.emplace(std::pair(target, key), *std::move(object)).first->second;
}

class Machine {
 public:
  Machine(const std::string& target, std::string_view source,
          const std::vector<std::string>& options = {"-O3"}) {
    engine.memory = &memory;
    auto loaded = Image::load(compiled_for(target, source, options), target, memory);
    EXPECT_TRUE(loaded) << loaded.error().message();
    image = *std::move(loaded);
  }

  Memory memory{std::uint64_t{1} << 32};
  Engine engine;
  std::shared_ptr<Image> image;

  // Device memory with a copy of the values.
  template <class T>
  T* upload(const std::vector<T>& values) {
    const std::uint64_t begin =
        memory.allocate(values.size() * sizeof(T), MemoryKind::kDevice).value();
    std::memcpy(reinterpret_cast<void*>(begin), values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T*>(begin);
  }
  template <class T>
  T* zeros(std::size_t count) {
    return upload(std::vector<T>(count));
  }

  // Arguments at the places that the metadata says.
  template <class... T>
  Result<LaunchOutcome> launch(const std::string& kernel, LaunchRequest request, T... arguments) {
    request.kernel = image->kernel(kernel);
    EXPECT_NE(request.kernel, nullptr) << kernel;
    if (!request.kernel) return fail("no such kernel", kernel, "");
    std::vector<std::byte> bytes(4096);
    std::size_t used = 0;
    unsigned index = 0;
    [[maybe_unused]] const auto put = [&](const auto& value) {
      const auto& place = request.kernel->info->arguments.at(index++);
      EXPECT_EQ(place.size, sizeof(value));
      std::memcpy(bytes.data() + place.offset, &value, sizeof(value));
      used = place.offset + sizeof(value);
    };
    (put(arguments), ...);
    request.arguments = std::span(bytes).first(used);
    return soft::launch(engine, request);
  }
  // The same, for kernels that must end well.
  template <class... T>
  LaunchOutcome run(const std::string& kernel, LaunchRequest request, T... arguments) {
    auto outcome = launch(kernel, request, arguments...);
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
    if (!outcome) return {};
    EXPECT_FALSE(outcome->failure) << outcome->failure->message();
    return *std::move(outcome);
  }
};

inline LaunchRequest over(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                          std::uint32_t dynamic_lds = 0) {
  LaunchRequest request;
  request.grid = grid;
  request.block = block;
  request.dynamic_lds = dynamic_lds;
  return request;
}
inline LaunchRequest over(std::uint32_t grid, std::uint32_t block, std::uint32_t dynamic_lds = 0) {
  return over({grid, 1, 1}, {block, 1, 1}, dynamic_lds);
}

}  // namespace hipwright::soft
