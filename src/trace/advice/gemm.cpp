// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/words.h"
#include "trace/advice/rules.h"

namespace hipwright::trace {

namespace {

// Libraries reach this share of the roof with good kernels.
constexpr double kReachable = 0.8;
constexpr std::int64_t kSmallM = 16;

std::string gemm_line(const OpUse& op) {
  return fmt::format(
      "{:.3f} ms in {} x M={} N={} K={}{}{}{}", ms(op.gpu), op.calls, op.gemm->m, op.gemm->n,
      op.gemm->k, op.gemm->batch > 1 ? fmt::format(" batch {}", op.gemm->batch) : "",
      op.work && op.work->flops > 0 ? fmt::format(", {:.0f} TFLOP/s", op.flops_per_second() * 1e-12)
                                    : "",
      op.roofline ? fmt::format(", {:.0f}% of the {} roof", *op.roofline * 100,
                                op.is_memory_bound ? "memory" : "compute")
                  : "");
}

struct Gemms {
  Nanoseconds time = 0, above = 0;  // above: what a kernel at the reachable share would save
  std::vector<std::string> lines;
};

template <class Wanted>
Gemms gemms_where(const Facts& facts, Wanted wanted) {
  Gemms out;
  for (const OpUse& op : facts.summary.ops) {
    if (!op.gemm || !wanted(op)) continue;
    out.time += op.gpu;
    if (op.roofline) out.above += part(op.gpu, std::max(0.0, 1 - *op.roofline / kReachable));
    if (out.lines.size() < 3) out.lines.push_back(gemm_line(op));
  }
  return out;
}

}  // namespace

std::optional<Advice> gemm_tuning(const Facts& facts) {
  const Nanoseconds all = facts.summary.exclusive(Category::kGemm);
  if (all == 0) return std::nullopt;
  const Gemms known =
      gemms_where(facts, [](const OpUse& op) { return op.roofline && op.gemm->m > kSmallM; });
  const Gemms small = gemms_where(facts, [](const OpUse& op) { return op.gemm->m <= kSmallM; });
  const Nanoseconds unknown = std::max<Nanoseconds>(0, all - known.time - small.time);
  Advice advice{
      .code = "gemm-tuning", .title = "Tune the GEMMs of these shapes", .step = "8: GEMM routing"};
  // Without shapes nobody knows how far from the roof they are: tuning typically gains a tenth.
  advice.bound = known.above + part(unknown, 0.5);
  advice.expected = part(known.above, 0.4) + part(unknown, 0.1);
  advice.figures = fmt::format("GEMMs take {}.", share(facts, all));
  if (known.time > 0)
    advice.figures +=
        fmt::format(" At {:.0f}% of the roof those of known shape would save {:.3f} ms.",
                    kReachable * 100, ms(known.above));
  if (unknown > all / 10)
    advice.figures += fmt::format(
        " The shapes of {:.3f} ms are not in the trace; half of it is the bound assumed.",
        ms(unknown));
  advice.evidence = known.lines.empty() ? of_category(facts, Category::kGemm).lines() : known.lines;
  advice.next = facts.summary.has_shapes && known.time > 0
                    ? "`hipwright trace export --shapes gemms.csv TRACE` writes the shapes for a "
                      "tuner (`PYTORCH_TUNABLEOP_ENABLED=1`, AITER's gradlib)"
                    : "record once without graphs (`hipwright trace record -- …`), then tune with "
                      "`PYTORCH_TUNABLEOP_ENABLED=1`";
  return advice;
}

std::optional<Advice> small_gemms(const Facts& facts) {
  const Gemms small =
      gemms_where(facts, [](const OpUse& op) { return op.roofline && op.gemm->m <= kSmallM; });
  if (small.above == 0) return std::nullopt;
  Advice advice{
      .code = "small-m-gemm",
      .title = fmt::format("Route GEMMs with M up to {} to kernels for few rows", kSmallM),
      .step = "8: GEMM routing"};
  advice.bound = small.above;
  advice.expected = part(small.above, 0.5);
  advice.figures = fmt::format(
      "They take {}, {:.3f} ms more than at {:.0f}% of the memory "
      "bandwidth.",
      share(facts, small.time), ms(small.above), kReachable * 100);
  advice.evidence = small.lines;
  advice.next = facts.is_amd()
                    ? "try wvSplitK (vLLM: `VLLM_ROCM_USE_SKINNY_GEMM=1`) or rocBLAS for "
                      "these shapes; route by M, do not route all"
                    : "try split-K or a gemv kernel for these shapes";
  return advice;
}

std::optional<Advice> fp32_gemms(const Facts& facts) {
  const Gemms fp32 = gemms_where(facts, [](const OpUse& op) { return op.gemm->type == "float"; });
  if (fp32.time == 0) return std::nullopt;
  const auto& peaks = facts.summary.peaks;
  const bool knows_rates = peaks && peaks->fp32 && peaks->bf16;
  // Half the bytes are saved on every device.
  const double ratio = knows_rates ? *peaks->bf16 / *peaks->fp32 : 2;
  if (ratio <= 1) return std::nullopt;
  Advice advice{.code = "fp32-gemm",
                .title = "Compute GEMMs in bf16 instead of fp32",
                .step = "8: GEMM routing"};
  advice.bound = part(fp32.time, 1 - 1 / ratio);
  advice.expected = std::min(advice.bound, part(fp32.time, 0.5));
  advice.figures =
      fmt::format("GEMMs with fp32 operands take {}; ", share(facts, fp32.time)) +
      (knows_rates ? fmt::format("{} computes bf16 at {:.2g} times the rate.", peaks->device, ratio)
                   : "the device's rates are not known, and bf16 halves the bytes.");
  advice.evidence = fp32.lines;
  advice.next =
      "`torch.autocast(\"cuda\", dtype=torch.bfloat16)` if the model tolerates it; verify the "
      "results (`hipwright verify tolerances`)";
  return advice;
}

namespace {

// GEMMs in a row that read the same activations.
class Siblings {
 public:
  bool takes(const GemmShape& shape, std::uint32_t thread) const {
    // The output of one is the input of the next where N and K agree: a chain, not siblings.
    return size_ > 0 && thread_ == thread && last_.m == shape.m && last_.k == shape.k &&
           (last_.n != last_.k || shape.n <= shape.k);
  }
  void add(const GemmShape& shape, std::uint32_t thread, const Work& work, Nanoseconds gpu) {
    work_.flops += work.flops;
    work_.bytes += work.bytes;
    if (size_ > 0)  // one GEMM reads the activations once
      work_.bytes -=
          static_cast<double>(shape.m) * static_cast<double>(shape.k) * bytes_of_type(shape.type);
    last_ = shape;
    thread_ = thread;
    time_ += gpu;
    longest_ = std::max(longest_, gpu);
    ++size_;
  }
  // Q, K and V; gate and up.
  bool can_fuse() const { return size_ == 2 || size_ == 3; }
  // The output of one could be the input of the next.
  bool can_be_chain() const { return size_ > 0 && last_.n == last_.k; }
  Nanoseconds time() const { return time_; }

  struct Gain {
    Nanoseconds bound, expected;
  };
  // One GEMM takes at least as long as the longest of them, and as the device's peaks demand; half
  // of their time is assumed where those are not known. GEMMs that arithmetic limits and that come
  // near that limit gain little.
  Gain gain(const std::optional<Peaks>& peaks) const {
    const auto least = peaks ? least_time(work_, last_.type, *peaks) : std::nullopt;
    const Nanoseconds fused = least ? static_cast<Nanoseconds>(least->seconds * 1e9) : time_ / 2;
    const Nanoseconds bound = std::max<Nanoseconds>(0, time_ - std::max(longest_, fused));
    const bool is_near_limit = least && !least->is_memory_bound && fused > part(time_, 0.3);
    return {bound, part(bound, is_near_limit ? 0.1 : 0.4)};
  }
  std::string line() const {
    return fmt::format("{} GEMMs in a row with M={} K={}", size_, last_.m, last_.k);
  }

 private:
  GemmShape last_;
  std::uint32_t thread_ = kNone;
  Work work_;
  Nanoseconds time_ = 0, longest_ = 0;
  std::size_t size_ = 0;
};

// Groups of GEMMs that could each be one, by what they have in common.
struct FusibleGroups {
  struct Kind {
    std::size_t count = 0;
    Nanoseconds time = 0;
  };
  Nanoseconds time = 0, bound = 0, expected = 0;
  std::size_t count = 0;
  std::map<std::string, Kind> kinds;

  void add(const Siblings& siblings, const std::optional<Peaks>& peaks) {
    const auto [most, usual] = siblings.gain(peaks);
    ++count;
    time += siblings.time();
    bound += most;
    expected += usual;
    Kind& kind = kinds[siblings.line()];
    ++kind.count;
    kind.time += siblings.time();
  }
  std::vector<std::string> lines() const {
    std::vector<std::pair<Nanoseconds, std::string>> sorted;
    for (const auto& [line, kind] : kinds)
      sorted.emplace_back(kind.time,
                          fmt::format("{:.3f} ms in {} x {}", ms(kind.time), kind.count, line));
    std::ranges::sort(sorted, std::ranges::greater());
    std::vector<std::string> out;
    for (auto& [kind_time, line] : sorted)
      if (out.size() < 3) out.push_back(std::move(line));
    return out;
  }
};

// By operation: the GPU's time in GEMMs of two matrices.
std::map<std::uint32_t, Nanoseconds> gemm_times(const Trace& trace) {
  std::map<std::uint32_t, Nanoseconds> times;
  for (const GpuEvent& event : trace.gpu)
    for (std::uint32_t op = event.op; op != kNone; op = trace.ops[op].parent) {
      if (!is_any(trace.text(trace.ops[op].name), {"aten::mm", "aten::addmm"})) continue;
      times[op] += event.time.length();
      break;
    }
  return times;
}

// Operations that turn the activations into others: GEMMs before and after them read different
// inputs. Ascending. An activation function does so between the layers of a chain, but not between
// gate and up.
struct Boundaries {
  std::vector<std::uint32_t> all, of_chains;
};
Boundaries boundaries(const Facts& facts, const std::map<std::uint32_t, Nanoseconds>& gemms) {
  Boundaries out;
  for (std::size_t i = 0; i < facts.trace.gpu.size(); ++i) {
    const std::uint32_t op = facts.trace.gpu[i].op;
    if (op == kNone || gemms.contains(op)) continue;
    const std::string& name = facts.trace.text(facts.trace.ops[op].name);
    switch (facts.categories[i]) {
      case Category::kAttention:
      case Category::kSoftmax:
      case Category::kNormalization:
      case Category::kMoe:
      case Category::kConvolution:
        out.all.push_back(op);
        break;
      case Category::kGemm:
        if (has_any(name, {"bmm"})) out.all.push_back(op);
        break;
      case Category::kActivation:
        out.of_chains.push_back(op);
        break;
      default:
        break;
    }
  }
  std::ranges::sort(out.all);
  std::ranges::sort(out.of_chains);
  return out;
}

bool has_between(const std::vector<std::uint32_t>& sorted, std::uint32_t first,
                 std::uint32_t last) {
  const auto found = std::ranges::lower_bound(sorted, first);
  return found != sorted.end() && *found < last;
}

FusibleGroups fusible_groups(const Facts& facts) {
  FusibleGroups groups;
  Siblings siblings;
  const auto close = [&] {
    if (siblings.can_fuse()) groups.add(siblings, facts.summary.peaks);
    siblings = {};
  };
  const auto gemms = gemm_times(facts.trace);
  const Boundaries ends = boundaries(facts, gemms);
  std::uint32_t before = 0;
  for (const auto& [index, gpu] : gemms) {
    if (has_between(ends.all, before, index) ||
        (siblings.can_be_chain() && has_between(ends.of_chains, before, index)))
      close();
    before = index;
    const Op& op = facts.trace.ops[index];
    const OpCall call = op_call(facts.trace, op);
    const auto shape = gemm_of(call);
    if (!shape) continue;
    if (!siblings.takes(*shape, op.thread)) close();
    siblings.add(*shape, op.thread, work_of(call).value_or(Work{}), gpu);
  }
  close();
  return groups;
}

}  // namespace

std::optional<Advice> projections(const Facts& facts) {
  const FusibleGroups groups = fusible_groups(facts);
  if (groups.count < 2) return std::nullopt;
  Advice advice{.code = "fuse-projections",
                .title = "Fuse Q/K/V and gate/up projections into one GEMM each",
                .step = "5: fuse projections"};
  advice.bound = groups.bound;
  advice.expected = groups.expected;
  advice.figures = fmt::format("{} groups of GEMMs follow each other with the same M and K: {}.",
                               groups.count, share(facts, groups.time));
  advice.evidence = groups.lines();
  advice.next =
      "concatenate the weights once after loading (`torch.cat` on dim 0), compute one GEMM and "
      "split its result";
  return advice;
}

std::optional<Advice> moe_backend(const Facts& facts) {
  const Evidence moe = of_category(facts, Category::kMoe);
  if (moe.count() == 0) return std::nullopt;
  const Nanoseconds time = facts.summary.exclusive(Category::kMoe);
  return advice_on(
      moe, time, {.bound = 0.5, .expected = 0.2},
      {.code = "moe-backend",
       .title = "Compare mixture-of-experts backends",
       .step = "8: GEMM routing",
       .figures = fmt::format("Expert GEMMs and their routing take {}. Half of it is the bound "
                              "assumed: their shapes are decided on the GPU.",
                              share(facts, time)),
       .next = facts.is_amd() ? "measure AITER's fused MoE against these kernels (vLLM: "
                                "`VLLM_ROCM_USE_AITER=1 VLLM_ROCM_USE_AITER_MOE=1`), per batch size"
                              : "measure the fused MoE kernels of your framework against each "
                                "other, per batch size"});
}

std::optional<Advice> convolution_search(const Facts& facts) {
  const Nanoseconds time = facts.summary.exclusive(Category::kConvolution);
  if (time == 0) return std::nullopt;
  const Evidence kernels = of_category(facts, Category::kConvolution);
  return advice_on(
      kernels, time, {.bound = 0.5, .expected = 0.15},
      {.code = "convolution-search",
       .title = "Let the convolution library search for its fastest kernels",
       .step = "8: GEMM routing",
       .figures = fmt::format("Convolutions and their layout changes take {}.", share(facts, time)),
       .next = facts.is_amd() ? "`torch.backends.cudnn.benchmark=True`, and once "
                                "`MIOPEN_FIND_ENFORCE=3` to fill MIOpen's database"
                              : "`torch.backends.cudnn.benchmark=True`"});
}

std::optional<Advice> convolution_layout(const Facts& facts) {
  const Evidence kernels = events_where(facts, [](std::string_view name, Category category) {
    return category == Category::kConvolution &&
           has_any(name,
                   {"batched_transpose_", "nchwToNhwc", "nhwcToNchw", "SubTensorOpWithCastTensor"});
  });
  if (kernels.count() == 0) return std::nullopt;
  return advice_on(
      kernels, {.bound = 1, .expected = 0.8},
      {.code = "convolution-layout",
       .title = "Keep convolutions in channels_last",
       .step = "2: unnecessary work",
       .figures = fmt::format("Changing layouts around convolutions takes {} in {} kernels.",
                              share(facts, kernels.time()), kernels.count()),
       .next =
           facts.is_amd()
               ? "`model.to(memory_format=torch.channels_last)`, inputs too, with "
                 "`PYTORCH_MIOPEN_SUGGEST_NHWC=1` (and `PYTORCH_MIOPEN_SUGGEST_NHWC_BATCHNORM=1`)"
               : "`model.to(memory_format=torch.channels_last)`, inputs too"});
}

}  // namespace hipwright::trace
