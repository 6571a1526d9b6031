// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct Places {
  i64 first, second;
  Places(i64 place, i64 rotated, i64 half_head, bool interleaved) {
    const bool turns = place < rotated;
    first = interleaved ? 2 * place : turns ? place : rotated + place;
    second = first + (interleaved ? 1 : turns ? rotated : half_head - rotated);
  }
};

struct RopeOf {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride,
                  const i64* positions, const float* cosines, i64 cosine_stride, const float* sines,
                  i64 sine_stride, i64 tokens, i64 pairs, int half_head, int rotated,
                  int interleaved) {
    each_stretch(share, tokens, pairs, [&](i64 token, i64 begin, i64 end) {
      const float* const cosine = cosines + positions[token] * cosine_stride;
      const float* const sine = sines + positions[token] * sine_stride;
      for (i64 pair = begin; pair < end;) {
        const i64 head = pair / half_head;
        const i64 place = pair - head * half_head;
        const i64 last = head * half_head + half_head < end ? half_head : end - head * half_head;
        const i64 offset = head * 2 * half_head;
        turn<T, Real>(out + token * out_stride + offset, x + token * x_stride + offset, cosine,
                      sine, place, last, rotated, half_head, interleaved != 0);
        pair += last - place;
      }
    });
  }

  // The pairs [begin, end) of one head.
  template <class T, class Real>
  static void turn(T* to, const T* from, const float* cosine, const float* sine, i64 begin, i64 end,
                   i64 rotated, i64 half_head, bool interleaved) {
    for (i64 place = begin; place < end; ++place) {
      const Places at(place, rotated, half_head, interleaved);
      const T a = from[at.first], b = from[at.second];
      if (place >= rotated) {
        to[at.first] = a;
        to[at.second] = b;
        continue;
      }
      const Real c = real<Real>(cosine[place]), s = real<Real>(sine[place]);
      narrow(to[at.first], real<Real>(a) * c - real<Real>(b) * s);
      narrow(to[at.second], real<Real>(b) * c + real<Real>(a) * s);
    }
  }
};

}  // namespace

CpuFunctions rope() {
  return cpu_functions<RopeOf>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
