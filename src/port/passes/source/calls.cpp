// SPDX-License-Identifier: MIT
// Calls whose HIP counterpart takes other arguments. Runs after `names`, whose changes it absorbs.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

// Which arguments are passed depends on lines of the preprocessor among them.
bool has_directives(const cu::File& file, cu::TokenIndex open, cu::TokenIndex close) {
  const auto tokens = file.tokens();
  const auto is_directive = [&](cu::TokenIndex at) {
    return (tokens[at].flags & cu::kInDirective) != 0;
  };
  for (cu::TokenIndex at = open + 1; at < close; ++at)
    if (is_directive(at) && !is_directive(open)) return true;  // a macro's body is one as a whole
  return false;
}

// Stands for an argument, and in no source.
std::string mark(std::size_t argument) {
  return {'\1', static_cast<char>('A' + argument)};
}

// The call with the line breaks and comments between its arguments unchanged. Empty if HIP takes
// them in another order, or not all of them.
std::optional<std::string> with_old_spacing(const SourceContext& context, cu::TokenIndex open,
                                            const api::Entry& entry,
                                            const std::vector<std::string>& texts,
                                            std::string_view call) {
  const cu::File& file = context.file;
  const auto ranges = file.arguments(open);
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < ranges.size(); ++i) marks.push_back(mark(i));
  const auto shape =
      api::rewritten_call(entry, std::vector<std::string_view>(marks.begin(), marks.end()));
  if (!shape) return std::nullopt;

  const auto between = [&](std::size_t begin, std::size_t end) {
    return file.text().substr(begin, end - begin);
  };
  std::string_view rest = *shape;
  std::string plain, spaced;
  std::size_t place = file.span(open).end;
  for (std::size_t i = 0; i <= ranges.size(); ++i) {
    const bool is_last = i == ranges.size();
    const std::size_t next = is_last ? rest.size() : rest.find(marks[i]);
    if (next == std::string_view::npos) return std::nullopt;
    const std::string_view part = rest.substr(0, next);
    const Span argument = is_last ? file.span(file.partner(open)) : file.span(ranges[i]);
    const std::string_view gap = between(place, argument.begin);
    // Of "hipF(x, " the gap goes behind the parenthesis, of ", x, " before the comma, of ", x)"
    // before the parenthesis.
    const std::string_view joint = i == 0 ? "(" : is_last ? ")" : ", ";
    const std::size_t at = i == 0 ? part.find(joint) : part.rfind(joint);
    if (at == std::string_view::npos) return std::nullopt;
    if (i == 0)
      spaced +=
          std::string(part.substr(0, at + 1)) + std::string(gap) + std::string(part.substr(at + 1));
    else
      spaced += std::string(part.substr(0, at)) + std::string(gap) +
                std::string(part.substr(at + (is_last ? 0 : 2)));
    plain += part;
    if (is_last) break;
    spaced += texts[i];
    plain += texts[i];
    rest.remove_prefix(next + marks[i].size());
    place = argument.end;
  }
  if (plain != call) return std::nullopt;  // it depends on what the arguments are
  return spaced;
}

// A comma that separates arguments of a macro and not of the call: f<a, b>, {a, b}.
bool has_open_comma(std::string_view argument) {
  int depth = 0;
  for (const char c : argument) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) return true;
  }
  return false;
}

// In dual mode a macro of the header for AMD's compilers changes the arguments.
bool define_call(SourceContext& context, cu::TokenIndex name, const api::Entry& entry,
                 const std::vector<std::string_view>& arguments) {
  const auto is_unfit = [](std::string_view argument) {  // which the macro casts
    return has_open_comma(argument) || trimmed(argument) == "nullptr";
  };
  if (!context.is_dual() || std::ranges::any_of(arguments, is_unfit)) return false;
  const auto macro = api::call_macro(entry, arguments.size());
  if (!macro) return false;
  if (entry.hip == entry.cuda) context.rename(name, entry.hip, "HP207");
  return context.use_macro(name, macro->name, macro->text);
}

void translate_call(SourceContext& context, cu::TokenIndex name, const api::Entry& entry) {
  const cu::File& file = context.file;
  const cu::TokenIndex open = name + 1;
  if (!file.is(open, "(") || file.partner(open) == cu::kNoToken) return;
  const cu::TokenIndex close = file.partner(open);
  if (has_directives(file, open, close))
    return context.report(
        "HP207", Severity::kError, file.span(name),
        fmt::format("{} takes different arguments, but this call contains preprocessor directives",
                    entry.hip),
        "Write one call for each case.");
  std::vector<std::string> texts;
  for (const cu::TokenRange& range : file.arguments(open))
    texts.push_back(context.changes().text_of(file.text(), file.span(range)));
  const std::vector<std::string_view> arguments(texts.begin(), texts.end());
  auto call = api::rewritten_call(entry, arguments);
  if (!call) return;
  context.needs.compat |= call->starts_with("hip_compat::");
  if (define_call(context, name, entry, arguments)) return;
  // The name alone changed: in dual mode a macro is enough.
  if (context.is_dual() && *call == fmt::format("{}({})", entry.hip, fmt::join(arguments, ", ")))
    return;
  if (auto spaced = with_old_spacing(context, open, entry, texts, *call)) call = std::move(spaced);
  context.change({file.span(name).begin, file.span(close).end}, *std::move(call), "HP207",
                 fmt::format("{} takes different arguments", entry.hip));
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  // From the end: inner calls before those around them.
  for (cu::TokenIndex at = static_cast<cu::TokenIndex>(tokens.size()); at-- > 0;) {
    if (tokens[at].kind != cu::Kind::kName || at + 1 >= tokens.size() || !file.is(at + 1, "("))
      continue;
    const api::Entry* entry = api::find(file.text(at));
    if (entry == nullptr || entry->call.empty()) continue;
    // Only where the name was translated, too.
    if (entry->hip != entry->cuda && !context.changes().touches(file.span(at))) continue;
    if (context.own.has(file.text(at), context.source, at)) continue;
    translate_call(context, at, *entry);
  }
}

}  // namespace

Pass calls() {
  return {.codes = {"HP207"}, .after = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
