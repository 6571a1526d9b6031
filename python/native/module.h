// SPDX-License-Identifier: MIT
// The parts of hipwright._core, each of which adds its classes to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace hipwright::python {

void add_exceptions(nanobind::module_& module);
void add_config(nanobind::module_& module);
void add_device(nanobind::module_& module);
void add_compiler(nanobind::module_& module);
void add_memory(nanobind::module_& module);
void add_utilities(nanobind::module_& module);
void add_backend(nanobind::module_& module);

}  // namespace hipwright::python
