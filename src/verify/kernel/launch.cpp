// SPDX-License-Identifier: MIT
// A spec's sizes and inputs as numbers, for a device with waves of some size.
#include <fmt/format.h>

#include "verify/kernel/spec.h"

namespace hipwright::verify {

namespace {

Result<Dim3> dim3(const std::vector<Expression>& of, const Sizes& sizes, std::int64_t most) {
  unsigned out[3] = {1, 1, 1};
  for (std::size_t i = 0; i < of.size(); ++i) {
    HW_TRY(const std::int64_t value, of[i].integer(sizes));
    if (value < 1 || value > most)
      return fail("cannot launch with", of[i].text(),
                  fmt::format("it is {}, and must be from 1 to {}", value, most));
    out[i] = static_cast<unsigned>(value);
  }
  return Dim3{out[0], out[1], out[2]};
}

Sizes with_wave(const KernelSpec& spec, unsigned wave) {
  Sizes sizes = spec.sizes;
  sizes["wave"] = wave;
  return sizes;
}

}  // namespace

Result<LaunchShape> launch_shape(const KernelSpec& spec, unsigned wave) {
  const Sizes sizes = with_wave(spec, wave);
  LaunchShape shape;
  HW_TRY(shape.grid, dim3(spec.grid, sizes, 0x7fffffff));
  HW_TRY(shape.block, dim3(spec.block, sizes, 1024));
  HW_TRY(const std::int64_t shared, spec.shared.integer(sizes));
  if (shared < 0 || shared > (1 << 20))
    return fail("cannot launch with", spec.shared.text(), "no GPU has that much shared memory");
  shape.shared_bytes = static_cast<unsigned>(shared);
  return shape;
}

Result<std::map<std::string, Values>> initial_values(const KernelSpec& spec, unsigned wave,
                                                     std::uint64_t seed) {
  const Sizes sizes = with_wave(spec, wave);
  std::map<std::string, Values> values;
  std::uint64_t nth = 0;
  for (const Argument& argument : spec.arguments) {
    ++nth;  // every argument has numbers of its own
    Shape shape;
    std::int64_t count = 1;
    for (const Expression& each : argument.shape) {
      HW_TRY(const std::int64_t size, each.integer(sizes));
      if (size < 0 || __builtin_mul_overflow(count, size, &count) || count > (1LL << 32))
        return fail("cannot make the argument", argument.name,
                    fmt::format("its size '{}' is {}", each.text(), size));
      shape.push_back(size);
    }
    if (!argument.is_buffer) {
      Values& value = values.emplace(argument.name, zeros(argument.type, {})).first->second;
      double number = argument.value;
      if (argument.size) {
        HW_TRY(const std::int64_t size, argument.size->integer(sizes));
        number = static_cast<double>(size);
      }
      store(value, 0, number);
    } else {
      values.emplace(argument.name, filled(argument.type, std::move(shape), argument.fill,
                                           seed * 0x9e3779b97f4a7c15ULL + nth));
    }
  }
  return values;
}

}  // namespace hipwright::verify
