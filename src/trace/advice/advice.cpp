// SPDX-License-Identifier: MIT
#include "trace/advice/advice.h"

#include <algorithm>

#include <fmt/format.h>

#include "arch/arch.h"
#include "base/words.h"
#include "trace/advice/rules.h"

namespace hipwright::trace {

namespace {

constexpr Rule kRules[] = {
    host_stall,
    unknown_idle,
    graph_capture,
    host_synchronisation,
    communication,
    exposed_copies,
    gemm_tuning,
    small_gemms,
    fp32_gemms,
    projections,
    moe_backend,
    convolution_search,
    convolution_layout,
    attention_math,
    attention_backend,
    repeat_kv,
    activation_and_product,
    norm_chain,
    residual_and_norm,
    copies_and_casts,
    elementwise_fusion,
    optimizer_fusion,
    one_warp,
};

constexpr double kLeast = 0.01;  // of the span

}  // namespace

double ms(Nanoseconds time) {
  return static_cast<double>(time) * 1e-6;
}

Nanoseconds part(Nanoseconds time, double share) {
  return static_cast<Nanoseconds>(static_cast<double>(time) * share);
}

double percent_of(const Facts& facts, Nanoseconds time) {
  const Nanoseconds span = facts.summary.span;
  return span > 0 ? 100 * static_cast<double>(time) / static_cast<double>(span) : 0;
}

std::string share(const Facts& facts, Nanoseconds time) {
  return fmt::format("{:.3f} ms ({:.1f}% of the span)", ms(time), percent_of(facts, time));
}

Advice advice_on(const Evidence& evidence, Nanoseconds time, Saving saving, Advice text) {
  text.bound = part(time, saving.bound);
  text.expected = part(time, saving.expected);
  text.evidence = evidence.lines();
  return text;
}

Advice advice_on(const Evidence& evidence, Saving saving, Advice text) {
  return advice_on(evidence, evidence.time(), saving, std::move(text));
}

bool Facts::is_amd() const {
  if (summary.peaks) return !summary.peaks->gfx.empty();
  return !has_any(summary.device, {"NVIDIA", "GeForce", "Tesla"});
}

unsigned Facts::wave() const {
  for (const Device& device : trace.devices)
    if (device.wave != 0) return device.wave;
  if (!is_amd()) return 32;
  const arch::ArchInfo* info = summary.peaks ? arch::find(summary.peaks->gfx) : nullptr;
  return info == nullptr ? 64 : info->default_wave_size();
}

void Evidence::add(std::uint32_t event) {
  const Nanoseconds length = facts_.length(event);
  time_ += length;
  ++count_;
  auto& [time, count] = names_[facts_.trace.gpu[event].name];
  time += length;
  ++count;
}

std::vector<std::string> Evidence::lines(std::size_t most) const {
  std::vector<std::pair<std::uint32_t, std::pair<Nanoseconds, std::size_t>>> sorted(names_.begin(),
                                                                                    names_.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second.first != b.second.first ? a.second.first > b.second.first : a.first < b.first;
  });
  std::vector<std::string> out;
  for (const auto& [name, use] : sorted)
    if (out.size() < most)
      out.push_back(fmt::format("{:.3f} ms in {} x {}", static_cast<double>(use.first) * 1e-6,
                                use.second, short_name(facts_.trace.text(name))));
  return out;
}

Evidence events_where(const Facts& facts,
                      const std::function<bool(std::string_view, Category)>& wanted) {
  Evidence evidence(facts);
  std::vector<signed char> known(facts.trace.names.size() * 2, -1);
  for (std::uint32_t i = 0; i < facts.trace.gpu.size(); ++i) {
    signed char& answer =
        known[facts.trace.gpu[i].name * 2 + (facts.trace.gpu[i].kind == GpuKind::kKernel ? 0 : 1)];
    if (answer < 0) answer = wanted(facts.kernel(i), facts.categories[i]) ? 1 : 0;
    if (answer == 1) evidence.add(i);
  }
  return evidence;
}

std::string why_no_advice(const Summary& summary) {
  if (summary.span > 0)
    return "Nothing worth doing: no remedy that hipwright knows would save 1% of the span.";
  if (summary.events > 0) return "No advice: the GPU events take no time.";
  return summary.is_complete
             ? "No advice: the trace has no GPU events. Record the GPU's activities, too."
             : "No advice: the part of the trace that could be read has no GPU events.";
}

Evidence of_category(const Facts& facts, Category category) {
  return events_where(facts, [&](std::string_view, Category each) { return each == category; });
}

std::vector<Advice> advise(const Trace& trace, const Summary& summary) {
  if (summary.span <= 0) return {};
  Facts facts{
      .trace = trace, .summary = summary, .categories = categories_of(trace), .streams = {}};
  facts.streams.resize(trace.streams.size());
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i)
    facts.streams[trace.gpu[i].stream].push_back(i);
  std::vector<Advice> out;
  const double span = static_cast<double>(summary.span);
  for (const Rule rule : kRules) {
    auto advice = rule(facts);
    if (!advice || static_cast<double>(advice->expected) < kLeast * span) continue;
    advice->bound = std::clamp<Nanoseconds>(advice->bound, 0, summary.span);
    advice->speedup = span / std::max(1.0, span - static_cast<double>(advice->bound));
    out.push_back(*std::move(advice));
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Advice::expected);
  return out;
}

}  // namespace hipwright::trace
