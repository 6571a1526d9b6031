// SPDX-License-Identifier: MIT
#include "kernels/op.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "arch/target.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/hash.h"
#include "kernels/op_list.h"
#include "verify/numeric/values.h"

namespace hipwright {

extern const EmbeddedFile kernel_sources[];
extern const unsigned kernel_sources_count;

}  // namespace hipwright

namespace hipwright::kernels {

namespace {

constexpr std::array kTypes = {DataType::kF32, DataType::kF16, DataType::kBF16};

// The first that holds a row is taken; of the last, there are as many blocks as needed.
constexpr Tile kRowTiles[] = {
    {.bytes = 16, .threads = 64, .items = 1},
    {.bytes = 16, .threads = 128, .items = 1},
    {.bytes = 16, .threads = 256, .items = 1},
    {.bytes = 16, .threads = 256, .items = 2},
    {.bytes = 16, .threads = 256, .items = 4},
    {.bytes = 16, .threads = 512, .items = 4},
    {.bytes = 16, .threads = 1024, .items = 4},
    {.bytes = 16, .threads = 1024, .items = 0},
    {.bytes = 16, .threads = 64, .items = 1, .fill = Fill::kPart},
    {.bytes = 16, .threads = 256, .items = 1, .fill = Fill::kPart},
    {.bytes = 16, .threads = 512, .items = 1, .fill = Fill::kPart},
    {.bytes = 16, .threads = 1024, .items = 1, .fill = Fill::kPart},
    {.bytes = 16, .threads = 1024, .items = 4, .fill = Fill::kPart},
    {.bytes = 16, .threads = 1024, .items = 0, .fill = Fill::kPart},
    {.bytes = 0, .threads = 256, .items = 4},
    {.bytes = 0, .threads = 1024, .items = 0},
};
constexpr Tile kElementTiles[] = {
    {.bytes = 16, .threads = 256, .items = 1},
    {.bytes = 16, .threads = 128, .items = 1, .fill = Fill::kPart},
    {.bytes = 4, .threads = 128, .items = 1, .fill = Fill::kTiny},
    {.bytes = 0, .threads = 256, .items = 4},
};
constexpr Tile kWideElementTiles[] = {
    {.bytes = 16, .threads = 256, .items = 2},
    {.bytes = 16, .threads = 128, .items = 1, .fill = Fill::kPart},
    {.bytes = 4, .threads = 128, .items = 1, .fill = Fill::kTiny},
    {.bytes = 0, .threads = 256, .items = 4},
};

std::string_view kernel_source(std::string_view name) {
  const auto* const end = kernel_sources + kernel_sources_count;
  const auto* const found = std::find_if(
      kernel_sources, end, [&](const EmbeddedFile& file) { return file.path == name; });
  HW_ASSERT(found != end);
  return found->content();
}

unsigned elements_of(DataType type, const Tile& tile) {
  return std::max(1U, tile.bytes / static_cast<unsigned>(size_of(type)));
}

}  // namespace

std::span<const Tile> row_tiles() {
  return kRowTiles;
}
std::span<const Tile> element_tiles() {
  return kElementTiles;
}
std::span<const Tile> wide_element_tiles() {
  return kWideElementTiles;
}

std::span<const DataType> element_types() {
  return kTypes;
}

std::string_view to_string(Layout layout) {
  switch (layout) {
    case Layout::kPacked:
      return "packed";
    case Layout::kPadded:
      return "padded";
    case Layout::kUnaligned:
      return "unaligned";
  }
  return "";
}

std::string to_string(const Op& op, const Problem& problem) {
  const std::string_view variant = op.variants[problem.variant];
  std::string text = fmt::format("{}{}{} {} {}x{}", op.name, variant.empty() ? "" : " ", variant,
                                 verify::short_name(problem.type), problem.rows, problem.columns);
  if (problem.depth != 0) text += fmt::format("x{}", problem.depth);
  if (problem.layout != Layout::kPacked) text += fmt::format(" {}", to_string(problem.layout));
  return text;
}

std::span<const Op> all_ops() {
  static const std::vector<Op> ops = [] {
    std::vector<Op> made;
    for (unsigned i = 0; i < kOpEntryCount; ++i) made.push_back(kOpEntries[i].row());
    return made;
  }();
  return ops;
}

const Op* find_op(std::string_view name) {
  const auto ops = all_ops();
  const auto found = std::ranges::find(ops, name, [](const Op& op) { return op.name; });
  return found == ops.end() ? nullptr : &*found;
}

std::vector<Problem> awkward_problems(const Op& op) {
  if (op.problems != nullptr) return op.problems();
  std::vector<Problem> problems;
  const auto add = [&](std::int64_t rows, std::int64_t columns, std::vector<Layout> layouts) {
    for (const DataType type : element_types())
      for (const Layout layout : layouts)
        for (unsigned variant = 0; variant < op.variants.size(); ++variant)
          problems.push_back({type, rows, columns, layout, variant});
  };
  constexpr auto kPacked = Layout::kPacked;
  constexpr auto kPadded = Layout::kPadded;
  constexpr auto kUnaligned = Layout::kUnaligned;
  add(1, 1, {kPacked, kUnaligned});
  add(5, 3, {kPacked, kPadded, kUnaligned});
  add(3, 129, {kPacked, kPadded, kUnaligned});
  add(2, 520, {kPadded, kUnaligned});
  add(1, 1500, {kPacked, kUnaligned});
  add(2, 4096, {kPacked, kPadded});
  if (op.by_rows()) {
    add(1, 8191, {kPadded});
    add(1, 12000, {kPacked});
    add(1, 33001, {kPacked, kPadded, kUnaligned});
  } else {
    add(3, 4099, {kPacked, kPadded, kUnaligned});
  }
  return problems;
}

std::uint64_t ideal_bytes(const Op& op, const Problem& problem) {
  std::uint64_t bytes = 0;
  for (const Operand& operand : op.operands(problem))
    if (operand.role != Role::kScratch)
      bytes += static_cast<std::uint64_t>(operand.rows * operand.columns) * size_of(operand.type) *
               (operand.role == Role::kInPlace ? 2 : 1);
  return bytes;
}

std::string symbol_of(const Op& op, DataType type, const Tile& tile) {
  return fmt::format("{}_{}_{}x{}x{}", op.name, verify::short_name(type), elements_of(type, tile),
                     tile.threads, tile.items);
}

Chip chip_of(const arch::ArchInfo& info) {
  return {info.matrix.value, info.default_wave_size()};
}

// NVIDIA's names are not those of targets.
Chip chip_of(const DeviceInfo& device) {
  const auto target = arch::parse_target(device.architecture);
  return {target ? target->info->matrix.value : arch::MatrixUnit::kNone, device.wave_size};
}

std::vector<Instance> instances_of(const Op& op, const Chip& chip) {
  if (op.instances != nullptr) return op.instances(chip);
  std::vector<Instance> instances;
  std::set<std::string> symbols;  // a tile may be for few blocks and for many
  for (const DataType type : element_types())
    for (const Tile& tile : op.tiles)
      if (std::string symbol = symbol_of(op, type, tile); symbols.insert(symbol).second)
        instances.push_back({"", symbol,
                             fmt::format("HIPWRIGHT_INSTANCE({}, {}, {}, {}, {})\n", symbol,
                                         verify::short_name(type), elements_of(type, tile),
                                         tile.threads, tile.items)});
  return instances;
}

std::vector<std::string> units_of(const Op& op) {
  std::vector<std::string> units;
  for (const Instance& each : instances_of(op, {}))
    if (std::ranges::find(units, each.unit) == units.end()) units.push_back(each.unit);
  return units;
}

std::string any_symbol(const Op& op, const Chip& chip, std::string_view unit) {
  const auto instances = instances_of(op, chip);
  const auto found = std::ranges::find(instances, unit, &Instance::unit);
  HW_ASSERT(found != instances.end());
  return found->symbol;
}

std::string source_of(const Op& op, const Chip& chip, std::string_view unit) {
  std::string text =
      fmt::format("#define HIPWRIGHT_WAVE_SIZE {}\n{}", chip.wave_size, kernel_source("prelude"));
  for (const char* part : op.parts) text += kernel_source(part);
  text += kernel_source(op.name);
  for (const Instance& each : instances_of(op, chip))
    if (each.unit == unit) text += each.source;
  return text;
}

std::string fingerprint_of(const Op& op) {
  std::string all;
  for (const auto matrix :
       {arch::MatrixUnit::kNone, arch::MatrixUnit::kMfma, arch::MatrixUnit::kWmma})
    for (const unsigned wave_size : {32U, 64U})
      for (const std::string& unit : units_of(op)) all += source_of(op, {matrix, wave_size}, unit);
  return hash128(all).hex();
}

}  // namespace hipwright::kernels
