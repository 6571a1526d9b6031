// SPDX-License-Identifier: MIT
// The LDS instructions: loads, stores and atomics on the workgroup's memory. Those that only use
// its crossbar (permute, bpermute, swizzle) are in lane.cpp.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "soft/exec/access.h"
#include "soft/exec/global_sync.h"
#include "soft/exec/ops/atomics.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/transfer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

bool refuse_gds(Wave& wave, const Inst& inst) {
  if (!inst.memory.gds) return false;
  wave.unsupported(inst, "global data share is not modelled");
  return true;
}

// Address + offset wraps at 32 bits.
void addresses_of(const Wave& wave, const Inst& inst, u32 offset, Addresses& at) {
  const u32* row = wave.vgpr(inst.src[0].index);
  for (std::size_t base = 0; base < wave.lanes; base += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i)
      at.lane[base + i] = static_cast<u32>(row[base + i] + offset);
}

// The forms without an address register: lane × 4 from a base in M0.
void addresses_by_lane(const Wave& wave, const Inst& inst, Addresses& at) {
  const u32 base = static_cast<u32>(inst.memory.offset) + (wave.scalars[kM0] & 0xffffU);
  for (unsigned i = 0; i < 64; ++i) at.lane[i] = base + i * 4U;
}

u64 admit_lds(Wave& wave, const Inst& inst, AccessKind kind, unsigned bytes, u64 mask,
              const Addresses& at) {
  return admit(
      wave, inst,
      {.space = Space::kLds, .kind = kind, .bytes = bytes, .mask = mask, .addresses = at.lane});
}

// `mask`: the lanes that were admitted. Those nowhere in LDS get zeros.
template <class E>
void load_lds(Wave& wave, unsigned row, const Addresses& at, u64 mask) {
  load<E>(wave, row, lds_of(wave), at, mask);
  u64 nowhere = 0;
  for_each_lane(wave.exec & ~mask, [&](unsigned i) {
    if (is_nowhere_in_lds(at.lane[i])) nowhere |= u64{1} << i;
  });
  if (nowhere == 0) return;
  static constexpr std::array<u8, 64> kZeros{};
  load<E>(wave, row, Linear{std::bit_cast<std::uintptr_t>(kZeros.data())}, Addresses{}, nowhere);
}

template <class E>
void read(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Addresses at;
  addresses_of(wave, inst, static_cast<u32>(inst.memory.offset), at);
  const u64 mask = admit_lds(wave, inst, AccessKind::kLoad, E::kBytes, wave.exec, at);
  load_lds<E>(wave, inst.dst[0].index, at, mask);
}

template <class E>
void write(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Addresses at;
  addresses_of(wave, inst, static_cast<u32>(inst.memory.offset), at);
  const u64 mask = admit_lds(wave, inst, AccessKind::kStore, E::kBytes, wave.exec, at);
  store<E>(wave, inst.src[1].index, lds_of(wave), at, mask);
}

// Two accesses, each with its own offset in units of the element, or of 64 of them.
struct Pair {
  Addresses first, second;
};
template <class E, unsigned kStride>
void pair_addresses(const Wave& wave, const Inst& inst, Pair& at) {
  constexpr u32 unit = E::kBytes * kStride;
  addresses_of(wave, inst, static_cast<u32>(inst.memory.offset) * unit, at.first);
  addresses_of(wave, inst, inst.memory.offset1 * unit, at.second);
}

template <class E, unsigned kStride>
void read2(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Pair at;
  // Compilers write neighbours as pairs when they are not sure of the alignment.
  if (kStride == 1 && inst.memory.offset1 == inst.memory.offset + 1) {
    using Both = Dwords<2 * E::kRows>;
    addresses_of(wave, inst, static_cast<u32>(inst.memory.offset) * E::kBytes, at.first);
    const u64 mask = admit_lds(wave, inst, AccessKind::kLoad, Both::kBytes, wave.exec, at.first);
    load_lds<Both>(wave, inst.dst[0].index, at.first, mask);
    return;
  }
  pair_addresses<E, kStride>(wave, inst, at);
  const u64 first = admit_lds(wave, inst, AccessKind::kLoad, E::kBytes, wave.exec, at.first);
  const u64 second = admit_lds(wave, inst, AccessKind::kLoad, E::kBytes, wave.exec, at.second);
  if (wave.state == WaveState::kFault) return;
  load_lds<E>(wave, inst.dst[0].index, at.first, first);
  load_lds<E>(wave, inst.dst[0].index + E::kRows, at.second, second);
}

template <class E, unsigned kStride>
void write2(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Pair at;
  pair_addresses<E, kStride>(wave, inst, at);
  const u64 first = admit_lds(wave, inst, AccessKind::kStore, E::kBytes, wave.exec, at.first);
  const u64 second = admit_lds(wave, inst, AccessKind::kStore, E::kBytes, wave.exec, at.second);
  if (wave.state == WaveState::kFault) return;
  store<E>(wave, inst.src[1].index, lds_of(wave), at.first, first);
  store<E>(wave, inst.src[2].index, lds_of(wave), at.second, second);
}

template <class T, unsigned kStride>
void exchange2(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  using E = Dwords<sizeof(T) / 4>;
  Pair at;
  pair_addresses<E, kStride>(wave, inst, at);
  const u64 first = admit_lds(wave, inst, AccessKind::kAtomic, E::kBytes, wave.exec, at.first);
  const u64 second = admit_lds(wave, inst, AccessKind::kAtomic, E::kBytes, wave.exec, at.second);
  const Linear lds = lds_of(wave);
  // Data is read before results are written: they may be the same registers.
  for_each_lane(first & second, [&](unsigned i) {
    const T data[] = {read_rows<T>(wave, inst.src[1].index, i),
                      read_rows<T>(wave, inst.src[2].index, i)};
    T old[2];
    lds.read<sizeof(T)>(&old[0], at.first.lane[i], i);
    lds.read<sizeof(T)>(&old[1], at.second.lane[i], i);
    lds.write<sizeof(T)>(&data[0], at.first.lane[i], i);
    lds.write<sizeof(T)>(&data[1], at.second.lane[i], i);
    write_rows<T>(wave, inst.dst[0].index, i, old[0]);
    write_rows<T>(wave, inst.dst[0].index + E::kRows, i, old[1]);
  });
}

void read_addtid(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Addresses at;
  addresses_by_lane(wave, inst, at);
  const u64 mask = admit_lds(wave, inst, AccessKind::kLoad, 4, wave.exec, at);
  load<Dwords<1>>(wave, inst.dst[0].index, lds_of(wave), at, mask);
}

void write_addtid(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Addresses at;
  addresses_by_lane(wave, inst, at);
  const u64 mask = admit_lds(wave, inst, AccessKind::kStore, 4, wave.exec, at);
  store<Dwords<1>>(wave, inst.src[0].index, lds_of(wave), at, mask);
}

template <class A, class T>
void modify(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  Addresses at;
  addresses_of(wave, inst, static_cast<u32>(inst.memory.offset), at);
  const u64 mask = admit_lds(wave, inst, AccessKind::kAtomic, sizeof(T), wave.exec, at);
  const AtomicRows rows{.data = inst.src[1].index,
                        .second = inst.src[2].index,
                        .result = inst.dst[0] ? inst.dst[0].index : kVectorRows};
  exchange_lanes<A, T, false>(wave, lds_of(wave), at, mask, rows, lds_rules(wave));
}

// Each half of the 64 bits is written when its top bit is set, without that bit.
struct ConditionalExchange {
  static u64 apply(u64 old, u64 data, u64, const AtomicRules&) {
    const auto half = [](u64 before, u64 wanted) {
      return (wanted & 0x80000000U) != 0 ? wanted & 0x7fffffffU : before & 0xffffffffU;
    };
    return half(old, data) | (half(old >> 32, data >> 32) << 32);
  }
};

// The wave adds (or takes away) its number of active lanes at one address; every lane gets what
// was there before.
template <bool kAppend>
void count_lanes(Wave& wave, const Inst& inst) {
  if (refuse_gds(wave, inst)) return;
  if (wave.exec == 0) return;
  Addresses at;
  for (u64& address : at.lane) address = static_cast<u32>(inst.memory.offset);
  const int first = std::countr_zero(wave.exec);
  if (admit_lds(wave, inst, AccessKind::kAtomic, 4, u64{1} << first, at) == 0) return;
  const Linear lds = lds_of(wave);
  u32 old;
  lds.read<4>(&old, at.lane[first], 0);
  const auto lanes = static_cast<u32>(std::popcount(wave.exec));
  const u32 changed = kAppend ? old + lanes : old - lanes;
  lds.write<4>(&changed, at.lane[first], 0);
  for_each_lane(wave.exec, [&](unsigned i) { wave.vgpr(inst.dst[0].index)[i] = old; });
}

// gfx950: 16 lanes read a matrix of 16 columns, `kElements` of its elements each, row after row;
// lane m of them gets column m. The manual does not describe a partial EXEC.
template <unsigned kBits>
void read_transposed(Wave& wave, const Inst& inst) {
  constexpr unsigned elements = 64 / kBits;
  constexpr u64 element = (u64{1} << kBits) - 1;
  if (wave.exec == 0) return;
  if (wave.exec != wave.full_exec) {
    wave.unsupported(inst, "a transposed LDS read with inactive lanes has no documented result");
    return;
  }
  Addresses at;
  addresses_of(wave, inst, static_cast<u32>(inst.memory.offset), at);
  if (admit_lds(wave, inst, AccessKind::kLoad, 8, wave.exec, at) != wave.exec) return;
  const Linear lds = lds_of(wave);
  u64 raw[64];
  for (unsigned i = 0; i < wave.lanes; ++i) lds.read<8>(&raw[i], at.lane[i], i);
  for (unsigned i = 0; i < wave.lanes; ++i) {
    u64 column = 0;
    for (unsigned k = 0; k < elements; ++k) {
      const unsigned flat = k * 16 + i % 16;
      const u64 source = raw[i / 16 * 16 + flat / elements];
      column |= ((source >> (flat % elements * kBits)) & element) << (k * kBits);
    }
    write_rows<u64>(wave, inst.dst[0].index, i, column);
  }
}

// gfx11 and gfx12: one value of LDS for all lanes, by groups of four; M0 has address and type.
void direct_load(Wave& wave, const Inst& inst) {
  const u32 m0 = wave.scalars[kM0];
  constexpr unsigned kSizes[] = {1, 2, 4, 0, 1, 2, 0, 0};
  const u32 type = (m0 >> 16) & 7U;
  const unsigned bytes = kSizes[type];
  if (bytes == 0) {
    wave.unsupported(inst, "M0 names a reserved data type");
    return;
  }
  if (wave.exec == 0) return;
  Addresses at;
  for (u64& address : at.lane) address = m0 & 0xffffU;
  const int first = std::countr_zero(wave.exec);
  if (admit_lds(wave, inst, AccessKind::kLoad, bytes, u64{1} << first, at) == 0) return;
  u32 value = 0;
  std::memcpy(&value, lds_of(wave).pointer(at.lane[0]), bytes);
  if (type == 4) value = static_cast<u32>(static_cast<i32>(static_cast<i8>(value)));
  if (type == 5) value = static_cast<u32>(static_cast<i32>(static_cast<i16>(value)));
  u32* to = wave.vgpr(inst.dst[0].index);
  for (unsigned quad = 0; quad < wave.lanes; quad += 4)
    if (((wave.exec >> quad) & 0xfU) != 0)
      for (unsigned i = 0; i < 4; ++i) to[quad + i] = value;
}

template <GlobalSyncAction kAction>
void sync_globally(Wave& wave, const Inst& inst) {
  u32 value = 0;
  if (inst.src[0].is_vector()) {
    // The first active lane's; a wave without active lanes does nothing.
    if (wave.exec == 0) return;
    value = wave.vgpr(inst.src[0].index)[std::countr_zero(wave.exec)];
  }
  global_sync(wave, inst, kAction, value);
}
void no_global_data(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "the global data share is not modelled");
}
void no_tr6(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "the lane order of 6-bit transposed reads is not documented");
}
void no_ray_stack(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "ray tracing stacks are not modelled");
}
void nothing(Wave&, const Inst&) {}

// --- the table ---

constexpr u32 kReads = kLoad | kMayFault;
constexpr u32 kWrites = kStore | kMayFault;
constexpr u32 kModifies = kAtomic | kLoad | kStore | kMayFault;

template <class E>
constexpr Op read_op(std::string_view name) {
  return {.name = name,
          .run = read<E>,
          .kind = OpClass::kLds,
          .dst = {data_type(E::kRows)},
          .src = {Type::kB32},
          .flags = kReads,
          .part = kLoadedPart<E>};
}
template <class E>
constexpr Op write_op(std::string_view name) {
  return {.name = name,
          .run = write<E>,
          .kind = OpClass::kLds,
          .src = {Type::kB32, data_type(E::kRows)},
          .flags = kWrites,
          .part = kStoredPart<E>};
}
template <class E, unsigned kStride>
constexpr Op read2_op(std::string_view name) {
  return {.name = name,
          .run = read2<E, kStride>,
          .kind = OpClass::kLds,
          .dst = {data_type(2 * E::kRows)},
          .src = {Type::kB32},
          .flags = kReads};
}
template <class E, unsigned kStride>
constexpr Op write2_op(std::string_view name) {
  return {.name = name,
          .run = write2<E, kStride>,
          .kind = OpClass::kLds,
          .src = {Type::kB32, data_type(E::kRows), data_type(E::kRows)},
          .flags = kWrites};
}
template <class T, unsigned kStride>
constexpr Op exchange2_op(std::string_view name) {
  constexpr Type type = data_type(sizeof(T) / 4);
  return {.name = name,
          .run = exchange2<T, kStride>,
          .kind = OpClass::kLds,
          .dst = {data_type(2 * sizeof(T) / 4)},
          .src = {Type::kB32, type, type},
          .flags = kModifies};
}
// With and without the old value: the names differ, the handler does not.
template <class A, class T>
constexpr Op atomic_op(std::string_view name, bool returns) {
  constexpr Type type = data_type(sizeof(T) / 4);
  return {.name = name,
          .run = modify<A, T>,
          .kind = OpClass::kLds,
          .dst = {returns ? type : Type::kNone},
          .src = {Type::kB32, type, atomic::TakesSecond<A> ? type : Type::kNone},
          .flags = kModifies | (atomic::kCompares<A> ? u32{kCompareSwap} : 0U)};
}
constexpr Op plain_op(std::string_view name, Handler run, std::array<Type, 2> dst,
                      std::array<Type, 5> src, u32 flags) {
  return {.name = name, .run = run, .kind = OpClass::kLds, .dst = dst, .src = src, .flags = flags};
}

template <class A, class T, Text kName, Text kLetter, Text kBits>
constexpr OpList<2> both() {
  return {atomic_op<A, T>(joined<"ds_", kName, "_", kLetter, kBits>, false),
          atomic_op<A, T>(joined<"ds_", kName, "_rtn_", kLetter, kBits>, true)};
}
// 32 and 64 bits, with and without the old value.
template <class A, Text kName, Text kLetter>
constexpr OpList<4> all_forms() {
  return together(both<A, u32, kName, kLetter, "32">(), both<A, u64, kName, kLetter, "64">());
}

constexpr auto kAtomics = together(
    all_forms<atomic::Add, "add", "u">(), all_forms<atomic::Sub, "sub", "u">(),
    all_forms<atomic::ReverseSub, "rsub", "u">(), all_forms<atomic::Inc, "inc", "u">(),
    all_forms<atomic::Dec, "dec", "u">(), all_forms<atomic::SignedMin, "min", "i">(),
    all_forms<atomic::SignedMax, "max", "i">(), all_forms<atomic::UnsignedMin, "min", "u">(),
    all_forms<atomic::UnsignedMax, "max", "u">(), all_forms<atomic::And, "and", "b">(),
    all_forms<atomic::Or, "or", "b">(), all_forms<atomic::Xor, "xor", "b">(),
    all_forms<atomic::MaskedOr, "mskor", "b">(),
    all_forms<atomic::Swapped<atomic::CompareSwap>, "cmpst", "b">(),
    all_forms<atomic::Swapped<atomic::FloatCompareSwap>, "cmpst", "f">(),
    all_forms<atomic::CompareSwap, "cmpstore", "b">(),
    all_forms<atomic::FloatCompareSwap, "cmpstore", "f">(),
    all_forms<atomic::FloatMin, "min", "f">(), all_forms<atomic::FloatMax, "max", "f">(),
    all_forms<atomic::FloatAdd, "add", "f">(),
    both<atomic::PackedAddF16, u32, "pk_add", "f", "16">(),
    both<atomic::PackedAddBF16, u32, "pk_add", "bf", "16">(),
    both<atomic::ConditionalSub, u32, "cond_sub", "u", "32">(),
    both<atomic::SubClamp, u32, "sub_clamp", "u", "32">());

template <GlobalSyncAction kAction>
constexpr Op sync_op(std::string_view name, Type value = Type::kNone) {
  return plain_op(name, sync_globally<kAction>, {}, {value}, kControl | kReadsM0 | kMayFault);
}

constexpr auto kOthers = std::to_array<Op>({
    read_op<Narrow<u8>>("ds_read_u8"),
    read_op<Narrow<i8>>("ds_read_i8"),
    read_op<Narrow<u16>>("ds_read_u16"),
    read_op<Narrow<i16>>("ds_read_i16"),
    read_op<Narrow<u8, Half::kLow>>("ds_read_u8_d16"),
    read_op<Narrow<u8, Half::kHigh>>("ds_read_u8_d16_hi"),
    read_op<Narrow<i8, Half::kLow>>("ds_read_i8_d16"),
    read_op<Narrow<i8, Half::kHigh>>("ds_read_i8_d16_hi"),
    read_op<Narrow<u16, Half::kLow>>("ds_read_u16_d16"),
    read_op<Narrow<u16, Half::kHigh>>("ds_read_u16_d16_hi"),
    read_op<Dwords<1>>("ds_read_b32"),
    read_op<Dwords<2>>("ds_read_b64"),
    read_op<Dwords<3>>("ds_read_b96"),
    read_op<Dwords<4>>("ds_read_b128"),
    read2_op<Dwords<1>, 1>("ds_read2_b32"),
    read2_op<Dwords<2>, 1>("ds_read2_b64"),
    read2_op<Dwords<1>, 64>("ds_read2st64_b32"),
    read2_op<Dwords<2>, 64>("ds_read2st64_b64"),
    write_op<Narrow<u8>>("ds_write_b8"),
    write_op<Narrow<u16>>("ds_write_b16"),
    write_op<Narrow<u8, Half::kHigh>>("ds_write_b8_d16_hi"),
    write_op<Narrow<u16, Half::kHigh>>("ds_write_b16_d16_hi"),
    write_op<Dwords<1>>("ds_write_b32"),
    write_op<Dwords<2>>("ds_write_b64"),
    write_op<Dwords<3>>("ds_write_b96"),
    write_op<Dwords<4>>("ds_write_b128"),
    write2_op<Dwords<1>, 1>("ds_write2_b32"),
    write2_op<Dwords<2>, 1>("ds_write2_b64"),
    write2_op<Dwords<1>, 64>("ds_write2st64_b32"),
    write2_op<Dwords<2>, 64>("ds_write2st64_b64"),
    plain_op("ds_read_addtid_b32", read_addtid, {Type::kB32}, {}, kReads | kReadsM0 | kLaneAddress),
    plain_op("ds_write_addtid_b32", write_addtid, {}, {Type::kB32},
             kWrites | kReadsM0 | kLaneAddress),
    plain_op("ds_read_b64_tr_b16", read_transposed<16>, {Type::kB64}, {Type::kB32}, kReads),
    plain_op("ds_read_b64_tr_b8", read_transposed<8>, {Type::kB64}, {Type::kB32}, kReads),
    plain_op("ds_read_b64_tr_b4", read_transposed<4>, {Type::kB64}, {Type::kB32}, kReads),
    plain_op("ds_read_b96_tr_b6", no_tr6, {Type::kWide}, {Type::kB32}, kReads | kRefused),
    atomic_op<atomic::Swap, u32>("ds_wrxchg_rtn_b32", true),
    atomic_op<atomic::Swap, u64>("ds_wrxchg_rtn_b64", true),
    atomic_op<atomic::Wrap, u32>("ds_wrap_rtn_b32", true),
    atomic_op<ConditionalExchange, u64>("ds_condxchg32_rtn_b64", true),
    exchange2_op<u32, 1>("ds_wrxchg2_rtn_b32"),
    exchange2_op<u64, 1>("ds_wrxchg2_rtn_b64"),
    exchange2_op<u32, 64>("ds_wrxchg2st64_rtn_b32"),
    exchange2_op<u64, 64>("ds_wrxchg2st64_rtn_b64"),
    plain_op("ds_append", count_lanes<true>, {Type::kB32}, {}, kModifies),
    plain_op("ds_consume", count_lanes<false>, {Type::kB32}, {}, kModifies),
    plain_op("lds_direct_load", direct_load, {Type::kB32}, {}, kReads | kReadsM0),
    plain_op("ds_direct_load", direct_load, {Type::kB32}, {}, kReads | kReadsM0),
    plain_op("ds_nop", nothing, {}, {}, 0),
    sync_op<GlobalSyncAction::kInit>("ds_gws_init", Type::kB32),
    sync_op<GlobalSyncAction::kBarrier>("ds_gws_barrier", Type::kB32),
    sync_op<GlobalSyncAction::kGiveMany>("ds_gws_sema_br", Type::kB32),
    sync_op<GlobalSyncAction::kTake>("ds_gws_sema_p"),
    sync_op<GlobalSyncAction::kGive>("ds_gws_sema_v"),
    sync_op<GlobalSyncAction::kReleaseAll>("ds_gws_sema_release_all"),
    plain_op("ds_ordered_count", no_global_data, {Type::kB32}, {Type::kB32}, kMayFault | kRefused),
    plain_op("ds_add_gs_reg_rtn", no_global_data, {Type::kB64}, {Type::kB32}, kMayFault | kRefused),
    plain_op("ds_sub_gs_reg_rtn", no_global_data, {Type::kB64}, {Type::kB32}, kMayFault | kRefused),
    plain_op("ds_bvh_stack_rtn_b32", no_ray_stack, {Type::kB32},
             {Type::kB32, Type::kB32, Type::kWide}, kMayFault | kRefused),
    plain_op("ds_bvh_stack_push4_pop1_rtn_b32", no_ray_stack, {Type::kB32},
             {Type::kB32, Type::kB32, Type::kWide}, kMayFault | kRefused),
    plain_op("ds_bvh_stack_push8_pop1_rtn_b32", no_ray_stack, {Type::kB32},
             {Type::kB32, Type::kB32, Type::kWide}, kMayFault | kRefused),
    plain_op("ds_bvh_stack_push8_pop2_rtn_b64", no_ray_stack, {Type::kB64},
             {Type::kB32, Type::kB32, Type::kWide}, kMayFault | kRefused),
});

constexpr auto kOps = together(kAtomics, kOthers);

}  // namespace

std::span<const Op> lds_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
