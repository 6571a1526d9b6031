// SPDX-License-Identifier: MIT
#include "hipwright/device.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "module.h"
#include "values.h"

namespace nb = nanobind;

namespace hipwright::python {

nb::dict values_of(const DeviceInfo& info) {
  nb::dict values;
  values["type"] = info.type;
  values["index"] = info.index;
  values["id"] = info.id;
  values["name"] = info.name;
  values["architecture"] = info.architecture;
  values["total_memory_mb"] = info.total_memory_mb;
  values["compute_units"] = info.compute_units;
  values["wave_size"] = info.wave_size;
  values["max_threads_per_block"] = info.max_threads_per_block;
  values["shared_bytes_per_block"] = info.shared_bytes_per_block;
  values["clock_mhz"] = info.clock_mhz;
  values["memory_clock_mhz"] = info.memory_clock_mhz;
  values["memory_bus_bits"] = info.memory_bus_bits;
  values["bandwidth_gbs"] = info.bandwidth_gbs;
  values["bandwidth_from"] = info.bandwidth_from;
  values["pci"] = info.pci;
  values["runtime"] = info.runtime;
  values["library"] = info.library;
  return values;
}

void add_device(nb::module_& module) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Device>(module, "Device", "A GPU, the software GPU, or the CPU.")
      .def_static("open", &Device::open, nb::arg("selector"), Unlocked(),
                  "\"hip:0\", \"cuda\", \"soft:gfx942\", \"cpu\", \"auto\".")
      .def_prop_ro("type", &Device::type, "\"hip\", \"cuda\", \"soft\", \"cpu\"")
      .def_prop_ro("index", &Device::index)
      .def_prop_ro("id", &Device::id)
      .def(
          "info", [](const Device& device) { return values_of(device.info()); },
          nb::sig("def info(self) -> dict[str, object]"))
      .def("synchronize", &Device::synchronize, Unlocked(), "Waits for all work.")
      .def(
          "__eq__", [](const Device& a, const Device& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const Device& device) { return nb::hash(nb::str(device.id().c_str())); })
      .def("__str__", &Device::id)
      .def("__repr__", [](const Device& device) { return "Device('" + device.id() + "')"; });
  module.def("list_devices", &list_devices, nb::arg("selector") = "auto", Unlocked(),
             "All devices that match a selector.");

  // Both before their functions, which name each other.
  nb::class_<Stream> stream(module, "Stream", "Work in order.");
  nb::class_<Event> event(module, "Event", "A point in a stream.");
  stream.def(nb::init<>(), "The thread's current stream of the device it is used on.")
      .def_prop_ro("name", &Stream::name)
      .def_prop_ro("priority", &Stream::priority)
      .def("synchronize", &Stream::synchronize, Unlocked(), "Waits for all work in it.")
      .def("idle", &Stream::idle)
      .def("wait", &Stream::wait, nb::arg("event"), "Later work here waits for the event.")
      .def(
          "__eq__", [](const Stream& a, const Stream& b) { return a == b; }, nb::is_operator());
  event.def("record", &Event::record, nb::arg("stream") = Stream())
      .def("reached", &Event::reached)
      .def("synchronize", &Event::synchronize, Unlocked())
      .def("elapsed_ms", &Event::elapsed_ms, nb::arg("later"));
  nb::class_<Kernel>(module, "Kernel", "A kernel on one device.")
      .def_prop_ro("name", &Kernel::name)
      .def_prop_ro("symbol", &Kernel::symbol)
      .def("argument_sizes", &Kernel::argument_sizes, "In bytes, in order.");
}

}  // namespace hipwright::python
