// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

#include <cstdlib>

#include "kernels/attention/arguments.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

// Scores of one query, as many as it sees keys; kept for the thread's next call.
template <class Real>
class Scores {
 public:
  ~Scores() { std::free(data_); }
  Real* of(i64 count) {
    if (count > count_) {
      std::free(data_);
      data_ = static_cast<Real*>(std::malloc(static_cast<std::size_t>(count) * sizeof(Real)));
      if (data_ == nullptr) std::abort();
      count_ = count;
    }
    return data_;
  }
  static Scores& of_thread() {
    thread_local Scores scores;
    return scores;
  }

 private:
  Real* data_ = nullptr;
  i64 count_ = 0;
};

constexpr int kMostHead = 256;

// One query of one sequence: where its keys are, and which of them it sees.
struct Query {
  const AttentionArguments& g;
  i64 index, key_begin, begin, end;

  Query(const AttentionArguments& arguments, i64 row, i64 sequence)
      : g(arguments), index(sequence) {
    const i64 query_begin = g.query_starts != nullptr ? g.query_starts[index] : index * g.queries;
    const i64 queries =
        g.query_starts != nullptr ? g.query_starts[index + 1] - query_begin : g.queries;
    key_begin = g.key_starts != nullptr ? g.key_starts[index] : index * g.keys;
    i64 keys = g.key_starts != nullptr ? g.key_starts[index + 1] - key_begin : g.keys;
    if (g.pages != nullptr) keys = g.key_counts[index];
    const i64 own = row - query_begin + keys - queries;  // the key of the query's own token
    begin = g.window > 0 && own + 1 > g.window ? own + 1 - g.window : 0;
    end = g.causal != 0 && own + 1 < keys ? own + 1 : keys;
    if (end < begin) end = begin;
  }
  i64 row_of(i64 key) const {
    if (g.pages == nullptr) return key_begin + key;
    const i64 page = g.pages[index * g.pages_stride + key / g.page_size];
    return page * g.page_size + key % g.page_size;
  }
};

struct AttentionOperation {
  template <class T, class Real>
  static void run(Share share, AttentionArguments g) {
    const Rows mine(share, g.rows * g.heads);
    i64 sequence = 0;
    for (i64 i = mine.begin; i < mine.end; ++i) {
      // Heads one after the other: their keys stay in the cache.
      const i64 head = i / g.rows, row = i % g.rows;
      if (g.query_starts == nullptr) {
        sequence = row / g.queries;
      } else {
        if (row < g.query_starts[sequence]) sequence = 0;
        while (row >= g.query_starts[sequence + 1]) ++sequence;
      }
      attend<T, Real>(Query(g, row, sequence), row, head);
    }
  }

  template <class T, class Real>
  static void attend(const Query& query, i64 row, i64 head) {
    const AttentionArguments& g = query.g;
    const i64 column = head / (g.heads / g.kv_heads) * g.head_size;
    const T* const q = static_cast<const T*>(g.q) + row * g.q_stride + head * g.head_size;
    const i64 count = query.end - query.begin;
    Real* const scores = Scores<Real>::of_thread().of(count);
    Real wide[kMostHead];
    for (int e = 0; e < g.head_size; ++e) wide[e] = real<Real>(q[e]) * real<Real>(g.scale);
    for (i64 i = 0; i < count; ++i) {
      const T* const key =
          static_cast<const T*>(g.k) + query.row_of(query.begin + i) * g.k_stride + column;
      scores[i] = sum<Real>(g.head_size, [&](i64 e) { return wide[e] * real<Real>(key[e]); });
    }
    const Real most = largest<Real>(count, [&](i64 i) { return scores[i]; });
    for (i64 i = 0; i < count; ++i) scores[i] = exponential(scores[i] - most);
    const Real all = sum<Real>(count, [&](i64 i) { return scores[i]; });
    Real results[kMostHead] = {};
    for (i64 i = 0; i < count; ++i) {
      const T* const value =
          static_cast<const T*>(g.v) + query.row_of(query.begin + i) * g.v_stride + column;
      const Real weight = scores[i];
      for (int e = 0; e < g.head_size; ++e) results[e] += weight * real<Real>(value[e]);
    }
    const Real inverse = all > 0 ? 1 / all : 0;
    T* const out = static_cast<T*>(g.out) + row * g.out_stride + head * g.head_size;
    for (int e = 0; e < g.head_size; ++e) narrow(out[e], results[e] * inverse);
  }
};

}  // namespace

CpuFunctions attention() {
  return cpu_functions<AttentionOperation>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
