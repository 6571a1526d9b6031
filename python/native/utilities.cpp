// SPDX-License-Identifier: MIT
#include "hipwright/utilities.h"

#include <optional>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "array.h"
#include "launch.h"
#include "manager.h"
#include "module.h"
#include "values.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

// `with utils.profile_region("forward"):`
class Region {
 public:
  Region(Utilities utilities, std::string name)
      : utilities_(std::move(utilities)), name_(std::move(name)) {}
  void enter() { region_.emplace(utilities_.get().profile_region(name_)); }
  void exit() { region_.reset(); }

 private:
  Utilities utilities_;
  std::string name_;
  std::optional<ProfileRegion> region_;
};

// `with utils.stream_context(stream):`
class Scope {
 public:
  Scope(Device device, Stream stream) : device_(std::move(device)), stream_(std::move(stream)) {}
  void enter() { scope_.emplace(device_, stream_); }
  void exit() { scope_.reset(); }

 private:
  Device device_;
  Stream stream_;
  std::optional<StreamScope> scope_;
};

nb::dict values_of(const RegionSummary& summary) {
  nb::dict values;
  values["count"] = summary.count;
  values["host_only"] = summary.host_only;
  values["avg_ms"] = summary.avg_ms;
  values["min_ms"] = summary.min_ms;
  values["max_ms"] = summary.max_ms;
  values["p50_ms"] = summary.p50_ms;
  values["p99_ms"] = summary.p99_ms;
  values["total_ms"] = summary.total_ms;
  values["host_avg_ms"] = summary.host_avg_ms;
  values["host_min_ms"] = summary.host_min_ms;
  values["host_max_ms"] = summary.host_max_ms;
  values["host_p50_ms"] = summary.host_p50_ms;
  values["host_p99_ms"] = summary.host_p99_ms;
  values["host_total_ms"] = summary.host_total_ms;
  return values;
}

nb::dict profiling_of(const Utilities& utilities) {
  const ProfilingSummary summary = utilities.get().get_profiling_summary();
  nb::dict regions;
  for (const auto& [name, region] : summary.regions) regions[name.c_str()] = values_of(region);
  nb::dict values;
  values["regions"] = regions;
  values["pending"] = summary.pending;
  values["dropped"] = summary.dropped;
  return values;
}

void check_on(const Array& array, const Device& device, const char* call) {
  if (array.device != device.id())
    throw nb::value_error((std::string(call) + ": device memory of " + device.id() +
                           " expected, got memory of " + array.device)
                              .c_str());
}

std::size_t common_size(const Array& to, const Array& from, const char* call) {
  if (to.bytes < from.bytes)
    throw nb::value_error((std::string(call) + ": " + std::to_string(from.bytes) +
                           " bytes do not fit in " + std::to_string(to.bytes))
                              .c_str());
  return from.bytes;
}

// On the CPU and the software GPU a view of device memory says that it is memory of the host.
bool is_device_memory(const Array& array, const Device& device) {
  return array.device == device.id() ||
         (array.on_host && (device.type() == "cpu" || device.type() == "soft"));
}

void copy_to_device(const Utilities& utilities, nb::handle to, nb::handle from,
                    const Stream& stream) {
  HIPUtilities& utils = utilities.get();
  const Array target = Array::of(to, "copy_to_device", true);
  const Array source = Array::of(from, "copy_to_device", false);
  if (!is_device_memory(target, utils.device())) check_on(target, utils.device(), "copy_to_device");
  if (!source.on_host)
    throw nb::value_error(
        "copy_to_device: the source is not memory of the host; use copy_on_device()");
  const std::size_t bytes = common_size(target, source, "copy_to_device");
  const nb::gil_scoped_release unlocked;
  utils.copy_to_device(target.data, source.data, bytes, stream);
}

void copy_to_host(const Utilities& utilities, nb::handle to, nb::handle from,
                  const Stream& stream) {
  HIPUtilities& utils = utilities.get();
  const Array source = Array::of(from, "copy_to_host", false);
  if (!is_device_memory(source, utils.device())) check_on(source, utils.device(), "copy_to_host");
  if (nb::isinstance<Pinned>(to)) {
    PinnedBuffer& target = nb::cast<const Pinned&>(to).get();
    const nb::gil_scoped_release unlocked;
    utils.copy_to_host(target, source.data, source.bytes, stream);
    return;
  }
  const Array target = Array::of(to, "copy_to_host", true);
  if (!target.on_host) throw nb::value_error("copy_to_host: the target is not memory of the host");
  const std::size_t bytes = common_size(target, source, "copy_to_host");
  const nb::gil_scoped_release unlocked;
  utils.copy_to_host(target.data, source.data, bytes, stream);
  // The array may be gone when the stream gets there.
  const Event copied = utils.create_event(false);
  copied.record(stream.state() ? stream : utils.current_stream());
  copied.synchronize();
}

void copy_on_device(const Utilities& utilities, nb::handle to, nb::handle from,
                    const Stream& stream) {
  HIPUtilities& utils = utilities.get();
  const Array target = Array::of(to, "copy_on_device", true);
  const Array source = Array::of(from, "copy_on_device", false);
  check_on(target, utils.device(), "copy_on_device");
  check_on(source, utils.device(), "copy_on_device");
  const std::size_t bytes = common_size(target, source, "copy_on_device");
  const nb::gil_scoped_release unlocked;
  utils.copy_on_device(target.data, source.data, bytes, stream);
}

void fill(const Utilities& utilities, nb::handle to, unsigned char byte, const Stream& stream) {
  HIPUtilities& utils = utilities.get();
  const Array target = Array::of(to, "fill", true);
  check_on(target, utils.device(), "fill");
  const nb::gil_scoped_release unlocked;
  utils.fill(target.data, byte, target.bytes, stream);
}

Pinned* allocate_pinned(const Utilities& utilities, std::size_t bytes) {
  HIPUtilities& utils = utilities.get();
  return new Pinned(utils.allocate_pinned(bytes), utils.device());
}

Pinned* register_host(const Utilities& utilities, nb::object array) {
  HIPUtilities& utils = utilities.get();
  const Array memory = Array::of(array, "register_host", false);
  if (!memory.on_host) throw nb::value_error("register_host: not memory of the host");
  // The import keeps an exporter's buffer locked, as the array object does not.
  auto* kept = new std::shared_ptr<void>(memory.owner);
  nb::object owner = nb::capsule(
      kept, [](void* pointer) noexcept { delete static_cast<std::shared_ptr<void>*>(pointer); });
  return new Pinned(utils.register_host(memory.data, memory.bytes), utils.device(),
                    std::move(owner));
}

Graph capture(const Utilities& utilities, const std::string& name, const nb::callable& work) {
  HIPUtilities& utils = utilities.get();
  const nb::gil_scoped_release unlocked;
  return utils.capture_graph(name, [&](const Stream& stream) {
    const nb::gil_scoped_acquire locked;
    work(stream);
  });
}

void add_streams(nb::class_<Utilities>& utilities) {
  utilities
      .def(
          "create_stream",
          [](const Utilities& self, const std::string& name, int priority) {
            return self.get().create_stream(name, priority);
          },
          nb::arg("name"), nb::arg("priority") = 0, "A smaller priority is more urgent.")
      .def(
          "get_stream",
          [](const Utilities& self, const std::string& name) {
            return self.get().get_stream(name);
          },
          nb::arg("name"))
      .def("stream_names", [](const Utilities& self) { return self.get().stream_names(); })
      .def(
          "stream_context",
          [](const Utilities& self, const Stream& stream) {
            return new Scope(self.get().device(), stream);
          },
          nb::arg("stream"), "with …: makes the stream the current one of this thread.")
      .def("current_stream", [](const Utilities& self) { return self.get().current_stream(); })
      .def(
          "create_event",
          [](const Utilities& self, bool timed) { return self.get().create_event(timed); },
          nb::arg("timed") = true)
      .def("capture_graph", capture, nb::arg("name"), nb::arg("work"),
           nb::sig("def capture_graph(self, name: str, work: collections.abc.Callable[[Stream], "
                   "object]) -> Graph"),
           "Captures the work that work(stream) submits to its stream.");
}

void add_copies(nb::class_<Utilities>& utilities) {
  utilities
      .def("copy_to_device", copy_to_device, nb::arg("to"), nb::arg("source"),
           nb::arg("stream") = Stream(), "The source has been read on return.")
      .def("copy_to_host", copy_to_host, nb::arg("to"), nb::arg("source"),
           nb::arg("stream") = Stream(), "Waits for the copy, unless `to` is a PinnedBuffer.")
      .def("copy_on_device", copy_on_device, nb::arg("to"), nb::arg("source"),
           nb::arg("stream") = Stream())
      .def("fill", fill, nb::arg("to"), nb::arg("byte"), nb::arg("stream") = Stream())
      .def("allocate_pinned", allocate_pinned, nb::arg("nbytes"), nb::rv_policy::take_ownership)
      .def("register_host", register_host, nb::arg("array"), nb::rv_policy::take_ownership,
           "Lets kernels use an array of the host, without a copy, until the result is released.")
      .def("launch", launch<Utilities>, nb::arg("kernel"), nb::arg("grid"), nb::arg("block"),
           nb::arg("arguments"), nb::arg("shared_bytes") = 0, nb::arg("stream") = Stream(),
           kLaunchSignature, kLaunchDoc);
}

void add_profiling(nb::class_<Utilities>& utilities) {
  utilities
      .def(
          "profile_region",
          [](const Utilities& self, const std::string& name) { return Region(self, name); },
          nb::arg("name"), "with …: times a region. Does nothing unless enable_profiling is set.")
      .def("get_profiling_summary", profiling_of,
           nb::sig("def get_profiling_summary(self) -> dict[str, typing.Any]"),
           "{\"regions\": {name: {\"avg_ms\": …}}}, of regions whose work is done.")
      .def("reset_profiling", [](const Utilities& self) { self.get().reset_profiling(); })
      .def(
          "export_trace",
          [](const Utilities& self, const std::filesystem::path& path) {
            const nb::gil_scoped_release unlocked;
            self.get().export_trace(path);
          },
          nb::arg("path"), "In Chrome's trace format. Waits for the device.");
}

}  // namespace

void add_utilities(nb::module_& module) {
  nb::class_<Region>(module, "ProfileRegion", "A region that is timed.")
      .def(
          "__enter__",
          [](nb::object self) {
            nb::cast<Region&>(self).enter();
            return self;
          },
          nb::sig("def __enter__(self) -> ProfileRegion"))
      .def(
          "__exit__", [](Region& region, const nb::args&) { region.exit(); },
          nb::sig("def __exit__(self, *details: object) -> None"));
  nb::class_<Scope>(module, "StreamScope", "The time in which a stream is the current one.")
      .def(
          "__enter__",
          [](nb::object self) {
            nb::cast<Scope&>(self).enter();
            return self;
          },
          nb::sig("def __enter__(self) -> StreamScope"))
      .def(
          "__exit__", [](Scope& scope, const nb::args&) { scope.exit(); },
          nb::sig("def __exit__(self, *details: object) -> None"));
  nb::class_<Graph>(module, "Graph", "Work captured once and replayed with one call.")
      .def(
          "replay",
          [](const Graph& graph, const Stream& stream) {
            const nb::gil_scoped_release unlocked;
            graph.replay(stream);
          },
          nb::arg("stream") = Stream())
      .def("kernels", &Graph::kernels, "Their names, in the order of capture.")
      .def(
          "set_arguments",
          [](const Graph& graph, std::size_t node, const Kernel& kernel, const Device& device,
             const nb::args& values) {
            const Arguments arguments(kernel, device, values);
            const nb::gil_scoped_release unlocked;
            graph.set_argument_list(node, arguments.list());
          },
          nb::arg("kernel_node"), nb::arg("kernel"), nb::arg("device"), nb::arg("arguments"),
          "Replaces the arguments of the kernel_node-th launch, which is of `kernel`.");
  nb::class_<Utilities> utilities(module, "HIPUtilities",
                                  "Streams, copies, graphs and timing on one device.");
  utilities
      .def(
          "__init__",
          [](Utilities* place, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) Utilities(std::make_shared<HIPUtilities>(config));
          },
          nb::arg("config") = AMDConfig(), "On the device that AMDBackend would choose.")
      .def(
          "__init__",
          [](Utilities* place, const Device& device, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) Utilities(std::make_shared<HIPUtilities>(device, config));
          },
          nb::arg("device"), nb::arg("config") = AMDConfig())
      .def_prop_ro("device", [](const Utilities& self) { return self.get().device(); })
      .def(
          "get_device_properties",
          [](const Utilities& self) { return values_of(self.get().get_device_properties()); },
          nb::sig("def get_device_properties(self) -> dict[str, object]"))
      .def(
          "get_memory_info",
          [](const Utilities& self) {
            const DeviceMemoryInfo info = self.get().get_memory_info();
            nb::dict values;
            values["free_mb"] = info.free_mb;
            values["total_mb"] = info.total_mb;
            return values;
          },
          nb::sig("def get_memory_info(self) -> dict[str, float]"))
      .def(
          "synchronize",
          [](const Utilities& self) {
            const nb::gil_scoped_release unlocked;
            self.get().synchronize();
          },
          "Waits for all streams.")
      .def(
          "cleanup",
          [](const Utilities& self) {
            const nb::gil_scoped_release unlocked;
            self.get().cleanup();
          },
          "Waits for all work and closes the streams.");
  add_streams(utilities);
  add_copies(utilities);
  add_profiling(utilities);
}

}  // namespace hipwright::python
