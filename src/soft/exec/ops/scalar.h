// SPDX-License-Identifier: MIT
// How a scalar instruction runs: sources become words, a function makes the result, and SCC when
// it gives one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "soft/exec/inst.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <Type T>
using Word = std::conditional_t<dwords(T) == 2, u64, u32>;

template <Type T>
inline Word<T> source_word(const Wave& wave, const Operand& operand) {
  if constexpr (dwords(T) == 2)
    return wave.read64(operand);
  else
    return wave.read32(operand);
}

template <Type T>
inline void write_word(Wave& wave, const Operand& operand, Word<T> value) {
  if constexpr (dwords(T) == 2)
    wave.write64(operand, value);
  else
    wave.write32(operand, value);
}

// A result that sets SCC.
template <class T>
struct Out {
  T value;
  bool scc;
};
template <class T>
constexpr Out<T> nonzero(T value) {
  return {value, value != 0};
}
template <class T>
constexpr Out<T> chosen(bool first, T a, T b) {
  return {first ? a : b, first};
}

// A function whose first parameter is one of these sees SCC, or the wave's modes.
struct Scc {
  bool value;
};

namespace detail {

template <class T>
inline constexpr bool is_out = false;
template <class T>
inline constexpr bool is_out<Out<T>> = true;

template <class F, Type... S, std::size_t... I>
inline auto call(const Wave& wave, const Inst& inst, std::index_sequence<I...>) {
  if constexpr (std::is_invocable_v<F, Scc, Word<S>...>)
    return F{}(Scc{wave.scc()}, source_word<S>(wave, inst.src[I])...);
  else if constexpr (std::is_invocable_v<F, const FloatMode&, Word<S>...>)
    return F{}(wave.mode, source_word<S>(wave, inst.src[I])...);
  else
    return F{}(source_word<S>(wave, inst.src[I])...);
}

template <Type D, class F, Type... S>
void run_scalar(Wave& wave, const Inst& inst) {
  const auto result = call<F, S...>(wave, inst, std::make_index_sequence<sizeof...(S)>());
  if constexpr (is_out<std::remove_const_t<decltype(result)>>) {
    write_word<D>(wave, inst.dst[0], result.value);
    wave.set_scc(result.scc);
  } else {
    write_word<D>(wave, inst.dst[0], result);
  }
}

template <class F, Type... S>
void run_compare(Wave& wave, const Inst& inst) {
  wave.set_scc(call<F, S...>(wave, inst, std::make_index_sequence<sizeof...(S)>()));
}

template <class F, Type... S>
constexpr u32 scalar_flags() {
  if constexpr (std::is_invocable_v<F, Scc, Word<S>...>)
    return kReadsScc | (is_out<std::invoke_result_t<F, Scc, Word<S>...>> ? kWritesScc : 0U);
  else if constexpr (std::is_invocable_v<F, Word<S>...>)
    return is_out<std::invoke_result_t<F, Word<S>...>> ? kWritesScc : 0U;
  else
    return 0;
}

}  // namespace detail

template <Type D, Type... S, class F>
constexpr Op scalar_op(std::string_view name, F, u32 flags = 0) {
  Op op{.name = name, .run = detail::run_scalar<D, F, S...>, .kind = OpClass::kScalar};
  op.dst = {D};
  op.src = {S...};
  op.flags = flags | detail::scalar_flags<F, S...>();
  return op;
}

// The result goes to SCC alone.
template <Type... S, class F>
constexpr Op compare_op(std::string_view name, F) {
  Op op{.name = name, .run = detail::run_compare<F, S...>, .kind = OpClass::kScalar};
  op.src = {S...};
  op.flags = kWritesScc;
  return op;
}

template <std::size_t... N>
constexpr auto join(const Op (&... tables)[N]) {
  std::array<Op, (N + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& table) {
    for (const Op& op : table) all[at++] = op;
  };
  (add(tables), ...);
  return all;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
