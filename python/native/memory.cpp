// SPDX-License-Identifier: MIT
#include "hipwright/memory.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "array.h"
#include "manager.h"
#include "module.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

using Shape = std::optional<std::vector<std::size_t>>;

// The view's owner is what keeps the memory, not the Python object, which free() empties.
template <class Memory>
nb::capsule owner_of(std::shared_ptr<Memory> memory) {
  return nb::capsule(new std::shared_ptr<Memory>(std::move(memory)), [](void* pointer) noexcept {
    const nb::gil_scoped_release unlocked;
    delete static_cast<std::shared_ptr<Memory>*>(pointer);
  });
}

nb::object view(const Buffer& buffer, const std::string& dtype, const Shape& shape) {
  const std::string type = buffer.device.type();
  return view_of(buffer.get().data(), buffer.get().size(), buffer.device,
                 type == "cpu" || type == "soft", owner_of(buffer.memory), dtype, shape);
}

nb::object pinned_view(const Pinned& pinned, const std::string& dtype, const Shape& shape) {
  return view_of(pinned.get().data(), pinned.get().size(), pinned.device, true,
                 owner_of(pinned.memory), dtype, shape);
}

template <class Memory, nb::object (*make_view)(const Memory&, const std::string&, const Shape&)>
nb::object dlpack(const Memory& memory, const nb::kwargs& options) {
  return make_view(memory, "uint8", std::nullopt).attr("__dlpack__")(**options);
}

template <class Memory, nb::object (*make_view)(const Memory&, const std::string&, const Shape&)>
nb::object dlpack_device(const Memory& memory) {
  return make_view(memory, "uint8", std::nullopt).attr("__dlpack_device__")();
}

nb::dict values_of(const AllocationSummary& summary) {
  nb::dict values;
  values["purpose"] = summary.purpose;
  values["live_buffers"] = summary.live_buffers;
  values["allocated_mb"] = summary.allocated_mb;
  values["peak_mb"] = summary.peak_mb;
  values["allocations"] = summary.allocations;
  return values;
}

nb::list summary_of(const Manager& manager) {
  nb::list list;
  for (const AllocationSummary& each : manager.get().get_allocation_summary())
    list.append(values_of(each));
  return list;
}

nb::list live_of(const Manager& manager) {
  nb::list list;
  for (const Leak& each : manager.get().get_live_allocations()) {
    nb::dict values;
    values["purpose"] = each.purpose;
    values["bytes"] = each.bytes;
    values["data_ptr"] = reinterpret_cast<std::uintptr_t>(each.address);
    list.append(values);
  }
  return list;
}

Buffer allocate(const Manager& manager, std::size_t bytes, const std::string& purpose,
                const Stream& stream) {
  const nb::gil_scoped_release unlocked;
  AMDMemoryManager& from = manager.get();
  return {
      std::make_shared<DeviceBuffer>(from.allocate(bytes, {.purpose = purpose, .stream = stream})),
      from.device()};
}

void free(Buffer& buffer) {
  const nb::gil_scoped_release unlocked;
  buffer.memory.reset();
}

void add_stats(nb::module_& module) {
  nb::class_<MemoryStats>(module, "MemoryStats", "Megabytes are MiB (2^20 bytes).")
      .def_ro("total_mb", &MemoryStats::total_mb, "of the device")
      .def_ro("free_mb", &MemoryStats::free_mb, "of the device, as it reports")
      .def_ro("allocated_mb", &MemoryStats::allocated_mb, "in live buffers, rounding included")
      .def_ro("reserved_mb", &MemoryStats::reserved_mb,
              "allocated from the device: in use and cached")
      .def_ro("peak_allocated_mb", &MemoryStats::peak_allocated_mb)
      .def_ro("peak_reserved_mb", &MemoryStats::peak_reserved_mb)
      .def_ro("limit_mb", &MemoryStats::limit_mb, "max_memory_fraction of total_mb")
      .def_ro("fragmentation", &MemoryStats::fragmentation,
              "0 to 1: share of kept memory outside the largest free block")
      .def_ro("hit_rate_percent", &MemoryStats::hit_rate_percent)
      .def_ro("allocations", &MemoryStats::allocations)
      .def_ro("hits", &MemoryStats::hits, "allocations served without the device")
      .def_ro("device_allocations", &MemoryStats::device_allocations)
      .def_ro("device_frees", &MemoryStats::device_frees)
      .def_ro("oom_retries", &MemoryStats::oom_retries)
      .def_ro("live_buffers", &MemoryStats::live_buffers);
}

void add_buffers(nb::module_& module) {
  nb::class_<Buffer>(
      module, "DeviceBuffer",
      "Device memory. Freed with the last reference to it or to one of its views. Has "
      "DLPack (of bytes); view() has other types, and on the CPU and the software GPU "
      "the buffer protocol.")
      .def_prop_ro("data_ptr",
                   [](const Buffer& buffer) {
                     return reinterpret_cast<std::uintptr_t>(buffer.get().data());
                   })
      .def_prop_ro("nbytes", [](const Buffer& buffer) { return buffer.get().size(); })
      .def("__len__", [](const Buffer& buffer) { return buffer.get().size(); })
      .def_ro("device", &Buffer::device)
      .def("view", view, nb::arg("dtype") = "uint8", nb::arg("shape") = nb::none(),
           "The memory as an array, for numpy.asarray(), torch.from_dlpack() and others; not a "
           "copy. "
           "It waits for nothing: synchronize() before reading it.")
      .def(
          "record_use",
          [](Buffer& buffer, const Stream& stream) { buffer.get().record_use(stream); },
          nb::arg("stream"), "Work of another stream uses the memory: it is not reused before.")
      .def("free", free, "Frees it now, or with the last view.")
      .def("__dlpack__", dlpack<Buffer, view>)
      .def("__dlpack_device__", dlpack_device<Buffer, view>,
           nb::sig("def __dlpack_device__(self) -> tuple[int, int]"));
  nb::class_<Pinned>(
      module, "PinnedBuffer",
      "Page-locked host memory, which kernels and copies use directly; a context manager.")
      .def_prop_ro("data_ptr",
                   [](const Pinned& pinned) {
                     return reinterpret_cast<std::uintptr_t>(pinned.get().data());
                   })
      .def_prop_ro("nbytes", [](const Pinned& pinned) { return pinned.get().size(); })
      .def("__len__", [](const Pinned& pinned) { return pinned.get().size(); })
      .def_ro("device", &Pinned::device)
      .def("view", pinned_view, nb::arg("dtype") = "uint8", nb::arg("shape") = nb::none(),
           "The memory as an array; not a copy.")
      .def("release", &Pinned::release, "Waits for the device, then releases the memory.")
      .def(
          "__enter__", [](nb::object self) { return self; },
          nb::sig("def __enter__(self) -> PinnedBuffer"))
      .def(
          "__exit__", [](Pinned& pinned, const nb::args&) { pinned.release(); },
          nb::sig("def __exit__(self, *details: object) -> None"))
      .def("__dlpack__", dlpack<Pinned, pinned_view>)
      .def("__dlpack_device__", dlpack_device<Pinned, pinned_view>,
           nb::sig("def __dlpack_device__(self) -> tuple[int, int]"));
}

}  // namespace

void add_memory(nb::module_& module) {
  add_stats(module);
  add_buffers(module);
  nb::class_<Manager>(module, "AMDMemoryManager",
                      "Device memory from a caching pool: freed memory is reused in stream order.")
      .def(
          "__init__",
          [](Manager* place, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) Manager(std::make_shared<AMDMemoryManager>(config));
          },
          nb::arg("config") = AMDConfig(), "On the device that AMDBackend would choose.")
      .def(
          "__init__",
          [](Manager* place, const Device& device, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) Manager(std::make_shared<AMDMemoryManager>(device, config));
          },
          nb::arg("device"), nb::arg("config") = AMDConfig())
      .def("allocate", allocate, nb::arg("nbytes"), nb::kw_only(), nb::arg("purpose") = "other",
           nb::arg("stream") = Stream(), "Raises ROCmMemoryError.")
      .def("get_memory_stats",
           [](const Manager& manager) { return manager.get().get_memory_stats(); })
      .def("get_allocation_summary", summary_of,
           nb::sig("def get_allocation_summary(self) -> list[dict[str, object]]"),
           "Memory by purpose, largest first.")
      .def("get_live_allocations", live_of,
           nb::sig("def get_live_allocations(self) -> list[dict[str, object]]"), "Oldest first.")
      .def(
          "snapshot", [](const Manager& manager) { return manager.get().snapshot(); },
          "Every segment and block, as JSON.")
      .def("reset_peak_stats", [](const Manager& manager) { manager.get().reset_peak_stats(); })
      .def(
          "empty_cache",
          [](const Manager& manager) {
            const nb::gil_scoped_release unlocked;
            manager.get().empty_cache();
          },
          "Returns all memory that no buffer uses to the device.")
      .def_prop_ro("device", [](const Manager& manager) { return manager.get().device(); });
}

}  // namespace hipwright::python
