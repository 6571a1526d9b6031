// SPDX-License-Identifier: MIT
// GLOBAL, FLAT and SCRATCH instructions. The three differ in how a lane's address is made and
// where it points; what they move is the same.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "soft/exec/ops/atomics.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/transfer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

enum class Family : u8 { kGlobal, kFlat, kScratch };

// --- addresses ---

// A 64-bit vector address, or a scalar base plus an unsigned 32-bit vector offset.
void global_addresses(const Wave& wave, const Inst& inst, const Operand& vaddr,
                      const Operand& saddr, Addresses& at) {
  u64 base = static_cast<u64>(i64{inst.memory.offset});
  if (saddr) base += wave.read64(saddr);
  if (!vaddr) {
    for (u64& address : at.lane) address = base;
    return;
  }
  const u32* low = wave.vgpr(vaddr.index);
  if (saddr) {
    for (std::size_t chunk = 0; chunk < wave.lanes; chunk += kChunk)
      for (std::size_t i = 0; i < kChunk; ++i) at.lane[chunk + i] = base + low[chunk + i];
    return;
  }
  const u32* high = wave.vgpr(vaddr.index + 1U);
  for (std::size_t chunk = 0; chunk < wave.lanes; chunk += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i)
      at.lane[chunk + i] = base + (low[chunk + i] | (u64{high[chunk + i]} << 32));
}

// Bytes from the start of the lane's scratch; every part is optional and wraps at 32 bits.
void scratch_addresses(const Wave& wave, const Inst& inst, const Operand& vaddr,
                       const Operand& saddr, Addresses& at) {
  u32 base = static_cast<u32>(inst.memory.offset);
  if (saddr) base += wave.read32(saddr);
  if (!vaddr) {
    for (u64& address : at.lane) address = base;
    return;
  }
  const u32* row = wave.vgpr(vaddr.index);
  for (std::size_t chunk = 0; chunk < wave.lanes; chunk += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i)
      at.lane[chunk + i] = static_cast<u32>(base + row[chunk + i]);
}

// Which lanes of a FLAT access are in the windows of LDS and scratch.
struct Windows {
  u64 lds = 0;
  u64 scratch = 0;
};
Windows windows_of(const Wave& wave, const Addresses& at) {
  constexpr u64 shared = kSharedAperture >> 32;
  constexpr u64 own = kPrivateAperture >> 32;
  // A zero minus one has the top bit; windows are below 2³².
  u64 any = 0;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i) {
      const u64 window = at.lane[base + i] >> 32;
      any |= ((window ^ shared) - 1) | ((window ^ own) - 1);
    }
  Windows windows;
  if (any >> 63 == 0) return windows;
  for_each_lane(wave.exec, [&](unsigned i) {
    const u64 window = at.lane[i] >> 32;
    windows.lds |= u64{window == shared} << i;
    windows.scratch |= u64{window == own} << i;
  });
  return windows;
}

// Calls body(place, addresses, admitted lanes) for each memory that the access reaches.
template <Family kFamily, class Body>
void reach(Wave& wave, const Inst& inst, AccessKind kind, unsigned bytes, const Operand& vaddr,
           const Operand& saddr, Body body) {
  Addresses at;
  const auto admitted = [&](Space space, const Addresses& addresses, u64 mask) {
    return admit(
        wave, inst,
        {.space = space, .kind = kind, .bytes = bytes, .mask = mask, .addresses = addresses.lane});
  };
  if constexpr (kFamily == Family::kScratch) {
    scratch_addresses(wave, inst, vaddr, saddr, at);
    body(scratch_of(wave), at, admitted(Space::kScratch, at, wave.exec));
  } else {
    global_addresses(wave, inst, vaddr, saddr, at);
    u64 global = wave.exec;
    if constexpr (kFamily == Family::kFlat) {
      const Windows windows = windows_of(wave, at);
      if ((windows.lds | windows.scratch) != 0) [[unlikely]] {
        global &= ~(windows.lds | windows.scratch);
        Addresses offsets;
        for (unsigned i = 0; i < wave.lanes; ++i) offsets.lane[i] = static_cast<u32>(at.lane[i]);
        if (windows.lds != 0)
          body(lds_of(wave), offsets, admitted(Space::kLds, offsets, windows.lds));
        if (windows.scratch != 0)
          body(scratch_of(wave), offsets, admitted(Space::kScratch, offsets, windows.scratch));
      }
    }
    if (global != 0) body(Linear{}, at, admitted(Space::kGlobal, at, global));
  }
}

// --- handlers ---

template <Family kFamily, class E>
void load_lanes(Wave& wave, const Inst& inst) {
  reach<kFamily>(wave, inst, AccessKind::kLoad, E::kBytes, inst.src[0], inst.src[1],
                 [&](const auto& place, const Addresses& at, u64 mask) {
                   load<E>(wave, inst.dst[0].index, place, at, mask);
                 });
}

template <Family kFamily, class E>
void store_lanes(Wave& wave, const Inst& inst) {
  reach<kFamily>(wave, inst, AccessKind::kStore, E::kBytes, inst.src[0], inst.src[2],
                 [&](const auto& place, const Addresses& at, u64 mask) {
                   store<E>(wave, inst.src[1].index, place, at, mask);
                 });
}

template <Family kFamily, class A, class T>
void modify_lanes(Wave& wave, const Inst& inst) {
  const Operand& data = inst.src[1];
  const AtomicRows rows{.data = data.index,
                        .second = data.index + static_cast<unsigned>(sizeof(T) / 4),
                        .result = inst.dst[0] ? inst.dst[0].index : kVectorRows};
  reach<kFamily>(wave, inst, AccessKind::kAtomic, sizeof(T), inst.src[0], inst.src[2],
                 [&](const auto& place, const Addresses& at, u64 mask) {
                   using Place = std::remove_cvref_t<decltype(place)>;
                   if constexpr (std::is_same_v<Place, Interleaved>) {
                     // The two dwords of a lane are not neighbours there.
                     if (sizeof(T) == 8) {
                       wave.unsupported(inst, "hardware has no 64-bit atomics on scratch memory");
                       return;
                     }
                     exchange_lanes<A, T, false>(wave, place, at, mask, rows, memory_rules(wave));
                   } else if (place.base != 0) {
                     exchange_lanes<A, T, false>(wave, place, at, mask, rows, lds_rules(wave));
                   } else {
                     exchange_lanes<A, T, true>(wave, place, at, mask, rows, memory_rules(wave));
                   }
                 });
}

// Memory to LDS without registers: lane i of the wave writes at M0 + offset + i × size, and a
// byte or a short fills a dword.
template <Family kFamily, class E>
void load_to_lds(Wave& wave, const Inst& inst) {
  constexpr unsigned bytes = 4 * E::kRows;
  const u32 base = (wave.scalars[kM0] & (wave.isa == Isa::kGfx950 ? 0x3ffffU : 0xffffU)) +
                   static_cast<u32>(inst.memory.offset);
  Addresses to;
  for (unsigned i = 0; i < 64; ++i) to.lane[i] = static_cast<u32>(base + i * bytes);
  reach<kFamily>(wave, inst, AccessKind::kLoad, E::kBytes, inst.src[0], inst.src[1],
                 [&](const auto& place, const Addresses& at, u64 mask) {
                   const u64 lanes = admit(wave, inst,
                                           {.space = Space::kLds,
                                            .kind = AccessKind::kStore,
                                            .bytes = bytes,
                                            .mask = mask,
                                            .addresses = to.lane});
                   const Linear lds = lds_of(wave);
                   for_each_lane(lanes, [&](unsigned i) {
                     u32 data[E::kRows];
                     if constexpr (kIsDwords<E>) {
                       place.template read<E::kBytes>(data, at.lane[i], i);
                     } else {
                       typename E::Value value;
                       place.template read<E::kBytes>(&value, at.lane[i], i);
                       data[0] = E::merge(0, value);
                     }
                     lds.write<bytes>(data, to.lane[i], i);
                   });
                 });
}

// One scalar base, lane × 4.
void addtid_addresses(const Wave& wave, const Inst& inst, const Operand& saddr, Addresses& at) {
  const u64 base = static_cast<u64>(i64{inst.memory.offset}) + (saddr ? wave.read64(saddr) : 0);
  for (unsigned i = 0; i < 64; ++i) at.lane[i] = base + i * 4U;
}
void load_addtid(Wave& wave, const Inst& inst) {
  Addresses at;
  addtid_addresses(wave, inst, inst.src[0], at);
  const u64 mask = admit(wave, inst, {.mask = wave.exec, .addresses = at.lane});
  load<Dwords<1>>(wave, inst.dst[0].index, Linear{}, at, mask);
}
void store_addtid(Wave& wave, const Inst& inst) {
  Addresses at;
  addtid_addresses(wave, inst, inst.src[1], at);
  const u64 mask =
      admit(wave, inst, {.kind = AccessKind::kStore, .mask = wave.exec, .addresses = at.lane});
  store<Dwords<1>>(wave, inst.src[0].index, Linear{}, at, mask);
}

void no_ordered_add(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "ordered atomics depend on the order in which hardware starts waves");
}
void no_block(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "block loads and stores of registers are not modelled");
}
void no_transpose(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "the lane order of transposed global loads is not documented");
}

// --- the table ---

template <Family kFamily>
constexpr OpClass kClass = kFamily == Family::kGlobal ? OpClass::kGlobal
                           : kFamily == Family::kFlat ? OpClass::kFlat
                                                      : OpClass::kScratch;
// FLAT has no scalar part, but the place of one: the table of GLOBAL serves both.
template <Family kFamily>
constexpr Type kBase = kFamily == Family::kFlat     ? Type::kNone
                       : kFamily == Family::kGlobal ? Type::kWide
                                                    : Type::kB32;
template <Family kFamily>
constexpr Type kVector = kFamily == Family::kScratch ? Type::kB32 : Type::kWide;

template <Family kFamily, class E>
constexpr Op load_op(std::string_view name) {
  return {.name = name,
          .run = load_lanes<kFamily, E>,
          .kind = kClass<kFamily>,
          .dst = {data_type(E::kRows)},
          .src = {kVector<kFamily>, kBase<kFamily>},
          .flags = kLoad | kMayFault,
          .part = kLoadedPart<E>};
}
template <Family kFamily, class E>
constexpr Op store_op(std::string_view name) {
  return {.name = name,
          .run = store_lanes<kFamily, E>,
          .kind = kClass<kFamily>,
          .src = {kVector<kFamily>, data_type(E::kRows), kBase<kFamily>},
          .flags = kStore | kMayFault,
          .part = kStoredPart<E>};
}
template <Family kFamily, class E>
constexpr Op lds_op(std::string_view name) {
  return {.name = name,
          .run = load_to_lds<kFamily, E>,
          .kind = kClass<kFamily>,
          .src = {kVector<kFamily>, kBase<kFamily>},
          .flags = kLoad | kStore | kMayFault | kReadsM0 | kDataInLds};
}
// The old value is a destination of the text only when it is wanted.
template <Family kFamily, class A, class T>
constexpr Op atomic_op(std::string_view name) {
  constexpr unsigned dwords = sizeof(T) / 4;
  return {.name = name,
          .run = modify_lanes<kFamily, A, T>,
          .kind = kClass<kFamily>,
          .dst = {data_type(dwords)},
          .src = {kVector<kFamily>, data_type(atomic::TakesSecond<A> ? 2 * dwords : dwords),
                  kBase<kFamily>},
          .flags = kAtomic | kLoad | kStore | kMayFault |
                   (atomic::kCompares<A> ? u32{kCompareSwap} : 0U)};
}

template <Family kFamily, Text kPrefix>
constexpr auto transfers() {
  constexpr Family f = kFamily;
  return OpList<22>{
      load_op<f, Narrow<u8>>(joined<kPrefix, "_load_ubyte">),
      load_op<f, Narrow<i8>>(joined<kPrefix, "_load_sbyte">),
      load_op<f, Narrow<u16>>(joined<kPrefix, "_load_ushort">),
      load_op<f, Narrow<i16>>(joined<kPrefix, "_load_sshort">),
      load_op<f, Narrow<u8, Half::kLow>>(joined<kPrefix, "_load_ubyte_d16">),
      load_op<f, Narrow<u8, Half::kHigh>>(joined<kPrefix, "_load_ubyte_d16_hi">),
      load_op<f, Narrow<i8, Half::kLow>>(joined<kPrefix, "_load_sbyte_d16">),
      load_op<f, Narrow<i8, Half::kHigh>>(joined<kPrefix, "_load_sbyte_d16_hi">),
      load_op<f, Narrow<u16, Half::kLow>>(joined<kPrefix, "_load_short_d16">),
      load_op<f, Narrow<u16, Half::kHigh>>(joined<kPrefix, "_load_short_d16_hi">),
      load_op<f, Dwords<1>>(joined<kPrefix, "_load_dword">),
      load_op<f, Dwords<2>>(joined<kPrefix, "_load_dwordx2">),
      load_op<f, Dwords<3>>(joined<kPrefix, "_load_dwordx3">),
      load_op<f, Dwords<4>>(joined<kPrefix, "_load_dwordx4">),
      store_op<f, Narrow<u8>>(joined<kPrefix, "_store_byte">),
      store_op<f, Narrow<u16>>(joined<kPrefix, "_store_short">),
      store_op<f, Narrow<u8, Half::kHigh>>(joined<kPrefix, "_store_byte_d16_hi">),
      store_op<f, Narrow<u16, Half::kHigh>>(joined<kPrefix, "_store_short_d16_hi">),
      store_op<f, Dwords<1>>(joined<kPrefix, "_store_dword">),
      store_op<f, Dwords<2>>(joined<kPrefix, "_store_dwordx2">),
      store_op<f, Dwords<3>>(joined<kPrefix, "_store_dwordx3">),
      store_op<f, Dwords<4>>(joined<kPrefix, "_store_dwordx4">),
  };
}

template <Family kFamily, Text kPrefix>
constexpr auto loads_to_lds() {
  constexpr Family f = kFamily;
  return OpList<7>{
      lds_op<f, Narrow<u8>>(joined<kPrefix, "_load_lds_ubyte">),
      lds_op<f, Narrow<i8>>(joined<kPrefix, "_load_lds_sbyte">),
      lds_op<f, Narrow<u16>>(joined<kPrefix, "_load_lds_ushort">),
      lds_op<f, Narrow<i16>>(joined<kPrefix, "_load_lds_sshort">),
      lds_op<f, Dwords<1>>(joined<kPrefix, "_load_lds_dword">),
      lds_op<f, Dwords<3>>(joined<kPrefix, "_load_lds_dwordx3">),
      lds_op<f, Dwords<4>>(joined<kPrefix, "_load_lds_dwordx4">),
  };
}

template <Family kFamily, Text kPrefix, class A, Text kName>
constexpr OpList<2> both_sizes() {
  return {atomic_op<kFamily, A, u32>(joined<kPrefix, "_atomic_", kName>),
          atomic_op<kFamily, A, u64>(joined<kPrefix, "_atomic_", kName, "_x2">)};
}

template <Family kFamily, Text kPrefix>
constexpr auto atomics() {
  constexpr Family f = kFamily;
  using namespace atomic;
  return together(
      both_sizes<f, kPrefix, Swap, "swap">(), both_sizes<f, kPrefix, CompareSwap, "cmpswap">(),
      both_sizes<f, kPrefix, Add, "add">(), both_sizes<f, kPrefix, Sub, "sub">(),
      both_sizes<f, kPrefix, SignedMin, "smin">(), both_sizes<f, kPrefix, UnsignedMin, "umin">(),
      both_sizes<f, kPrefix, SignedMax, "smax">(), both_sizes<f, kPrefix, UnsignedMax, "umax">(),
      both_sizes<f, kPrefix, And, "and">(), both_sizes<f, kPrefix, Or, "or">(),
      both_sizes<f, kPrefix, Xor, "xor">(), both_sizes<f, kPrefix, Inc, "inc">(),
      both_sizes<f, kPrefix, Dec, "dec">(),
      OpList<13>{
          atomic_op<f, FloatAdd, u32>(joined<kPrefix, "_atomic_add_f32">),
          atomic_op<f, FloatAdd, u64>(joined<kPrefix, "_atomic_add_f64">),
          atomic_op<f, FloatMin, u32>(joined<kPrefix, "_atomic_min_f32">),
          atomic_op<f, FloatMin, u64>(joined<kPrefix, "_atomic_min_f64">),
          atomic_op<f, FloatMax, u32>(joined<kPrefix, "_atomic_max_f32">),
          atomic_op<f, FloatMax, u64>(joined<kPrefix, "_atomic_max_f64">),
          atomic_op<f, PackedAddF16, u32>(joined<kPrefix, "_atomic_pk_add_f16">),
          atomic_op<f, PackedAddBF16, u32>(joined<kPrefix, "_atomic_pk_add_bf16">),
          atomic_op<f, FloatCompareSwap, u32>(joined<kPrefix, "_atomic_cmpswap_f32">),
          atomic_op<f, FloatCompareSwap, u64>(joined<kPrefix, "_atomic_cmpswap_f64">),
          atomic_op<f, SubClamp, u32>(joined<kPrefix, "_atomic_csub_u32">),
          atomic_op<f, SubClamp, u32>(joined<kPrefix, "_atomic_sub_clamp_u32">),
          atomic_op<f, ConditionalSub, u32>(joined<kPrefix, "_atomic_cond_sub_u32">),
      });
}

constexpr Op plain_op(std::string_view name, Handler run, OpClass kind, Type dst,
                      std::array<Type, 5> src, u32 flags) {
  return {.name = name, .run = run, .kind = kind, .dst = {dst}, .src = src, .flags = flags};
}

constexpr OpList<9> kOthers = {
    plain_op("global_load_addtid_b32", load_addtid, OpClass::kGlobal, Type::kB32, {Type::kWide},
             kLoad | kMayFault | kLaneAddress),
    plain_op("global_store_addtid_b32", store_addtid, OpClass::kGlobal, Type::kNone,
             {Type::kB32, Type::kWide}, kStore | kMayFault | kLaneAddress),
    plain_op("global_atomic_ordered_add_b64", no_ordered_add, OpClass::kGlobal, Type::kB64,
             {Type::kWide, Type::kB64, Type::kWide}, kAtomic | kMayFault | kRefused),
    plain_op("global_load_tr_b64", no_transpose, OpClass::kGlobal, Type::kWide,
             {Type::kWide, Type::kWide}, kLoad | kMayFault | kRefused),
    plain_op("global_load_tr_b128", no_transpose, OpClass::kGlobal, Type::kWide,
             {Type::kWide, Type::kWide}, kLoad | kMayFault | kRefused),
    plain_op("global_load_block", no_block, OpClass::kGlobal, Type::kWide,
             {Type::kWide, Type::kWide}, kLoad | kMayFault | kRefused),
    plain_op("global_store_block", no_block, OpClass::kGlobal, Type::kNone,
             {Type::kWide, Type::kWide, Type::kWide}, kStore | kMayFault | kRefused),
    plain_op("scratch_load_block", no_block, OpClass::kScratch, Type::kWide,
             {Type::kWide, Type::kWide}, kLoad | kMayFault | kRefused),
    plain_op("scratch_store_block", no_block, OpClass::kScratch, Type::kNone,
             {Type::kWide, Type::kWide, Type::kWide}, kStore | kMayFault | kRefused),
};

constexpr auto kOps =
    together(transfers<Family::kGlobal, "global">(), transfers<Family::kFlat, "flat">(),
             transfers<Family::kScratch, "scratch">(), loads_to_lds<Family::kGlobal, "global">(),
             loads_to_lds<Family::kScratch, "scratch">(), atomics<Family::kGlobal, "global">(),
             atomics<Family::kFlat, "flat">(), kOthers);

}  // namespace

std::span<const Op> global_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
