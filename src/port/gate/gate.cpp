// SPDX-License-Identifier: MIT
#include "port/gate/gate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "port/api/api.h"
#include "port/gate/conditions.h"
#include "port/source/include_place.h"
#include "port/source/paths.h"
#include "syntax/cuda/directives.h"
#include "syntax/cuda/platform_macros.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

// Whole lines that change together.
struct Lines {
  Span span;  // with the last line break
  std::vector<const Change*> changes;
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Reads the changes of one file.
class Reader {
 public:
  Reader(const PortedFile& file, const AmdSupport& amd)
      : file_(*file.source->cuda()), amd_(amd), text_(file.source->text()) {}

  // Functions of a wave keep their names: ROCm's headers use them, too. So do
  // macros that tell the platforms apart: a definition for AMD would answer
  // every question of that kind.
  bool can_be_macro(const Change& change) const {
    if (!change.is_renaming) return false;
    const std::string_view name = text_.substr(change.edit.span.begin, change.edit.span.size());
    if (amd_.defines(name)) return false;
    const api::Entry* entry = api::find(name, api::Kind::kMacro);
    if (entry != nullptr && cu::is_platform_macro(name)) return is_tested(change);
    return !change.macro.empty() || !change.edit.replacement.starts_with("warp32::");
  }

  cu::TokenIndex token_at(Span span) const {
    const auto tokens = file_.tokens();
    const auto at = std::upper_bound(
        tokens.begin(), tokens.end(), span.begin,
        [](std::size_t offset, const cu::Token& token) { return offset < token.end; });
    return static_cast<cu::TokenIndex>(at - tokens.begin());
  }

  // Is this a name in the condition of an #if? A macro cannot rename it there.
  bool is_tested(const Change& change) const {
    const cu::TokenIndex token = token_at(change.edit.span);
    return (file_.tokens()[token].flags & (cu::kInDirective | cu::kInMacroBody)) ==
           cu::kInDirective;
  }

 private:
  const cu::File& file_;
  const AmdSupport& amd_;
  const std::string_view text_;
};

class Gate {
 public:
  Gate(const PortedFile& file, const Tree& tree, const AmdSupport& amd, const ShimUsers& users,
       Shim& shim)
      : file_(*file.source->cuda()),
        source_(file),
        reader_(file, amd),
        tree_(tree),
        users_(users),
        shim_(shim),
        text_(file.source->text()),
        needs_shim_(users.contains(file.source)) {}

  Changes run() {
    std::vector<const Change*> rewrites, neutral;
    std::map<cu::TokenIndex, std::vector<Change>> tested;  // by the # of their line
    const std::optional<Change> own_macros = define_in_file();
    for (const Change& change : source_.changes.list()) {
      if (is_defined_in_file(change)) continue;
      if (change.is_neutral)
        neutral.push_back(&change);
      else if (!reader_.can_be_macro(change))
        rewrites.push_back(&change);
      else if (reader_.is_tested(change))
        tested[hash_of(reader_.token_at(change.edit.span))].push_back(change);
      else
        define(change);
    }
    for (const auto& [hash, changes] : tested)
      for (const Change& each : for_both_platforms(file_, hash, changes).list()) out_.add(each);
    if (own_macros) insert_by_place(rewrites, *own_macros);
    const Change include = shim_include();
    if (needs_shim_ && !includes_shim()) insert_by_place(rewrites, include);
    for (const Change* change : rewrites) add_lines(*change);
    for (const Change* change : neutral)
      if (!joins_lines(*change)) out_.add(*change);
    for (const Lines& lines : lines_) out_.add(branch(lines));
    add_to_shim();
    return std::move(out_);
  }

 private:
  void define(const Change& change) {
    const std::string_view name = text_.substr(change.edit.span.begin, change.edit.span.size());
    if (change.macro.empty())
      shim_.names.emplace(name, change.edit.replacement);
    else
      shim_.names.emplace(change.macro, change.macro_text);
  }

  std::string_view name_in(const Change& change) const {
    return text_.substr(change.edit.span.begin, change.edit.span.size());
  }
  bool is_defined_in_file(const Change& change) const {
    return change.is_renaming && own_macros_.contains(name_in(change));
  }

  // warpSize and the functions of a warp, which ROCm's headers use, too: macros behind the last
  // header of a file that nobody includes, if each use in it becomes the same.
  std::optional<Change> define_in_file() {
    const auto place = behind_headers();
    if (!place) return std::nullopt;
    std::map<std::string_view, std::vector<const Change*>> uses;
    for (const Change& change : source_.changes.list())
      if (change.is_renaming && change.macro.empty() &&
          change.edit.replacement.starts_with("warp32::"))
        uses[name_in(change)].push_back(&change);
    std::string lines;
    for (const auto& [name, changes] : uses) {
      const auto differs = [&](const Change* each) {
        return each->edit.span.begin < *place || reader_.is_tested(*each) ||
               each->edit.replacement != changes[0]->edit.replacement;
      };
      if (std::ranges::any_of(changes, differs) ||
          cu::places_of(file_, name).size() != changes.size())
        continue;
      own_macros_.insert(name);
      lines += fmt::format("#define {} {}{}", name, changes[0]->edit.replacement, line_break());
    }
    if (lines.empty() || is_included()) {
      own_macros_.clear();
      return std::nullopt;
    }
    return Change{.edit = {{*place, *place}, lines}, .code = "HP301"};
  }

  // None if a condition decides whether the last header is read.
  std::optional<std::size_t> behind_headers() const {
    if (source_.source->is_header()) return std::nullopt;
    std::size_t place = place_for_late_include(file_);
    for (const cu::Include& include : file_.includes()) {
      if (!file_.conditions(include.hash).empty()) return std::nullopt;
      place = std::max(place, include_line(file_, include.hash).end);
    }
    return place;
  }

  bool is_included() const {
    const std::string_view path = source_.source->path();
    const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
    return std::ranges::any_of(tree_.files, [&](const auto& other) {
      return other->cuda() != nullptr &&
             std::ranges::any_of(other->cuda()->includes(), [&](const cu::Include& include) {
               return include.path.ends_with(name);
             });
    });
  }

  void add_to_shim() {
    if (!needs_shim_) return;
    shim_.merge({.settings = source_.shim.settings,
                 .warnings = source_.shim.warnings,
                 .functions = source_.shim.functions,
                 .is_included = true,
                 .is_read_by_c = source_.source->path().ends_with(".c")});
  }

  // In a file that was ported before.
  bool includes_shim() const {
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

  bool has_directive(cu::TokenRange range) const {
    const auto tokens = file_.tokens().subspan(range.begin, range.end - range.begin);
    return std::any_of(tokens.begin(), tokens.end(), [](const cu::Token& token) {
      return (token.flags & cu::kInDirective) != 0;
    });
  }

  // From the first line of the statement or directive that holds it to the
  // last.
  void add_lines(const Change& change) {
    const Span span = change.edit.span;
    std::size_t begin = span.begin;
    std::size_t end = span.end;
    if (span.size() != 0) {
      const cu::TokenIndex token = reader_.token_at(span);
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

  // A change that needs no branch becomes part of one that surrounds it.
  bool joins_lines(const Change& change) {
    const Span span = change.edit.span;
    for (Lines& lines : lines_)
      if (lines.span.begin <= span.begin && span.end <= lines.span.end) {
        insert_by_place(lines.changes, change);
        return true;
      }
    return false;
  }

  static void insert_by_place(std::vector<const Change*>& into, const Change& change) {
    const auto place = std::find_if(into.begin(), into.end(), [&](const Change* each) {
      return each->edit.span.begin >= change.edit.span.begin;
    });
    into.insert(place, &change);
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
    if (is_blank(now)) {
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
      if (change->edit.replacement.empty()) done = behind_empty_line(now, done, lines.span.end);
    }
    return now.append(text_, done, lines.span.end - done);
  }

  // Of a line whose text was removed, nothing remains.
  std::size_t behind_empty_line(std::string_view now, std::size_t at, std::size_t end) const {
    const std::size_t begin = now.rfind('\n') + 1;  // 0 if there is none
    const std::size_t next = text_.find('\n', at);
    if (next >= end || !is_blank(now.substr(begin)) || !is_blank(text_.substr(at, next - at)))
      return at;
    return next + 1;
  }

  // With the first CUDA header that becomes another, if a header of the project
  // that includes the shim comes before it; otherwise before all headers that
  // may need it.
  std::size_t place_for_shim() const {
    const std::size_t first = place_for_late_include(file_);
    bool is_provided = false;
    for (const cu::Include& include : file_.includes()) {
      const Span line = include_line(file_, include.hash);
      if (line.begin < first || !file_.conditions(include.hash).empty()) continue;
      if (source_.changes.touches(line))
        return is_provided && !before_c_linkage(file_, include.hash) ? line.begin : first;
      const auto found = tree_.nearest(include.path, *source_.source, include.is_system);
      is_provided |= std::ranges::any_of(
          found, [&](const SourceFile* header) { return users_.contains(header); });
      if (!is_provided) return first;
    }
    return first;
  }

  Change shim_include() const {
    const std::size_t place = place_for_shim();
    return {.edit = {{place, place},
                     fmt::format("#include \"{}{}\"{}", way_to_root(source_.source->path()),
                                 kNamesName, line_break())},
            .code = "HP208"};
  }
  std::string_view line_break() const { return line_break_of(text_); }

  const cu::File& file_;
  const PortedFile& source_;
  const Reader reader_;
  const Tree& tree_;
  const ShimUsers& users_;
  Shim& shim_;
  std::string_view text_;
  const bool needs_shim_;
  std::set<std::string_view> own_macros_;
  std::vector<Lines> lines_;
  Changes out_;
};

}  // namespace

ShimUsers shim_users(const Ported& ported, const AmdSupport& amd) {
  ShimUsers users;
  for (const PortedFile& file : ported.files) {
    if (file.source->cuda() == nullptr) continue;
    const Reader reader(file, amd);
    const auto is_macro = [&](const Change& change) {
      return !change.is_neutral && reader.can_be_macro(change) && !reader.is_tested(change);
    };
    if (file.shim.is_included || std::ranges::any_of(file.changes.list(), is_macro))
      users.insert(file.source);
  }
  return users;
}

Changes gated(const PortedFile& file, const Tree& tree, const AmdSupport& amd,
              const ShimUsers& users, Shim& shim) {
  return Gate(file, tree, amd, users, shim).run();
}

}  // namespace hipwright::port
