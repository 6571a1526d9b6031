// SPDX-License-Identifier: MIT
// Real code objects for the tests, made by the installed clang-22 without any ROCm.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain::testing_fixture {

inline constexpr const char* kClang = "clang++-22";

#define HIPWRIGHT_NEEDS_CLANG() \
  if (!find_program(testing_fixture::kClang)) GTEST_SKIP() << "not run: clang-22 is not installed"

// Two kernels, a constant table, a counter, and a pointer to the counter that a loader must fill
// in.
inline constexpr std::string_view kSource = R"(
#define DEVICE __attribute__((device))
#define KERNEL __attribute__((global))
struct dim3 { unsigned x, y, z; };
typedef struct ihipStream_t* hipStream_t;
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, unsigned long, hipStream_t);
DEVICE int counter = 5;
DEVICE int* to_counter = &counter;
__attribute__((constant)) float scale[4] = {1, 2, 3, 4};
template <class T> KERNEL void axpy(T a, const T* x, T* y, int n) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n) y[i] += a * x[i] * scale[i & 3];
  __atomic_fetch_add(to_counter, 1, 0);
}
template KERNEL void axpy<float>(float, const float*, float*, int);
extern "C" KERNEL __attribute__((amdgpu_flat_work_group_size(1, 128))) void reverse(int* p) {
  __attribute__((shared)) static int line[128];
  int i = __builtin_amdgcn_workitem_id_x();
  line[i] = p[i];
  __builtin_amdgcn_s_barrier();
  p[i] = line[127 - i];
}
)";

// What the runtime's library would define: enough to link a program.
inline constexpr std::string_view kRuntime = R"(
extern "C" {
int hipLaunchKernel() { return 0; }
void** __hipRegisterFatBinary(const void*) { return nullptr; }
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction() {}
void __hipRegisterVar() {}
void __hipRegisterManagedVar() {}
int __hipPopCallConfiguration() { return 0; }
}
int main() {}
)";

// Runs the compiler in `folder`; a failure fails the test with what the compiler said.
inline Finished compile(const TemporaryDirectory& folder, std::vector<std::string> words) {
  words.insert(words.begin(), kClang);
  auto finished = run({.argv = words, .directory = folder.path()});
  EXPECT_TRUE(finished && finished->ok()) << shell_quoted(words) << "\n" << finished->err;
  return *std::move(finished);
}

inline std::vector<std::string> hip_words(const std::vector<std::string>& targets) {
  std::vector<std::string> words = {
      "-x", "hip", "-nogpuinc", "-nogpulib", "--rocm-path=/nonexistent", "-Os", "-cuid=0"};
  for (const std::string& target : targets) words.push_back("--offload-arch=" + target);
  return words;
}

// The file that `words` make of `source`.
inline std::string compiled(std::string_view source, std::vector<std::string> words,
                            const std::string& name = "in.hip") {
  const auto folder = TemporaryDirectory::create().value();
  EXPECT_TRUE(write_file_atomic(folder.path() / name, source));
  words.insert(words.end(), {"-o", "out", name});
  compile(folder, std::move(words));
  return read_file(folder.path() / "out").value_or("");
}

inline std::string compiled_object(const std::string& target, unsigned version,
                                   std::string_view source = kSource,
                                   std::vector<std::string> more = {}) {
  std::vector<std::string> words = hip_words({target});
  words.insert(words.end(), {"--cuda-device-only", "--no-gpu-bundle-output", "-c",
                             "-mcode-object-version=" + std::to_string(version)});
  words.insert(words.end(), more.begin(), more.end());
  return compiled(source, std::move(words));
}

inline std::string compiled_bundle(const std::vector<std::string>& targets,
                                   std::vector<std::string> more = {}) {
  std::vector<std::string> words = hip_words(targets);
  words.insert(words.end(), {"--cuda-device-only", "-c"});
  words.insert(words.end(), more.begin(), more.end());
  return compiled(kSource, std::move(words));
}

}  // namespace hipwright::toolchain::testing_fixture
