// SPDX-License-Identifier: MIT
// Functions whose work is under a test that 700, the number for AMD GPUs, fails.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/arch_conditions.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kArch("__CUDA_ARCH__");

// The ported file's view of __CUDA_ARCH__ in device code, where `!defined(__CUDA_ARCH__) || …` does
// not hold.
constexpr std::string_view kNumber = "#define __CUDA_ARCH__ 700\n";

constexpr const char* kAdvice =
    "AMD GPUs count as 700 (Volta). If they can run the code, name them in the test with "
    "defined(__HIP_DEVICE_COMPILE__); if not, write a branch for them, or do not call the "
    "function.";

// Conditions and definitions, without everything else.
std::string directives_of(std::string_view text) {
  std::string lines;
  bool has_guard = false;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    while (end > begin && end < text.size() && text[end - 1] == '\\')
      end = std::min(text.find('\n', end + 1), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string_view::npos) continue;
    const std::string_view rest = line.substr(word);
    const bool counts = rest.starts_with("if") || rest.starts_with("el") ||
                        rest.starts_with("endif") || rest.starts_with("define") ||
                        rest.starts_with("undef");
    if (!counts) continue;
    // The guard holds when the header is first read.
    if (rest.starts_with("ifndef") && !std::exchange(has_guard, true))
      lines += fmt::format("#undef{}\n", rest.substr(6));
    lines += fmt::format("{}\n", line);
  }
  return lines;
}

// What the headers of the file define by the architecture.
std::string from_headers(const SourceContext& context) {
  const IncludeGraph& graph = context.own.graph();
  std::vector<bool> reached(context.tree.files.size());
  const std::size_t self = graph.place_of(context.source);
  reached[self] = true;
  IncludeGraph::reach(graph.includes(), reached);
  std::string all;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const cu::File* file = reached[i] && i != self ? context.tree.files[i]->cuda() : nullptr;
    if (file == nullptr || !file->has(kArch)) continue;
    const std::string lines = directives_of(file->text());
    if (!cu::architecture_macros(cu::File(lines)).empty()) all += lines;
  }
  return all;
}

void apply(SourceContext& context) {
  const std::string headers = from_headers(context);
  if (!context.file.has(kArch) && headers.empty()) return;
  const std::string before = std::string(kNumber) + headers;
  const std::string text = before + std::string(context.file.text());
  const cu::File file(text);
  const auto macros = cu::architecture_macros(file);
  std::vector<cu::HiddenCode> all = cu::code_hidden_from_amd(file, macros);
  std::ranges::move(cu::kernels_hidden_from_amd(file, macros), std::back_inserter(all));
  for (const cu::HiddenCode& hidden : all) {
    Span place = file.span(hidden.group.place());
    place.begin -= before.size();
    place.end -= before.size();
    // Both files have the same tokens, but for those in front.
    const auto shift =
        static_cast<cu::TokenIndex>(file.tokens().size() - context.file.tokens().size());
    if (context.is_settled(hidden.group.lines.begin - shift)) continue;
    context.report("HP218", Severity::kError, place,
                   fmt::format("{} {} on AMD: no AMD GPU passes this architecture test",
                               file.text(hidden.function->name), to_string(hidden.effect)),
                   kAdvice);
  }
}

}  // namespace

Pass emptied_functions() {
  return {.codes = {"HP218"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
