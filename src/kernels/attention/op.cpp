// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/attention/arguments.h"
#include "kernels/attention/symbols.h"
#include "kernels/call.h"
#include "kernels/state.h"

namespace hipwright::kernels {

namespace {

constexpr std::int64_t kMostHead = 256;
constexpr std::int64_t kMostRows = 0x7fffff00;

// With fewer queries the matrix unit would mostly compute nothing.
constexpr std::int64_t kFewQueries = 8;

std::int64_t parts_in(std::int64_t size, std::int64_t part) {
  return (size + part - 1) / part;
}

class Checked {
 public:
  Checked(Kernels& kernels, const Matrix& out, const ConstMatrix& q, const ConstMatrix& k,
          const ConstMatrix& v, const Attention& form)
      : call_(kernels, "attention", "out", out), out_(out), q_(q), k_(k), v_(v), form_(form) {
    check_heads();
    const DataType type = out.type;
    call_.expect("out", out, {{type}, out.rows, out.columns})
        .expect("q", q, {{type}, out.rows, out.columns})
        .expect("k", k, {{type}, k.rows, head_size() * form.kv_heads})
        .expect("v", v, {{type}, k.rows, head_size() * form.kv_heads});
    check_sequences();
    if (form.pages || form.key_counts) check_pages();
    if (form.workspace)
      call_.expect("workspace", *form.workspace, {{DataType::kF32}, 1, form.workspace->columns});
    if (form.scale < 0 || form.window < 0 || form.longest_query < 0)
      call_.reject("form", "has a negative number", "Pass 0 for the default.");
  }

  std::int64_t head_size() const { return out_.columns / form_.heads; }
  std::int64_t longest_query() const {
    if (!form_.query_starts) return out_.rows / form_.batch;
    return form_.longest_query > 0 ? form_.longest_query : out_.rows;
  }

  // Whether chunks of 16 bytes are aligned everywhere.
  bool has_vectors() const {
    const auto size = static_cast<std::int64_t>(size_of(out_.type));
    const auto is_aligned = [&](const ConstMatrix& m) {
      return reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && m.stride * size % 16 == 0 &&
             m.stride < (std::int64_t{1} << 22);
    };
    return head_size() * size % 16 == 0 && head_size() % 8 == 0 && is_aligned(out_) &&
           is_aligned(q_) && is_aligned(k_) && is_aligned(v_);
  }

  AttentionArguments arguments() const {
    const auto list = [](const std::optional<ConstMatrix>& matrix) {
      return matrix ? static_cast<const int*>(matrix->data) : nullptr;
    };
    const std::int64_t batch = std::max<std::int64_t>(form_.batch, 1);
    return {.out = const_cast<void*>(out_.data),
            .q = q_.data,
            .k = k_.data,
            .v = v_.data,
            .query_starts = list(form_.query_starts),
            .key_starts = list(form_.key_starts),
            .pages = list(form_.pages),
            .key_counts = list(form_.key_counts),
            .partials = nullptr,
            .out_stride = out_.stride,
            .q_stride = q_.stride,
            .k_stride = k_.stride,
            .v_stride = v_.stride,
            .pages_stride = form_.pages ? form_.pages->stride : 0,
            .batch = form_.batch,
            .rows = out_.rows,
            .queries = static_cast<int>(out_.rows / batch),
            .keys = static_cast<int>(k_.rows / batch),
            .heads = static_cast<int>(form_.heads),
            .kv_heads = static_cast<int>(form_.kv_heads),
            .head_size = static_cast<int>(head_size()),
            .page_size = static_cast<int>(form_.page_size),
            .causal = form_.causal,
            .window = static_cast<int>(std::min(form_.window, kMostRows)),
            .splits = 1,
            .scale =
                form_.scale != 0 ? form_.scale : 1.0F / std::sqrt(static_cast<float>(head_size()))};
  }

 private:
  void check_heads() const {
    if (form_.heads <= 0 || form_.kv_heads <= 0 || form_.heads % form_.kv_heads != 0)
      call_.reject("kv_heads", "do not divide the heads", "Heads share keys in equal groups.");
    if (out_.columns % form_.heads != 0)
      call_.reject("heads", "do not divide the columns", "A row has heads · head size columns.");
    if (head_size() > kMostHead)
      call_.reject("heads", "have more than 256 elements", "Use softmax() between two gemm().");
    if (out_.rows > kMostRows || k_.rows > kMostRows)
      call_.reject("q", "has too many rows", "Use at most 2147483392.");
  }
  void check_sequences() {
    if (form_.batch < 0 || (form_.batch == 0 && out_.rows > 0))
      call_.reject("batch", "is not the number of sequences", "Pass at least 1.");
    const auto starts = [&](const char* name, const std::optional<ConstMatrix>& given) {
      if (given) call_.expect(name, *given, {{DataType::kI32}, 1, form_.batch + 1});
    };
    starts("query_starts", form_.query_starts);
    starts("key_starts", form_.key_starts);
    const std::int64_t batch = std::max<std::int64_t>(form_.batch, 1);
    if (!form_.query_starts && out_.rows % batch != 0)
      call_.reject("q", "has rows that the batch does not divide", "Pass query_starts.");
    if (!form_.key_starts && !form_.pages && k_.rows % batch != 0)
      call_.reject("k", "has rows that the batch does not divide", "Pass key_starts.");
  }
  void check_pages() {
    if (!form_.pages || !form_.key_counts || form_.page_size <= 0)
      call_.reject("pages", "are incomplete", "Pass pages, key_counts and page_size.");
    if (form_.key_starts)
      call_.reject("key_starts", "are of no use with pages", "Pass key_counts alone.");
    if (k_.rows % form_.page_size != 0)
      call_.reject("k", "is not a number of whole pages", "Pass pages · page_size rows.");
    call_.expect("pages", *form_.pages, {{DataType::kI32}, form_.batch, form_.pages->columns})
        .expect("key_counts", *form_.key_counts, {{DataType::kI32}, 1, form_.batch});
  }

  Call call_;
  const Matrix out_;
  const ConstMatrix q_, k_, v_;
  const Attention form_;
};

const Op& op() {
  static const Op* const found = find_op("attention");
  return *found;
}

Dim3 grid_of(std::int64_t x, std::int64_t rows) {
  constexpr std::int64_t kMost = 65535;
  const std::int64_t y = std::min(rows, kMost);
  return {static_cast<unsigned>(x), static_cast<unsigned>(y),
          static_cast<unsigned>((rows + y - 1) / y)};
}

// How many heads a block has, of those that share keys.
unsigned sharers_of(const Attention& form) {
  const auto ratio = static_cast<unsigned>(form.heads / form.kv_heads);
  for (const unsigned sharers : kRowSharers)
    if (sharers >= ratio) return sharers;
  return kRowSharers[std::size(kRowSharers) - 1];
}

// Parts of the keys that keep the device busy: each has some hundred keys.
std::int64_t splits_for(std::int64_t queries, std::int64_t keys, const Attention& form,
                        unsigned compute_units) {
  constexpr std::int64_t kMost = 64, kKeys = 256;
  const std::int64_t groups = parts_in(form.heads / form.kv_heads, sharers_of(form));
  const std::int64_t blocks = queries * form.kv_heads * groups;
  if (blocks == 0) return 1;
  return std::clamp<std::int64_t>(std::min(2 * compute_units / blocks, keys / kKeys), 1, kMost);
}

class Launch {
 public:
  Launch(Kernels::State& state, const Stream& stream, DataType type)
      : state_(state), stream_(stream), unit_(verify::short_name(type)) {}
  void operator()(const std::string& symbol, Dim3 grid, unsigned threads,
                  const AttentionArguments& arguments) const {
    const KernelArgument argument{&arguments, sizeof arguments};
    state_.utilities.launch_with(state_.gpu_kernel(op(), unit_, symbol), grid, {threads}, 0,
                                 stream_, {&argument, 1});
  }

 private:
  Kernels::State& state_;
  const Stream& stream_;
  const std::string unit_;
};

void launch_on_cpu(Kernels::State& state, DataType type, const AttentionArguments& arguments,
                   const Stream& stream) {
  const KernelArgument argument{&arguments, sizeof arguments};
  const std::int64_t work = arguments.rows * arguments.heads;
  const std::int64_t shares = std::min<std::int64_t>(work, 16 * std::max(state.compute_units, 1U));
  state.utilities.launch_with(state.cpu_kernel(op(), type), {static_cast<unsigned>(shares)}, {1}, 0,
                              stream, {&argument, 1});
}

}  // namespace

std::int64_t attention_workspace(Kernels& kernels, std::int64_t queries, std::int64_t keys,
                                 std::int64_t head_size, const Attention& form) {
  if (kernels.state().on_cpu || form.heads <= 0 || form.kv_heads <= 0) return 0;
  const std::int64_t splits = splits_for(queries, keys, form, kernels.state().compute_units);
  return splits > 1 ? splits * queries * form.heads * (head_size + 2) : 0;
}

void attention(Kernels& kernels, const Matrix& out, const ConstMatrix& q, const ConstMatrix& k,
               const ConstMatrix& v, const Attention& form, const Stream& stream) {
  const Checked checked(kernels, out, q, k, v, form);
  if (out.rows == 0 || out.columns == 0) return;
  Kernels::State& state = kernels.state();
  AttentionArguments arguments = checked.arguments();
  if (state.on_cpu) return launch_on_cpu(state, out.type, arguments, stream);

  const Launch launch(state, stream, out.type);
  const AttentionSymbols symbols{out.type};
  const bool vectors = checked.has_vectors();
  const auto head = static_cast<unsigned>(checked.head_size());
  const unsigned largest_tile = kTileHeads[std::size(kTileHeads) - 1];
  if (!form.pages && checked.longest_query() > kFewQueries && head <= largest_tile) {
    const unsigned size =
        vectors ? *std::ranges::find_if(kTileHeads, [&](unsigned each) { return head <= each; })
                : largest_tile;
    return launch(
        symbols.tile(size, vectors),
        grid_of(parts_in(checked.longest_query(), attention_queries(state.chip, out.type)),
                form.batch * form.heads),
        kAttentionWaves * state.chip.wave_size, arguments);
  }

  const unsigned largest = kRowHeads[std::size(kRowHeads) - 1];
  const unsigned size =
      vectors ? *std::ranges::find_if(kRowHeads, [&](unsigned each) { return head <= each; })
              : largest;
  const unsigned sharers = vectors ? sharers_of(form) : 1;
  const std::int64_t groups = parts_in(form.heads / form.kv_heads, sharers);
  if (form.workspace) {
    const std::int64_t of_split = out.rows * form.heads * (head + 2);
    const std::int64_t keys = form.pages ? form.pages->columns * form.page_size
                                         : k.rows / std::max<std::int64_t>(form.batch, 1);
    arguments.splits = static_cast<int>(
        std::max<std::int64_t>(1, std::min(splits_for(out.rows, keys, form, state.compute_units),
                                           form.workspace->columns / of_split)));
    arguments.partials = static_cast<float*>(const_cast<void*>(form.workspace->data));
  }
  launch(symbols.rows(size, sharers, vectors),
         grid_of(out.rows, form.kv_heads * groups * arguments.splits),
         kAttentionWaves * state.chip.wave_size, arguments);
  if (arguments.splits == 1) return;
  launch(symbols.finish(), grid_of(parts_in(out.rows * out.columns, kAttentionFinishThreads), 1),
         kAttentionFinishThreads, arguments);
}

}  // namespace hipwright::kernels
