// SPDX-License-Identifier: MIT
// Exceptions of the C++ library become those of hipwright/errors.py.
#include <nanobind/stl/string.h>

#include "hipwright/error.h"
#include "module.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

nb::dict details_of(const AMDBackendError& error) {
  const ErrorDetails& details = error.details();
  nb::dict named;
  named["code"] = details.code;
  named["code_name"] = details.code_name;
  named["call"] = details.call;
  named["device"] = details.device;
  named["advice"] = details.advice;
  named["device_usable"] = details.device_usable;
  return named;
}

void set_error(const char* name, const AMDBackendError& error, const nb::dict& details) {
  const nb::object type = nb::module_::import_("hipwright.errors").attr(name);
  const nb::object value = type(error.what(), **details);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void set_error(const char* name, const AMDBackendError& error) {
  set_error(name, error, details_of(error));
}

void set_error(const HIPCompilationError& error) {
  nb::list messages;
  const nb::object type = nb::module_::import_("hipwright.errors").attr("CompilerMessage");
  for (const CompilerMessage& each : error.messages())
    messages.append(type(each.severity, each.file, each.line, each.column, each.text));
  nb::dict details = details_of(error);
  details["log"] = error.log();
  details["messages"] = messages;
  set_error("HIPCompilationError", error, details);
}

void set_error(const AMDConfigurationError& error) {
  nb::list problems;
  const nb::object type = nb::module_::import_("hipwright.errors").attr("ConfigurationProblem");
  for (const ConfigurationProblem& each : error.problems())
    problems.append(type(each.field, each.value, each.allowed, each.origin));
  nb::dict details = details_of(error);
  details["problems"] = problems;
  set_error("AMDConfigurationError", error, details);
}

// The most derived classes first.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const HIPCompilationError& error) {
    set_error(error);
  } catch (const AMDConfigurationError& error) {
    set_error(error);
  } catch (const ROCmNotAvailableError& error) {
    set_error("ROCmNotAvailableError", error);
  } catch (const GraphCaptureError& error) {
    set_error("GraphCaptureError", error);
  } catch (const AMDDeviceError& error) {
    set_error("AMDDeviceError", error);
  } catch (const ROCmMemoryError& error) {
    set_error("ROCmMemoryError", error);
  } catch (const MatrixCoreError& error) {
    set_error("MatrixCoreError", error);
  } catch (const AMDOptimizationError& error) {
    set_error("AMDOptimizationError", error);
  } catch (const AMDBackendError& error) {
    set_error("AMDBackendError", error);
  }
}

}  // namespace

void add_exceptions(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace hipwright::python
