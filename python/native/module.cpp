// SPDX-License-Identifier: MIT
// hipwright._core: the C++ library in Python.
#include "module.h"

#include <nanobind/stl/filesystem.h>

#include "toolchain/home.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace hipwright::python;
  module.doc() = "hipwright's C++ library: devices, memory, streams, kernels, and their settings.";
  module.def("set_home", &hipwright::toolchain::set_home, nb::arg("folder"),
             "Says where hipwright's files are: the folder with lib/hipwright/.");
  add_exceptions(module);
  add_config(module);
  add_device(module);
  add_compiler(module);
  add_memory(module);
  add_utilities(module);
  add_backend(module);
}
