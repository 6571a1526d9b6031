// SPDX-License-Identifier: MIT
// Targets that cannot be built together, or do not exist.
//
// ## What it finds
//
// gfx names that no GPU has, and a processor both with and without features in one value or
// script.
//
// ## Why it matters
//
// HIP rejects a build that names `gfx942` and `gfx942:sramecc+:xnack-`. An unknown name fails in
// the compiler, or silently builds nothing.
//
// ## Example
//
// ```yaml
// env:
//   PYTORCH_ROCM_ARCH: gfx942;gfx942:sramecc+:xnack-;gfx9
// ```
//
// ## Use instead
//
// ```yaml
// env:
//   PYTORCH_ROCM_ARCH: gfx942
// ```
//
// ## When it is not a bug
//
// - A target that is newer than the table: `hipwright arch` lists what is known.
#include <map>
#include <vector>

#include <fmt/format.h>

#include "arch/processors.h"
#include "arch/target.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

// A name with an X stands for a family: gfx94X.
bool is_family(std::string_view name) {
  return name.ends_with('x') || name.ends_with('X');
}

// LLVM knows targets that the table of GPUs lacks.
bool is_known_to_compilers(std::string_view name) {
  for (std::uint32_t machine = 0; machine < 256; ++machine)
    if (arch::processor_of_machine(machine) == name) return true;
  return false;
}

struct Mention {
  std::string name;
  Span span;  // in the value
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A sign behind a feature, and the parts of gfx9-4-generic.
bool continues(std::string_view text, std::size_t begin, std::size_t at) {
  if (text[at] == ':') return true;
  if (text[at] != '+' && text[at] != '-') return false;
  if (text.substr(begin, at - begin).find(':') != text.npos) return true;
  const std::string_view rest = text.substr(at, 16);
  const std::size_t generic = rest.find("-generic");
  return generic == 0 || (generic == 2 && rest[1] >= '0' && rest[1] <= '9');
}

// gfx942, gfx90a:xnack+, gfx9-4-generic; not gfx90* and ${{ … }}gfx.
std::vector<Mention> mentions(std::string_view text) {
  std::vector<Mention> found;
  for (std::size_t at = text.find("gfx"); at != text.npos; at = text.find("gfx", at + 3)) {
    if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '-' || text[at - 1] == '/') &&
        !text.substr(0, at).ends_with("-arch"))
      continue;
    std::size_t end = at;
    while (end < text.size() && (is_word(text[end]) || continues(text, at, end))) ++end;
    while (end > at && text[end - 1] == ':') --end;
    const char next = end < text.size() ? text[end] : ' ';
    if (end - at < 5 || text[at + 3] < '0' || text[at + 3] > '9' || next == '*' || next == '[' ||
        next == '.' || next == '?' || next == '{' || next == '-')
      continue;
    if (!is_family(text.substr(at, end - at)))
      found.push_back({std::string(text.substr(at, end - at)), {at, end}});
  }
  return found;
}

void check_value(WorkflowCheck& check, const Node& node) {
  std::map<std::string, Mention> first;
  for (const Mention& mention : mentions(node.value)) {
    const auto target = arch::parse_target(mention.name);
    if (!target && is_known_to_compilers(mention.name)) continue;
    if (!target) {
      check.report(source_span(node, mention.span), Confidence::kMedium, target.error().message());
      continue;
    }
    const auto [at, is_new] = first.try_emplace(target->processor, mention);
    if (is_new) continue;
    if (const auto both = arch::parse_targets(at->second.name + "," + mention.name); !both)
      check.report(source_span(node, mention.span), Confidence::kHigh,
                   fmt::format("{} and {} cannot be built together: name the same features in both",
                               at->second.name, mention.name));
  }
}

void find(WorkflowCheck& check) {
  for (const Node& node : check.file.yaml().nodes())
    if (node.kind == syntax::yaml::Kind::kScalar) check_value(check, node);
}

}  // namespace

Rule bad_target() {
  return {.code = "HC401",
          .name = "bad-target",
          .summary = "targets that cannot be built together, or do not exist",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
