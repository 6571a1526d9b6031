// SPDX-License-Identifier: MIT
// The arguments of a kernel as the launch functions take them. For every C++ compiler.
#pragma once

#include <type_traits>
#include <utility>

namespace __hip_detail {

template <bool... values>
struct all_true : std::is_same<all_true<true, values...>, all_true<values..., true>> {};

// Calls submit with one pointer per kernel argument, each converted to the kernel's own type.
template <typename Submit, typename... Formals>
inline void with_argument_pointers(Submit submit, Formals... formals) {
  static_assert(all_true<!std::is_reference<Formals>::value...>::value,
                "a __global__ function cannot take a reference");
#if defined(HIP_STRICT)
  static_assert(all_true<std::is_trivially_copyable<Formals>::value...>::value,
                "the arguments of a __global__ function must be trivially copyable");
#endif
  const void* pointers[sizeof...(Formals) + 1] = {static_cast<const void*>(&formals)..., nullptr};
  submit(const_cast<void**>(pointers));
}

template <typename Submit, typename... Formals, typename... Actuals>
inline void launch(void (*)(Formals...), Submit submit, Actuals&&... actuals) {
  static_assert(sizeof...(Formals) == sizeof...(Actuals),
                "wrong number of arguments for this kernel");
  with_argument_pointers<Submit, Formals...>(submit, std::forward<Actuals>(actuals)...);
}

}  // namespace __hip_detail
