// SPDX-License-Identifier: MIT
// A memory manager over a device that notices misuse.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hipwright/memory.h"
#include "runtime/fake_device.h"
#include "runtime/stream.h"

namespace hipwright {

constexpr std::size_t operator""_KiB(unsigned long long n) {
  return n << 10;
}
constexpr std::size_t operator""_MiB(unsigned long long n) {
  return n << 20;
}
constexpr std::size_t operator""_GiB(unsigned long long n) {
  return n << 30;
}

class PoolTest : public testing::Test {
 protected:
  ~PoolTest() override {
    manager_.reset();
    if (fake_) {
      EXPECT_THAT(fake_->violations(), testing::IsEmpty());
    }
  }

  AMDMemoryManager& open(const AMDConfig& config = {}, std::size_t device_bytes = 16_GiB) {
    fake_ = std::make_shared<device::FakeDevice>(device_bytes);
    manager_ = std::make_unique<AMDMemoryManager>(Device(fake_), config);
    return *manager_;
  }
  device::FakeDevice& fake() { return *fake_; }
  AMDMemoryManager& manager() { return *manager_; }
  Stream stream(const std::string& name) { return Stream(runtime::make_stream(fake_, name, 0)); }

  DeviceBuffer allocate(std::size_t bytes, const Stream& on = {}) {
    return manager_->allocate(bytes, {.stream = on});
  }
  // Work on the whole buffer.
  void touch(const DeviceBuffer& buffer, const Stream& on = {}) {
    fake_->touch(buffer.data(), buffer.size(), runtime::native(on));
  }
  void complete(const Stream& on = {}) { fake_->complete(runtime::native(on)); }
  // What a program does itself before `later` uses what `earlier` made.
  void order(const Stream& earlier, const Stream& later) {
    const device::Event event = *fake_->create_event(false);
    ASSERT_TRUE(fake_->record(event, runtime::native(earlier)));
    ASSERT_TRUE(fake_->wait(runtime::native(later), event));
    ASSERT_TRUE(fake_->destroy_event(event));
  }
  MemoryStats stats() { return manager_->get_memory_stats(); }

  std::shared_ptr<device::FakeDevice> fake_;
  std::unique_ptr<AMDMemoryManager> manager_;
};

}  // namespace hipwright
