// SPDX-License-Identifier: MIT
#include "soft/hip/stream.h"

#include <algorithm>
#include <map>

#include "soft/hip/capture.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/pool.h"
#include "soft/hip/properties.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

constexpr int kLeastPriority = 1, kGreatestPriority = -1;

thread_local std::map<int, std::shared_ptr<Stream>> streams_of_thread;  // by device

hipError_t make_stream(hipStream_t* out, unsigned flags, int priority) {
  if (!out) return hipErrorInvalidValue;
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  auto stream = std::make_shared<Stream>();
  stream->runtime = &runtime;
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  *out = streams().add(std::move(stream));
  order_streams(runtime);
  return hipSuccess;
}

// One bit per compute unit.
std::vector<std::uint32_t> all_units(const Runtime& runtime) {
  const auto count = static_cast<unsigned>(device_properties(runtime).multiProcessorCount);
  std::vector<std::uint32_t> mask(count / 32, ~0U);
  if (count % 32 != 0) mask.push_back((1U << count % 32) - 1);
  return mask;
}

// What can go wrong is a device that failed, or a stream that records.
hipError_t wait_for(hipStream_t handle) {
  if (const auto named = stream_of(handle)) HIP_TRY(finish_stream(*named));
  release_held_memory();
  HIP_STREAM(stream, handle);
  {
    const std::lock_guard lock(capture_mutex());
    if (stream->capture) {
      stream->capture->status = hipStreamCaptureStatusInvalidated;
      return hipErrorStreamCaptureUnsupported;
    }
  }
  const bool is_null = !handle || handle == hipStreamLegacy;
  return is_null ? hipSuccess : break_other_captures();
}

hipError_t value_work(hipStream_t stream, void* pointer, std::uint64_t value, unsigned bytes,
                      bool wait, unsigned condition, std::uint64_t mask) {
  return api([&] {
    if (!pointer || condition > hipStreamWaitValueNor) return hipErrorInvalidValue;
    return submit(stream, ValueWork{.address = address_of(pointer),
                                    .value = value,
                                    .mask = mask,
                                    .bytes = bytes,
                                    .wait = wait,
                                    .condition = condition});
  });
}

}  // namespace

Registry<Stream, hipStream_t>& streams() {
  static auto* const registry = new Registry<Stream, hipStream_t>;
  return *registry;
}

hipError_t no_stream() {
  return any_runtime() ? hipErrorContextIsDestroyed : hipErrorNoDevice;
}

std::shared_ptr<Stream> make_null_stream(Runtime& runtime) {
  auto stream = std::make_shared<Stream>();
  stream->runtime = &runtime;
  return stream;
}

bool is_null(const Stream& stream) {
  return stream.runtime->null_stream().get() == &stream;
}

std::shared_ptr<Stream> stream_of(hipStream_t handle) {
  const bool null = !handle || handle == hipStreamLegacy;
  if (!null && handle != hipStreamPerThread) return streams().find(handle);
  Runtime* runtime = any_runtime();
  if (!runtime) return nullptr;
  if (null) return runtime->null_stream();
  auto& own = streams_of_thread[runtime->ordinal()];
  if (!own) {
    own = make_null_stream(*runtime);
    order_streams(*runtime);
  }
  return own;
}

std::vector<std::shared_ptr<Stream>> own_streams() {
  std::vector<std::shared_ptr<Stream>> list;
  for (const auto& [ordinal, stream] : streams_of_thread) list.push_back(stream);
  return list;
}

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) {
  return api([&] { return make_stream(stream, hipStreamDefault, 0); });
}
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return api([&] { return make_stream(stream, flags, 0); });
}
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return api([&] { return make_stream(stream, flags, priority); });
}
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, std::uint32_t words,
                                        const std::uint32_t* mask) {
  return api([&] {
    if (!stream) return hipErrorInvalidHandle;
    if (words == 0 || !mask) return hipErrorInvalidValue;
    HIP_TRY(make_stream(stream, hipStreamDefault, 0));
    stream_of(*stream)->cu_mask.assign(mask, mask + words);
    return hipSuccess;
  });
}
hipError_t hipExtStreamGetCUMask(hipStream_t handle, std::uint32_t words, std::uint32_t* mask) {
  return api([&] {
    const auto stream = stream_of(handle);
    if (!stream || !mask) return hipErrorInvalidValue;
    const std::vector<std::uint32_t> units = all_units(*stream->runtime);
    if (words < units.size()) return hipErrorInvalidValue;
    std::fill_n(mask, words, 0U);
    bool any = false;
    for (std::size_t i = 0; i < std::min(units.size(), stream->cu_mask.size()); ++i) {
      mask[i] = units[i] & stream->cu_mask[i];
      any = any || mask[i] != 0;
    }
    if (!any) std::ranges::copy(units, mask);
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  return api([&] {
    if (!handle || handle == hipStreamLegacy) return hipErrorInvalidHandle;
    if (handle == hipStreamPerThread) return hipErrorInvalidResourceHandle;
    const auto stream = streams().remove(handle);
    if (!stream) return no_stream();
    const std::lock_guard lock(capture_mutex());
    if (stream->capture && stream->capture->origin == handle)
      abandon(stream->capture);  // no call can end it any more
    else if (stream->capture)
      stream->capture->status = hipStreamCaptureStatusInvalidated;
    return hipSuccess;
  });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return async_api([&] { return wait_for(stream); });
}
hipError_t hipStreamQuery(hipStream_t stream) {
  return api([&] {
    const auto found = stream_of(stream);
    return found && is_busy(*found) ? hipErrorNotReady : wait_for(stream);
  });
}

hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  return api([&] {
    const auto stream = stream_of(handle);
    if (!flags || !handle) return hipErrorInvalidValue;
    if (!stream) return no_stream();
    *flags = stream->flags;
    return hipSuccess;
  });
}
hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  return api([&] {
    const auto stream = stream_of(handle);
    if (!priority) return hipErrorInvalidValue;
    if (!stream) return no_stream();
    *priority = stream->priority;
    return hipSuccess;
  });
}
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return api([&] {
    if (!device) return hipErrorInvalidValue;
    const auto found = stream_of(stream);
    if (!found) return no_stream();
    *device = found->runtime->ordinal();
    return hipSuccess;
  });
}
int hipGetStreamDeviceId(hipStream_t stream) {
  const auto found = stream_of(stream);
  return found ? found->runtime->ordinal() : -1;
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    if (least) *least = kLeastPriority;
    if (greatest) *greatest = kGreatestPriority;
    return hipSuccess;
  });
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                unsigned flags) {
  return api([&] {
    if (!callback || flags != 0) return hipErrorInvalidValue;
    return submit(stream, CallbackWork{callback, stream, data});
  });
}
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  return api([&] {
    if (!function) return hipErrorInvalidValue;
    return submit(stream, HostWork{function, data});
  });
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, std::uint32_t value,
                                unsigned flags, std::uint32_t mask) {
  return value_work(stream, pointer, value, 4, true, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, std::uint64_t value,
                                unsigned flags, std::uint64_t mask) {
  return value_work(stream, pointer, value, 8, true, flags, mask);
}
hipError_t hipStreamWriteValue32(hipStream_t stream, void* pointer, std::uint32_t value, unsigned) {
  return value_work(stream, pointer, value, 4, false, 0, ~0ULL);
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* pointer, std::uint64_t value, unsigned) {
  return value_work(stream, pointer, value, 8, false, 0, ~0ULL);
}

}  // extern "C"

}  // namespace hipwright::soft::hip
