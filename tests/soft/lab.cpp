// SPDX-License-Identifier: MIT
#include "soft/lab.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <set>

#include "arch/target.h"
#include "soft/exec/interpreter.h"

namespace hipwright::soft {

namespace {

constexpr std::uint32_t kLdsSize = 64 * 1024;
constexpr std::uint32_t kScratchPerLane = 1024;
constexpr std::uint64_t kMemoryLimit = std::uint64_t{1} << 30;
constexpr std::uint64_t kQuantum = 1'000'000;  // a loop that never ends fails its test

// Assembled and decoded once for all labs: tests run the same text on many operands. Code stays,
// because faults point into it.
struct Code {
  std::vector<std::uint8_t> bytes;
  std::unique_ptr<Program> program;
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(bytes.data()); }
};

Result<Code> make_code(std::string_view gfx, unsigned wave_size, std::string_view text) {
  HW_TRY(const arch::Target target, arch::parse_target(gfx));
  Code code;
  HW_TRY(code.bytes, assemble(gfx, wave_size, std::string(text) + "\ns_endpgm\n"));
  HW_TRY(code.program,
         Program::create(target, wave_size, {{code.begin(), code.bytes.size()}}, {code.begin()}));
  return code;
}

const Result<Code>& code_for(std::string_view gfx, unsigned wave_size, std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, Result<Code>> codes;
  const std::lock_guard lock(mutex);
  const std::string key = std::string(gfx) + std::to_string(wave_size) + std::string(text);
  const auto found = codes.find(key);
  if (found != codes.end()) return found->second;
  return codes.emplace(key, make_code(gfx, wave_size, text)).first->second;
}

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
  std::set<std::uint64_t> registered;  // code that this lab's memory knows
};

Lab::Lab(std::string_view gfx, unsigned wave_size) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.gfx = gfx;
  impl.wave_size = wave_size ? wave_size : default_wave_size(gfx);
  impl.scratch.resize(std::size_t{kScratchPerLane} * impl.wave_size);
  impl.vectors.resize(std::size_t{kVectorRows} * impl.wave_size / 16);
  impl.engine.memory = &impl.memory;
  impl.launch = state_of(impl.engine, impl.request);
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
  const Result<Code>& code = code_for(impl_->gfx, impl_->wave_size, text);
  ASSERT_TRUE(code) << code.error().message();
  const std::uint64_t begin = code->begin();
  if (impl_->registered.insert(begin).second) {
    const auto status =
        impl_->memory.register_range(begin, code->bytes.size(), MemoryKind::kCode, false);
    ASSERT_TRUE(status) << status.error().message();
  }
  group_->program = code->program.get();
  Wave& wave = *wave_;
  wave.fault = {};
  wave.state = WaveState::kReady;
  wave.next = group_->program->at(begin);
  ASSERT_NE(wave.next, nullptr);
  const std::uint64_t limit = wave.steps + kQuantum;
  while ((wave.state == WaveState::kReady || wave.state == WaveState::kSleeping) &&
         wave.steps < limit)
    run_wave(wave, kQuantum);
  EXPECT_LT(wave.steps, limit) << "did not end: " << text;
}

bool Lab::accepts(std::string_view text) const {
  return code_for(impl_->gfx, impl_->wave_size, text).has_value();
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
  static const std::vector<std::string> targets = {"gfx908",  "gfx90a",  "gfx942", "gfx950",
                                                   "gfx1030", "gfx1100", "gfx1201"};
  return targets;
}

}  // namespace hipwright::soft
