// SPDX-License-Identifier: MIT
#include "port/gate.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "port/isolation/view.h"
#include "port/source/include_place.h"
#include "port/source/paths.h"
#include "syntax/cuda/directives.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

// Whole lines that change together.
struct Lines {
  Span span;  // with the last line break
  std::vector<const Change*> changes;
};

class Gate {
 public:
  Gate(const PortedFile& file, const AmdSupport& amd, NamesForAmd& names)
      : file_(*file.source->cuda()),
        source_(file),
        amd_(amd),
        names_(names),
        text_(file.source->text()) {}

  Changes run() {
    std::vector<const Change*> rewrites;
    std::map<cu::TokenIndex, std::vector<Change>> tested;  // by the # of their line
    for (const Change& change : source_.changes.list()) {
      if (!can_be_macro(change))
        rewrites.push_back(&change);
      else if (is_tested(token_at(change.edit.span)))
        tested[hash_of(token_at(change.edit.span))].push_back(tested_too(change));
      else
        rename(change);
    }
    for (auto& [hash, changes] : tested) ask_for_both(hash, std::move(changes));
    std::optional<Change> names;
    if (needs_names_ && !includes_names()) {
      const std::size_t place = place_for_include(file_);
      names = Change{.edit = {{place, place}, names_include()}, .code = "HP208"};
      rewrites.insert(
          std::find_if(rewrites.begin(), rewrites.end(),
                       [&](const Change* change) { return change->edit.span.begin >= place; }),
          &*names);
    }
    for (const Change* change : rewrites) add_lines(*change);
    for (const Lines& lines : lines_) out_.add(branch(lines));
    return std::move(out_);
  }

 private:
  // Wave functions keep their names unless the program defines them: ROCm's headers use
  // them, too.
  bool can_be_macro(const Change& change) const {
    return change.is_renaming && change.edit.replacement.find("::") == std::string::npos &&
           !amd_.defines(text_.substr(change.edit.span.begin, change.edit.span.size()));
  }

  cu::TokenIndex token_at(Span span) const {
    const auto tokens = file_.tokens();
    const auto at = std::upper_bound(
        tokens.begin(), tokens.end(), span.begin,
        [](std::size_t offset, const cu::Token& token) { return offset < token.end; });
    return static_cast<cu::TokenIndex>(at - tokens.begin());
  }

  // Is this a name in the condition of an #if? A macro cannot rename it there.
  bool is_tested(cu::TokenIndex token) const {
    return (file_.tokens()[token].flags & (cu::kInDirective | cu::kInMacroBody)) ==
           cu::kInDirective;
  }

  void rename(const Change& change) {
    names_.emplace(text_.substr(change.edit.span.begin, change.edit.span.size()),
                   change.edit.replacement);
    needs_names_ = true;
  }

  // In a file that was ported before.
  bool includes_names() const {
    const auto& includes = file_.includes();
    return std::any_of(includes.begin(), includes.end(), [](const cu::Include& include) {
      return include.path.ends_with(kNamesName);
    });
  }

  cu::TokenIndex hash_of(cu::TokenIndex token) const {
    while (!((file_.tokens()[token].flags & cu::kFirstOnLine) != 0 && file_.is(token, "#")))
      --token;
    return token;
  }

  // A condition that cannot be parsed, and so cannot be compared, stays.
  void ask_for_both(cu::TokenIndex hash, std::vector<Change> changes) {
    const Span line = {file_.span(hash).begin, file_.span(cu::directive_end(file_, hash) - 1).end};
    Changes of_line;
    for (const Change& change : changes) of_line.add(change);
    const auto condition = [](std::string line_text) {
      const std::size_t elif = line_text.find("elif");
      if (elif != std::string::npos) line_text.erase(elif, 2);
      return nvidia_view_of_cuda(line_text + "\n#endif\n");
    };
    const auto before = condition(std::string(text_.substr(line.begin, line.size())));
    const auto after = condition(of_line.text_of(text_, line));
    const bool is_same =
        std::equal(before.begin(), before.end(), after.begin(), after.end(),
                   [](const SeenToken& a, const SeenToken& b) { return a.text == b.text; });
    if (!is_same) return;
    for (Change& change : changes) out_.add(std::move(change));
  }

  // #ifdef X: #if defined(X) || defined(Y). With AMD's macro undefined its meaning is unchanged.
  Change tested_too(const Change& change) const {
    const cu::TokenIndex name = token_at(change.edit.span);
    const cu::TokenIndex hash = hash_of(name);
    const std::string_view old = file_.text(name);
    const std::string& added = change.edit.replacement;
    const std::string_view directive = file_.text(hash + 1);
    Change result = change;
    result.is_renaming = false;
    const auto replace = [&](cu::TokenIndex begin, cu::TokenIndex last, std::string text) {
      result.edit = {{file_.span(begin).begin, file_.span(last).end}, std::move(text)};
      return result;
    };
    if (directive == "ifdef")
      return replace(hash + 1, name, fmt::format("if defined({}) || defined({})", old, added));
    if (directive == "ifndef")
      return replace(hash + 1, name, fmt::format("if !defined({}) && !defined({})", old, added));
    if (file_.text(name - 1) == "defined")
      return replace(name - 1, name, fmt::format("(defined({}) || defined({}))", old, added));
    if (file_.is(name - 1, "(") && file_.text(name - 2) == "defined")
      return replace(name - 2, name + 1, fmt::format("(defined({}) || defined({}))", old, added));
    return replace(name, name, fmt::format("({} + {})", old, added));
  }

  bool has_directive(cu::TokenRange range) const {
    const auto tokens = file_.tokens().subspan(range.begin, range.end - range.begin);
    return std::any_of(tokens.begin(), tokens.end(), [](const cu::Token& token) {
      return (token.flags & cu::kInDirective) != 0;
    });
  }

  // From the first line of the statement or directive that holds it to the last.
  void add_lines(const Change& change) {
    const Span span = change.edit.span;
    std::size_t begin = span.begin;
    std::size_t end = span.end;
    if (span.size() != 0) {
      const cu::TokenIndex token = token_at(span);
      if ((file_.tokens()[token].flags & cu::kInDirective) != 0) {
        const cu::TokenIndex hash = hash_of(token);
        begin = file_.span(hash).begin;
        end = std::max(end, file_.span(cu::directive_end(file_, hash) - 1).end);
      } else {
        // A whole branch inside a branch is fine; half of one is not.
        const cu::TokenRange statement = file_.statement(token);
        if (!statement.empty() && !has_directive(statement)) {
          begin = std::min(begin, file_.span(statement).begin);
          end = std::max(end, file_.span(statement).end);
        }
      }
    }
    begin = text_.rfind('\n', begin == 0 ? 0 : begin - 1);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    if (span.size() == 0 && begin == span.begin) {
      end = begin;  // lines are inserted
    } else if (end == begin || text_[end - 1] != '\n') {
      end = line_end(end);
    }
    if (!lines_.empty() && begin <= lines_.back().span.end) {
      lines_.back().span.end = std::max(lines_.back().span.end, end);
      lines_.back().changes.push_back(&change);
    } else {
      lines_.push_back({{begin, end}, {&change}});
    }
  }

  // After the line break; a backslash continues the line.
  std::size_t line_end(std::size_t at) const {
    for (;;) {
      const std::size_t found = text_.find('\n', at);
      if (found == std::string_view::npos) return text_.size();
      const std::size_t last = found > 0 && text_[found - 1] == '\r' ? found - 1 : found;
      if (last == 0 || text_[last - 1] != '\\') return found + 1;
      at = found + 1;
    }
  }

  Change branch(const Lines& lines) const {
    const std::string_view old = text_.substr(lines.span.begin, lines.span.size());
    const std::string now = with(lines);
    Change result = *lines.changes.front();
    result.edit = {lines.span, {}};
    std::string& out = result.edit.replacement;
    const auto block = [&](std::string_view lines_of_it) {
      out += lines_of_it;
      if (!lines_of_it.empty() && lines_of_it.back() != '\n') out += line_break();
    };
    if (now.empty()) {
      out += fmt::format("#if !({}){}", kGate, line_break());
      block(old);
    } else {
      out += fmt::format("#if {}{}", kGate, line_break());
      block(now);
      if (!old.empty()) {
        out += fmt::format("#else{}", line_break());
        block(old);
      }
    }
    out += fmt::format("#endif{}", line_break());
    return result;
  }

  // The lines for AMD's compilers. Several may be inserted at one place.
  std::string with(const Lines& lines) const {
    std::string now;
    std::size_t done = lines.span.begin;
    for (const Change* change : lines.changes) {
      now.append(text_, done, change->edit.span.begin - done);
      now += change->edit.replacement;
      done = change->edit.span.end;
    }
    return now.append(text_, done, lines.span.end - done);
  }

  std::string names_include() const {
    return fmt::format("#include \"{}{}\"{}", way_to_root(source_.source->path()), kNamesName,
                       line_break());
  }
  std::string_view line_break() const { return line_break_of(text_); }

  const cu::File& file_;
  const PortedFile& source_;
  const AmdSupport& amd_;
  NamesForAmd& names_;
  std::string_view text_;
  bool needs_names_ = false;
  std::vector<Lines> lines_;
  Changes out_;
};

}  // namespace

Changes gated(const PortedFile& file, const AmdSupport& amd, NamesForAmd& names) {
  return Gate(file, amd, names).run();
}

std::string names_header(const NamesForAmd& names, bool needs_compat) {
  std::string out = fmt::format(
      "// CUDA names that this project uses, defined for AMD. Made by hipwright port; NVIDIA "
      "builds never\n// read it.\n#pragma once\n\n#if {}\n\n#include {}\n\n",
      kGate, needs_compat ? "\"hip_compat.h\"" : "<hip/hip_runtime.h>");
  for (const auto& [cuda, hip] : names) out += fmt::format("#define {} {}\n", cuda, hip);
  out += "\n#endif\n";
  return out;
}

NamesForAmd read_names_header(std::string_view text) {
  constexpr std::string_view kDefine = "#define ";
  NamesForAmd names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kDefine)) continue;
    line.remove_prefix(kDefine.size());
    if (const std::size_t space = line.find(' '); space != std::string_view::npos)
      names.emplace(line.substr(0, space), line.substr(space + 1));
  }
  return names;
}

}  // namespace hipwright::port
