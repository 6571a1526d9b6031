// SPDX-License-Identifier: MIT
#include "kernels/support.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/table.h"
#include "kernels/op.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

std::string types_text() {
  std::vector<std::string_view> names;
  for (const DataType type : element_types()) names.push_back(verify::short_name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}

// In a table of Markdown a bar ends the cell.
std::string in_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string forms_text(const Op& op) {
  return fmt::format("{}", fmt::join(op.variants, ", "));
}

// "reduction": of the outputs.
std::string tolerances_text(const Op& op) {
  std::set<std::string_view> kinds;
  for (const Operand& operand : op.operands({.rows = 2, .columns = 64}))
    if (operand.role != Role::kIn) kinds.insert(verify::to_string(operand.arithmetic));
  return fmt::format("{}", fmt::join(kinds, ", "));
}

// In multiples of the input's bytes, of large bf16 problems. Nothing for products.
std::string traffic_text(const Op& op) {
  if (op.terms != nullptr) return "";
  const Problem problem{.type = DataType::kBF16, .rows = 4095, .columns = 8192};
  return fmt::format("{:.1f}", static_cast<double>(ideal_bytes(op, problem)) /
                                   (2.0 * static_cast<double>(problem.rows * problem.columns)));
}

}  // namespace

std::string list_text(bool colour) {
  Table table({"operation", "result", "forms"});
  for (const Op& op : all_ops()) table.add({op.name, op.summary, forms_text(op)});
  return table.text(colour);
}

Json list_json() {
  Json list = Json::array();
  for (const Op& op : all_ops()) {
    Json forms = Json::array();
    for (const std::string_view form : op.variants)
      if (!form.empty()) forms.push_back(form);
    Json types = Json::array();
    for (const DataType type : element_types()) types.push_back(verify::short_name(type));
    list.push_back({{"operation", op.name},
                    {"result", op.summary},
                    {"forms", std::move(forms)},
                    {"types", std::move(types)}});
  }
  return {{"operations", std::move(list)}};
}

std::string support_page() {
  std::string page = fmt::format(
      "# Operations of the kernel library\n\n"
      "Written by `hipwright kernels list --write-docs` from the table that the tests and the\n"
      "benchmarks read (`src/kernels/*/cases.cpp`). Every operation has the types {}, on AMD GPUs, "
      "NVIDIA GPUs\nand the CPU. Tested on the CPU and on the software GPU as gfx90a, gfx942, "
      "gfx950, gfx1030, gfx1100, gfx1151 and gfx1201; not\nverified on AMD hardware. Not run on "
      "NVIDIA in this state.\n\n"
      "| operation | result | forms | bytes moved, x = 1 | awkward cases | tolerance |\n"
      "| --- | --- | --- | ---: | ---: | --- |\n",
      types_text());
  for (const Op& op : all_ops())
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", op.name, in_table(op.summary),
                        forms_text(op), traffic_text(op), awkward_problems(op).size(),
                        tolerances_text(op));
  page +=
      "\nThe cases are all types and forms at one row, one column, odd widths and rows wider than "
      "every tile, packed, with gaps between\nrows, and with rows that begin anywhere; of `gemm` "
      "and "
      "`attention` sizes beyond the edges of every tile, and more queries than\nkeys. "
      "[Tolerances](tolerances.md) are those of the operation's kind.\n";
  return page;
}

}  // namespace hipwright::kernels
