// SPDX-License-Identifier: MIT
// The exceptions of the public API. All derive from AMDBackendError; what() is a complete sentence:
// what was attempted, on what, what happened and what to do. The accessors provide the parts for
// programs.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hipwright {

// The details of a failed call. Empty or 0 if not applicable.
struct ErrorDetails {
  int code = 0;           // the native code: 2
  std::string code_name;  // "hipErrorOutOfMemory"
  std::string call;       // "hipMalloc"
  std::string device;     // "hip:0"
  std::string advice;     // what to do about it
  // If false, every further call on this device fails in this process; start a new one.
  bool device_usable = true;
};

class AMDBackendError : public std::runtime_error {
 public:
  explicit AMDBackendError(const std::string& what, ErrorDetails details = {})
      : std::runtime_error(what), details_(std::move(details)) {}

  const ErrorDetails& details() const { return details_; }
  int code() const { return details_.code; }
  const std::string& call() const { return details_.call; }
  const std::string& device() const { return details_.device; }
  const std::string& advice() const { return details_.advice; }
  bool device_usable() const { return details_.device_usable; }

 private:
  ErrorDetails details_;
};

// No GPU runtime, no GPU, or an unusable one.
class ROCmNotAvailableError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

// A missing device, a failed call or launch, a kernel fault.
class AMDDeviceError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

// A broken stream capture; the message names the operation that broke it.
class GraphCaptureError : public AMDDeviceError {
 public:
  using AMDDeviceError::AMDDeviceError;
};

// A failed device allocation; the message breaks down the memory use.
class ROCmMemoryError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

class MatrixCoreError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

class AMDOptimizationError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

// One message of a compiler, with its place in the source.
struct CompilerMessage {
  std::string severity;  // "error", "warning", "note"
  std::string file;
  unsigned line = 0;    // from 1; 0 if the compiler gave none
  unsigned column = 0;  // likewise
  std::string text;
};

class HIPCompilationError : public AMDBackendError {
 public:
  HIPCompilationError(const std::string& what, std::string log,
                      std::vector<CompilerMessage> messages, ErrorDetails details = {})
      : AMDBackendError(what, std::move(details)),
        log_(std::move(log)),
        messages_(std::move(messages)) {}

  // Everything that the compiler printed.
  const std::string& log() const { return log_; }
  // The same, parsed; empty when the compiler could not be run at all.
  const std::vector<CompilerMessage>& messages() const { return messages_; }

 private:
  std::string log_;
  std::vector<CompilerMessage> messages_;
};

// One invalid setting.
struct ConfigurationProblem {
  std::string field;    // "max_memory_fraction"
  std::string value;    // "1.5"
  std::string allowed;  // "a number over 0, at most 1"
  std::string origin;   // "hipwright.toml:3", "HIPWRIGHT_MAX_MEMORY_FRACTION", "code"
};

// Invalid settings: the message names each field, its value and the allowed values.
class AMDConfigurationError : public AMDBackendError {
 public:
  explicit AMDConfigurationError(const std::string& what,
                                 std::vector<ConfigurationProblem> problems = {},
                                 ErrorDetails details = {})
      : AMDBackendError(what, std::move(details)), problems_(std::move(problems)) {}

  // Empty if the error is about the name of a device, not a field.
  const std::vector<ConfigurationProblem>& problems() const { return problems_; }

 private:
  std::vector<ConfigurationProblem> problems_;
};

}  // namespace hipwright
