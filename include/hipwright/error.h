// SPDX-License-Identifier: MIT
// The exceptions of the public API. All derive from AMDBackendError; what() is a whole sentence
// that says what was attempted, on what, what happened and what to do.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hipwright {

class AMDBackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One message of a compiler, with its place in the source.
struct CompilerMessage {
  std::string severity;  // "error", "warning", "note"
  std::string file;
  unsigned line = 0;    // from 1; 0 when the compiler named none
  unsigned column = 0;  // likewise
  std::string text;
};

class HIPCompilationError : public AMDBackendError {
 public:
  HIPCompilationError(const std::string& what, std::string log,
                      std::vector<CompilerMessage> messages)
      : AMDBackendError(what), log_(std::move(log)), messages_(std::move(messages)) {}

  // Everything that the compiler printed.
  const std::string& log() const { return log_; }
  // The same, parsed; empty when the compiler could not be run at all.
  const std::vector<CompilerMessage>& messages() const { return messages_; }

 private:
  std::string log_;
  std::vector<CompilerMessage> messages_;
};

// A setting that cannot be: the message names the field, its value and what is allowed.
class AMDConfigurationError : public AMDBackendError {
 public:
  using AMDBackendError::AMDBackendError;
};

}  // namespace hipwright
