// SPDX-License-Identifier: MIT
// The rules behind the advice. Each looks for one opportunity and says what it is worth.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/advice/advice.h"

namespace hipwright::trace {

// What the rules look at.
struct Facts {
  const Trace& trace;
  const Summary& summary;
  std::vector<Category> categories;  // of the GPU events
  // GPU events of each stream, in order.
  std::vector<std::vector<std::uint32_t>> streams;

  const std::string& kernel(std::uint32_t event) const { return trace.text(trace.gpu[event].name); }
  Nanoseconds length(std::uint32_t event) const { return trace.gpu[event].time.length(); }
  bool is_amd() const;
  unsigned wave() const;  // lanes
};

// A set of kernels: how long they take, and the heaviest by name.
class Evidence {
 public:
  explicit Evidence(const Facts& facts) : facts_(facts) {}
  void add(std::uint32_t event);
  Nanoseconds time() const { return time_; }
  std::size_t count() const { return count_; }
  std::vector<std::string> lines(std::size_t most = 3) const;

 private:
  const Facts& facts_;
  Nanoseconds time_ = 0;
  std::size_t count_ = 0;
  std::unordered_map<std::uint32_t, std::pair<Nanoseconds, std::size_t>> names_;
};

// All events whose name and category satisfy a condition.
Evidence events_where(const Facts& facts,
                      const std::function<bool(std::string_view name, Category category)>& wanted);

Evidence of_category(const Facts& facts, Category category);

double ms(Nanoseconds time);
Nanoseconds part(Nanoseconds time, double share);
double percent_of(const Facts& facts, Nanoseconds time);  // of the span
std::string share(const Facts& facts, Nanoseconds time);  // "1.250 ms (3.1% of the span)"

// What a remedy saves of a time, at most and usually.
struct Saving {
  double bound, expected;
};
// `text`: code, title, step, figures and next.
Advice advice_on(const Evidence& evidence, Nanoseconds time, Saving saving, Advice text);
Advice advice_on(const Evidence& evidence, Saving saving, Advice text);

using Rule = std::optional<Advice> (*)(const Facts& facts);

// idle.cpp
std::optional<Advice> host_stall(const Facts& facts);
std::optional<Advice> unknown_idle(const Facts& facts);
std::optional<Advice> graph_capture(const Facts& facts);
std::optional<Advice> host_synchronisation(const Facts& facts);
std::optional<Advice> communication(const Facts& facts);
std::optional<Advice> exposed_copies(const Facts& facts);
// gemm.cpp
std::optional<Advice> gemm_tuning(const Facts& facts);
std::optional<Advice> small_gemms(const Facts& facts);
std::optional<Advice> fp32_gemms(const Facts& facts);
std::optional<Advice> projections(const Facts& facts);
std::optional<Advice> moe_backend(const Facts& facts);
std::optional<Advice> convolution_search(const Facts& facts);
std::optional<Advice> convolution_layout(const Facts& facts);
// attention.cpp
std::optional<Advice> attention_math(const Facts& facts);
std::optional<Advice> attention_backend(const Facts& facts);
std::optional<Advice> repeat_kv(const Facts& facts);
// fusion.cpp
std::optional<Advice> activation_and_product(const Facts& facts);
std::optional<Advice> norm_chain(const Facts& facts);
std::optional<Advice> residual_and_norm(const Facts& facts);
std::optional<Advice> copies_and_casts(const Facts& facts);
std::optional<Advice> elementwise_fusion(const Facts& facts);
std::optional<Advice> optimizer_fusion(const Facts& facts);
std::optional<Advice> one_warp(const Facts& facts);

}  // namespace hipwright::trace
