// SPDX-License-Identifier: MIT
// Scalar memory reads. Scalar stores and atomics are not here: no compiler emits them for these
// targets.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "soft/exec/access.h"
#include "soft/exec/memory.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

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

constexpr Op load_op(std::string_view name, Handler run, Type base) {
  Op op{.name = name, .run = run, .kind = OpClass::kScalarMemory, .flags = kLoad | kMayFault};
  op.dst = {Type::kWide};
  op.src = {base, Type::kB32};
  return op;
}

// Prefetches have no effect that a program could see.
constexpr Op prefetch_op(std::string_view name, std::array<Type, 5> sources) {
  return {.name = name,
          .run = [](Wave&, const Inst&) {},
          .kind = OpClass::kScalarMemory,
          .src = sources};
}

constexpr Type kB32 = Type::kB32;
constexpr Type kB64 = Type::kB64;
constexpr Type kWide = Type::kWide;

constexpr Op kOps[] = {
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
};

}  // namespace

std::span<const Op> smem_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
