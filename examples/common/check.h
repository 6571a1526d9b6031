// SPDX-License-Identifier: MIT
// What every example needs: errors that stop the program, device arrays that free themselves, and
// a verdict at the end.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                  \
  do {                                                                   \
    const hipError_t status = (call);                                    \
    if (status != hipSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   hipGetErrorString(status));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (false)

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    HIP_CHECK(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }
  std::size_t size() const { return count_; }
  void zero() { HIP_CHECK(hipMemset(data_, 0, count_ * sizeof(T))); }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    HIP_CHECK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

// Launches do not fail loudly by themselves.
inline void finish_launch() {
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
}

// Numbers that look random and are the same everywhere.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : state_(seed * 2654435761U + 1) {}
  unsigned next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  // In [-1, 1).
  float unit() { return static_cast<float>(static_cast<int>(next()) / 2147483648.0); }
  std::vector<float> units(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = unit();
    return values;
  }

 private:
  unsigned state_;
};

class Verdict {
 public:
  // Counts what is wrong and prints the first few.
  template <class... T>
  void expect(bool fine, const char* format, T... values) {
    if (fine || ++wrong_ > 5) return;
    std::printf("FAIL: ");
    std::printf(format, values...);
    std::printf("\n");
  }
  void expect_near(const char* what, std::size_t at, double got, double want, double tolerance) {
    const bool fine = std::fabs(got - want) <= tolerance * (1.0 + std::fabs(want));
    expect(fine, "%s[%zu] is %.9g, expected %.9g", what, at, got, want);
  }
  // The program's exit status.
  int print(const char* what) const {
    if (wrong_ == 0) std::printf("PASS: %s\n", what);
    return wrong_ == 0 ? 0 : 1;
  }

 private:
  unsigned wrong_ = 0;
};
