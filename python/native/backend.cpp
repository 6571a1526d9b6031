// SPDX-License-Identifier: MIT
#include "hipwright/backend.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "launch.h"
#include "manager.h"
#include "module.h"
#include "values.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

// Shared with the parts that Python holds.
struct Shared {
  std::shared_ptr<Backend> backend;
  Backend& get() const { return *backend; }
};
struct Amd : Shared {};
struct Nvidia : Shared {};

// Its destructor waits for all work.
template <class Kind>
std::shared_ptr<Backend> opened(const AMDConfig& config) {
  return std::shared_ptr<Backend>(new Kind(config), [](Backend* backend) {
    const nb::gil_scoped_release unlocked;
    delete static_cast<Kind*>(backend);
  });
}

Kernel load_kernel(const Shared& self, const std::string& source, const std::string& name,
                   std::string architecture, std::vector<std::string> flags,
                   std::vector<std::filesystem::path> include_dirs) {
  const nb::gil_scoped_release unlocked;
  return self.get().load_kernel(
      source, name, {std::move(architecture), std::move(flags), std::move(include_dirs)});
}

nb::list all_devices(const Shared& self) {
  nb::list list;
  for (const DeviceInfo& info : self.get().get_all_devices()) list.append(values_of(info));
  return list;
}

template <auto member>
void unlocked_call(const Shared& self) {
  const nb::gil_scoped_release unlocked;
  (self.get().*member)();
}

void add_shared(nb::module_& module) {
  nb::class_<Shared>(module, "Backend",
                     "The devices of one vendor, of which one at a time is used.")
      .def(
          "is_available", [](const Shared& self) { return self.get().is_available(); },
          "True on a GPU, including the software GPU; False on the CPU fallback.")
      .def_prop_ro(
          "fallback_reason", [](const Shared& self) { return self.get().fallback_reason(); },
          "Why the CPU is used instead of a GPU; empty if it is not, or was requested.")
      .def_prop_ro("device", [](const Shared& self) { return self.get().device(); })
      .def_prop_ro(
          "devices", [](const Shared& self) { return self.get().devices(); }, "All candidates.")
      .def(
          "get_device_info",
          [](const Shared& self) { return values_of(self.get().get_device_info()); },
          nb::sig("def get_device_info(self) -> dict[str, typing.Any]"))
      .def("get_all_devices", all_devices,
           nb::sig("def get_all_devices(self) -> list[dict[str, typing.Any]]"))
      .def(
          "set_device",
          [](const Shared& self, int index) {
            const nb::gil_scoped_release unlocked;
            self.get().set_device(index);
          },
          nb::arg("index"))
      .def("synchronize", unlocked_call<&Backend::synchronize>, "Waits for all work.")
      .def("empty_cache", unlocked_call<&Backend::empty_cache>)
      .def("cleanup", unlocked_call<&Backend::cleanup>,
           "Waits for all work and releases everything.")
      .def(
          "memory", [](const Shared& self) { return Manager(self.backend); },
          "Of the current device.")
      .def(
          "utilities", [](const Shared& self) { return Utilities(self.backend); },
          "Of the current device.")
      .def(
          "compiler", [](const Shared& self) -> ROCmCompiler& { return self.get().compiler(); },
          nb::rv_policy::reference_internal)
      .def(
          "config", [](const Shared& self) -> EffectiveConfig { return self.get().config(); },
          "The settings in effect, each with its origin.")
      .def("load_kernel", load_kernel, nb::arg("source"), nb::arg("name"), nb::kw_only(),
           nb::arg("architecture") = "", nb::arg("flags") = std::vector<std::string>(),
           nb::arg("include_dirs") = std::vector<std::filesystem::path>(),
           "Compiles HIP source for the device and loads the kernel.")
      .def(
          "load_code_object",
          [](const Shared& self, const nb::bytes& code, const std::string& symbol) {
            const std::string_view bytes(code.c_str(), code.size());
            const nb::gil_scoped_release unlocked;
            return self.get().load_code_object(bytes, symbol);
          },
          nb::arg("code_object"), nb::arg("symbol"))
      .def("launch", launch<Shared>, nb::arg("kernel"), nb::arg("grid"), nb::arg("block"),
           nb::arg("arguments"), nb::arg("shared_bytes") = 0, nb::arg("stream") = Stream(),
           kLaunchSignature, kLaunchDoc);
}

template <class Python, class Kind>
void add_kind(nb::module_& module, const char* name, const char* doc) {
  nb::class_<Python, Shared>(module, name, doc)
      .def(
          "__init__",
          [](Python* place, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) Python{{opened<Kind>(config)}};
          },
          nb::arg("config") = AMDConfig());
}

}  // namespace

void add_backend(nb::module_& module) {
  add_shared(module);
  add_kind<Amd, AMDBackend>(
      module, "AMDBackend",
      "AMD GPUs. HIPWRIGHT_DEVICE overrides the choice. Without an AMD GPU it is the CPU, "
      "with one warning on standard error; with enable_strict_validation that raises "
      "ROCmNotAvailableError.");
  add_kind<Nvidia, NVIDIABackend>(module, "NVIDIABackend", "The same over NVIDIA GPUs.");
}

}  // namespace hipwright::python
