// SPDX-License-Identifier: MIT
// Cross-lane instructions against models that move lanes one by one, on every target and wave
// size, with all and with some lanes active.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Config {
  std::string gfx;
  unsigned wave_size;
};
std::vector<Config> configs() {
  std::vector<Config> all;
  for (const std::string& gfx : all_targets()) {
    all.push_back({gfx, 64});
    if (gfx.starts_with("gfx1")) all.push_back({gfx, 32});
  }
  return all;
}

constexpr u64 kMasks[] = {~u64{0},
                          0x5555'aaaa'1234'f00fULL,
                          1,
                          u64{1} << 63,
                          0x0000'0000'ffff'0000ULL,
                          0xffff'ffff'0000'0000ULL,
                          0};

class Lanes : public testing::TestWithParam<Config> {
 protected:
  Lanes() : lab_(GetParam().gfx, GetParam().wave_size), n_(lab_.lanes()) {}

  void fill(u64 seed) {
    std::mt19937_64 random(seed);
    for (const unsigned row : {1U, 2U, 3U})
      for (unsigned i = 0; i < n_; ++i) lab_.set_v(row, i, static_cast<u32>(random()));
    for (const unsigned s : {2U, 3U, 4U}) lab_.set_s(s, static_cast<u32>(random()));
  }
  bool active(unsigned lane) const { return (exec_ >> lane) & 1; }
  void set_exec(u64 mask) {
    lab_.wave().set_exec(mask);
    exec_ = lab_.wave().exec;
  }
  std::vector<u32> row(unsigned r) const {
    std::vector<u32> values(n_);
    for (unsigned i = 0; i < n_; ++i) values[i] = lab_.v(r, i);
    return values;
  }
  // Runs `text` under every mask; `model` says lane i of v1 from the old rows 1, 2, 3.
  using Model = std::function<u32(unsigned i, const std::vector<u32>& v1,
                                  const std::vector<u32>& v2, const std::vector<u32>& v3)>;
  void expect(const std::string& text, const Model& model) {
    if (!lab_.accepts(text)) return;
    ++ran_;
    u64 seed = 1;
    for (const u64 mask : kMasks) {
      fill(++seed);
      set_exec(mask);
      const auto v1 = row(1), v2 = row(2), v3 = row(3);
      lab_.run(text);
      ASSERT_NE(lab_.wave().state, WaveState::kFault) << lab_.wave().fault.what;
      for (unsigned i = 0; i < n_; ++i) {
        const u32 expected = active(i) ? model(i, v1, v2, v3) : v1[i];
        ASSERT_EQ(lab_.v(1, i), expected) << text << " lane " << i << " exec " << std::hex << exec_;
      }
    }
  }

  Lab lab_;
  unsigned n_;
  u64 exec_ = 0;
  unsigned ran_ = 0;
};

TEST_P(Lanes, ReadlaneIgnoresExec) {
  fill(3);
  for (const u64 mask : kMasks) {
    set_exec(mask);
    for (const u32 lane : {0U, 5U, 31U, 32U, 63U, 70U, 0xffffffffU}) {
      lab_.set_s(4, lane);
      lab_.set_s(kM0, lane);  // gfx9 reads one register besides m0
      lab_.run("v_readlane_b32 s5, v2, s4");
      ASSERT_EQ(lab_.s(5), lab_.v(2, lane % n_)) << lane;
      const auto before = row(1);
      lab_.run("v_writelane_b32 v1, s3, m0");
      for (unsigned i = 0; i < n_; ++i)
        ASSERT_EQ(lab_.v(1, i), i == lane % n_ ? lab_.s(3) : before[i]);
    }
    lab_.run("v_readlane_b32 s5, v2, 7");
    ASSERT_EQ(lab_.s(5), lab_.v(2, 7));
  }
}

TEST_P(Lanes, ReadfirstlaneTakesTheLowestActiveLane) {
  fill(4);
  for (const u64 mask : kMasks) {
    set_exec(mask);
    unsigned first = 0;
    for (unsigned i = n_; i-- > 0;)
      if (active(i)) first = i;
    lab_.run("v_readfirstlane_b32 s5, v2");
    ASSERT_EQ(lab_.s(5), lab_.v(2, first)) << std::hex << exec_;
  }
}

TEST_P(Lanes, Permlane16) {
  for (const bool other : {false, true})
    for (const bool fi : {false, true})
      for (const bool bc : {false, true}) {
        const std::string sel =
            fi || bc ? " op_sel:[" + std::to_string(fi) + "," + std::to_string(bc) + "]" : "";
        const std::string name = other ? "v_permlanex16" : "v_permlane16";
        const auto model = [&](unsigned i, unsigned selector, u32 old,
                               const std::vector<u32>& source) {
          const unsigned row = i / 16, from_row = other ? (row % 2 ? row - 1 : row + 1) : row;
          const unsigned from = from_row * 16 + selector;
          if (active(from) || fi) return source[from];
          return bc ? 0U : old;
        };
        expect(name + "_b32 v1, v2, s2, s3" + sel,
               [&](unsigned i, const auto& v1, const auto& v2, const auto&) {
                 const u32 word = lab_.s(i % 16 < 8 ? 2 : 3);
                 return model(i, (word >> (i % 8 * 4)) % 16, v1[i], v2);
               });
        expect(name + "_var_b32 v1, v2, v3" + sel,
               [&](unsigned i, const auto& v1, const auto& v2, const auto& v3) {
                 return model(i, v3[i] % 16, v1[i], v2);
               });
      }
  const bool gfx9 = GetParam().gfx.starts_with("gfx9");
  EXPECT_EQ(ran_, gfx9 ? 0U : GetParam().gfx == "gfx1201" ? 16U : 8U);
}

TEST_P(Lanes, Permlane64) {
  expect("v_permlane64_b32 v1, v2", [&](unsigned i, const auto& v1, const auto& v2, const auto&) {
    return n_ == 32 ? v1[i] : v2[(i + 32) % 64];
  });
}

TEST_P(Lanes, PermlaneSwap) {
  for (const unsigned span : {16U, 32U})
    for (const bool fi : {false, true})
      for (const bool bc : {false, true}) {
        std::string text = "v_permlane" + std::to_string(span) + "_swap_b32";
        if (fi || bc) text += "_e64";
        text += " v1, v2";
        if (bc) text += " bound_ctrl:1";
        if (fi) text += " fi:1";
        if (!lab_.accepts(text)) continue;
        for (const u64 mask : kMasks) {
          fill(mask + 9);
          set_exec(mask);
          auto v1 = row(1), v2 = row(2);
          const auto old1 = v1, old2 = v2;
          for (unsigned low = 0; low < 64; ++low) {
            if (low / span % 2) continue;
            const unsigned high = low + span;
            // v1[high] and v2[low] change places.
            if (active(high)) v1[high] = active(low) || fi ? old2[low] : bc ? 0 : old1[high];
            if (active(low)) v2[low] = active(high) || fi ? old1[high] : bc ? 0 : old2[low];
          }
          lab_.run(text);
          EXPECT_EQ(row(1), v1) << text << std::hex << mask;
          EXPECT_EQ(row(2), v2) << text << std::hex << mask;
        }
      }
}

// Waves of 64 on gfx10 and gfx11 permute their halves separately.
TEST_P(Lanes, DsPermutes) {
  const unsigned span = GetParam().gfx == "gfx1030" || GetParam().gfx == "gfx1100" ? 32 : n_;
  for (const unsigned offset : {0U, 4U, 60U}) {
    const std::string with = offset ? " offset:" + std::to_string(offset) : "";
    const auto lane_of = [=](unsigned i, u32 address) {
      return i / span * span + static_cast<u32>(address + offset) / 4 % span;
    };
    expect("ds_bpermute_b32 v1, v2, v3" + with,
           [&](unsigned i, const auto&, const auto& v2, const auto& v3) {
             const unsigned from = lane_of(i, v2[i]);
             return active(from) ? v3[from] : 0;
           });
    expect("ds_bpermute_fi_b32 v1, v2, v3" + with,
           [&](unsigned i, const auto&, const auto& v2, const auto& v3) {
             return v3[lane_of(i, v2[i])];
           });
    expect("ds_permute_b32 v1, v2, v3" + with,
           [&](unsigned i, const auto&, const auto& v2, const auto& v3) {
             u32 result = 0;
             for (unsigned j = 0; j < n_; ++j)
               if (active(j) && lane_of(j, v2[j]) == i) result = v3[j];
             return result;
           });
  }
  EXPECT_EQ(ran_, GetParam().gfx == "gfx1201" ? 9U : 6U);
}

// The manuals' pseudocode, with the patterns' fields as they name them.
unsigned swizzle_source(unsigned offset, unsigned i) {
  if (offset >= 0xe000) {
    const unsigned mask = offset & 0x1f;
    unsigned reversed = 0, count = 0;
    for (unsigned b = 0; b < 5; ++b) {
      if (i & (1u << b)) reversed += 16u >> b;
      count += (mask >> b) & 1;
    }
    return ((reversed >> count) | (i & mask & 31)) % 32 + i / 32 * 32;
  }
  if (offset >= 0xc000) {
    const int mask = static_cast<int>(offset & 0x1f);
    int rotate = static_cast<int>((offset >> 5) & 0x1f);
    if (offset & 0x400) rotate = -rotate;
    const int lane = static_cast<int>(i % 32);
    return static_cast<unsigned>((lane & mask) | ((lane + rotate) & ~mask & 31)) + i / 32 * 32;
  }
  if (offset & 0x8000) return i / 4 * 4 + (offset >> (i % 4 * 2)) % 4;
  return ((((i % 32) & (offset % 32)) | ((offset >> 5) % 32)) ^ ((offset >> 10) % 32)) +
         i / 32 * 32;
}

TEST_P(Lanes, DsSwizzle) {
  std::mt19937 random(5);
  std::vector<unsigned> offsets = {0x041f, 0x401f, 0x001f, 0x0000, 0x7fff, 0x80e4, 0x801b, 0x80ff,
                                   0xc020, 0xc420, 0xc7e3, 0xe000, 0xe00f, 0xe01f, 0xe003};
  for (unsigned i = 0; i < 20; ++i) offsets.push_back(random() & 0x7fff);
  for (const unsigned offset : offsets)
    expect("ds_swizzle_b32 v1, v2 offset:" + std::to_string(offset),
           [&](unsigned i, const auto&, const auto& v2, const auto&) {
             const unsigned from = swizzle_source(offset, i);
             return active(from) ? v2[from] : 0;
           });
  EXPECT_EQ(ran_, offsets.size());
}

INSTANTIATE_TEST_SUITE_P(Targets, Lanes, testing::ValuesIn(configs()), [](const auto& each) {
  return each.param.gfx + "_wave" + std::to_string(each.param.wave_size);
});

}  // namespace
}  // namespace hipwright::soft
