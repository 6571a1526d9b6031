// SPDX-License-Identifier: MIT
// Evaluates a spec's sizes and inputs for a device's wave size.
#include <algorithm>

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
                  fmt::format("it is {}, but must be from 1 to {}", value, most));
    out[i] = static_cast<unsigned>(value);
  }
  return Dim3{out[0], out[1], out[2]};
}

Sizes with_wave(const KernelSpec& spec, unsigned wave) {
  Sizes sizes = spec.sizes;
  sizes["wave"] = wave;
  return sizes;
}

Result<Values> scalar_of(const Argument& argument, const std::string& name, const Sizes& sizes) {
  Values value = zeros(argument.type, {});
  double number = argument.value;
  if (argument.size) {
    HW_TRY(const std::int64_t size, argument.size->integer(sizes));
    number = static_cast<double>(size);
    if (static_cast<std::int64_t>(number) != size)
      return fail("cannot create the argument", name,
                  fmt::format("{} is too large to be exact", size));
  }
  store(value, 0, number);
  if (!is_float(argument.type) && value.at(0) != number)
    return fail("cannot create the argument", name,
                fmt::format("{} does not fit {}", number, short_name(argument.type)));
  return value;
}

// C layout: every field is aligned to its size, the struct to its largest field.
Result<Values> struct_of(const Argument& argument, const Sizes& sizes) {
  std::string bytes;
  std::size_t largest = 1;
  const auto align = [&](std::size_t to) { bytes.resize((bytes.size() + to - 1) / to * to); };
  for (const Argument& field : argument.fields) {
    HW_TRY(const Values value, scalar_of(field, argument.name, sizes));
    align(value.bytes.size());
    bytes.append(value.bytes.data(), value.bytes.size());
    largest = std::max(largest, value.bytes.size());
  }
  align(largest);
  Values out = zeros(DataType::kU8, {static_cast<std::int64_t>(bytes.size())});
  std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
  return out;
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
    ++nth;  // so that every argument gets different numbers
    Shape shape;
    std::int64_t count = 1;
    for (const Expression& each : argument.shape) {
      HW_TRY(const std::int64_t size, each.integer(sizes));
      if (size < 0 || __builtin_mul_overflow(count, size, &count) || count > (1LL << 32))
        return fail("cannot create the argument", argument.name,
                    fmt::format("its size '{}' is {}", each.text(), size));
      shape.push_back(size);
    }
    if (argument.is_struct()) {
      HW_TRY(Values value, struct_of(argument, sizes));
      values.emplace(argument.name, std::move(value));
    } else if (!argument.is_buffer) {
      HW_TRY(Values value, scalar_of(argument, argument.name, sizes));
      values.emplace(argument.name, std::move(value));
    } else {
      constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
      // The argument's own seed advances with the sweep's.
      const std::uint64_t own =
          argument.seed ? (*argument.seed + (seed - spec.seed)) * kStep : seed * kStep + nth;
      values.emplace(argument.name, filled(argument.type, std::move(shape), argument.fill, own));
    }
  }
  return values;
}

}  // namespace hipwright::verify
