// SPDX-License-Identifier: MIT
#include "graph/execute/store.h"

#include <algorithm>

namespace hipwright::graph {

std::int64_t RunValue::count() const {
  return Tensor{.type = type, .dims = dims, .bytes = nullptr}.count();
}

RunValue RunValue::with_dims(Dims shape) const {
  RunValue out = *this;
  out.dims = std::move(shape);
  return out;
}

Store::Store(const Device& device)
    : memory_(device, {}),
      utilities_(device, {}, &memory_),
      kernels_(device),
      on_cpu_(device.is_cpu()) {}

void Store::copy_in(void* to, const std::string& from) {
  utilities_.copy_to_device(to, from.data(), from.size());
  copied_bytes_ += from.size();
}

const void* Store::to_read(RunValue& value) {
  if (on_cpu_) return value.host->data();
  if (!value.memory) {
    auto memory = std::make_shared<DeviceBuffer>(memory_.allocate(value.bytes()));
    copy_in(memory->data(), *value.host);
    value.memory = std::move(memory);
  }
  return value.memory->data();
}

std::pair<RunValue, void*> Store::to_write(ElementType type, Dims dims) {
  RunValue value(type, std::move(dims));
  if (on_cpu_) {
    auto bytes = std::make_shared<std::string>(value.bytes(), '\0');
    void* to = bytes->data();
    value.host = std::move(bytes);
    return {std::move(value), to};
  }
  value.memory = std::make_shared<DeviceBuffer>(memory_.allocate(value.bytes()));
  void* to = value.memory->data();
  return {std::move(value), to};
}

Tensor Store::on_host(RunValue& value) {
  if (!value.host) {
    std::string bytes(value.bytes(), '\0');
    utilities_.copy_to_host(bytes.data(), value.memory->data(), bytes.size());
    utilities_.synchronize();
    copied_bytes_ += bytes.size();
    value.host = std::make_shared<const std::string>(std::move(bytes));
  }
  return {value.type, value.dims, value.host};
}

const void* Store::zeros(ElementType type, std::int64_t count) {
  const auto found = zeros_.find(type);
  if (found != zeros_.end() && found->second.count() >= count) return to_read(found->second);
  const auto size = static_cast<std::size_t>(count) * size_of(type);
  RunValue row(raw_tensor(type, {count}, std::string(size, '\0')));
  return to_read(zeros_.insert_or_assign(type, std::move(row)).first->second);
}

void Store::finish_node() {
  if (on_cpu_) device().synchronize();
}

}  // namespace hipwright::graph
