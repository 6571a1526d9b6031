// SPDX-License-Identifier: MIT
#include "hipwright/checkpoint.h"

#include <fmt/format.h>

#include "base/file.h"
#include "device/device.h"
#include "hipwright/backend.h"
#include "runtime/data_type.h"
#include "runtime/raise.h"
#include "runtime/safetensors.h"

namespace hipwright {

namespace {

using runtime::SafetensorsHeader;
using runtime::StoredTensor;
using runtime::value_or_raise;

// Host memory that a checkpoint needs, whatever the tensors' sizes.
constexpr std::size_t kChunk = 16 << 20;

[[noreturn]] void raise_error(const char* call, const Error& error) {
  throw AMDBackendError(
      error.message(),
      {.call = call,
       .advice = error.fix.empty()
                     ? "Check the file and its directory: name, permissions, free space, content."
                     : error.fix});
}

template <class T>
T value_or_raise(const char* call, Result<T> result) {
  if (!result) raise_error(call, result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// Pinned host memory of a device.
class Staging {
 public:
  Staging(device::Device& driver, std::size_t bytes)
      : driver_(driver), memory_(value_or_raise(driver.allocate_pinned(bytes))) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() { static_cast<void>(driver_.free_pinned(memory_)); }
  char* data() const { return static_cast<char*>(memory_); }

 private:
  device::Device& driver_;
  void* memory_;
};

SafetensorsHeader header_of(const Checkpoint& checkpoint) {
  SafetensorsHeader header{.metadata = checkpoint.metadata};
  for (const auto& [name, tensor] : checkpoint.tensors)
    header.tensors.push_back({.name = name, .type = tensor.type, .shape = tensor.shape});
  return header;
}

// Every tensor's memory must match its shape.
void check_sizes(const std::string& origin, const SafetensorsHeader& header,
                 const Checkpoint& checkpoint) {
  for (const StoredTensor& stored : header.tensors) {
    const std::size_t there = checkpoint.tensors.at(stored.name).memory.size();
    if (const std::uint64_t needed = stored.end - stored.begin; there < needed)
      raise_error(
          "save_checkpoint",
          {"cannot write the tensors to",
           origin,
           fmt::format("tensor '{}' has {} bytes of memory, but {} {} needs {}", stored.name, there,
                       to_string(stored.type), runtime::shape_text(stored.shape), needed),
           {}});
  }
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                     Backend& backend) {
  constexpr const char* kCall = "save_checkpoint";
  SafetensorsHeader header = header_of(checkpoint);
  const std::string head =
      value_or_raise(kCall, runtime::make_safetensors_header(header, path.string()));
  check_sizes(path.string(), header, checkpoint);

  const std::shared_ptr<device::Device> driver = backend.device().driver();
  backend.synchronize();
  AtomicFile file = value_or_raise(kCall, AtomicFile::create(path));
  value_or_raise(kCall, file.write(head));
  const Staging staging(*driver, kChunk);
  for (const StoredTensor& stored : header.tensors) {
    const char* const from = checkpoint.tensors.at(stored.name).memory.as<char>();
    const std::uint64_t bytes = stored.end - stored.begin;
    for (std::uint64_t done = 0; done < bytes; done += kChunk) {
      const std::size_t part = std::min<std::uint64_t>(kChunk, bytes - done);
      value_or_raise(driver->copy(staging.data(), from + done, part, device::Direction::kToHost));
      value_or_raise(kCall, file.write({staging.data(), part}));
    }
  }
  value_or_raise(kCall, file.commit());
}

Checkpoint load_checkpoint(const std::filesystem::path& path, Backend& backend) {
  constexpr const char* kCall = "load_checkpoint";
  const MappedFile file = value_or_raise(kCall, MappedFile::open(path));
  const SafetensorsHeader header =
      value_or_raise(kCall, runtime::read_safetensors_header(file.bytes(), path.string()));

  Checkpoint checkpoint{.metadata = header.metadata};
  HIPUtilities& utilities = backend.utilities();
  for (const StoredTensor& stored : header.tensors) {
    const std::uint64_t bytes = stored.end - stored.begin;
    Tensor tensor{.type = stored.type,
                  .shape = stored.shape,
                  .memory = backend.memory().allocate(bytes, {.purpose = "checkpoint"})};
    // In the order of the stream that the memory was allocated for: earlier work of it may still
    // use the memory.
    if (bytes > 0)
      utilities.copy_to_device(tensor.memory.data(),
                               file.bytes().data() + header.data_begin + stored.begin, bytes);
    checkpoint.tensors.emplace(stored.name, std::move(tensor));
  }
  backend.synchronize();
  return checkpoint;
}

}  // namespace hipwright
