// SPDX-License-Identifier: MIT
// Errors as values. Inside hipwright every operation that can fail returns Result<T>; exceptions
// exist only at the public façade (include/hipwright/error.h).
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace hipwright {

// What a person needs to act: what was attempted, on what, what happened, what to do about it.
struct Error {
  std::string what;  // "cannot read the code object"
  std::string on;    // "kernels/add.co", "gfx942", "src/a.cpp:12"; may be empty
  std::string why;   // "section header table lies outside the file"
  std::string fix;   // "compile it again"; may be empty

  // One paragraph: "what 'on': why. fix"
  std::string message() const;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(std::string what, std::string on, std::string why,
                                   std::string fix = {}) {
  return std::unexpected<Error>(
      Error{std::move(what), std::move(on), std::move(why), std::move(fix)});
}

// The message of `errno` (or another errno value), as text.
std::string errno_text(int error_number);

// A broken invariant of hipwright itself, never a user's mistake: says where and aborts.
[[noreturn]] void bug(std::string_view what, const char* file, int line);

}  // namespace hipwright

#define HW_CONCAT_INNER(a, b) a##b
#define HW_CONCAT(a, b) HW_CONCAT_INNER(a, b)

// HW_TRY(auto x, f()): x is f()'s value, or the enclosing function returns f()'s error.
#define HW_TRY(declaration, ...) \
  HW_TRY_NAMED(HW_CONCAT(hw_try_, __LINE__), declaration, __VA_ARGS__)
#define HW_TRY_NAMED(name, declaration, ...)                  \
  auto name = (__VA_ARGS__);                                  \
  if (!name) return std::unexpected(std::move(name).error()); \
  declaration = *std::move(name)

// HW_CHECK(f()): the enclosing function returns f()'s error, if it has one.
#define HW_CHECK(...)                                       \
  do {                                                      \
    if (auto hw_status = (__VA_ARGS__); !hw_status)         \
      return std::unexpected(std::move(hw_status).error()); \
  } while (false)

#define HW_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::hipwright::bug(#condition, __FILE__, __LINE__))
