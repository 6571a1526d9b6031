// SPDX-License-Identifier: MIT
// A compiled kernel as the cache stores and returns it. In memory it is the bytes of its file,
// already verified, with views into them; immutable, so threads can share it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "toolchain/cache/include_set.h"
#include "toolchain/cache/request.h"

namespace hipwright::toolchain {

class CachedKernel {
 public:
  using Pointer = std::shared_ptr<const CachedKernel>;

  // `key` is everything that the kernel was compiled from (entry_material).
  static Pointer build(std::string_view key, std::string_view payload, std::string_view log,
                       double compile_seconds);
  // From the bytes of a file; an error if they differ from what build() wrote.
  static Result<Pointer> open(std::string file_bytes);

  CachedKernel(const CachedKernel&) = delete;
  CachedKernel& operator=(const CachedKernel&) = delete;

  std::string_view payload() const { return payload_; }
  std::string_view log() const { return log_; }  // the compiler's warnings
  double compile_seconds() const { return compile_seconds_; }
  std::string_view key() const { return key_; }
  std::string_view file_bytes() const { return file_bytes_; }

 private:
  explicit CachedKernel(std::string file_bytes) : file_bytes_(std::move(file_bytes)) {}
  bool decode(std::string_view body);

  std::string file_bytes_;
  std::string_view key_;
  std::string_view log_;
  std::string_view payload_;
  double compile_seconds_ = 0;
};

// The full key of an entry: the request and the contents of what it included.
std::string entry_material(const RequestKey& request, const IncludeSet& includes);

}  // namespace hipwright::toolchain
