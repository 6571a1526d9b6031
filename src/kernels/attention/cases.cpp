// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/attention/symbols.h"
#include "kernels/op.h"

namespace hipwright::kernels {

namespace {

// Problems have q's rows and columns; the depth is the number of keys, of all sequences.
struct Form {
  std::string_view name;
  std::int64_t heads, kv_heads, batch = 1;
  bool causal = false;
  std::int64_t window = 0;
  bool starts = false;         // sequences of unequal lengths, one of them empty
  std::int64_t page_size = 0;  // 0: not in pages
  bool workspace = false;
};
constexpr Form kForms[] = {
    {.name = "full", .heads = 2, .kv_heads = 2},
    {.name = "causal", .heads = 2, .kv_heads = 1, .causal = true},
    {.name = "window", .heads = 2, .kv_heads = 2, .causal = true, .window = 33},
    {.name = "batch", .heads = 2, .kv_heads = 1, .batch = 2, .causal = true},
    {.name = "starts", .heads = 2, .kv_heads = 1, .batch = 4, .causal = true, .starts = true},
    {.name = "paged",
     .heads = 6,
     .kv_heads = 2,
     .batch = 2,
     .causal = true,
     .page_size = 16,
     .workspace = true},
    {.name = "decode", .heads = 16, .kv_heads = 1, .workspace = true},
};
const Form& form_of(const Problem& problem) {
  return kForms[problem.variant];
}
std::int64_t keys_of(const Problem& p) {
  return p.depth != 0 ? p.depth : std::max<std::int64_t>(p.rows, 1);
}

// Sizes that the form divides.
struct Sizes {
  std::int64_t rows, columns, kv_columns, keys, pages = 0;
  explicit Sizes(const Problem& p) {
    const Form& form = form_of(p);
    const std::int64_t head = std::clamp<std::int64_t>(p.columns / form.heads, 1, 256);
    const auto multiple = [&](std::int64_t size) {
      return form.starts ? size : (size + form.batch - 1) / form.batch * form.batch;
    };
    columns = head * form.heads;
    kv_columns = head * form.kv_heads;
    rows = multiple(p.rows);
    keys = multiple(keys_of(p));
    if (form.page_size == 0) return;
    pages = (keys / form.batch + form.page_size - 1) / form.page_size;
    keys = pages * form.page_size * form.batch;
  }
};

// Where sequences begin in `rows`: the first has most of them, the second none.
std::vector<std::int32_t> starts_in(std::int64_t rows) {
  const auto at = [&](std::int64_t eighths) {
    return static_cast<std::int32_t>(rows * eighths / 8);
  };
  return {0, at(5), at(5), at(6), static_cast<std::int32_t>(rows)};
}

std::vector<Operand> operands_of(const Problem& p) {
  const Form& form = form_of(p);
  const Sizes sizes(p);
  constexpr auto kCopy = verify::Operation::kCopy;
  std::vector<Operand> operands = {
      {"out", Role::kOut, p.type, sizes.rows, sizes.columns, verify::Operation::kMatrixProduct},
      {"q", Role::kIn, p.type, sizes.rows, sizes.columns},
      {"k", Role::kIn, p.type, sizes.keys, sizes.kv_columns},
      {"v", Role::kIn, p.type, sizes.keys, sizes.kv_columns}};
  if (form.starts)
    for (const auto& [name, rows] :
         {std::pair{"query_starts", sizes.rows}, {"key_starts", sizes.keys}})
      operands.push_back(
          {name, Role::kIn, DataType::kI32, 1, form.batch + 1, kCopy, "zeros", starts_in(rows)});
  if (form.page_size > 0) {
    // Two sequences: all pages full, and a few keys in the last one.
    const auto all = static_cast<std::int32_t>(sizes.pages * form.page_size);
    operands.push_back(
        {"pages", Role::kIn, DataType::kI32, form.batch, sizes.pages, kCopy, "permutation"});
    operands.push_back({"key_counts",
                        Role::kIn,
                        DataType::kI32,
                        1,
                        form.batch,
                        kCopy,
                        "zeros",
                        {all, std::max(all - 13, 1)}});
  }
  if (form.workspace)
    operands.push_back({"workspace", Role::kScratch, DataType::kF32, 1,
                        5 * sizes.rows * form.heads * (sizes.columns / form.heads + 2)});
  return operands;
}

void run_problem(Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
  const Form& form = form_of(problem);
  Attention attention_form{.heads = form.heads,
                           .kv_heads = form.kv_heads,
                           .causal = form.causal,
                           .window = form.window,
                           .batch = form.batch,
                           .page_size = form.page_size};
  std::size_t next = 4;
  if (form.starts) {
    attention_form.query_starts = operands[next++];
    attention_form.key_starts = operands[next++];
  }
  if (form.page_size > 0) {
    attention_form.pages = operands[next++];
    attention_form.key_counts = operands[next++];
  }
  if (form.workspace) attention_form.workspace = operands[next];
  attention(kernels, operands[0], operands[1], operands[2], operands[3], attention_form, stream);
}

// One query and many, more queries than keys, heads of every kernel's size and of odd ones.
std::vector<Problem> problems() {
  struct Size {
    std::int64_t rows, columns, depth;
    Layout layout;
  };
  constexpr Size kSizes[] = {
      {1, 2, 1, Layout::kPacked},        {3, 14, 5, Layout::kUnaligned},
      {1, 256, 700, Layout::kPadded},    {5, 1024, 70, Layout::kPacked},
      {40, 128, 200, Layout::kPadded},   {150, 224, 130, Layout::kPadded},
      {70, 150, 75, Layout::kUnaligned},
  };
  std::vector<Problem> problems;
  for (const Size& size : kSizes)
    for (const DataType type : element_types())
      for (unsigned form = 0; form < std::size(kForms); ++form)
        problems.push_back({type, size.rows, size.columns, size.layout, form, size.depth});
  return problems;
}

std::vector<Instance> instances(const Chip& chip) {
  std::vector<Instance> instances;
  for (const DataType type : element_types()) {
    const AttentionSymbols symbols{type};
    const std::string name(verify::short_name(type));
    const unsigned vector = 16 / static_cast<unsigned>(size_of(type));
    const unsigned unit_size = chip.matrix == arch::MatrixUnit::kMfma ? 32 : 16;
    const auto add_tile = [&](unsigned head, bool vectors) {
      const std::string symbol = symbols.tile(head, vectors);
      instances.push_back(
          {name, symbol,
           fmt::format("HIPWRIGHT_ATTENTION_TILE({}, {}, {}, {}, {}, {})\n", symbol, name, head,
                       kAttentionWaves, unit_size, vectors ? vector : 1)});
    };
    const auto add_rows = [&](unsigned head, unsigned sharers, bool vectors) {
      const std::string symbol = symbols.rows(head, sharers, vectors);
      instances.push_back({name, symbol,
                           fmt::format("HIPWRIGHT_ATTENTION_ROWS({}, {}, {}, {}, {}, {})\n", symbol,
                                       name, head, sharers, kAttentionWaves, vectors)});
    };
    for (const unsigned head : kTileHeads) add_tile(head, true);
    add_tile(kTileHeads[std::size(kTileHeads) - 1], false);
    for (const unsigned head : kRowHeads)
      for (const unsigned sharers : kRowSharers) add_rows(head, sharers, true);
    add_rows(kRowHeads[std::size(kRowHeads) - 1], 1, false);
    instances.push_back({name, symbols.finish(),
                         fmt::format("HIPWRIGHT_ATTENTION_FINISH({}, {}, {})\n", symbols.finish(),
                                     name, kAttentionFinishThreads)});
  }
  return instances;
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> names;
  for (const Form& form : kForms) names.push_back(form.name);
  return names;
}

}  // namespace

Op attention() {
  return {.name = "attention",
          .summary = "out = softmax(scale · q · kᵀ) · v",
          .variants = names(),
          .operands = operands_of,
          .run = run_problem,
          .parts = {"matrix", "tiles", "attention_arguments"},
          .instances = instances,
          .problems = problems,
          .terms = keys_of};
}

}  // namespace hipwright::kernels
