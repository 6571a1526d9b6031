// SPDX-License-Identifier: MIT
#include "lint/embedded_cuda.h"

#include <algorithm>
#include <array>

#include "syntax/cuda/file.h"
#include "syntax/scan.h"

namespace hipwright::lint {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

namespace {

// What compiles such strings, on AMD too.
const std::array kCompilers = {
    Name("RawKernel"),     Name("RawModule"),      Name("load_inline"),
    Name("cuda_sources"),  Name("cuda_source"),    Name("hiprtc"),
    Name("cpp_extension"), Name("compile_kernel"), Name("_compile_kernel")};
// Only NVIDIA's libraries.
const std::array kNvidiasCompilers = {Name("pycuda"), Name("nvrtc"), Name("SourceModule")};

struct Body {
  std::size_t begin = 0, end = 0;  // between the quotes
  bool is_raw = false, is_formatted = false;
};

Body body_of(const File& file, TokenIndex string) {
  const std::string_view text = file.text(string);
  const std::size_t quotes = std::min(text.find_first_of("'\""), text.size() - 1);
  const std::string_view prefix = text.substr(0, quotes);
  const std::string_view rest = text.substr(quotes);
  const std::size_t width = rest.starts_with("\"\"\"") || rest.starts_with("'''") ? 3 : 1;
  const bool is_closed = (file.tokens()[string].flags & kUnterminated) == 0;
  const std::size_t at = file.span(string).begin + quotes;
  Body body{.begin = at + width,
            .end = std::max(at + width, file.span(string).end - (is_closed ? width : 0)),
            .is_raw = prefix.find_first_of("rR") != prefix.npos,
            .is_formatted = prefix.find_first_of("fF") != prefix.npos};
  return body;
}

// The end of the field of an f-string that begins at `at`.
std::size_t field_end(std::string_view text, std::size_t at, std::size_t end) {
  int depth = 0;
  for (; at < end && text[at] != '\n'; ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  return at;
}

// Copies the bytes of a string to their places.
void copy(std::string_view text, const Body& body, bool has_fields, EmbeddedCuda& into) {
  for (std::size_t at = body.begin; at < body.end;) {
    char* const out = &into.text[at - into.begin];
    if (has_fields && (text[at] == '{' || text[at] == '}') && at + 1 < body.end) {
      if (text[at + 1] == text[at]) {  // doubled
        out[0] = text[at];
        at += 2;
      } else {
        const std::size_t end = std::max(field_end(text, at, body.end), at + 1);
        std::fill(out, out + (end - at), '_');  // a name that nobody knows
        at = end;
      }
    } else if (text[at] == '\\' && !body.is_raw && at + 1 < body.end) {
      // A continued line and an escaped quote keep their meaning; a line break in the middle of a
      // line separates tokens only.
      if (text[at + 1] == '\\') out[0] = '\\';
      if (text[at + 1] == '"' || text[at + 1] == '\'') out[1] = text[at + 1];
      if (text[at + 1] == '\n') out[1] = '\n';
      at += 2;
    } else {
      out[0] = text[at++];
    }
  }
}

bool is_device_code(std::string_view text) {
  return (syntax::has_bytes(text, "__global__") || syntax::has_bytes(text, "__device__")) &&
         text.find('{') != std::string_view::npos;
}

// """…""".format(…): fields are braces, as in an f-string.
bool is_format_call(const File& file, TokenIndex after) {
  return file.is(after, ".") && file.is(after + 1, "format") && file.is(after + 2, "(");
}

// A string that is a statement of its own is a comment.
bool is_comment(const File& file, TokenIndex first, TokenIndex end) {
  const Statement& statement = file.statements()[file.statement_at(first)];
  return statement.tokens.begin == first && statement.tokens.end == end;
}

}  // namespace

std::vector<EmbeddedCuda> embedded_cuda(const File& file, const FileFacts& facts) {
  std::vector<EmbeddedCuda> found;
  const auto has = [&](const Name& name) { return file.has(name); };
  if (std::ranges::none_of(kCompilers, has) || std::ranges::any_of(kNvidiasCompilers, has) ||
      facts.is_nvidia_specific || facts.built_on_amd == Truth::kNo)
    return found;
  const auto tokens = file.tokens();
  for (TokenIndex first = 0; first < tokens.size(); ++first) {
    if (tokens[first].kind != Kind::kString) continue;
    TokenIndex end = first + 1;
    while (end < tokens.size() && tokens[end].kind == Kind::kString) ++end;
    const Span whole{file.span(first).begin, file.span(end - 1).end};
    if (is_device_code(file.text().substr(whole.begin, whole.size())) &&
        !is_comment(file, first, end)) {
      EmbeddedCuda embedded{
          .begin = whole.begin,
          .text = std::string(whole.size(), ' '),
          .on_amd = file.runs_on_rocm(file.statement_at(first)) & file.token_runs_on_rocm(first)};
      for (std::size_t at = whole.begin; at < whole.end; ++at)
        if (file.text()[at] == '\n') embedded.text[at - whole.begin] = '\n';
      for (TokenIndex each = first; each < end; ++each) {
        const Body body = body_of(file, each);
        const bool has_fields = body.is_formatted || is_format_call(file, end);
        embedded.is_formatted |= has_fields;
        copy(file.text(), body, has_fields, embedded);
      }
      if (embedded.on_amd != Truth::kNo) found.push_back(std::move(embedded));
    }
    first = end - 1;
  }
  return found;
}

namespace {

// A fix that would need other bytes in the string is left out.
bool fits_in_string(const Fix& fix, const EmbeddedCuda& embedded, std::string_view python) {
  return std::ranges::all_of(fix.edits, [&](const TextEdit& edit) {
    const bool is_plain = edit.replacement.find_first_of(
                              embedded.is_formatted ? "\\'\"{}" : "\\'\"") == std::string::npos;
    return is_plain &&
           python.substr(embedded.begin + edit.span.begin, edit.span.size()) ==
               std::string_view(embedded.text).substr(edit.span.begin, edit.span.size());
  });
}

void move(Span& span, std::size_t by) {
  span.begin += by;
  span.end += by;
}

}  // namespace

void check_embedded(const EmbeddedCuda& embedded, const FileFacts& of_python,
                    const std::vector<const Rule*>& rules, std::string_view python,
                    std::vector<Reported>& found) {
  const cu::File file(embedded.text);
  FileFacts facts = of_python;
  facts.built_on_amd = embedded.on_amd;
  facts.own_definitions = nullptr;
  facts.macros = nullptr;
  // Where the platform is unknown, nothing is certain.
  facts.is_unlisted = embedded.on_amd != Truth::kYes;
  facts.names_amd = false;
  const std::size_t before = found.size();
  for (const Rule* rule : rules) {
    const bool is_triggered =
        rule->triggers.empty() || !rule->words.empty() ||
        std::ranges::any_of(rule->triggers, [&](const Name& name) { return file.has(name); });
    if (rule->cuda == nullptr || !is_triggered) continue;
    CudaCheck check(*rule, facts, found, file);
    rule->cuda(check);
  }
  for (std::size_t at = before; at < found.size(); ++at) {
    Diagnostic& diagnostic = found[at].diagnostic;
    std::erase_if(diagnostic.fixes,
                  [&](const Fix& fix) { return !fits_in_string(fix, embedded, python); });
    move(diagnostic.span, embedded.begin);
    for (Fix& fix : diagnostic.fixes)
      for (TextEdit& edit : fix.edits) move(edit.span, embedded.begin);
  }
}

}  // namespace hipwright::lint
