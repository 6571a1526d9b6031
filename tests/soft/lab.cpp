// SPDX-License-Identifier: MIT
#include "soft/lab.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "arch/target.h"

namespace hipwright::soft {

namespace {

constexpr std::uint32_t kLdsSize = 64 * 1024;
constexpr std::uint32_t kScratchPerLane = 1024;
constexpr std::uint64_t kMemoryLimit = std::uint64_t{1} << 30;
constexpr std::uint64_t kQuantum = 1'000'000;  // a loop that never ends fails its test

unsigned default_wave_size(std::string_view gfx) {
  const auto isa = isa_of(gfx);
  return isa && !is_gfx9(*isa) ? 32 : 64;
}

}  // namespace

struct Lab::Impl {
  std::string gfx;
  unsigned wave_size = 64;
  Memory memory{kMemoryLimit};
  LookupCache lookups{memory};
  Engine engine;
  LaunchRequest request;
  LaunchState launch;
  Workgroup group;
  std::vector<std::uint8_t> lds = std::vector<std::uint8_t>(kLdsSize);
  std::vector<std::uint8_t> scratch;
  struct alignas(64) Line {
    std::uint32_t dwords[16];
  };
  std::vector<Line> vectors;
  // Faults point into programs: they stay.
  struct Code {
    std::uint64_t begin = 0;
    std::unique_ptr<Program> program;
  };
  std::vector<Code> codes;
  std::map<std::string, std::size_t, std::less<>> known;  // by text: tests run one many times
};

Lab::Lab(std::string_view gfx, unsigned wave_size) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.gfx = gfx;
  impl.wave_size = wave_size ? wave_size : default_wave_size(gfx);
  impl.scratch.resize(std::size_t{kScratchPerLane} * impl.wave_size);
  impl.vectors.resize(std::size_t{kVectorRows} * impl.wave_size / 16);
  impl.engine.memory = &impl.memory;
  impl.launch = {.request = &impl.request, .engine = &impl.engine, .memory = &impl.memory};
  Workgroup& group = impl.group;
  group.launch = &impl.launch;
  group.lookups = &impl.lookups;
  group.lds = impl.lds.data();
  group.lds_size = kLdsSize;
  group.scratch = impl.scratch.data();
  group.scratch_per_lane = kScratchPerLane;
  group.barrier.members = 1;
  group.waves.resize(1);
  Wave& wave = group.waves[0];
  wave.vectors = impl.vectors[0].dwords;
  wave.lanes = impl.wave_size;
  wave.full_exec = impl.wave_size == 64 ? ~0ULL : 0xffffffffULL;
  wave.set_exec(wave.full_exec);
  wave.isa = isa_of(gfx).value_or(Isa::kGfx942);
  wave.group = &group;
  wave.scalars[kSharedBase + 1] = static_cast<std::uint32_t>(kSharedAperture >> 32);
  wave.scalars[kPrivateBase + 1] = static_cast<std::uint32_t>(kPrivateAperture >> 32);
  wave_ = &wave;
  group_ = &group;
  memory_ = &impl.memory;
}

Lab::~Lab() = default;

unsigned Lab::lanes() const {
  return wave_->lanes;
}

std::uint32_t Lab::v(unsigned row, unsigned lane) const {
  return wave_->vgpr(row)[lane];
}
void Lab::set_v(unsigned row, unsigned lane, std::uint32_t value) {
  wave_->vgpr(row)[lane] = value;
}
std::uint64_t Lab::v64(unsigned row, unsigned lane) const {
  return v(row, lane) | (std::uint64_t{v(row + 1, lane)} << 32);
}
void Lab::set_v64(unsigned row, unsigned lane, std::uint64_t value) {
  set_v(row, lane, static_cast<std::uint32_t>(value));
  set_v(row + 1, lane, static_cast<std::uint32_t>(value >> 32));
}
std::uint32_t Lab::s(unsigned index) const {
  return wave_->scalars[index];
}
void Lab::set_s(unsigned index, std::uint32_t value) {
  wave_->scalars[index] = value;
  if (index == kExecLo || index == kExecHi) wave_->exec_from_scalars();
}
std::uint64_t Lab::s64(unsigned index) const {
  return s(index) | (std::uint64_t{s(index + 1)} << 32);
}
void Lab::set_s64(unsigned index, std::uint64_t value) {
  set_s(index, static_cast<std::uint32_t>(value));
  set_s(index + 1, static_cast<std::uint32_t>(value >> 32));
}

void Lab::run(std::string_view text) {
  auto known = impl_->known.find(text);
  if (known == impl_->known.end()) {
    const auto target = arch::parse_target(impl_->gfx);
    ASSERT_TRUE(target) << target.error().message();
    const auto code = assemble(impl_->gfx, impl_->wave_size, std::string(text) + "\ns_endpgm\n");
    ASSERT_TRUE(code) << code.error().message();
    const auto made = impl_->memory.allocate(code->size(), MemoryKind::kCode, false);
    ASSERT_TRUE(made) << made.error().message();
    std::memcpy(reinterpret_cast<void*>(*made), code->data(), code->size());
    auto program = Program::create(*target, impl_->wave_size, {{*made, code->size()}}, {*made});
    ASSERT_TRUE(program) << program.error().message();
    impl_->codes.push_back({*made, *std::move(program)});
    known = impl_->known.emplace(text, impl_->codes.size() - 1).first;
  }
  const Impl::Code& code = impl_->codes[known->second];

  group_->program = code.program.get();
  Wave& wave = *wave_;
  wave.fault = {};
  wave.state = WaveState::kReady;
  wave.next = group_->program->at(code.begin);
  ASSERT_NE(wave.next, nullptr);
  const std::uint64_t limit = wave.steps + kQuantum;
  while ((wave.state == WaveState::kReady || wave.state == WaveState::kSleeping) &&
         wave.steps < limit)
    run_wave(wave, kQuantum);
  EXPECT_LT(wave.steps, limit) << "did not end: " << text;
}

bool Lab::accepts(std::string_view text) const {
  return assemble(impl_->gfx, impl_->wave_size, text).has_value();
}

namespace {

// The special values first, then random bits.
template <class T>
std::vector<T> fill_up(std::vector<T> values, unsigned count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  values.resize(std::min<std::size_t>(values.size(), count));
  while (values.size() < count) values.push_back(static_cast<T>(random()));
  return values;
}

// Floats of `exponent` and `fraction` bits: zeros, denormals, one and its neighbours, powers of
// two, the largest, infinity, NaNs; each with both signs.
template <class T>
std::vector<T> special_floats(unsigned exponent, unsigned fraction) {
  const T one = T(((std::uint64_t{1} << (exponent - 1)) - 1) << fraction);
  const T infinity = T(((std::uint64_t{1} << exponent) - 1) << fraction);
  const T step = T(std::uint64_t{1} << fraction);
  const T quiet = T(std::uint64_t{1} << (fraction - 1));
  std::vector<T> magnitudes = {T(0),
                               T(1),
                               T(2),
                               T(step - 1),
                               step,
                               T(step + 1),
                               one,
                               T(one - 1),
                               T(one + 1),
                               T(one + step),
                               T(one - step),
                               T(one + step + step / 2),
                               T(one + T(fraction) * step),
                               T(one + T(fraction + 1) * step),
                               T(one - T(fraction) * step),
                               T(infinity - 1),
                               T(infinity - step),
                               infinity,
                               T(infinity | quiet),
                               T(infinity | quiet | 5),
                               T(infinity | 1),
                               T(infinity | (quiet - 1)),
                               T(quiet),
                               T(one + T(5) * step + 3)};
  const T sign = T(std::uint64_t{1} << (exponent + fraction));
  std::vector<T> out;
  for (const T magnitude : magnitudes) {
    out.push_back(magnitude);
    out.push_back(T(magnitude | sign));
  }
  return out;
}

template <class T>
std::vector<T> special_integers() {
  constexpr unsigned kBits = sizeof(T) * 8;
  std::vector<T> out = {T(0), T(1), T(2), T(3), T(~T(0)), T(~T(1)), T(~T(2))};
  for (unsigned bit = 2; bit < kBits; bit += bit < 8 || bit + 9 > kBits ? 1 : 7)
    for (const T value : {T(T(1) << bit), T((T(1) << bit) - 1), T(T(0) - (T(1) << bit))})
      out.push_back(value);
  return out;
}

}  // namespace

std::vector<std::uint32_t> interesting_f32(unsigned count, std::uint64_t seed) {
  return fill_up(special_floats<std::uint32_t>(8, 23), count, seed);
}
std::vector<std::uint64_t> interesting_f64(unsigned count, std::uint64_t seed) {
  return fill_up(special_floats<std::uint64_t>(11, 52), count, seed);
}
std::vector<std::uint16_t> interesting_f16(unsigned count, std::uint64_t seed) {
  return fill_up(special_floats<std::uint16_t>(5, 10), count, seed);
}
std::vector<std::uint32_t> interesting_i32(unsigned count, std::uint64_t seed) {
  return fill_up(special_integers<std::uint32_t>(), count, seed);
}
std::vector<std::uint64_t> interesting_i64(unsigned count, std::uint64_t seed) {
  return fill_up(special_integers<std::uint64_t>(), count, seed);
}

const std::vector<std::string>& all_targets() {
  static const std::vector<std::string> targets = {"gfx90a", "gfx942", "gfx950", "gfx1100",
                                                   "gfx1201"};
  return targets;
}

}  // namespace hipwright::soft
