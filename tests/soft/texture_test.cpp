// SPDX-License-Identifier: MIT
// Image instructions and formatted buffer accesses, on every target that has them. The descriptors
// are packed here by the bit numbers of AMD's ISA manuals, and the values come from formulas of
// this file: nothing is taken from the code under test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 bits(float value) {
  return std::bit_cast<u32>(value);
}
float real(u32 value) {
  return std::bit_cast<float>(value);
}
float half_value(u32 value) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(value)));
}
u32 half_bits(float value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}

// NaNs of 16 bits may come signalling or quiet.
bool same(u32 got, u32 expected) {
  return got == expected || (std::isnan(real(got)) && std::isnan(real(expected)));
}

// --- targets and the bits of their descriptors ---

struct Bits {
  unsigned first, count;
};
struct Target {
  std::string gfx;
  Bits width, height, depth, pitch, layer, level, last_level;
  std::vector<Bits> format;  // gfx9: the layout and the interpretation
  bool pitch_is_depth = true;
  unsigned row_bytes = 256;  // rows of images without a pitch are multiples of it
  bool old() const { return gfx.starts_with("gfx9"); }
};

const std::vector<Target>& targets() {
  static const std::vector<Target> kTargets = [] {
    const Target vega{.gfx = "gfx90a",
                      .width = {64, 14},
                      .height = {78, 14},
                      .depth = {128, 13},
                      .pitch = {141, 16},
                      .layer = {160, 13},
                      .level = {108, 4},
                      .last_level = {112, 4},
                      .format = {{52, 6}, {58, 4}},
                      .pitch_is_depth = false};
    Target mi100 = vega;
    mi100.gfx = "gfx908";
    const Target rdna2{.gfx = "gfx1030",
                       .width = {62, 14},
                       .height = {78, 14},
                       .depth = {128, 13},
                       .pitch = {128, 14},
                       .layer = {144, 13},
                       .level = {108, 4},
                       .last_level = {112, 4},
                       .format = {{52, 9}}};
    Target rdna3 = rdna2;
    rdna3.gfx = "gfx1100";
    rdna3.format = {{52, 8}};
    Target rdna4 = rdna2;
    rdna4.gfx = "gfx1201";
    rdna4.width = {62, 16};
    rdna4.height = {78, 16};
    rdna4.depth = {128, 14};
    rdna4.pitch = {128, 16};
    rdna4.layer = {144, 14};
    rdna4.level = {57, 5};
    rdna4.last_level = {111, 5};
    rdna4.format = {{49, 8}};
    rdna4.row_bytes = 128;
    return std::vector<Target>{mi100, vega, rdna2, rdna3, rdna4};
  }();
  return kTargets;
}

// --- formats: the numbers of the manuals' tables ---

enum class Kind { kUnorm, kSnorm, kUscaled, kSscaled, kUint, kSint, kFloat, kSrgb };
struct Format {
  unsigned channels, width;
  Kind kind;
  u32 layout, interpretation;  // gfx9
  u32 gfx10, gfx11;
  unsigned bytes() const { return channels * width / 8; }
  bool integer() const { return kind == Kind::kUint || kind == Kind::kSint; }
};
const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {1, 8, Kind::kUnorm, 1, 0, 1, 1},     {1, 8, Kind::kSint, 1, 5, 6, 6},
      {1, 16, Kind::kUnorm, 2, 0, 7, 7},    {1, 16, Kind::kSnorm, 2, 1, 8, 8},
      {1, 16, Kind::kFloat, 2, 7, 13, 13},  {2, 8, Kind::kSnorm, 3, 1, 15, 15},
      {2, 8, Kind::kUscaled, 3, 2, 16, 16}, {1, 32, Kind::kUint, 4, 4, 20, 20},
      {1, 32, Kind::kFloat, 4, 7, 22, 22},  {2, 16, Kind::kSscaled, 5, 3, 26, 26},
      {2, 16, Kind::kUint, 5, 4, 27, 27},   {4, 8, Kind::kUnorm, 10, 0, 56, 42},
      {4, 8, Kind::kUint, 10, 4, 60, 46},   {4, 8, Kind::kSrgb, 10, 9, 130, 66},
      {2, 32, Kind::kSint, 11, 5, 63, 49},  {4, 16, Kind::kFloat, 12, 7, 71, 57},
      {4, 16, Kind::kSnorm, 12, 1, 66, 52}, {4, 32, Kind::kUint, 14, 4, 75, 61},
      {4, 32, Kind::kFloat, 14, 7, 77, 63},
  };
  return kFormats;
}
const Format& format_of(unsigned channels, unsigned width, Kind kind) {
  for (const Format& each : formats())
    if (each.channels == channels && each.width == width && each.kind == kind) return each;
  ADD_FAILURE() << "no such format";
  return formats().front();
}

// What a channel means, in float as the hardware delivers it; integers as they are.
u32 value_of(const Format& format, u32 raw, unsigned channel) {
  const double most =
      format.width == 32 ? 4294967295.0 : std::ldexp(1, static_cast<int>(format.width)) - 1;
  const auto signed_value = [&]() -> std::int64_t {
    const std::int64_t value = raw;
    const std::int64_t top = std::int64_t{1} << (format.width - 1);
    return value >= top ? value - 2 * top : value;
  };
  switch (format.kind) {
    case Kind::kUnorm:
      return bits(static_cast<float>(raw / most));
    case Kind::kSnorm:
      return bits(static_cast<float>(
          std::max(-1.0, static_cast<double>(signed_value()) / ((most - 1) / 2))));
    case Kind::kUscaled:
      return bits(static_cast<float>(raw));
    case Kind::kSscaled:
      return bits(static_cast<float>(signed_value()));
    case Kind::kUint:
      return raw;
    case Kind::kSint:
      return static_cast<u32>(signed_value());
    case Kind::kFloat:
      return format.width == 16 ? bits(half_value(raw)) : raw;
    case Kind::kSrgb:
      break;
  }
  const double stored = raw / most;
  if (channel == 3) return bits(static_cast<float>(stored));
  return bits(static_cast<float>(stored <= 0.04045 ? stored / 12.92
                                                   : std::pow((stored + 0.055) / 1.055, 2.4)));
}

// --- an image on the bench ---

enum Shape { k1D = 8, k2D = 9, k3D = 10, kCube = 11, k1DArray = 12, k2DArray = 13, k2DMsaa = 14 };

std::string dimension(Shape shape) {
  switch (shape) {
    case k1D:
      return "1D";
    case k2D:
      return "2D";
    case k3D:
      return "3D";
    case kCube:
      return "CUBE";
    case k1DArray:
      return "1D_ARRAY";
    case k2DArray:
      return "2D_ARRAY";
    default:
      return "2D_MSAA";
  }
}

struct Picture {
  const Format* format = nullptr;
  Shape shape = k2D;
  u32 width = 1, height = 1, depth = 1;
  u32 levels = 1, swizzle = 0;
  std::array<u32, 4> select{};  // 0, 1, or 4 to 7
};

std::array<u32, 4> usual_select(const Format& format) {
  std::array<u32, 4> select = {0, 0, 0, 1};
  for (u32 i = 0; i < format.channels; ++i) select[i] = 4 + i;
  return select;
}

class Bench {
 public:
  explicit Bench(const Target& target) : target_(target), lab(target.gfx) {
    begin = lab.memory().allocate(kSize, MemoryKind::kDevice).value();
    for (u32 i = 0; i < kSize; ++i) bytes()[i] = static_cast<std::uint8_t>(random());
  }
  std::uint8_t* bytes() const { return reinterpret_cast<std::uint8_t*>(begin); }

  void describe(Picture made) {
    picture = std::move(made);
    if (picture.select == std::array<u32, 4>{}) picture.select = usual_select(*picture.format);
    std::array<u32, 8> words{};
    const auto put = [&](Bits field, u64 value) {
      for (unsigned i = 0; i < field.count; ++i)
        words[(field.first + i) / 32] |= static_cast<u32>((value >> i) & 1U)
                                         << ((field.first + i) % 32);
    };
    const bool slices = picture.shape >= k3D && picture.shape != k2DMsaa;
    const unsigned texel = picture.format->bytes();
    pitch = (picture.width * texel + target_.row_bytes - 1) / target_.row_bytes *
            target_.row_bytes / texel;
    put({0, 40}, begin >> 8);
    put(target_.width, picture.width - 1);
    put(target_.height, picture.height - 1);
    if (target_.old()) {
      put(target_.format[0], picture.format->layout);
      put(target_.format[1], picture.format->interpretation);
    } else {
      put(target_.format[0],
          target_.gfx == "gfx1030" ? picture.format->gfx10 : picture.format->gfx11);
    }
    for (unsigned i = 0; i < 4; ++i) put({96 + 3 * i, 3}, picture.select[i]);
    put(target_.last_level, picture.levels - 1);
    put({116, 5}, picture.swizzle);
    put({124, 4}, picture.shape);
    if (slices || !target_.pitch_is_depth) put(target_.depth, picture.depth - 1);
    if (!slices || !target_.pitch_is_depth) put(target_.pitch, pitch - 1);
    for (unsigned i = 0; i < 8; ++i) lab.set_s(8 + i, words[i]);
  }

  // Clamp modes by axis, and the sampler's other fields.
  struct Sampling {
    std::array<u32, 3> clamp = {2, 2, 2};
    bool unnormalized = true, linear = false;
    u32 compare = 0, border = 0;
  };
  void sample_with(const Sampling& sampling) {
    const u32 filter = sampling.linear ? 1 : 0;
    lab.set_s(16, sampling.clamp[0] | sampling.clamp[1] << 3 | sampling.clamp[2] << 6 |
                      sampling.compare << 12 | (sampling.unnormalized ? 1U << 15 : 0));
    lab.set_s(17, 0xfffU << 12);
    lab.set_s(18, filter << 20 | filter << 22);
    lab.set_s(19, sampling.border << 30);
  }

  u64 offset_of(u32 x, u32 y, u32 z) const {
    return ((u64{z} * picture.height + y) * pitch + x) * picture.format->bytes();
  }
  // The components of a texel, as registers get them.
  std::array<u32, 4> texel(u32 x, u32 y, u32 z) const {
    std::array<u32, 4> channels{}, out{};
    const unsigned width = picture.format->width / 8;
    for (unsigned c = 0; c < picture.format->channels; ++c) {
      u32 raw = 0;
      std::memcpy(&raw, bytes() + offset_of(x, y, z) + c * width, width);
      channels[c] = value_of(*picture.format, raw, c);
    }
    for (unsigned c = 0; c < 4; ++c) {
      if (picture.select[c] == 1) out[c] = picture.format->integer() ? 1 : bits(1.0F);
      if (picture.select[c] >= 4) out[c] = channels[picture.select[c] - 4];
    }
    return out;
  }

  // "image_load v[20:23], [v0, v1], s[8:15] dmask:0xf dim:… unorm"
  std::string text(std::string_view name, std::string_view data, unsigned address, unsigned count,
                   std::string_view rest, bool sampled) const {
    std::string list;
    if (target_.old()) {
      list = count == 1 ? fmt::format("v{}", address)
                        : fmt::format("v[{}:{}]", address, address + count - 1);
    } else {
      // Beyond what the encodings name one by one, a range ends the list.
      for (unsigned i = 0; i < count; ++i) {
        const bool last = i == 3 && count > 4 && target_.gfx != "gfx1030";
        list += (i ? ", " : "") + (last ? fmt::format("v[{}:{}]", address + i, address + count - 1)
                                        : fmt::format("v{}", address + i));
        if (last) break;
      }
      if (count > 1) list = "[" + list + "]";
    }
    const bool array = picture.shape == k1DArray || picture.shape == k2DArray;
    const bool unorm = !sampled && target_.gfx != "gfx1201";
    return fmt::format("{} {}, {}, s[8:15]{}{}{}{}{}{}", name, data, list,
                       sampled ? ", s[16:19]" : "", rest.empty() ? "" : " ", rest,
                       target_.old() ? "" : " dim:SQ_RSRC_IMG_" + dimension(picture.shape),
                       unorm ? " unorm" : "", target_.old() && array ? " da" : "");
  }
  void run(const std::string& line) {
    lab.run(line);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << line << ": " << lab.wave().fault.what;
  }

  static constexpr u32 kSize = 1 << 16;
  const Target& target_;
  std::mt19937_64 random{7};
  Lab lab;
  u64 begin = 0;
  Picture picture;
  u32 pitch = 0;
};

unsigned axes_of(Shape shape) {
  return shape == k1D || shape == k1DArray ? 1 : shape == k3D ? 3 : 2;
}
bool is_layered(Shape shape) {
  return shape == k1DArray || shape == k2DArray;
}

struct Place {
  u32 x, y, z;
};
// The coordinates of `place`, in the instruction's order, from row 0 on; returns their number.
unsigned set_place(Bench& bench, unsigned lane, const Place& place, unsigned row = 0) {
  unsigned at = row;
  bench.lab.set_v(at++, lane, place.x);
  if (axes_of(bench.picture.shape) > 1) bench.lab.set_v(at++, lane, place.y);
  if (axes_of(bench.picture.shape) == 3 || is_layered(bench.picture.shape))
    bench.lab.set_v(at++, lane, place.z);
  return at - row;
}

// --- loads and stores ---

TEST(Texture, LoadsEveryFormat) {
  for (const Target& target : targets()) {
    Bench bench(target);
    for (const Format& format : formats()) {
      SCOPED_TRACE(fmt::format("{} {}x{} kind {}", target.gfx, format.channels, format.width,
                               static_cast<int>(format.kind)));
      bench.describe({.format = &format, .shape = k2D, .width = 13, .height = 7});
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        set_place(bench, lane, {lane % 13, lane / 13 % 7, 0});
      bench.run(bench.text("image_load", "v[20:23]", 0, 2, "dmask:0xf", false));
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const auto expected = bench.texel(lane % 13, lane / 13 % 7, 0);
        for (unsigned c = 0; c < 4; ++c) {
          const u32 got = bench.lab.v(20 + c, lane);
          if (format.kind == Kind::kSrgb)
            ASSERT_NEAR(real(got), real(expected[c]), 2e-7) << lane << " " << c;
          else
            ASSERT_PRED2(same, got, expected[c]) << lane << " " << c;
        }
      }
    }
  }
}

TEST(Texture, LoadsEveryShapeWithinItsBounds) {
  const Format& format = format_of(1, 32, Kind::kUint);
  for (const Target& target : targets())
    for (const Shape shape : {k1D, k2D, k3D, k1DArray, k2DArray}) {
      SCOPED_TRACE(target.gfx + " " + dimension(shape));
      Bench bench(target);
      Picture picture{.format = &format, .shape = shape, .width = 5};
      if (axes_of(shape) > 1) picture.height = 3;
      if (shape == k3D || is_layered(shape)) picture.depth = 4;
      bench.describe(picture);
      unsigned count = 0;
      const auto place = [&](unsigned lane) {
        return Place{lane % 7, axes_of(shape) > 1 ? lane / 7 % 4 : 0,
                     picture.depth > 1 ? lane / 3 % 6 : 0};
      };
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        count = set_place(bench, lane, place(lane));
      bench.lab.set_v(0, 1, ~0U);  // left of the first texel
      bench.run(bench.text("image_load", "v20", 0, count, "dmask:0x1", false));
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const Place at = place(lane);
        const bool inside =
            at.x < picture.width && at.y < picture.height && at.z < picture.depth && lane != 1;
        ASSERT_EQ(bench.lab.v(20, lane), inside ? bench.texel(at.x, at.y, at.z)[0] : 0) << lane;
      }
    }
}

TEST(Texture, DmaskPacksComponentsAndD16HalvesThem) {
  const Format& format = format_of(4, 8, Kind::kUnorm);
  for (const Target& target : targets())
    for (unsigned dmask = 1; dmask < 16; ++dmask)
      for (const bool half : {false, true}) {
        SCOPED_TRACE(fmt::format("{} dmask {} d16 {}", target.gfx, dmask, half));
        Bench bench(target);
        bench.describe({.format = &format, .width = 16, .height = 8, .select = {6, 5, 4, 7}});
        const auto count = static_cast<unsigned>(std::popcount(dmask));
        const unsigned rows = half ? (count + 1) / 2 : count;
        for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
          set_place(bench, lane, {lane % 16, lane / 16, 0});
        for (unsigned row = 20; row < 26; ++row)
          for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) bench.lab.set_v(row, lane, 77);
        const std::string data = rows == 1 ? "v20" : fmt::format("v[20:{}]", 19 + rows);
        const std::string line =
            bench.text("image_load", data, 0, 2, fmt::format("dmask:{:#x}", dmask), false) +
            (half ? " d16" : "");
        bench.lab.wave().set_exec(0x5555'5555'5555'5555);
        bench.run(line);
        for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
          const auto texel = bench.texel(lane % 16, lane / 16, 0);
          unsigned at = 0;
          for (unsigned c = 0; c < 4; ++c) {
            if (((dmask >> c) & 1U) == 0) continue;
            u32 expected = texel[c];
            u32 got = bench.lab.v(20 + (half ? at / 2 : at), lane);
            if (half) {
              expected = half_bits(real(expected));
              got = got >> (at % 2 * 16) & 0xffffU;
            }
            if (lane % 2 != 0) expected = half && at % 2 != 0 ? 0 : 77;  // inactive
            ASSERT_EQ(got, expected) << lane << " " << c;
            ++at;
          }
          ASSERT_EQ(bench.lab.v(20 + rows, lane), 77U) << "a register too many";
        }
      }
}

TEST(Texture, CoordinatesOfSixteenBits) {
  const Format& format = format_of(1, 32, Kind::kFloat);
  for (const Target& target : targets()) {
    if (target.gfx == "gfx908") continue;  // r128 has the bit
    SCOPED_TRACE(target.gfx);
    Bench bench(target);
    bench.describe({.format = &format, .shape = k2DArray, .width = 9, .height = 5, .depth = 3});
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
      bench.lab.set_v(0, lane, (lane % 9) | (lane / 9 % 5) << 16);
      bench.lab.set_v(1, lane, lane % 3);
    }
    std::string line = bench.text("image_load", "v20", 0, 2, "dmask:0x1", false) + " a16";
    if (!bench.lab.accepts(line)) continue;
    bench.run(line);
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
      ASSERT_EQ(bench.lab.v(20, lane), bench.texel(lane % 9, lane / 9 % 5, lane % 3)[0]) << lane;
  }
}

TEST(Texture, StoresConvertAndStayWithinTheImage) {
  for (const Target& target : targets())
    for (const Format* format : {&format_of(4, 8, Kind::kUnorm), &format_of(1, 16, Kind::kFloat),
                                 &format_of(2, 16, Kind::kUint), &format_of(4, 16, Kind::kSnorm),
                                 &format_of(4, 32, Kind::kFloat), &format_of(1, 8, Kind::kSint)}) {
      SCOPED_TRACE(fmt::format("{} {}x{}", target.gfx, format->channels, format->width));
      Bench bench(target);
      bench.describe({.format = format, .width = 9, .height = 6});
      std::vector<std::uint8_t> expected(bench.bytes(), bench.bytes() + Bench::kSize);
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const u32 x = lane % 10, y = lane / 10;  // column 9 is outside
        set_place(bench, lane, {x, y, 0});
        for (unsigned c = 0; c < 4; ++c) {
          const float value = static_cast<float>(lane) / 31 - 0.5F * static_cast<float>(c);
          const u32 data = format->integer()
                               ? (format->kind == Kind::kSint ? lane - 20 : 900 * lane)
                               : bits(value);
          bench.lab.set_v(4 + c, lane, data);
          if (x >= 9 || y >= 6 || c >= format->channels) continue;
          u32 raw = data;
          const double most = std::ldexp(1, static_cast<int>(format->width)) - 1;
          if (format->kind == Kind::kUnorm)
            raw = static_cast<u32>(std::nearbyint(std::clamp<double>(value, 0, 1) * most));
          if (format->kind == Kind::kSnorm)
            raw = static_cast<u32>(static_cast<std::int32_t>(
                std::nearbyint(std::clamp<double>(value, -1, 1) * ((most - 1) / 2))));
          if (format->kind == Kind::kFloat && format->width == 16) raw = half_bits(value);
          std::memcpy(expected.data() + bench.offset_of(x, y, 0) + c * format->width / 8, &raw,
                      format->width / 8);
        }
      }
      bench.run(bench.text("image_store", "v[4:7]", 0, 2, "dmask:0xf", false));
      ASSERT_EQ(std::memcmp(expected.data(), bench.bytes(), Bench::kSize), 0);
    }
}

// --- samples, by the formulas of the HIP and CUDA programming guides ---

// The index that an address mode makes; -1: the border.
long address(long index, long size, u32 clamp) {
  const auto modulo = [](long a, long b) { return ((a % b) + b) % b; };
  switch (clamp) {
    case 0:
      return modulo(index, size);
    case 1: {
      const long place = modulo(index, 2 * size);
      return std::min(place, 2 * size - 1 - place);
    }
    case 6:
      return index < 0 || index >= size ? -1 : index;
    default:
      return std::max(0L, std::min(index, size - 1));
  }
}

// The sample of one channel at (x, y, z), which count texels.
double sample(const Bench& bench, const Bench::Sampling& sampling, std::array<double, 3> at,
              u32 layer, unsigned channel) {
  const unsigned axes = axes_of(bench.picture.shape);
  const std::array<long, 3> size = {bench.picture.width, bench.picture.height, bench.picture.depth};
  std::array<long, 3> low{};
  std::array<double, 3> up{};
  for (unsigned a = 0; a < axes; ++a) {
    if (!sampling.linear) {
      low[a] = static_cast<long>(std::floor(at[a]));
      continue;
    }
    const double place = std::floor((at[a] - 0.5) * 256 + 0.5) / 256;
    low[a] = static_cast<long>(std::floor(place));
    up[a] = place - std::floor(place);
  }
  double sum = 0;
  for (unsigned corner = 0; corner < (sampling.linear ? 1U << axes : 1U); ++corner) {
    std::array<long, 3> index{};
    double weight = 1;
    bool border = false;
    for (unsigned a = 0; a < axes; ++a) {
      const bool upper = (corner >> a) & 1U;
      if (sampling.linear) weight *= upper ? up[a] : 1 - up[a];
      index[a] = address(low[a] + upper, size[a], sampling.clamp[a]);
      border |= index[a] < 0;
    }
    if (border || weight == 0) continue;
    const u32 z = is_layered(bench.picture.shape) ? layer : static_cast<u32>(index[2]);
    sum += weight * double{real(bench.texel(static_cast<u32>(index[0]), static_cast<u32>(index[1]),
                                            z)[channel])};
  }
  return sum;
}

TEST(Texture, SamplesWithEveryAddressModeAndFilter) {
  const Format& format = format_of(4, 8, Kind::kUnorm);
  for (const Target& target : targets())
    for (const Shape shape : {k1D, k2D, k3D, k1DArray, k2DArray})
      for (const u32 clamp : {0U, 1U, 2U, 6U})
        for (const bool linear : {false, true})
          for (const bool unnormalized : {false, true}) {
            SCOPED_TRACE(fmt::format("{} {} clamp {} linear {} unnormalized {}", target.gfx,
                                     dimension(shape), clamp, linear, unnormalized));
            Bench bench(target);
            Picture picture{.format = &format, .shape = shape, .width = 8};
            if (axes_of(shape) > 1) picture.height = 4;
            if (shape == k3D || is_layered(shape)) picture.depth = 3;
            bench.describe(picture);
            // The axes have different modes, so that none is taken for another.
            const Bench::Sampling sampling{
                .clamp = {clamp, 2, clamp}, .unnormalized = unnormalized, .linear = linear};
            bench.sample_with(sampling);
            const std::array<float, 3> size = {8, 4, 3};
            std::vector<std::array<double, 3>> places;
            std::vector<u32> layers;
            unsigned count = 0;
            for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
              std::array<double, 3> place{};
              std::array<u32, 3> given{};
              for (unsigned a = 0; a < 3; ++a) {
                // Multiples of 1/8 from -1.2 to 2.2 sizes: no rounding is in doubt.
                const auto step = static_cast<double>(bench.random() % 1000) / 1000;
                place[a] = std::floor((step * 3.4 - 1.2) * double{size[a]} * 8) / 8;
                given[a] = bits(static_cast<float>(unnormalized ? place[a] : place[a] / size[a]));
                if (!unnormalized) place[a] = double{real(given[a]) * size[a]};
              }
              const u32 layer = lane % 5;  // the last is beyond, and clamped
              layers.push_back(std::min(layer, 2U));
              if (is_layered(shape)) given[2] = bits(static_cast<float>(layer) + 0.25F);
              places.push_back(place);
              count = set_place(bench, lane, {given[0], given[1], given[2]});
            }
            bench.run(bench.text("image_sample", "v[20:23]", 0, count, "dmask:0xf", true));
            for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
              for (unsigned c = 0; c < 4; ++c)
                ASSERT_NEAR(real(bench.lab.v(20 + c, lane)),
                            sample(bench, sampling, places[lane], layers[lane], c), 1e-6)
                    << lane << " " << c << " at " << places[lane][0] << " " << places[lane][1]
                    << " " << places[lane][2];
          }
}

// What comes before the coordinates is found where the manuals put it: offset, bias, reference
// value, derivatives; the level after them changes nothing.
TEST(Texture, FormsOfSamplesFindTheirCoordinates) {
  struct Form {
    std::string_view name;
    unsigned before;  // dwords
    bool level = false, offset = false;
  };
  const Form forms[] = {
      {"image_sample_lz", 0},
      {"image_sample_l", 0, true},
      {"image_sample_b", 1},
      {"image_sample_d", 4},
      {"image_sample_o", 1, false, true},
      {"image_sample_d_o", 5, false, true},
      {"image_sample_b_o", 2, false, true},
      {"image_sample_d_cl", 4, true},
      {"image_sample_d_g16", 2},
      {"image_sample_d_o_g16", 3, false, true},
      {"image_sample_cl_o", 1, true, true},
  };
  const Format& format = format_of(1, 32, Kind::kFloat);
  for (const Target& target : targets()) {
    unsigned ran = 0;
    for (const Form& form : forms) {
      SCOPED_TRACE(target.gfx + " " + std::string(form.name));
      Bench bench(target);
      bench.describe({.format = &format, .width = 16, .height = 8});
      bench.sample_with({});
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        for (unsigned row = 0; row < 10; ++row) bench.lab.set_v(row, lane, bits(3.0F));
        if (form.offset) bench.lab.set_v(0, lane, 0x3fU | 2U << 8);  // x - 1, y + 2
        set_place(bench, lane,
                  {bits(static_cast<float>(lane % 16) + 0.5F),
                   bits(static_cast<float>(lane / 16) + 0.5F), 0},
                  form.before);
      }
      const std::string line =
          bench.text(form.name, "v20", 0, form.before + 2 + form.level, "dmask:0x1", true);
      if (!bench.lab.accepts(line)) continue;
      ++ran;
      bench.run(line);
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const u32 x = form.offset ? (lane % 16 == 0 ? 0 : lane % 16 - 1) : lane % 16;
        const u32 y = lane / 16 + (form.offset ? 2 : 0);
        ASSERT_EQ(bench.lab.v(20, lane), bench.texel(x, y, 0)[0]) << lane;
      }
    }
    // gfx90a has no extended forms.
    EXPECT_GE(ran, target.gfx == "gfx90a" ? 0U : 7U) << target.gfx;
  }
}

TEST(Texture, ComparisonsGiveHowMuchOfTheFootprintPasses) {
  const Format& format = format_of(1, 32, Kind::kFloat);
  for (const Target& target : targets()) {
    Bench bench(target);
    bench.describe({.format = &format, .width = 2, .height = 1});
    const float texels[] = {0.25F, 0.75F};
    std::memcpy(bench.bytes(), texels, sizeof texels);
    // never, less, equal, less or equal, greater, not equal, greater or equal, always
    const std::function<bool(float, float)> conditions[] = {
        [](float, float) { return false; },      [](float a, float b) { return a < b; },
        [](float a, float b) { return a == b; }, [](float a, float b) { return a <= b; },
        [](float a, float b) { return a > b; },  [](float a, float b) { return a != b; },
        [](float a, float b) { return a >= b; }, [](float, float) { return true; }};
    for (u32 condition = 0; condition < 8; ++condition) {
      SCOPED_TRACE(fmt::format("{} {}", target.gfx, condition));
      bench.sample_with({.linear = true, .compare = condition});
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        bench.lab.set_v(0, lane, bits(static_cast<float>(lane % 5) / 4));
        set_place(bench, lane, {bits(0.75F), bits(0.5F), 0}, 1);
      }
      const std::string line = bench.text("image_sample_c_lz", "v20", 0, 3, "dmask:0x1", true);
      if (!bench.lab.accepts(line)) break;
      bench.run(line);
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const float reference = static_cast<float>(lane % 5) / 4;
        const float expected = (conditions[condition](reference, 0.25F) ? 0.75F : 0.0F) +
                               (conditions[condition](reference, 0.75F) ? 0.25F : 0.0F);
        ASSERT_EQ(real(bench.lab.v(20, lane)), expected) << reference;
      }
    }
  }
}

TEST(Texture, GathersTheFourTexelsAround) {
  const Format& format = format_of(4, 8, Kind::kUint);
  for (const Target& target : targets())
    for (unsigned component = 0; component < 4; ++component) {
      SCOPED_TRACE(fmt::format("{} {}", target.gfx, component));
      Bench bench(target);
      bench.describe({.format = &format, .width = 9, .height = 8});
      bench.sample_with({});
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        set_place(bench, lane,
                  {bits(static_cast<float>(lane % 8) + 1.0F),
                   bits(static_cast<float>(lane / 8 % 7) + 1.25F), 0});
      const std::string line = bench.text("image_gather4_lz", "v[20:23]", 0, 2,
                                          fmt::format("dmask:{:#x}", 1U << component), true);
      if (!bench.lab.accepts(line)) continue;
      bench.run(line);
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
        const u32 x = lane % 8, y = lane / 8 % 7;
        const u32 expected[] = {
            bench.texel(x, y + 1, 0)[component], bench.texel(x + 1, y + 1, 0)[component],
            bench.texel(x + 1, y, 0)[component], bench.texel(x, y, 0)[component]};
        for (unsigned k = 0; k < 4; ++k)
          ASSERT_EQ(bench.lab.v(20 + k, lane), expected[k]) << lane << " " << k;
      }
    }
}

TEST(Texture, BordersHaveTheSamplersColor) {
  const Format& format = format_of(4, 8, Kind::kUnorm);
  for (const Target& target : targets())
    for (const u32 color : {0U, 1U, 2U}) {
      SCOPED_TRACE(fmt::format("{} {}", target.gfx, color));
      Bench bench(target);
      bench.describe({.format = &format, .width = 4, .height = 4});
      bench.sample_with({.clamp = {6, 6, 6}, .border = color});
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        set_place(bench, lane, {bits(-3.0F), bits(1.0F), 0});
      bench.run(bench.text("image_sample", "v[20:23]", 0, 2, "dmask:0xf", true));
      for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(real(bench.lab.v(20 + c, 3)), color == 2 || (color == 1 && c == 3) ? 1 : 0) << c;
    }
}

// --- the rest ---

TEST(Texture, AtomicsOnTexels) {
  const Format& format = format_of(1, 32, Kind::kUint);
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.gfx);
    Bench bench(target);
    bench.describe({.format = &format, .width = 4, .height = 4});
    const u32 before = bench.texel(1, 2, 0)[0];
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
      set_place(bench, lane, {lane == 5 ? 9U : 1U, 2, 0});
      bench.lab.set_v(20, lane, 3);
    }
    const bool new_name = target.gfx == "gfx1201";
    bench.run(bench.text(new_name ? "image_atomic_add_uint" : "image_atomic_add", "v20", 0, 2,
                         "dmask:0x1", false) +
              (new_name ? " th:TH_ATOMIC_RETURN" : " glc"));
    EXPECT_EQ(bench.texel(1, 2, 0)[0], before + 3 * (bench.lab.lanes() - 1));
    EXPECT_EQ(bench.lab.v(20, 0), before) << "lanes act in order";
    EXPECT_EQ(bench.lab.v(20, 5), 0U) << "outside";
    EXPECT_EQ(bench.lab.v(20, 6), before + 15);
  }
}

TEST(Texture, SizesOfAnImage) {
  const Format& format = format_of(2, 32, Kind::kSint);
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.gfx);
    Bench bench(target);
    bench.describe({.format = &format, .shape = k3D, .width = 21, .height = 3, .depth = 5});
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) bench.lab.set_v(0, lane, 0);
    bench.run(bench.text("image_get_resinfo", "v[20:23]", 0, 1, "dmask:0xf", false));
    const u32 expected[] = {21, 3, 5, 1};
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bench.lab.v(20 + i, 2), expected[i]);
  }
}

TEST(Texture, WhatIsNotModelledStopsTheKernel) {
  const Format& format = format_of(1, 32, Kind::kFloat);
  for (const Target& target : targets()) {
    const auto refused = [&](Picture picture, std::string_view why) {
      Bench bench(target);
      bench.describe(std::move(picture));
      bench.sample_with({});
      bench.lab.run(bench.text("image_sample", "v20", 0, bench.picture.shape == kCube ? 3 : 2,
                               "dmask:0x1", true));
      EXPECT_EQ(bench.lab.wave().state, WaveState::kFault) << target.gfx;
      EXPECT_NE(bench.lab.wave().fault.what.find(why), std::string::npos)
          << target.gfx << ": " << bench.lab.wave().fault.what;
    };
    refused({.format = &format, .width = 4, .height = 4, .swizzle = 9}, "tiled");
    refused({.format = &format, .width = 4, .height = 4, .levels = 3}, "levels");
    refused({.format = &format, .shape = kCube, .width = 4, .height = 4, .depth = 6}, "cube");
  }
}

// Image instructions do not exist on these.
TEST(Texture, Gfx942AndGfx950HaveNone) {
  for (const char* gfx : {"gfx942", "gfx950"})
    EXPECT_FALSE(Lab(gfx).accepts("image_load v0, v1, s[8:15] dmask:0x1 unorm")) << gfx;
}

// An access outside the allocation is a fault, whatever the descriptor promises.
TEST(Texture, DescriptorsDoNotReachOtherMemory) {
  const Format& format = format_of(4, 32, Kind::kFloat);
  for (const Target& target : targets()) {
    Bench bench(target);
    bench.describe({.format = &format, .width = 4096, .height = 4096});
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
      set_place(bench, lane, {4095, 4095, 0});
    bench.lab.run(bench.text("image_load", "v[20:23]", 0, 2, "dmask:0xf", false));
    EXPECT_EQ(bench.lab.wave().state, WaveState::kFault) << target.gfx;
    EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kBadAddress) << target.gfx;
  }
}

// Whatever a descriptor, a sampler and coordinates hold, an instruction ends or faults, and only
// the buffer changes. HIPWRIGHT_TEST_FULL runs a million.
TEST(Texture, RandomDescriptorsStayInTheBuffer) {
  const int rounds = std::getenv("HIPWRIGHT_TEST_FULL") ? 200'000 : 100;
  const Format& format = format_of(4, 8, Kind::kUnorm);
  for (const Target& target : targets()) {
    Bench bench(target);
    const u64 guard = bench.lab.memory().allocate(Bench::kSize, MemoryKind::kDevice, false).value();
    const std::vector<std::uint8_t> before(
        reinterpret_cast<const std::uint8_t*>(guard),
        reinterpret_cast<const std::uint8_t*>(guard) + Bench::kSize);
    std::vector<std::string> lines;
    for (const Shape shape : {k1D, k2D, k3D, k1DArray, k2DArray}) {
      bench.describe({.format = &format, .shape = shape, .width = 16});
      const unsigned count = axes_of(shape) + (is_layered(shape) ? 1 : 0);
      lines.push_back(bench.text("image_load", "v[20:23]", 0, count, "dmask:0xf", false));
      lines.push_back(bench.text("image_store", "v[20:23]", 0, count, "dmask:0xf", false));
      lines.push_back(bench.text("image_sample", "v[20:23]", 0, count, "dmask:0xf", true));
    }
    const std::string gather =
        (bench.describe({.format = &format, .width = 16}),
         bench.text("image_gather4_lz", "v[20:23]", 0, 2, "dmask:0x1", true));
    if (bench.lab.accepts(gather)) lines.push_back(gather);
    std::size_t ended = 0;
    for (int round = 0; round < rounds; ++round) {
      // Valid but for a few random fields, so that many get as far as memory.
      const auto random = [&] { return static_cast<u32>(bench.random()); };
      const Shape shapes[] = {k1D, k2D, k3D, k1DArray, k2DArray};
      bench.describe({.format = &formats()[random() % formats().size()],
                      .shape = shapes[random() % 5],
                      .width = 1 + random() % 64,
                      .height = 1 + random() % 64,
                      .depth = 1 + random() % 8});
      for (unsigned i = 0; i < random() % 3; ++i)
        bench.lab.set_s(8 + random() % 8, bench.lab.s(8 + random() % 8) ^ (1U << random() % 32));
      for (unsigned i = 16; i < 20; ++i) bench.lab.set_s(i, random() & random());
      for (unsigned row = 0; row < 24; ++row)
        for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
          bench.lab.set_v(row, lane, random() % 4 ? random() % 80 : random());
      const std::string& line = lines[random() % lines.size()];
      bench.lab.run(line);
      const WaveState state = bench.lab.wave().state;
      ASSERT_TRUE(state == WaveState::kEnded || state == WaveState::kFault) << line;
      ended += state == WaveState::kEnded;
    }
    EXPECT_GT(ended, 10U) << target.gfx << ": hardly any got as far as memory";
    EXPECT_EQ(std::memcmp(before.data(), reinterpret_cast<const void*>(guard), Bench::kSize), 0);
  }
}

// --- formatted buffers ---

TEST(Texture, BuffersOfTexels) {
  for (const std::string& gfx : all_targets()) {
    const bool old = gfx.starts_with("gfx9");
    for (const Format& format : formats()) {
      if (format.kind == Kind::kSrgb) continue;  // buffers have none
      SCOPED_TRACE(fmt::format("{} {}x{} kind {}", gfx, format.channels, format.width,
                               static_cast<int>(format.kind)));
      Target target;
      target.gfx = gfx;
      target.format = {{0, 1}};
      Bench bench(target);
      const u32 number = gfx == "gfx1030" ? format.gfx10 : format.gfx11;
      const auto select = usual_select(format);
      bench.lab.set_s(8, static_cast<u32>(bench.begin));
      bench.lab.set_s(9, static_cast<u32>(bench.begin >> 32) | format.bytes() << 16);
      bench.lab.set_s(10, 40);
      bench.lab.set_s(11,
                      select[0] | select[1] << 3 | select[2] << 6 | select[3] << 9 |
                          (old ? format.interpretation << 12 | format.layout << 15 : number << 12));
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        bench.lab.set_v(0, lane, lane == 3 ? ~0U : lane);
      bench.run(fmt::format("buffer_load_format_xyzw v[20:23], v0, s[8:11], {} idxen",
                            gfx == "gfx1201" ? "null" : "0"));
      for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
        for (unsigned c = 0; c < 4; ++c) {
          u32 expected = 0;
          if (select[c] >= 4) {
            u32 raw = 0;
            std::memcpy(&raw, bench.bytes() + lane * format.bytes() + c * format.width / 8,
                        format.width / 8);
            expected = value_of(format, raw, c);
          } else if (select[c] == 1) {
            expected = format.integer() ? 1 : bits(1.0F);
          }
          if (lane >= 40 || lane == 3) expected = 0;
          ASSERT_PRED2(same, bench.lab.v(20 + c, lane), expected) << lane << " " << c;
        }
      // What was read is stored elsewhere as the same bytes, and nothing else is.
      bench.lab.set_s(8, static_cast<u32>(bench.begin + 0x4000));
      std::vector<std::uint8_t> expected(bench.bytes(), bench.bytes() + Bench::kSize);
      for (u32 record = 0; record < std::min(40U, bench.lab.lanes()); ++record)
        if (record != 3)
          std::memcpy(expected.data() + 0x4000 + record * format.bytes(),
                      expected.data() + record * format.bytes(), format.bytes());
      bench.run(fmt::format("buffer_store_format_xyzw v[20:23], v0, s[8:11], {} idxen",
                            gfx == "gfx1201" ? "null" : "0"));
      // -1 has two encodings, and a NaN of 16 bits returns quiet.
      if (format.kind != Kind::kSnorm && !(format.kind == Kind::kFloat && format.width == 16))
        ASSERT_EQ(std::memcmp(expected.data(), bench.bytes(), Bench::kSize), 0);
    }
  }
}

}  // namespace
}  // namespace hipwright::soft
