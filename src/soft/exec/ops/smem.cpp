// SPDX-License-Identifier: MIT
// Scalar memory: loads, and the stores and atomics of gfx9. Stores and atomics reach memory at
// once: there is no scalar cache to write back.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "soft/exec/access.h"
#include "soft/exec/memory.h"
#include "soft/exec/ops/atomics.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

// Immediate offsets are signed (21 or 24 bits); a register's value is not.
u64 offset_of(const Wave& wave, const Inst& inst, const Operand& operand) {
  const u64 offset = !operand ? 0
                     : operand.is_constant()
                         ? static_cast<u64>(std::int64_t{static_cast<std::int32_t>(operand.value)})
                         : u64{wave.read_scalar(operand.index)};
  return offset + static_cast<u64>(std::int64_t{inst.memory.offset});
}

// Bytes of an access that lie in memory. Compilers widen three dwords to four and a short to a
// dword where the alignment lets them: the hardware reads on within the same page, here what lies
// behind the allocation reads as zero. A load that is mostly outside is a mistake of the program.
unsigned readable(const Wave& wave, u64 address, unsigned bytes) {
  LookupCache* lookups = wave.group ? wave.group->lookups : nullptr;
  if (!lookups || lookups->find(address, address + bytes)) return bytes;
  for (unsigned part = bytes - 1; part > 0 && (bytes == 4 || part * 2 > bytes); --part)
    if (lookups->find(address, address + part)) return part;
  return bytes;
}

// Copies into `data`; false: the wave has faulted or a check took the access out.
bool read(Wave& wave, const Inst& inst, u64 address, unsigned bytes, void* data) {
  const unsigned part = readable(wave, address, bytes);
  const Access access{.space = Space::kGlobal,
                      .kind = AccessKind::kLoad,
                      .bytes = part,
                      .mask = 1,
                      .addresses = &address,
                      .scalar = true};
  if (!admit(wave, inst, access)) return false;
  std::memcpy(data, reinterpret_cast<const void*>(address), part);
  return true;
}

template <unsigned kDwords>
void write(Wave& wave, const Inst& inst, const std::array<u32, kDwords>& data) {
  const unsigned to = inst.dst[0].index;
  if (to == kNull) return;
  for (unsigned i = 0; i < kDwords && to + i < kScalarCount; ++i) wave.scalars[to + i] = data[i];
}

// Values smaller than a dword (gfx12): the type says how they are extended.
template <class T>
u32 extend(u32 raw) {
  T value{};
  std::memcpy(&value, &raw, sizeof(value));
  return static_cast<u32>(value);
}

template <unsigned kDwords>
void load(Wave& wave, const Inst& inst) {
  const u64 address = (wave.read64(inst.src[0]) + offset_of(wave, inst, inst.src[1])) & ~u64{3};
  std::array<u32, kDwords> data{};
  if (!read(wave, inst, address, kDwords * 4, data.data()) && wave.state == WaveState::kFault)
    return;
  write<kDwords>(wave, inst, data);
}

template <class T>
void load_small(Wave& wave, const Inst& inst) {
  const u64 address =
      (wave.read64(inst.src[0]) + offset_of(wave, inst, inst.src[1])) & ~u64{sizeof(T) - 1};
  u32 raw = 0;
  if (!read(wave, inst, address, sizeof(T), &raw) && wave.state == WaveState::kFault) return;
  write<1>(wave, inst, {extend<T>(raw)});
}

// What a scalar load uses of a buffer resource: base, stride and size. Swizzling is ignored.
struct Resource {
  u64 base = 0;
  u64 size = 0;  // bytes
};
Resource resource_of(const Wave& wave, const Operand& operand) {
  const u32 word1 = wave.read_scalar(operand.index + 1U);
  const u64 stride = (word1 >> 16) & 0x3fffU;
  const u64 records = wave.read_scalar(operand.index + 2U);
  return {.base = wave.read_scalar(operand.index) | (u64{word1 & 0xffffU} << 32),
          .size = stride == 0 ? records : stride * records};
}

template <unsigned kDwords>
void buffer_load(Wave& wave, const Inst& inst) {
  const Resource resource = resource_of(wave, inst.src[0]);
  const u64 offset = offset_of(wave, inst, inst.src[1]) & ~u64{3};
  std::array<u32, kDwords> data{};
  // Each dword is tested on its own: what is out of range reads as zero.
  const u64 in_range = offset < resource.size ? (resource.size - offset) / 4 : 0;
  const auto dwords = static_cast<unsigned>(std::min<u64>(in_range, kDwords));
  if (dwords != 0 &&
      !read(wave, inst, (resource.base + offset) & ~u64{3}, dwords * 4, data.data()) &&
      wave.state == WaveState::kFault)
    return;
  write<kDwords>(wave, inst, data);
}

template <class T>
void buffer_load_small(Wave& wave, const Inst& inst) {
  const Resource resource = resource_of(wave, inst.src[0]);
  const u64 offset = offset_of(wave, inst, inst.src[1]) & ~u64{sizeof(T) - 1};
  u32 raw = 0;
  if (offset < resource.size && sizeof(T) <= resource.size - offset &&
      !read(wave, inst, resource.base + offset, sizeof(T), &raw) && wave.state == WaveState::kFault)
    return;
  write<1>(wave, inst, {extend<T>(raw)});
}

// --- stores and atomics: data, base or resource, offset ---

struct ScalarAddress {
  u64 address = 0;
  u64 bytes = 0;  // from there to the end of the buffer
};
template <bool kBuffer>
ScalarAddress scalar_address(const Wave& wave, const Inst& inst) {
  const u64 offset = offset_of(wave, inst, inst.src[2]);
  if constexpr (!kBuffer)
    return {.address = (wave.read64(inst.src[1]) + offset) & ~u64{3}, .bytes = ~u64{0}};
  const Resource resource = resource_of(wave, inst.src[1]);
  const u64 start = offset & ~u64{3};
  return {.address = (resource.base + start) & ~u64{3},
          .bytes = start < resource.size ? resource.size - start : 0};
}

bool admit_scalar(Wave& wave, const Inst& inst, AccessKind kind, u64 address, unsigned bytes) {
  return admit(wave, inst,
               {.space = Space::kGlobal,
                .kind = kind,
                .bytes = bytes,
                .mask = 1,
                .addresses = &address,
                .scalar = true}) != 0;
}

// Of a buffer, each dword is tested on its own, as loads are.
template <unsigned kDwords, bool kBuffer>
void store(Wave& wave, const Inst& inst) {
  const ScalarAddress at = scalar_address<kBuffer>(wave, inst);
  const auto dwords = static_cast<unsigned>(std::min<u64>(at.bytes / 4, kDwords));
  if (dwords == 0 || !admit_scalar(wave, inst, AccessKind::kStore, at.address, dwords * 4)) return;
  std::array<u32, kDwords> data{};
  for (unsigned i = 0; i < dwords; ++i) data[i] = wave.read_scalar(inst.src[0].index + i);
  std::memcpy(reinterpret_cast<void*>(at.address), data.data(), std::size_t{dwords} * 4);
}

template <class T>
T read_data(const Wave& wave, unsigned index) {
  u64 value = wave.read_scalar(index);
  if constexpr (sizeof(T) == 8) value |= u64{wave.read_scalar(index + 1)} << 32;
  return static_cast<T>(value);
}

// The old value takes the place of the data; outside the buffer it is 0.
template <class A, class T, bool kBuffer>
void modify(Wave& wave, const Inst& inst) {
  constexpr unsigned dwords = sizeof(T) / 4;
  const ScalarAddress at = scalar_address<kBuffer>(wave, inst);
  const unsigned index = inst.src[0].index;
  T old{};
  if (at.bytes >= sizeof(T)) {
    if (!admit_scalar(wave, inst, AccessKind::kAtomic, at.address, sizeof(T))) return;
    const T data = read_data<T>(wave, index);
    T second{};
    if constexpr (atomic::TakesSecond<A>) second = read_data<T>(wave, index + dwords);
    old =
        exchange<A, T>(Linear{}, at.address, 0, data, second, memory_rules(wave), std::true_type());
  }
  if (!inst.memory.returns) return;
  std::array<u32, dwords> words{};
  std::memcpy(words.data(), &old, sizeof(T));
  write<dwords>(wave, inst, words);
}

template <unsigned kDwords, bool kBuffer>
constexpr Op store_op(std::string_view name) {
  return {.name = name,
          .run = store<kDwords, kBuffer>,
          .kind = OpClass::kScalarMemory,
          .src = {data_type(kDwords), kBuffer ? Type::kWide : Type::kB64, Type::kB32},
          .flags = kStore | kMayFault};
}
template <class A, class T, bool kBuffer>
constexpr Op atomic_op(std::string_view name) {
  constexpr unsigned dwords = sizeof(T) / 4;
  return {.name = name,
          .run = modify<A, T, kBuffer>,
          .kind = OpClass::kScalarMemory,
          .src = {data_type(atomic::TakesSecond<A> ? 2 * dwords : dwords),
                  kBuffer ? Type::kWide : Type::kB64, Type::kB32},
          .flags = kAtomic | kLoad | kStore | kMayFault |
                   (atomic::kCompares<A> ? u32{kCompareSwap} : 0U)};
}

constexpr auto kStores = std::to_array<Op>({
    store_op<1, false>("s_store_dword"),
    store_op<2, false>("s_store_dwordx2"),
    store_op<4, false>("s_store_dwordx4"),
    store_op<1, true>("s_buffer_store_dword"),
    store_op<2, true>("s_buffer_store_dwordx2"),
    store_op<4, true>("s_buffer_store_dwordx4"),
});

template <class A, Text kName>
constexpr OpList<4> atomics() {
  return {atomic_op<A, u32, false>(joined<"s_atomic_", kName>),
          atomic_op<A, u64, false>(joined<"s_atomic_", kName, "_x2">),
          atomic_op<A, u32, true>(joined<"s_buffer_atomic_", kName>),
          atomic_op<A, u64, true>(joined<"s_buffer_atomic_", kName, "_x2">)};
}
constexpr auto kAtomics = together(
    atomics<atomic::Swap, "swap">(), atomics<atomic::CompareSwap, "cmpswap">(),
    atomics<atomic::Add, "add">(), atomics<atomic::Sub, "sub">(),
    atomics<atomic::SignedMin, "smin">(), atomics<atomic::UnsignedMin, "umin">(),
    atomics<atomic::SignedMax, "smax">(), atomics<atomic::UnsignedMax, "umax">(),
    atomics<atomic::And, "and">(), atomics<atomic::Or, "or">(), atomics<atomic::Xor, "xor">(),
    atomics<atomic::Inc, "inc">(), atomics<atomic::Dec, "dec">());

constexpr Op load_op(std::string_view name, Handler run, Type base) {
  Op op{.name = name, .run = run, .kind = OpClass::kScalarMemory, .flags = kLoad | kMayFault};
  op.dst = {Type::kWide};
  op.src = {base, Type::kB32};
  return op;
}

// Prefetches, also those of address translations, have no effect that a program could see.
constexpr Op prefetch_op(std::string_view name, std::array<Type, 5> sources) {
  return {.name = name,
          .run = [](Wave&, const Inst&) {},
          .kind = OpClass::kScalarMemory,
          .src = sources};
}

constexpr Type kB32 = Type::kB32;
constexpr Type kB64 = Type::kB64;
constexpr Type kWide = Type::kWide;

constexpr auto kLoads = std::to_array<Op>({
    load_op("s_load_dword", load<1>, kB64),
    load_op("s_load_dwordx2", load<2>, kB64),
    load_op("s_load_dwordx3", load<3>, kB64),
    load_op("s_load_dwordx4", load<4>, kB64),
    load_op("s_load_dwordx8", load<8>, kB64),
    load_op("s_load_dwordx16", load<16>, kB64),
    load_op("s_load_u8", load_small<std::uint8_t>, kB64),
    load_op("s_load_i8", load_small<std::int8_t>, kB64),
    load_op("s_load_u16", load_small<std::uint16_t>, kB64),
    load_op("s_load_i16", load_small<std::int16_t>, kB64),
    load_op("s_buffer_load_dword", buffer_load<1>, kWide),
    load_op("s_buffer_load_dwordx2", buffer_load<2>, kWide),
    load_op("s_buffer_load_dwordx3", buffer_load<3>, kWide),
    load_op("s_buffer_load_dwordx4", buffer_load<4>, kWide),
    load_op("s_buffer_load_dwordx8", buffer_load<8>, kWide),
    load_op("s_buffer_load_dwordx16", buffer_load<16>, kWide),
    load_op("s_buffer_load_u8", buffer_load_small<std::uint8_t>, kWide),
    load_op("s_buffer_load_i8", buffer_load_small<std::int8_t>, kWide),
    load_op("s_buffer_load_u16", buffer_load_small<std::uint16_t>, kWide),
    load_op("s_buffer_load_i16", buffer_load_small<std::int16_t>, kWide),
    prefetch_op("s_prefetch_inst", {kB64, kB32, kB32, kB32}),
    prefetch_op("s_prefetch_data", {kB64, kB32, kB32, kB32}),
    prefetch_op("s_buffer_prefetch_data", {kWide, kB32, kB32, kB32}),
    prefetch_op("s_prefetch_inst_pc_rel", {kB32, kB32, kB32}),
    prefetch_op("s_prefetch_data_pc_rel", {kB32, kB32, kB32}),
    prefetch_op("s_atc_probe", {kB32, kB64, kB32}),
    prefetch_op("s_atc_probe_buffer", {kB32, kWide, kB32}),
});

constexpr auto kOps = together(kLoads, kStores, kAtomics);

}  // namespace

std::span<const Op> smem_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
