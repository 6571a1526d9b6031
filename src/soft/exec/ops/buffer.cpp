// SPDX-License-Identifier: MIT
// Buffer instructions: memory through a resource descriptor of four scalar registers, which says
// where the buffer is, how it is laid out and how far it goes. Loads outside give 0, stores
// outside are dropped; what is inside is still checked against the allocations.
// The private segment of gfx908, gfx90a and gfx10 is such a buffer, laid over the wave's scratch.
//
// Operands, in the order of the text: data, vector address, resource, scalar offset; loads have
// the data as destination, or none with the modifier lds. An atomic that returns the old value puts
// it where its data was.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "soft/exec/ops/atomics.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/texel.h"
#include "soft/exec/ops/transfer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

// Which accesses are outside: OOB_SELECT of gfx10 and gfx11. gfx9 has two rules: structured buffers
// (with a stride and an index) are bounded by records, whatever the offset within one; all others
// by bytes.
enum class Bounds : u8 {
  kRecordAndOffset,  // the index among the records, the access within the stride
  kRecord,
  kNotEmpty,
  kBytes,
  kGfx9Bytes,  // as kBytes, but only the first byte of each dword counts
};

struct Resource {
  u64 base = 0;
  u32 stride = 0;
  u32 records = 0;
  bool swizzle = false;
  bool add_lane = false;
  unsigned index_shift = 3;    // log2 of the records that are interleaved
  unsigned element_shift = 2;  // log2 of the bytes that stay together
  Bounds bounds = Bounds::kBytes;
};

// `has_index`: the instruction gives one (idxen).
Resource resource_of(const Wave& wave, const Operand& operand, bool has_index) {
  const auto word = [&](unsigned i) { return wave.read_scalar(operand.index + i); };
  Resource r{.base = word(0) | (u64{word(1) & 0xffffU} << 32),
             .stride = (word(1) >> 16) & 0x3fffU,
             .records = word(2),
             .add_lane = ((word(3) >> 23) & 1U) != 0,
             .index_shift = 3 + ((word(3) >> 21) & 3U)};
  if (is_gfx9(wave.isa)) {
    const bool indexed = has_index || r.add_lane;
    // Without an index there is nothing to swizzle by.
    r.swizzle = (word(1) >> 31) != 0 && indexed;
    // The data format is not needed then, and lends its bits.
    if (r.add_lane) r.stride |= ((word(3) >> 15) & 0xfU) << 14;
    r.bounds = indexed && r.stride != 0 ? Bounds::kRecord : Bounds::kGfx9Bytes;
  } else {
    // gfx10 has one bit, for elements of a dword; the other concerns its caches.
    const u32 swizzle = wave.isa == Isa::kGfx10 ? word(1) >> 31 : word(1) >> 30;
    r.swizzle = swizzle != 0;
    r.element_shift = swizzle == 0 ? 2 : 1 + swizzle;
    r.bounds = static_cast<Bounds>((word(3) >> 28) & 3U);
    if (r.bounds == Bounds::kBytes && r.swizzle && r.stride != 0)
      r.bounds = Bounds::kRecordAndOffset;
  }
  return r;
}

// An instruction's view of its buffer, with copies of the address registers: parts of the result
// may overwrite them before the last part is addressed.
struct View {
  Resource resource;
  u64 offset = 0;         // of the instruction
  u64 scalar_offset = 0;  // unswizzled
  Row index{};
  Row vector_offset{};
};

void view_of(const Wave& wave, const Inst& inst, const Operand* operands, View& view) {
  view.resource = resource_of(wave, operands[1], inst.memory.idxen);
  view.offset = static_cast<u32>(inst.memory.offset);
  view.scalar_offset = wave.read32(operands[2]);
  const std::size_t bytes = std::size_t{wave.lanes} * sizeof(u32);
  unsigned row = operands[0].index;
  if (inst.memory.idxen) std::memcpy(view.index.lane, wave.vgpr(row++), bytes);
  if (view.resource.add_lane)
    for (unsigned i = 0; i < 64; ++i) view.index.lane[i] += i;
  if (inst.memory.offen) std::memcpy(view.vector_offset.lane, wave.vgpr(row), bytes);
}

bool outside(const View& view, u64 index, u64 offset, u64 in_buffer, unsigned bytes) {
  const Resource& r = view.resource;
  switch (r.bounds) {
    case Bounds::kRecordAndOffset:
      return index >= r.records || offset + bytes > r.stride;
    case Bounds::kRecord:
      return index >= r.records;
    case Bounds::kNotEmpty:
      return r.records == 0;
    case Bounds::kBytes:
      return in_buffer + view.scalar_offset + bytes > r.records;
    case Bounds::kGfx9Bytes:
      break;
  }
  return in_buffer + view.scalar_offset >= r.records;
}

// Addresses of `bytes` bytes at `part` from the start of each lane's access; returns the lanes
// that are inside.
u64 locate(const Wave& wave, const View& view, unsigned part, unsigned bytes, Addresses& at) {
  const Resource& r = view.resource;
  u64 inside = 0;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const u64 index = view.index.lane[i];
    const u64 offset = view.offset + part + view.vector_offset.lane[i];
    u64 in_buffer = offset + index * r.stride;
    if (r.swizzle) {
      const u64 element = u64{1} << r.element_shift;
      in_buffer =
          (((index >> r.index_shift) * r.stride + (offset & ~(element - 1))) << r.index_shift) +
          ((index & ((u64{1} << r.index_shift) - 1)) << r.element_shift) + (offset & (element - 1));
    }
    at.lane[i] = r.base + view.scalar_offset + in_buffer;
    // The check of bytes is made on the plain offset, which swizzling does not enlarge.
    const u64 checked = r.swizzle ? offset + index * r.stride : in_buffer;
    inside |= u64{!outside(view, index, offset, checked, bytes)} << i;
  }
  return inside;
}

// The usual case: bytes at base + offset, all of them inside for all active lanes.
bool locate_raw(const Wave& wave, const Inst& inst, const Operand* operands, unsigned bytes,
                Addresses& at) {
  const Resource r = resource_of(wave, operands[1], inst.memory.idxen);
  if (inst.memory.idxen || r.swizzle || r.add_lane) return false;
  if (r.bounds != Bounds::kBytes && r.bounds != Bounds::kGfx9Bytes) return false;
  const u64 fixed = u64{static_cast<u32>(inst.memory.offset)} + wave.read32(operands[2]);
  if (fixed + bytes > r.records) return false;
  const u64 base = r.base + fixed;
  if (!inst.memory.offen) {
    for (u64& address : at.lane) address = base;
    return true;
  }
  const u32 limit = static_cast<u32>(r.records - fixed - bytes);
  const u32* offset = wave.vgpr(operands[0].index);
  u32 beyond = 0;
  for (std::size_t chunk = 0; chunk < wave.lanes; chunk += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i) {
      beyond |= (offset[chunk + i] > limit ? ~0U : 0U) & wave.exec_row[chunk + i];
      at.lane[chunk + i] = base + offset[chunk + i];
    }
  return beyond == 0;
}

// The private segment: a buffer without stride over the wave's scratch, swizzled as that is laid
// out. The scalar offset counts the bytes of all lanes. False: it is something else.
bool locate_private(const Wave& wave, const Inst& inst, const Operand* operands, unsigned bytes,
                    Addresses& at) {
  const Resource r = resource_of(wave, operands[1], inst.memory.idxen);
  if (!r.swizzle || !r.add_lane || r.stride != 0 || inst.memory.idxen || r.element_shift != 2)
    return false;
  if (1U << r.index_shift != wave.lanes) return false;
  if (r.bounds != Bounds::kGfx9Bytes && r.bounds != Bounds::kNotEmpty) return false;
  const u64 scalar = wave.read32(operands[2]);
  const u64 distance = r.base + scalar - std::bit_cast<u64>(wave.group->scratch_of(wave));
  if (distance > 0xffffffffU || distance % (u64{wave.lanes} * 4) != 0) return false;
  const u64 offset = static_cast<u32>(inst.memory.offset);
  const u64 base = distance / wave.lanes + offset;
  if (!inst.memory.offen) {
    for (u64& address : at.lane) address = base;
    return offset + bytes + scalar <= r.records;
  }
  const u32* row = wave.vgpr(operands[0].index);
  bool inside = true;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    at.lane[i] = base + row[i];
    inside &= row[i] + offset + bytes + scalar <= r.records || wave.exec_row[i] == 0;
  }
  return inside;
}

// Pointers into the wave's own scratch become offsets of the lane. False: some are outside it.
bool to_scratch(const Wave& wave, const Addresses& at, u64 mask, Addresses& offsets) {
  const u64 base = std::bit_cast<u64>(wave.group->scratch_of(wave));
  const u64 size = u64{wave.group->scratch_per_lane} * wave.lanes;
  const int shift = std::countr_zero(wave.lanes);
  bool all = true;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const u64 distance = at.lane[i] - base;
    const u64 dword = distance >> 2;
    const bool own = distance < size && (dword & (wave.lanes - 1)) == i;
    all &= own || ((mask >> i) & 1U) == 0;
    offsets.lane[i] = ((dword >> shift) << 2) | (distance & 3U);
  }
  return all;
}

// Calls body(place, addresses, lanes) for the admitted lanes of one part.
template <class Body>
void reach(Wave& wave, const Inst& inst, const View& view, AccessKind kind, unsigned bytes,
           const Addresses& at, u64 mask, Body body) {
  if (mask == 0) return;
  if (view.resource.swizzle) {
    Addresses offsets;
    if (to_scratch(wave, at, mask, offsets)) {
      body(scratch_of(wave), offsets,
           admit(wave, inst,
                 {.space = Space::kScratch,
                  .kind = kind,
                  .bytes = bytes,
                  .mask = mask,
                  .addresses = offsets.lane}));
      return;
    }
  }
  body(Linear{}, at,
       admit(wave, inst, {.kind = kind, .bytes = bytes, .mask = mask, .addresses = at.lane}));
}

bool refuse(Wave& wave, const Inst& inst) {
  if (!inst.memory.tfe) return false;
  wave.unsupported(inst, "partially resident buffers (tfe) are not modelled");
  return true;
}

// What an element is checked and moved by: dwords one by one, narrower values as they are.
template <class E>
using Part = std::conditional_t<kIsDwords<E>, Dwords<1>, E>;

// Memory to LDS without registers: as global_load_lds, and lanes outside write 0.
template <class E>
void load_to_lds(Wave& wave, const Inst& inst) {
  constexpr unsigned bytes = 4 * E::kRows;
  const u32 base = (wave.scalars[kM0] & (wave.isa == Isa::kGfx950 ? 0x3ffffU : 0xffffU)) +
                   static_cast<u32>(inst.memory.offset);
  Addresses to;
  for (unsigned i = 0; i < 64; ++i) to.lane[i] = static_cast<u32>(base + i * bytes);
  const u64 lanes = admit(wave, inst,
                          {.space = Space::kLds,
                           .kind = AccessKind::kStore,
                           .bytes = bytes,
                           .mask = wave.exec,
                           .addresses = to.lane});
  using P = Part<E>;
  View view;
  view_of(wave, inst, inst.src.data(), view);
  const Linear lds = lds_of(wave);
  Addresses at;
  for (unsigned k = 0; k < E::kRows; ++k) {
    const u64 inside = locate(wave, view, k * 4, P::kBytes, at);
    for_each_lane(lanes & ~inside, [&](unsigned i) {
      constexpr u32 zero = 0;
      lds.write<4>(&zero, to.lane[i] + 4 * k, i);
    });
    reach(wave, inst, view, AccessKind::kLoad, P::kBytes, at, lanes & inside,
          [&](const auto& place, const Addresses& addresses, u64 mask) {
            for_each_lane(mask, [&](unsigned i) {
              u32 data;
              if constexpr (kIsDwords<E>) {
                place.template read<4>(&data, addresses.lane[i], i);
              } else {
                typename E::Value value;
                place.template read<E::kBytes>(&value, addresses.lane[i], i);
                data = E::merge(0, value);
              }
              lds.write<4>(&data, to.lane[i] + 4 * k, i);
            });
          });
  }
}

template <class E>
void load_lanes(Wave& wave, const Inst& inst) {
  if (refuse(wave, inst)) return;
  if (inst.memory.lds) {
    load_to_lds<E>(wave, inst);
    return;
  }
  const Operand* operands = inst.src.data();
  const unsigned row = inst.dst[0].index;
  Addresses at;
  if (locate_raw(wave, inst, operands, E::kBytes, at)) [[likely]] {
    const u64 mask =
        admit(wave, inst, {.bytes = E::kBytes, .mask = wave.exec, .addresses = at.lane});
    load<E>(wave, row, Linear{}, at, mask);
    return;
  }
  if (locate_private(wave, inst, operands, E::kBytes, at)) {
    const u64 mask = admit(wave, inst,
                           {.space = Space::kScratch,
                            .kind = AccessKind::kLoad,
                            .bytes = E::kBytes,
                            .mask = wave.exec,
                            .addresses = at.lane});
    load<E>(wave, row, scratch_of(wave), at, mask);
    return;
  }
  using P = Part<E>;
  View view;
  view_of(wave, inst, operands, view);
  for (unsigned k = 0; k < E::kRows; ++k) {
    const u64 inside = locate(wave, view, k * 4, P::kBytes, at);
    u32* to = wave.vgpr(row + k);
    for_each_lane(wave.exec & ~inside, [&](unsigned i) {
      if constexpr (kIsDwords<E>)
        to[i] = 0;
      else
        to[i] = E::merge(to[i], 0);
    });
    reach(wave, inst, view, AccessKind::kLoad, P::kBytes, at, wave.exec & inside,
          [&](const auto& place, const Addresses& addresses, u64 mask) {
            load<P>(wave, row + k, place, addresses, mask);
          });
  }
}

template <class E>
void store_lanes(Wave& wave, const Inst& inst) {
  if (refuse(wave, inst)) return;
  const Operand* operands = inst.src.data() + 1;
  const unsigned row = inst.src[0].index;
  Addresses at;
  if (locate_raw(wave, inst, operands, E::kBytes, at)) [[likely]] {
    const u64 mask = admit(
        wave, inst,
        {.kind = AccessKind::kStore, .bytes = E::kBytes, .mask = wave.exec, .addresses = at.lane});
    store<E>(wave, row, Linear{}, at, mask);
    return;
  }
  if (locate_private(wave, inst, operands, E::kBytes, at)) {
    const u64 mask = admit(wave, inst,
                           {.space = Space::kScratch,
                            .kind = AccessKind::kStore,
                            .bytes = E::kBytes,
                            .mask = wave.exec,
                            .addresses = at.lane});
    store<E>(wave, row, scratch_of(wave), at, mask);
    return;
  }
  using P = Part<E>;
  View view;
  view_of(wave, inst, operands, view);
  for (unsigned k = 0; k < E::kRows; ++k) {
    const u64 inside = locate(wave, view, k * 4, P::kBytes, at);
    reach(wave, inst, view, AccessKind::kStore, P::kBytes, at, wave.exec & inside,
          [&](const auto& place, const Addresses& addresses, u64 mask) {
            store<P>(wave, row + k, place, addresses, mask);
          });
  }
}

// Wholly inside or wholly outside; outside, the old value is 0.
template <class A, class T>
void modify_lanes(Wave& wave, const Inst& inst) {
  if (refuse(wave, inst)) return;
  const unsigned data = inst.src[0].index;
  const AtomicRows rows{.data = data,
                        .second = data + static_cast<unsigned>(sizeof(T) / 4),
                        .result = inst.memory.returns ? data : kVectorRows};
  View view;
  view_of(wave, inst, inst.src.data() + 1, view);
  Addresses at;
  const u64 inside = locate(wave, view, 0, sizeof(T), at);
  if (inst.memory.returns)
    for_each_lane(wave.exec & ~inside, [&](unsigned i) { write_rows<T>(wave, data, i, 0); });
  reach(wave, inst, view, AccessKind::kAtomic, sizeof(T), at, wave.exec & inside,
        [&](const auto& place, const Addresses& addresses, u64 mask) {
          constexpr bool linear = std::is_same_v<std::remove_cvref_t<decltype(place)>, Linear>;
          if (!linear && sizeof(T) == 8) {
            wave.unsupported(inst, "hardware has no 64-bit atomics on scratch memory");
            return;
          }
          exchange_lanes<A, T, linear>(wave, place, addresses, mask, rows, memory_rules(wave));
        });
}

// --- texels ---

// The descriptor's format; no format: the wave has stopped.
BufferFormat format_of(Wave& wave, const Inst& inst, const Operand* operands, const View& view) {
  BufferFormat format = buffer_format_of(wave.read_scalar(operands[1].index + 3U), wave.isa);
  const auto stop = [&](const char* why) {
    wave.unsupported(inst, why);
    format.format.reset();
  };
  if (inst.memory.lds || view.resource.swizzle || view.resource.add_lane)
    stop("texels in swizzled buffers, or from memory to LDS, are not modelled");
  else if (!format.format)
    stop("the buffer's format is not modelled");
  return format;
}

// How registers hold the components of a texel: `kCount` of them from the first on.
enum class Components : u8 { kWhole, kHalves, kHighHalf };

template <unsigned kCount, Components kAs>
void load_texels(Wave& wave, const Inst& inst) {
  if (refuse(wave, inst)) return;
  View view;
  view_of(wave, inst, inst.src.data(), view);
  const BufferFormat format = format_of(wave, inst, inst.src.data(), view);
  if (!format.format) return;
  const bool integer = format.format->is_integer();
  Addresses at;
  const u64 inside = locate(wave, view, 0, format.format->bytes(), at);
  const u64 lanes =
      admit(wave, inst,
            {.bytes = format.format->bytes(), .mask = wave.exec & inside, .addresses = at.lane});
  if (wave.state == WaveState::kFault) return;
  const unsigned row = inst.dst[0].index;
  for_each_lane(wave.exec, [&](unsigned i) {
    Texel texel{};
    if ((lanes >> i) & 1U)
      texel = selected(read_texel(*format.format, Linear{}.pointer(at.lane[i])), format.select,
                       integer);
    for (unsigned c = 0; c < kCount; ++c) {
      if constexpr (kAs == Components::kWhole) {
        wave.vgpr(row + c)[i] = texel[c];
      } else {
        const u32 half = integer ? texel[c] & 0xffffU : f32_to_f16_nearest(float_of(texel[c]));
        const unsigned high = kAs == Components::kHighHalf ? 1 : c % 2;
        u32& to = wave.vgpr(row + c / 2)[i];
        if (kAs == Components::kHalves && high == 0)
          to = half;
        else
          to = (to & 0xffffU) | (half << 16);
      }
    }
  });
}

template <unsigned kCount, Components kAs>
void store_texels(Wave& wave, const Inst& inst) {
  if (refuse(wave, inst)) return;
  const Operand* operands = inst.src.data() + 1;
  View view;
  view_of(wave, inst, operands, view);
  const BufferFormat format = format_of(wave, inst, operands, view);
  if (!format.format) return;
  Addresses at;
  const u64 inside = locate(wave, view, 0, format.format->bytes(), at);
  const u64 lanes = admit(wave, inst,
                          {.kind = AccessKind::kStore,
                           .bytes = format.format->bytes(),
                           .mask = wave.exec & inside,
                           .addresses = at.lane});
  const unsigned row = inst.src[0].index;
  for_each_lane(lanes, [&](unsigned i) {
    Texel texel{};
    for (unsigned c = 0; c < kCount; ++c) {
      if constexpr (kAs == Components::kWhole) {
        texel[c] = wave.vgpr(row + c)[i];
      } else {
        const unsigned high = kAs == Components::kHighHalf ? 1 : c % 2;
        const u32 half = (wave.vgpr(row + c / 2)[i] >> (16 * high)) & 0xffffU;
        texel[c] = format.format->is_integer() ? half : bits_of(f16_to_f32(half));
      }
    }
    write_texel(*format.format, unselected(texel, format.select), Linear{}.pointer(at.lane[i]));
  });
}

void no_format(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "buffer formats of the instruction are not modelled");
}
void no_lds_store(Wave& wave, const Inst& inst) {
  wave.unsupported(inst, "stores from LDS to memory are not modelled");
}

// --- the table ---

constexpr Op buffer_op(std::string_view name, Handler run, Type dst, std::array<Type, 5> src,
                       u32 flags) {
  return {.name = name,
          .run = run,
          .kind = OpClass::kBuffer,
          .dst = {dst},
          .src = src,
          .flags = flags | kMayFault};
}
// The address is one or two registers or none; the resource is four.
template <class E>
constexpr Op load_op(std::string_view name) {
  return buffer_op(name, load_lanes<E>, data_type(E::kRows), {Type::kWide, Type::kWide, Type::kB32},
                   kLoad) |
         kLoadedPart<E>;
}
template <class E>
constexpr Op store_op(std::string_view name) {
  return buffer_op(name, store_lanes<E>, Type::kNone,
                   {data_type(E::kRows), Type::kWide, Type::kWide, Type::kB32}, kStore) |
         kStoredPart<E>;
}
template <class A, class T>
constexpr Op atomic_op(std::string_view name) {
  constexpr unsigned dwords = sizeof(T) / 4;
  return buffer_op(name, modify_lanes<A, T>, Type::kNone,
                   {data_type(atomic::TakesSecond<A> ? 2 * dwords : dwords), Type::kWide,
                    Type::kWide, Type::kB32},
                   kAtomic | kLoad | kStore | (atomic::kCompares<A> ? u32{kCompareSwap} : 0U));
}

constexpr auto kTransfers = std::to_array<Op>({
    load_op<Narrow<u8>>("buffer_load_ubyte"),
    load_op<Narrow<i8>>("buffer_load_sbyte"),
    load_op<Narrow<u16>>("buffer_load_ushort"),
    load_op<Narrow<i16>>("buffer_load_sshort"),
    load_op<Narrow<u8, Half::kLow>>("buffer_load_ubyte_d16"),
    load_op<Narrow<u8, Half::kHigh>>("buffer_load_ubyte_d16_hi"),
    load_op<Narrow<i8, Half::kLow>>("buffer_load_sbyte_d16"),
    load_op<Narrow<i8, Half::kHigh>>("buffer_load_sbyte_d16_hi"),
    load_op<Narrow<u16, Half::kLow>>("buffer_load_short_d16"),
    load_op<Narrow<u16, Half::kHigh>>("buffer_load_short_d16_hi"),
    load_op<Dwords<1>>("buffer_load_dword"),
    load_op<Dwords<2>>("buffer_load_dwordx2"),
    load_op<Dwords<3>>("buffer_load_dwordx3"),
    load_op<Dwords<4>>("buffer_load_dwordx4"),
    store_op<Narrow<u8>>("buffer_store_byte"),
    store_op<Narrow<u16>>("buffer_store_short"),
    store_op<Narrow<u8, Half::kHigh>>("buffer_store_byte_d16_hi"),
    store_op<Narrow<u16, Half::kHigh>>("buffer_store_short_d16_hi"),
    store_op<Dwords<1>>("buffer_store_dword"),
    store_op<Dwords<2>>("buffer_store_dwordx2"),
    store_op<Dwords<3>>("buffer_store_dwordx3"),
    store_op<Dwords<4>>("buffer_store_dwordx4"),
    buffer_op("buffer_store_lds_dword", no_lds_store, Type::kNone, {Type::kWide, Type::kB32},
              kLoad | kStore | kDataInLds | kRefused),
});

template <class A, Text kName>
constexpr OpList<2> both_sizes() {
  return {atomic_op<A, u32>(joined<"buffer_atomic_", kName>),
          atomic_op<A, u64>(joined<"buffer_atomic_", kName, "_x2">)};
}

constexpr auto kAtomics =
    together(both_sizes<atomic::Swap, "swap">(), both_sizes<atomic::CompareSwap, "cmpswap">(),
             both_sizes<atomic::Add, "add">(), both_sizes<atomic::Sub, "sub">(),
             both_sizes<atomic::SignedMin, "smin">(), both_sizes<atomic::UnsignedMin, "umin">(),
             both_sizes<atomic::SignedMax, "smax">(), both_sizes<atomic::UnsignedMax, "umax">(),
             both_sizes<atomic::And, "and">(), both_sizes<atomic::Or, "or">(),
             both_sizes<atomic::Xor, "xor">(), both_sizes<atomic::Inc, "inc">(),
             both_sizes<atomic::Dec, "dec">(),
             OpList<13>{
                 atomic_op<atomic::FloatAdd, u32>("buffer_atomic_add_f32"),
                 atomic_op<atomic::FloatAdd, u64>("buffer_atomic_add_f64"),
                 atomic_op<atomic::FloatMin, u32>("buffer_atomic_min_f32"),
                 atomic_op<atomic::FloatMin, u64>("buffer_atomic_min_f64"),
                 atomic_op<atomic::FloatMax, u32>("buffer_atomic_max_f32"),
                 atomic_op<atomic::FloatMax, u64>("buffer_atomic_max_f64"),
                 atomic_op<atomic::PackedAddF16, u32>("buffer_atomic_pk_add_f16"),
                 atomic_op<atomic::PackedAddBF16, u32>("buffer_atomic_pk_add_bf16"),
                 atomic_op<atomic::FloatCompareSwap, u32>("buffer_atomic_cmpswap_f32"),
                 atomic_op<atomic::FloatCompareSwap, u64>("buffer_atomic_cmpswap_f64"),
                 atomic_op<atomic::SubClamp, u32>("buffer_atomic_csub_u32"),
                 atomic_op<atomic::SubClamp, u32>("buffer_atomic_sub_clamp_u32"),
                 atomic_op<atomic::ConditionalSub, u32>("buffer_atomic_cond_sub_u32"),
             });

template <Text kPrefix, Text kComponents>
constexpr OpList<2> format_pair() {
  return {buffer_op(joined<kPrefix, "_load_format_", kComponents>, no_format, Type::kWide,
                    {Type::kWide, Type::kWide, Type::kB32}, kLoad | kRefused),
          buffer_op(joined<kPrefix, "_store_format_", kComponents>, no_format, Type::kNone,
                    {Type::kWide, Type::kWide, Type::kWide, Type::kB32}, kStore | kRefused)};
}
template <Text kPrefix>
constexpr auto formats() {
  return together(format_pair<kPrefix, "x">(), format_pair<kPrefix, "xy">(),
                  format_pair<kPrefix, "xyz">(), format_pair<kPrefix, "xyzw">(),
                  format_pair<kPrefix, "d16_x">(), format_pair<kPrefix, "d16_xy">(),
                  format_pair<kPrefix, "d16_xyz">(), format_pair<kPrefix, "d16_xyzw">(),
                  format_pair<kPrefix, "d16_hi_x">());
}

template <unsigned kCount, Components kAs, Text kComponents>
constexpr OpList<2> texel_pair() {
  return {
      buffer_op(joined<"buffer_load_format_", kComponents>, load_texels<kCount, kAs>, Type::kWide,
                {Type::kWide, Type::kWide, Type::kB32}, kLoad | kConvertsData),
      buffer_op(joined<"buffer_store_format_", kComponents>, store_texels<kCount, kAs>, Type::kNone,
                {Type::kWide, Type::kWide, Type::kWide, Type::kB32}, kStore | kConvertsData)};
}
constexpr auto kTexels = together(
    texel_pair<1, Components::kWhole, "x">(), texel_pair<2, Components::kWhole, "xy">(),
    texel_pair<3, Components::kWhole, "xyz">(), texel_pair<4, Components::kWhole, "xyzw">(),
    texel_pair<1, Components::kHalves, "d16_x">(), texel_pair<2, Components::kHalves, "d16_xy">(),
    texel_pair<3, Components::kHalves, "d16_xyz">(),
    texel_pair<4, Components::kHalves, "d16_xyzw">(),
    texel_pair<1, Components::kHighHalf, "d16_hi_x">());

constexpr auto kOps = together(kTransfers, kAtomics, kTexels, formats<"tbuffer">());

}  // namespace

std::span<const Op> buffer_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
