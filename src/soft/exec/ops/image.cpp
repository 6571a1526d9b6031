// SPDX-License-Identifier: MIT
// Image instructions: texels at integer coordinates, samples at real ones, atomics. Images are
// linear (rows after rows) and have one level; what hardware tiles, software cannot tell apart.
//
// Operands, in the order of the text: data, address, image, sampler; loads and samples have the
// data as destination. The address is a dword per coordinate, or half of one with the modifier a16;
// what a sample has besides its coordinates comes before them: offset, bias, reference value,
// derivatives. A level or a limit of levels comes after them, and changes nothing here.
//
// Which texels a sample weighs, and the eight bits of their weights, are the manuals'. They do not
// say how the unit rounds coordinates and sums.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "soft/exec/image_descriptor.h"
#include "soft/exec/ops/atomics.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/texel.h"
#include "soft/exec/ops/transfer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using i64 = std::int64_t;

// What a sample has before its coordinates, and what it gives.
enum : unsigned {
  kOffset = 1,  // of texels, added to the coordinates
  kBias = 2,
  kCompare = 4,      // with a reference value
  kDerivatives = 8,  // of the coordinates, in two directions
  kHalfDerivatives = 16,
  kGather = 32,  // one channel of four texels
};

struct Image {
  ImageDescriptor is;
  ImageKind kind{};  // as the instruction sees it
  TexelFormat format;
  unsigned bytes = 0;
  u32 layers = 1;  // slices or layers that the coordinates reach
};

bool has_rows(ImageKind kind) {
  return kind != ImageKind::k1D && kind != ImageKind::k1DArray;
}
bool has_layers(ImageKind kind) {
  return kind == ImageKind::k1DArray || kind == ImageKind::k2DArray || kind == ImageKind::kCube;
}
unsigned coordinates_of(ImageKind kind) {
  return 1 + (has_rows(kind) ? 1U : 0U) + (has_layers(kind) || kind == ImageKind::k3D ? 1U : 0U);
}

// The descriptor in `operand`, or a stopped wave.
bool image_of(Wave& wave, const Inst& inst, const Operand& operand, Image& image) {
  const auto stop = [&](const char* why) {
    wave.unsupported(inst, why);
    return false;
  };
  if (operand.dwords != 8) return stop("image descriptors of 128 bits are not modelled");
  ImageWords words;
  for (unsigned i = 0; i < 8; ++i) words[i] = wave.read_scalar(operand.index + i);
  image.is = soft::image_of(words, wave.isa);
  if (!image.is.kind) return stop("the descriptor is not an image's");
  image.kind = inst.memory.dim == MemoryModifiers::kNoDimension
                   ? *image.is.kind
                   : static_cast<ImageKind>(inst.memory.dim);
  if (image.kind >= ImageKind::k2DMsaa) return stop("multisampled images are not modelled");
  if (image.is.swizzle != 0) return stop("tiled images are not modelled, only linear ones");
  if (image.is.first_level != 0 || image.is.last_level != 0)
    return stop("images of several levels are not modelled");
  if (!image.is.format) return stop("the image's format is not modelled");
  image.format = *image.is.format;
  image.bytes = image.format.bytes();
  image.layers = image.is.depth > image.is.first_layer ? image.is.depth - image.is.first_layer : 0;
  return true;
}

// The dwords of an instruction's address.
struct Address {
  const Wave& wave;
  const Operand& operand;
  bool halves = false;  // a16

  // The encoding of gfx9 does not say how many there are.
  u32 dword(unsigned i, unsigned lane) const {
    const bool named = i < operand.dwords || is_gfx9(wave.isa);
    return named && operand.index + i < kVectorRows ? wave.vgpr(operand.index + i)[lane] : 0;
  }
  // Coordinate `i`, with the first one in dword `begin`.
  u32 raw(unsigned begin, unsigned i, unsigned lane) const {
    if (!halves) return dword(begin + i, lane);
    return (dword(begin + i / 2, lane) >> (i % 2 * 16)) & 0xffffU;
  }
  float real(unsigned begin, unsigned i, unsigned lane) const {
    const u32 bits = raw(begin, i, lane);
    return halves ? f16_to_f32(bits) : float_of(bits);
  }
};

// A texel of each lane.
struct Places {
  i64 x[64], y[64], z[64];
  u64 inside = 0;  // lanes whose texel the image has
};

// Integer coordinates as the instruction gives them.
void places_of(const Wave& wave, const Image& image, const Address& address, Places& at) {
  const unsigned count = coordinates_of(image.kind);
  for (unsigned i = 0; i < wave.lanes; ++i) {
    at.x[i] = address.raw(0, 0, i);
    at.y[i] = has_rows(image.kind) ? address.raw(0, 1, i) : 0;
    at.z[i] = count > 1U + has_rows(image.kind) ? address.raw(0, count - 1, i) : 0;
  }
}

// Unsigned, so that negative coordinates are outside.
void find_inside(const Wave& wave, const Image& image, Places& at) {
  at.inside = 0;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const bool inside = static_cast<u64>(at.x[i]) < image.is.width &&
                        static_cast<u64>(at.y[i]) < image.is.height &&
                        static_cast<u64>(at.z[i]) < image.layers;
    at.inside |= u64{inside} << i;
  }
}

void addresses_of(const Wave& wave, const Image& image, const Places& at, Addresses& out) {
  const u64 slice = u64{image.is.pitch} * image.is.height;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const u64 texel = (static_cast<u64>(at.z[i]) + image.is.first_layer) * slice +
                      static_cast<u64>(at.y[i]) * image.is.pitch + static_cast<u64>(at.x[i]);
    out.lane[i] = image.is.base + texel * image.bytes;
  }
}

// The channels of each lane's texel; `none` where the image has none. False: the wave has stopped.
bool fetch(Wave& wave, const Inst& inst, const Image& image, Places& at, u64 mask,
           const Texel& none, Texel (&texels)[64]) {
  find_inside(wave, image, at);
  Addresses addresses;
  addresses_of(wave, image, at, addresses);
  for (Texel& texel : texels) texel = none;
  const u64 wanted = mask & at.inside;
  const u64 lanes =
      admit(wave, inst, {.bytes = image.bytes, .mask = wanted, .addresses = addresses.lane});
  for_each_lane(lanes, [&](unsigned i) {
    texels[i] = read_texel(image.format, Linear{}.pointer(addresses.lane[i]));
  });
  return wave.state != WaveState::kFault;
}

// --- results ---

unsigned count_components(unsigned dmask) {
  return std::max(1U, static_cast<unsigned>(std::popcount(dmask & 0xfU)));
}

// The components that dmask names, one after the other; d16: two in a register. What follows them
// (tfe) says that all texels were there.
void write_components(Wave& wave, const Inst& inst, const Texel (&components)[64], unsigned dmask,
                      bool integer) {
  const unsigned count = count_components(dmask);
  const unsigned rows = inst.memory.d16 ? (count + 1) / 2 : count;
  const unsigned first = inst.dst[0].index;
  for_each_lane(wave.exec, [&](unsigned i) {
    std::array<u32, 4> packed{};
    unsigned at = 0;
    for (unsigned c = 0; c < 4; ++c) {
      if (((dmask >> c) & 1U) == 0) continue;
      const u32 value = components[i][c];
      if (!inst.memory.d16)
        packed[at] = value;
      else
        packed[at / 2] |= (integer ? value & 0xffffU : f32_to_f16_nearest(float_of(value)))
                          << (at % 2 * 16);
      ++at;
    }
    for (unsigned row = 0; row < rows && row < inst.dst[0].dwords; ++row)
      wave.vgpr(first + row)[i] = packed[row];
    if (inst.memory.tfe && rows < inst.dst[0].dwords) wave.vgpr(first + rows)[i] = 0;
  });
}

void select_all(const Image& image, Texel (&texels)[64]) {
  for (Texel& texel : texels) texel = selected(texel, image.is.select, image.format.is_integer());
}

// --- loads and stores ---

// A level other than 0 is one that the image lacks.
u64 lanes_of_level(const Wave& wave, const Image& image, const Address& address, bool has_level) {
  if (!has_level) return ~u64{0};
  u64 lanes = 0;
  for (unsigned i = 0; i < wave.lanes; ++i)
    lanes |= u64{address.raw(0, coordinates_of(image.kind), i) == 0} << i;
  return lanes;
}

template <bool kLevel>
void load_image(Wave& wave, const Inst& inst) {
  Image image;
  if (!image_of(wave, inst, inst.src[1], image)) return;
  const Address address{wave, inst.src[0], inst.memory.a16};
  Places at;
  places_of(wave, image, address, at);
  const u64 lanes = wave.exec & lanes_of_level(wave, image, address, kLevel);
  Texel texels[64];
  if (!fetch(wave, inst, image, at, lanes, Texel{}, texels)) return;
  for (unsigned i = 0; i < wave.lanes; ++i)
    if ((lanes & at.inside) >> i & 1U)
      texels[i] = selected(texels[i], image.is.select, image.format.is_integer());
  write_components(wave, inst, texels, inst.memory.dmask, image.format.is_integer());
}

// Components that dmask leaves out are stored as 0.
Texel components_of(const Wave& wave, const Inst& inst, unsigned lane, bool integer, bool sign) {
  Texel out{};
  unsigned at = 0;
  const unsigned first = inst.src[0].index;
  for (unsigned c = 0; c < 4; ++c) {
    if (((inst.memory.dmask >> c) & 1U) == 0) continue;
    const unsigned row = inst.memory.d16 ? at / 2 : at;
    const u32 dword = row < inst.src[0].dwords ? wave.vgpr(first + row)[lane] : 0;
    const u32 half = (dword >> (at % 2 * 16)) & 0xffffU;
    if (!inst.memory.d16)
      out[c] = dword;
    else if (integer)
      out[c] = sign ? static_cast<u32>(static_cast<std::int16_t>(half)) : half;
    else
      out[c] = bits_of(f16_to_f32(half));
    ++at;
  }
  return out;
}

template <bool kLevel>
void store_image(Wave& wave, const Inst& inst) {
  Image image;
  if (!image_of(wave, inst, inst.src[2], image)) return;
  const Address address{wave, inst.src[1], inst.memory.a16};
  Places at;
  places_of(wave, image, address, at);
  find_inside(wave, image, at);
  Addresses addresses;
  addresses_of(wave, image, at, addresses);
  const u64 wanted = wave.exec & at.inside & lanes_of_level(wave, image, address, kLevel);
  const u64 lanes = admit(wave, inst,
                          {.kind = AccessKind::kStore,
                           .bytes = image.bytes,
                           .mask = wanted,
                           .addresses = addresses.lane});
  for_each_lane(lanes, [&](unsigned i) {
    const Texel components = components_of(wave, inst, i, image.format.is_integer(),
                                           image.format.number == TexelNumber::kSint);
    write_texel(image.format, unselected(components, image.is.select),
                Linear{}.pointer(addresses.lane[i]));
  });
}

// --- samples ---

struct Sampler : SamplerDescriptor {
  Texel border{};
};

bool sampler_of(Wave& wave, const Inst& inst, const Image& image, Sampler& sampler) {
  SamplerWords words;
  for (unsigned i = 0; i < 4; ++i) words[i] = wave.read_scalar(inst.src[2].index + i);
  static_cast<SamplerDescriptor&>(sampler) = soft::sampler_of(words);
  if (inst.memory.unorm) sampler.unnormalized = true;
  for (unsigned i = 0; i < coordinates_of(image.kind); ++i)
    if (sampler.address[i] == AddressMode::kClampHalfBorder ||
        sampler.address[i] == AddressMode::kMirrorOnceHalfBorder) {
      wave.unsupported(inst, "addressing that ends halfway in the border is not modelled");
      return false;
    }
  const u32 one = image.format.is_integer() ? 1 : bits_of(1.0F);
  switch (sampler.SamplerDescriptor::border) {
    case BorderColor::kTransparentBlack:
      break;
    case BorderColor::kOpaqueBlack:
      sampler.border = {0, 0, 0, one};
      break;
    case BorderColor::kOpaqueWhite:
      sampler.border.fill(one);
      break;
    case BorderColor::kRegister:
      wave.unsupported(inst, "border colors from a table are not modelled");
      return false;
  }
  return true;
}

// The texel that addressing makes of an index; -1: the border.
i64 address_texel(i64 index, i64 size, AddressMode mode) {
  const auto within = [size](i64 i) { return i >= 0 && i < size; };
  switch (mode) {
    case AddressMode::kWrap: {
      const i64 rest = index % size;
      return rest < 0 ? rest + size : rest;
    }
    case AddressMode::kMirror: {
      i64 rest = index % (2 * size);
      if (rest < 0) rest += 2 * size;
      return rest < size ? rest : 2 * size - 1 - rest;
    }
    case AddressMode::kMirrorOnce:
      return std::min(index < 0 ? -1 - index : index, size - 1);
    case AddressMode::kMirrorOnceBorder:
      index = index < 0 ? -1 - index : index;
      return within(index) ? index : -1;
    case AddressMode::kBorder:
      return within(index) ? index : -1;
    default:
      return std::clamp<i64>(index, 0, size - 1);
  }
}

// Where a sample falls on one axis: between the texels `low` and `low` + 1, and the weight of the
// upper one. Without a filter the weight is 0.
struct Axis {
  i64 low[64];
  float weight[64];
  u32 size = 1;
  AddressMode mode{};
  bool filtered = false;
};

constexpr float kFarthest = 0x1p24F;  // beyond, and for NaN, the place has no meaning

void locate(const Wave& wave, const Sampler& sampler, bool filtered, u32 size, AddressMode mode,
            auto coordinate, auto offset, Axis& axis) {
  axis.size = size;
  axis.mode = mode;
  axis.filtered = filtered;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    float place = coordinate(i);
    if (!sampler.unnormalized) place *= static_cast<float>(size);
    place = std::isnan(place) ? 0.0F : std::clamp(place, -kFarthest, kFarthest);
    axis.weight[i] = 0;
    if (!filtered) {
      axis.low[i] = static_cast<i64>(std::floor(place)) + offset(i);
      continue;
    }
    const auto fixed = static_cast<i64>(std::floor((double{place} - 0.5) * 256 + 0.5));
    axis.low[i] = (fixed >> 8) + offset(i);
    axis.weight[i] = static_cast<float>(fixed & 0xff) / 256;
  }
}

bool compare(DepthCompare condition, float reference, float texel) {
  switch (condition) {
    case DepthCompare::kNever:
      return false;
    case DepthCompare::kLess:
      return reference < texel;
    case DepthCompare::kEqual:
      return reference == texel;
    case DepthCompare::kLessEqual:
      return reference <= texel;
    case DepthCompare::kGreater:
      return reference > texel;
    case DepthCompare::kNotEqual:
      return reference != texel;
    case DepthCompare::kGreaterEqual:
      return reference >= texel;
    case DepthCompare::kAlways:
      break;
  }
  return true;
}

// A sample of all lanes.
struct Sample {
  Wave& wave;
  const Inst& inst;
  const Image& image;
  const Sampler& sampler;
  unsigned form;
  Address address;
  unsigned begin = 0;  // the dword of the first coordinate
  unsigned compare_at = 0;
  Axis axes[3];
  bool layered = false;  // the last coordinate is a layer
  i64 layer[64];

  void place();
  bool corner(unsigned upper, Texel (&texels)[64]);
  bool is_filtered(unsigned axis) const;
};

bool Sample::is_filtered(unsigned axis) const {
  if (form & kGather) return true;
  if (image.format.is_integer()) return false;
  if (axis < 2 || sampler.volume == SamplerDescriptor::Volume::kAsPlane) return sampler.linear;
  return sampler.volume == SamplerDescriptor::Volume::kLinear;
}

// gfx9 has half derivatives with half coordinates, the others say it.
unsigned dwords_before(const Wave& wave, const Inst& inst, unsigned form, ImageKind kind,
                       unsigned& compare_at) {
  unsigned at = 0;
  if (form & kOffset) ++at;
  if (form & kBias) ++at;
  compare_at = at;
  if (form & kCompare) ++at;
  const unsigned axes = coordinates_of(kind) - (has_layers(kind) ? 1U : 0U);
  const bool halves = (form & kHalfDerivatives) || (is_gfx9(wave.isa) && inst.memory.a16);
  if (form & (kDerivatives | kHalfDerivatives)) at += 2 * (halves ? (axes + 1) / 2 : axes);
  return at;
}

void Sample::place() {
  const unsigned count = coordinates_of(image.kind);
  layered = has_layers(image.kind);
  // An array without layers has nothing inside, whatever addressing makes of a coordinate.
  const u32 sizes[] = {image.is.width, image.is.height, std::max(image.layers, 1U)};
  // Six bits each, in bytes.
  const auto texels = [&](unsigned axis) {
    return [this, axis](unsigned lane) -> i64 {
      if ((form & kOffset) == 0) return 0;
      return static_cast<std::int32_t>(address.dword(0, lane) << (26 - 8 * axis)) >> 26;
    };
  };
  const unsigned real = count - (layered ? 1U : 0U);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis >= real) {
      axes[axis].mode = AddressMode::kClamp;
      for (unsigned i = 0; i < 64; ++i) axes[axis].low[i] = 0, axes[axis].weight[i] = 0;
      continue;
    }
    locate(
        wave, sampler, is_filtered(axis), sizes[axis], sampler.address[axis],
        [&](unsigned i) { return address.real(begin, axis, i); }, texels(axis), axes[axis]);
  }
  for (unsigned i = 0; i < wave.lanes && layered; ++i) {
    const float wanted = address.real(begin, count - 1, i);
    // No layers at all: nothing is inside.
    const float most = std::max(static_cast<float>(image.layers) - 1, 0.0F);
    layer[i] = std::isnan(wanted)
                   ? 0
                   : static_cast<i64>(std::clamp(std::floor(wanted + 0.5F), 0.0F, most));
  }
}

// The texels of one corner: bit `a` of `upper` is set for the upper texel on axis `a`.
bool Sample::corner(unsigned upper, Texel (&texels)[64]) {
  Places at;
  const auto index = [&](unsigned axis, unsigned lane) {
    const Axis& on = axes[axis];
    return address_texel(on.low[lane] + ((upper >> axis) & 1U), on.size, on.mode);
  };
  for (unsigned i = 0; i < wave.lanes; ++i) {
    at.x[i] = index(0, i);
    at.y[i] = index(1, i);
    at.z[i] = layered ? layer[i] : index(2, i);
  }
  if (!fetch(wave, inst, image, at, wave.exec, sampler.border, texels)) return false;
  if ((form & kCompare) == 0) return true;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const float reference = float_of(address.dword(compare_at, i));
    texels[i][0] =
        bits_of(compare(sampler.compare, reference, float_of(texels[i][0])) ? 1.0F : 0.0F);
  }
  return true;
}

// The texels around, each weighed by how near it is.
bool filter(Sample& sample, Texel (&out)[64]) {
  double sums[64][4]{};
  const unsigned corners = (sample.axes[0].filtered ? 1U : 0U) |
                           (sample.axes[1].filtered ? 2U : 0U) |
                           (sample.axes[2].filtered ? 4U : 0U);
  for (unsigned upper = 0; upper < 8; ++upper) {
    if ((upper & ~corners) != 0) continue;
    Texel texels[64];
    if (!sample.corner(upper, texels)) return false;
    for_each_lane(sample.wave.exec, [&](unsigned i) {
      double weight = 1;
      for (unsigned axis = 0; axis < 3; ++axis) {
        const double up = sample.axes[axis].weight[i];
        if ((corners >> axis) & 1U) weight *= ((upper >> axis) & 1U) ? up : 1 - up;
      }
      // A texel without weight does not count, whatever it holds.
      if (weight == 0) return;
      for (unsigned c = 0; c < 4; ++c) sums[i][c] += weight * double{float_of(texels[i][c])};
    });
  }
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned c = 0; c < 4; ++c) out[i][c] = bits_of(static_cast<float>(sums[i][c]));
  return true;
}

// The component that dmask names, of the four texels around: counterclockwise from the lower left
// one, as seen with y going down.
bool gather_corners(Sample& sample, Texel (&out)[64]) {
  const unsigned component =
      static_cast<unsigned>(std::countr_zero(sample.inst.memory.dmask | 0x10U)) & 3U;
  constexpr unsigned kCorners[] = {2, 3, 1, 0};
  for (unsigned k = 0; k < 4; ++k) {
    Texel texels[64];
    if (!sample.corner(kCorners[k], texels)) return false;
    select_all(sample.image, texels);
    for (unsigned i = 0; i < 64; ++i) out[i][k] = texels[i][component];
  }
  return true;
}

void sample_image(Wave& wave, const Inst& inst, unsigned form) {
  Image image;
  Sampler sampler;
  if (!image_of(wave, inst, inst.src[1], image) || !sampler_of(wave, inst, image, sampler)) return;
  if (image.kind == ImageKind::kCube) {
    wave.unsupported(inst, "samples of cube maps are not modelled: HIP has none on AMD GPUs");
    return;
  }
  Sample sample{.wave = wave,
                .inst = inst,
                .image = image,
                .sampler = sampler,
                .form = form,
                .address = {wave, inst.src[0], inst.memory.a16},
                .axes = {},
                .layer = {}};
  sample.begin = dwords_before(wave, inst, form, image.kind, sample.compare_at);
  sample.place();
  Texel out[64];
  if (form & kGather) {
    if (gather_corners(sample, out))
      write_components(wave, inst, out, 0xf, image.format.is_integer());
    return;
  }
  const bool filtered = sample.axes[0].filtered || sample.axes[2].filtered;
  if (!(filtered ? filter(sample, out) : sample.corner(0, out))) return;
  select_all(image, out);
  write_components(wave, inst, out, inst.memory.dmask, image.format.is_integer());
}

template <unsigned kForm>
void sample_form(Wave& wave, const Inst& inst) {
  sample_image(wave, inst, kForm);
}

// --- the rest ---

// Width, height, slices or layers, levels. An image without the level has a size of 0.
void describe_image(Wave& wave, const Inst& inst) {
  Image image;
  if (!image_of(wave, inst, inst.src[1], image)) return;
  Texel out[64];
  const Address address{wave, inst.src[0], inst.memory.a16};
  for (unsigned i = 0; i < 64; ++i) {
    const bool has = i < wave.lanes && address.raw(0, 0, i) == 0;
    out[i] = has ? Texel{image.is.width, image.is.height, image.layers, 1} : Texel{0, 0, 0, 1};
  }
  write_components(wave, inst, out, inst.memory.dmask, true);
}

template <class A, class T>
void modify_texels(Wave& wave, const Inst& inst, const Image& image, const Places& at) {
  Addresses addresses;
  addresses_of(wave, image, at, addresses);
  const unsigned data = inst.src[0].index;
  const u64 lanes = admit(wave, inst,
                          {.kind = AccessKind::kAtomic,
                           .bytes = sizeof(T),
                           .mask = wave.exec & at.inside,
                           .addresses = addresses.lane});
  const AtomicRows rows{.data = data,
                        .second = data + static_cast<unsigned>(sizeof(T) / 4),
                        .result = inst.memory.returns ? data : kVectorRows};
  exchange_lanes<A, T, true>(wave, Linear{}, addresses, lanes, rows, memory_rules(wave));
  if (inst.memory.returns)
    for_each_lane(wave.exec & ~at.inside, [&](unsigned i) { write_rows<T>(wave, data, i, 0); });
}

// Floats and pairs have 32 bits.
template <class A>
constexpr bool kHas64Bits =
    !std::is_same_v<A, atomic::FloatAdd> && !std::is_same_v<A, atomic::FloatMin> &&
    !std::is_same_v<A, atomic::FloatMax> && !std::is_same_v<A, atomic::FloatCompareSwap> &&
    !std::is_same_v<A, atomic::PackedAddF16> && !std::is_same_v<A, atomic::PackedAddBF16>;

// Two dwords of data are 64 bits, or what cmpswap compares and stores in 32 bits.
template <class A>
void modify_image(Wave& wave, const Inst& inst) {
  Image image;
  if (!image_of(wave, inst, inst.src[2], image)) return;
  const Address address{wave, inst.src[1], inst.memory.a16};
  Places at;
  places_of(wave, image, address, at);
  find_inside(wave, image, at);
  const unsigned values = atomic::TakesSecond<A> ? 2 : 1;
  const unsigned bytes = 4 * inst.src[0].dwords / values;
  if (bytes != image.bytes || (bytes != 4 && (bytes != 8 || !kHas64Bits<A>))) {
    wave.unsupported(inst, "the atomic is not as wide as the image's texels");
    return;
  }
  if (bytes == 4) {
    modify_texels<A, u32>(wave, inst, image, at);
    return;
  }
  if constexpr (kHas64Bits<A>) modify_texels<A, u64>(wave, inst, image, at);
}

// --- the table ---

constexpr Op image_op(std::string_view name, Handler run, Type dst, std::array<Type, 5> src,
                      u32 flags) {
  return {.name = name,
          .run = run,
          .kind = OpClass::kImage,
          .dst = {dst},
          .src = src,
          .flags = flags | kMayFault | kConvertsData};
}
constexpr Op load_op(std::string_view name, Handler run) {
  return image_op(name, run, Type::kWide, {Type::kWide, Type::kWide}, kLoad);
}
constexpr Op store_op(std::string_view name, Handler run) {
  return image_op(name, run, Type::kNone, {Type::kWide, Type::kWide, Type::kWide}, kStore);
}
template <class A>
constexpr Op atomic_op(std::string_view name) {
  return image_op(name, modify_image<A>, Type::kNone, {Type::kWide, Type::kWide, Type::kWide},
                  kAtomic | kLoad | kStore | (atomic::kCompares<A> ? u32{kCompareSwap} : 0U));
}
template <unsigned kForm>
constexpr Op sample_op(std::string_view name) {
  Op op = image_op(name, sample_form<kForm>, Type::kWide, {Type::kWide, Type::kWide, Type::kWide},
                   kLoad);
  op.fidelity = Fidelity::kApproximate;
  op.bound =
      "a step of 2^-8 in the weights of texels; a coordinate within 2^-9 of a texel's edge may "
      "count to its neighbour";
  return op | Counts::kSample;
}

// With an offset and without one.
template <unsigned kForm, Text... kName>
constexpr OpList<2> with_offset() {
  return {sample_op<kForm>(joined<kName...>), sample_op<kForm | kOffset>(joined<kName..., "_o">)};
}
// What levels are computed from: nothing, the instruction, a bias; limited (cl) or not.
template <unsigned kForm, Text... kName>
constexpr auto level_forms() {
  return together(with_offset<kForm, kName...>(), with_offset<kForm, kName..., "_cl">(),
                  with_offset<kForm, kName..., "_l">(), with_offset<kForm, kName..., "_lz">(),
                  with_offset<kForm | kBias, kName..., "_b">(),
                  with_offset<kForm | kBias, kName..., "_b_cl">());
}
template <unsigned kForm, Text... kName>
constexpr auto precisions() {
  return OpList<4>{sample_op<kForm | kDerivatives>(joined<kName...>),
                   sample_op<kForm | kDerivatives | kOffset>(joined<kName..., "_o">),
                   sample_op<kForm | kHalfDerivatives>(joined<kName..., "_g16">),
                   sample_op<kForm | kHalfDerivatives | kOffset>(joined<kName..., "_o_g16">)};
}
template <unsigned kForm, Text... kName>
constexpr auto derivative_forms() {
  return together(precisions<kForm, kName..., "_d">(), precisions<kForm, kName..., "_d_cl">(),
                  precisions<kForm, kName..., "_cd">(), precisions<kForm, kName..., "_cd_cl">());
}

constexpr auto kTransfers = std::to_array<Op>({
    load_op("image_load", load_image<false>),
    load_op("image_load_mip", load_image<true>),
    store_op("image_store", store_image<false>),
    store_op("image_store_mip", store_image<true>),
    image_op("image_get_resinfo", describe_image, Type::kWide, {Type::kWide, Type::kWide}, 0),
});
constexpr auto kAtomics = std::to_array<Op>({
    atomic_op<atomic::Swap>("image_atomic_swap"),
    atomic_op<atomic::CompareSwap>("image_atomic_cmpswap"),
    atomic_op<atomic::Add>("image_atomic_add"),
    atomic_op<atomic::Sub>("image_atomic_sub"),
    atomic_op<atomic::SignedMin>("image_atomic_smin"),
    atomic_op<atomic::UnsignedMin>("image_atomic_umin"),
    atomic_op<atomic::SignedMax>("image_atomic_smax"),
    atomic_op<atomic::UnsignedMax>("image_atomic_umax"),
    atomic_op<atomic::And>("image_atomic_and"),
    atomic_op<atomic::Or>("image_atomic_or"),
    atomic_op<atomic::Xor>("image_atomic_xor"),
    atomic_op<atomic::Inc>("image_atomic_inc"),
    atomic_op<atomic::Dec>("image_atomic_dec"),
    atomic_op<atomic::FloatCompareSwap>("image_atomic_fcmpswap"),
    atomic_op<atomic::FloatMin>("image_atomic_fmin"),
    atomic_op<atomic::FloatMax>("image_atomic_fmax"),
    atomic_op<atomic::FloatAdd>("image_atomic_add_flt"),
    atomic_op<atomic::PackedAddF16>("image_atomic_pk_add_f16"),
    atomic_op<atomic::PackedAddBF16>("image_atomic_pk_add_bf16"),
});

constexpr auto kOps = together(
    kTransfers, kAtomics, level_forms<0, "image_sample">(),
    level_forms<kCompare, "image_sample_c">(), derivative_forms<0, "image_sample">(),
    derivative_forms<kCompare, "image_sample_c">(), level_forms<kGather, "image_gather4">(),
    level_forms<kGather | kCompare, "image_gather4_c">());

}  // namespace

std::span<const Op> image_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
