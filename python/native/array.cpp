// SPDX-License-Identifier: MIT
#include "array.h"

#include <map>
#include <mutex>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace hipwright::python {

namespace {

struct ElementType {
  const char* name;
  nb::dlpack::dtype_code code;
  std::uint8_t bits;
};

using Code = nb::dlpack::dtype_code;
constexpr ElementType kElementTypes[] = {
    {"uint8", Code::UInt, 8},
    {"int8", Code::Int, 8},
    {"bool", Code::Bool, 8},
    {"uint16", Code::UInt, 16},
    {"int16", Code::Int, 16},
    {"float16", Code::Float, 16},
    {"bfloat16", Code::Bfloat, 16},
    {"uint32", Code::UInt, 32},
    {"int32", Code::Int, 32},
    {"float32", Code::Float, 32},
    {"uint64", Code::UInt, 64},
    {"int64", Code::Int, 64},
    {"float64", Code::Float, 64},
    {"float8_e4m3fn", Code::Float8_E4M3FN, 8},
    {"float8_e4m3fnuz", Code::Float8_E4M3FNUZ, 8},
    {"float8_e5m2", Code::Float8_E5M2, 8},
    {"float8_e5m2fnuz", Code::Float8_E5M2FNUZ, 8},
};

const ElementType& element_type(const std::string& name) {
  std::string known;
  for (const ElementType& each : kElementTypes) {
    if (name == each.name) return each;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw nb::value_error(("unknown element type '" + name + "'; known are " + known).c_str());
}

// Host memory that a device reaches: that of live Pinned objects.
struct Range {
  std::size_t bytes;
  std::string device;
};
std::mutex ranges_mutex;
std::multimap<const std::byte*, Range> ranges;  // protected by ranges_mutex

void add_range(const void* begin, std::size_t bytes, const std::string& device) {
  const std::lock_guard lock(ranges_mutex);
  ranges.emplace(static_cast<const std::byte*>(begin), Range{bytes, device});
}

void remove_range(const void* begin, const std::string& device) {
  const std::lock_guard lock(ranges_mutex);
  const auto [first, last] = ranges.equal_range(static_cast<const std::byte*>(begin));
  for (auto at = first; at != last; ++at)
    if (at->second.device == device) {
      ranges.erase(at);
      return;
    }
}

bool is_in_range(const void* data, std::size_t bytes, const std::string& device) {
  const auto* const begin = static_cast<const std::byte*>(data);
  const std::lock_guard lock(ranges_mutex);
  for (const auto& [start, range] : ranges)
    if (range.device == device && begin >= start && begin + bytes <= start + range.bytes)
      return true;
  return false;
}

bool is_host(int type) {
  return type == nb::device::cpu::value || type == nb::device::rocm_host::value ||
         type == nb::device::cuda_host::value;
}

std::string device_name(int type, int index) {
  if (is_host(type)) return "cpu";
  const char* kind = type == nb::device::rocm::value   ? "hip:"
                     : type == nb::device::cuda::value ? "cuda:"
                                                       : "another kind:";
  return kind + std::to_string(index);
}

template <class NdArray>
std::optional<Array> imported(nb::handle value) {
  NdArray array;
  if (!nb::try_cast(value, array, false)) return std::nullopt;
  Array result{.data = const_cast<void*>(static_cast<const void*>(array.data())),
               .bytes = array.nbytes(),
               .on_host = is_host(array.device_type()),
               .device = device_name(array.device_type(), array.device_id()),
               .owner = {}};
  result.owner = std::make_shared<NdArray>(std::move(array));
  return result;
}

std::string type_of(nb::handle value) {
  return nb::cast<std::string>(nb::str(value.type().attr("__name__")));
}

bool is_on_host(const Device& device) {
  return device.type() == "cpu" || device.type() == "soft";
}

int dlpack_type(const Device& device) {
  if (is_on_host(device)) return nb::device::cpu::value;
  return device.type() == "hip" ? nb::device::rocm::value : nb::device::cuda::value;
}

}  // namespace

DeviceBuffer& Buffer::get() const {
  if (!memory) throw nb::value_error("the buffer was freed");
  return *memory;
}

Pinned::Pinned(PinnedBuffer buffer, Device of, nb::object array)
    : memory(std::make_shared<PinnedBuffer>(std::move(buffer))),
      device(std::move(of)),
      owner(std::move(array)) {
  add_range(memory->data(), memory->size(), device.id());
}

Pinned::~Pinned() {
  release();
}

PinnedBuffer& Pinned::get() const {
  if (!memory) throw nb::value_error("the memory was released");
  return *memory;
}

void Pinned::release() {
  if (!memory) return;
  remove_range(memory->data(), device.id());
  {
    const nb::gil_scoped_release unlocked;
    memory.reset();
  }
  owner.reset();
}

bool Array::is_array(nb::handle value) {
  return nb::isinstance<Buffer>(value) || nb::isinstance<Pinned>(value) || nb::ndarray_check(value);
}

Array Array::of(nb::handle value, const char* call, bool written) {
  if (nb::isinstance<Buffer>(value)) {
    const auto& buffer = nb::cast<const Buffer&>(value);
    return {buffer.get().data(), buffer.get().size(), is_on_host(buffer.device), buffer.device.id(),
            buffer.memory};
  }
  if (nb::isinstance<Pinned>(value)) {
    const auto& pinned = nb::cast<const Pinned&>(value);
    return {pinned.get().data(), pinned.get().size(), true, "cpu", pinned.memory};
  }
  auto array = written ? imported<nb::ndarray<nb::c_contig>>(value)
                       : imported<nb::ndarray<nb::ro, nb::c_contig>>(value);
  if (array) return *std::move(array);
  const std::string where = std::string(call) + ": ";
  if (!nb::ndarray_check(value))
    throw nb::type_error(
        (where + "a " + type_of(value) + " has neither DLPack nor the buffer protocol").c_str());
  throw nb::value_error((where + "the array is not contiguous" +
                         (written ? " or not writable" : "") + "; make a contiguous copy")
                            .c_str());
}

void check_reachable(const Array& array, const Device& device) {
  const std::string own = device.id();
  if (array.device == own || array.bytes == 0 || device.type() == "cpu") return;
  if (array.device != "cpu")
    throw nb::value_error(("an array of " + array.device + " cannot be used on " + own).c_str());
  if (!is_in_range(array.data, array.bytes, own))
    throw nb::value_error(("a kernel on " + own +
                           " cannot access this array of the host: copy it to a buffer, or keep "
                           "utilities.register_host(array) while kernels use it")
                              .c_str());
}

nb::object view_of(void* data, std::size_t bytes, const Device& device, bool on_host,
                   nb::object owner, const std::string& dtype,
                   std::optional<std::vector<std::size_t>> shape) {
  const ElementType& type = element_type(dtype);
  const std::size_t size = type.bits / 8;
  if (!shape) {
    if (bytes % size != 0)
      throw nb::value_error(
          (std::to_string(bytes) + " bytes are not a whole number of " + dtype).c_str());
    shape = {bytes / size};
  }
  std::size_t needed = size;
  for (const std::size_t length : *shape)
    if (__builtin_mul_overflow(needed, length, &needed))
      throw nb::value_error("the shape is too large");
  if (needed > bytes)
    throw nb::value_error(("the shape needs " + std::to_string(needed) + " bytes, but there are " +
                           std::to_string(bytes))
                              .c_str());
  const nb::dlpack::dtype element{static_cast<std::uint8_t>(type.code), type.bits, 1};
  return nb::cast(
      nb::ndarray<nb::array_api>(data, shape->size(), shape->data(), owner, nullptr, element,
                                 on_host ? nb::device::cpu::value : dlpack_type(device),
                                 on_host ? 0 : device.index()),
      nb::rv_policy::reference);
}

}  // namespace hipwright::python
