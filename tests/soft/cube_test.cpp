// SPDX-License-Identifier: MIT
// Cube maps: the face, the axis and the coordinates of a direction, on every target.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

struct Direction {
  float x, y, z;
};
struct Place {
  float face, axis, s, t;
};

// The manuals' table of faces +x, -x, +y, -y, +z, -z: which axes become s and t, and their signs.
Place place_of(const Direction& d) {
  struct Face {
    int axis;
    bool negative;
    int s, s_sign, t, t_sign;
  };
  constexpr std::array<Face, 6> kFaces = {{{0, false, 2, -1, 1, -1},
                                           {0, true, 2, 1, 1, -1},
                                           {1, false, 0, 1, 2, 1},
                                           {1, true, 0, 1, 2, -1},
                                           {2, false, 0, 1, 1, -1},
                                           {2, true, 0, -1, 1, -1}}};
  const std::array<float, 3> v = {d.x, d.y, d.z};
  int axis = 2;
  for (const int other : {1, 0})
    if (std::fabs(v[static_cast<std::size_t>(other)]) >
        std::fabs(v[static_cast<std::size_t>(axis)]))
      axis = other;
  const auto at = [&](int i) { return v[static_cast<std::size_t>(i)]; };
  const std::size_t face = static_cast<std::size_t>(axis) * 2 + (at(axis) < 0 ? 1 : 0);
  const Face& f = kFaces[face];
  return {static_cast<float>(face), 2 * at(axis), static_cast<float>(f.s_sign) * at(f.s),
          static_cast<float>(f.t_sign) * at(f.t)};
}

TEST(Cube, FacesAndCoordinates) {
  std::vector<Direction> directions;
  for (const float x : {-3.0F, -1.0F, 0.0F, 0.5F, 1.0F, 3.0F})
    for (const float y : {-3.0F, -2.0F, 0.0F, 0.25F, 1.0F, 3.0F})
      for (const float z : {-3.0F, -1.5F, 0.0F, 0.125F, 1.0F, 3.0F})
        directions.push_back({x, y, z});
  for (const std::string& target : all_targets()) {
    Lab lab(target);
    const unsigned lanes = lab.lanes();
    for (std::size_t first = 0; first < directions.size(); first += lanes) {
      const auto direction = [&](unsigned lane) {
        return directions[(first + lane) % directions.size()];
      };
      for (unsigned lane = 0; lane < lanes; ++lane) {
        lab.set_v(0, lane, std::bit_cast<std::uint32_t>(direction(lane).x));
        lab.set_v(1, lane, std::bit_cast<std::uint32_t>(direction(lane).y));
        lab.set_v(2, lane, std::bit_cast<std::uint32_t>(direction(lane).z));
      }
      lab.run(
          "v_cubeid_f32 v4, v0, v1, v2\nv_cubema_f32 v5, v0, v1, v2\n"
          "v_cubesc_f32 v6, v0, v1, v2\nv_cubetc_f32 v7, v0, v1, v2");
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const Direction d = direction(lane);
        const Place expected = place_of(d);
        SCOPED_TRACE(target + " " + std::to_string(d.x) + " " + std::to_string(d.y) + " " +
                     std::to_string(d.z));
        const auto got = [&](unsigned row) { return std::bit_cast<float>(lab.v(row, lane)); };
        EXPECT_EQ(got(4), expected.face);
        EXPECT_EQ(got(5), expected.axis);
        EXPECT_EQ(got(6), expected.s);
        EXPECT_EQ(got(7), expected.t);
      }
    }
  }
}

}  // namespace
}  // namespace hipwright::soft
