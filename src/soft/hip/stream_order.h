// SPDX-License-Identifier: MIT
// What comes before an operation of a stream, for the check of races between streams
// (check/stream_races.h). Only with that check, where calls run their work themselves.
#pragma once

#include "soft/check/stream_races.h"
#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct Event;
struct Stream;

// While it lives, this thread runs an operation of the stream.
class OrderedOperation {
 public:
  // `host_waits`: the call returns when the operation has ended.
  OrderedOperation(Stream& stream, const Work& work, bool host_waits);
  ~OrderedOperation();
  OrderedOperation(const OrderedOperation&) = delete;
  OrderedOperation& operator=(const OrderedOperation&) = delete;

 private:
  Stream& stream_;
  bool host_waits_;
  std::uint32_t number_ = 0, outer_ = 0;
};
// Its number, for the check; 0: none.
std::uint32_t current_operation();

// The bytes that a copy or fill of the current operation touches.
void touch(Runtime& runtime, const Region& region, const Extent& extent, bool writes);

// There is a stream besides the null stream now.
void order_streams(Runtime& runtime);
// What the stream does from now on comes behind the event.
void order_behind(Stream& stream, const Event& event);
// The host has waited.
void host_saw(Stream& stream);
void host_saw(const Event& event);
void host_saw_everything();
// The memory does not exist any more.
void forget_memory(Runtime& runtime, std::uint64_t begin, std::uint64_t size);

}  // namespace hipwright::soft::hip
