// SPDX-License-Identifier: MIT
#include "port/api/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/embedded.h"
#include "port/api/call.h"

namespace hipwright {

extern const EmbeddedFile port_api_tables[];
extern const unsigned port_api_tables_count;

namespace port::api {

std::string_view TextStore::join(std::string_view a, std::string_view b, std::string_view c) {
  const std::size_t length = a.size() + b.size() + c.size();
  if (length == 0) return {};  // there may be no block yet
  if (size_ - used_ < length) {
    size_ = std::max<std::size_t>(length, 64 * 1024);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size_));
    used_ = 0;
  }
  char* const begin = blocks_.back().get() + used_;
  char* out = begin;
  for (const std::string_view part : {a, b, c}) out = std::ranges::copy(part, out).out;
  used_ += length;
  return {begin, length};
}

namespace {

// The marks of caveats, in the order of CaveatHolds, and of calls.
constexpr std::string_view kDetails = "!~&+>";

struct Rule {
  std::string_view from, to;  // what stands before the '*' on either side
};

// Reads one table; `problem` is the first error.
class Reader {
 public:
  Reader(TableText table, Tables& tables) : table_(table), tables_(tables) {}

  Status read() {
    std::string_view rest = table_.text;
    while (!rest.empty() && problem_.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (problem_.empty()) return {};
    return fail("cannot read the table of names", fmt::format("{}:{}", table_.path, line_),
                std::move(problem_));
  }

 private:
  void line(std::string_view text) {
    if (text.empty() || text[0] == '#') return;
    if (text[0] == ' ') return detail(text);
    if (text[0] == '[') return section(text);
    last_ = false;
    const std::string_view first = word(text);
    if (first == "library") return library(text);
    if (first == "rule") return rule(text);
    if (first == "instead") return instead(text);
    name(first, text);
  }

  // Takes the next word off `text`.
  static std::string_view word(std::string_view& text) {
    while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view result = text.substr(0, end);
    text.remove_prefix(end);
    return result;
  }

  void library(std::string_view rest) {
    const std::string_view which = word(rest);
    const auto parsed = parse_library(which);
    if (!parsed || !rest.empty()) {
      problem_ = fmt::format("unknown library '{}{}'", which, rest);
      return;
    }
    library_ = *parsed;
    has_library_ = true;
    rules_.clear();
    kind_.reset();
  }

  void rule(std::string_view rest) {
    std::string_view from = word(rest);
    std::string_view to = word(rest);
    if (!from.ends_with('*') || !to.ends_with('*') || !rest.empty()) {
      problem_ = "expected two names that end in '*' in a rule";
      return;
    }
    from.remove_suffix(1);
    to.remove_suffix(1);
    rules_.push_back({from, to});
  }

  void instead(std::string_view rest) {
    const std::string_view pattern = word(rest);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!has_library_ || pattern.empty() || rest.empty())
      problem_ = "expected a library before, and a pattern and a text behind 'instead'";
    else
      tables_.advice.push_back({library_, pattern, rest});
  }

  void section(std::string_view text) {
    last_ = false;
    constexpr std::pair<std::string_view, Kind> kinds[] = {
        {"[function]", Kind::kFunction},     {"[type]", Kind::kType},
        {"[enumerator]", Kind::kEnumerator}, {"[macro]", Kind::kMacro},
        {"[device]", Kind::kDeviceFunction}, {"[namespace]", Kind::kNamespace},
        {"[header]", Kind::kHeader},
    };
    const auto* const found =
        std::ranges::find(kinds, text, &std::pair<std::string_view, Kind>::first);
    if (found == std::end(kinds)) {
      problem_ = fmt::format("unknown kind of name '{}'", text);
    } else {
      kind_ = found->second;
    }
  }

  void name(std::string_view cuda, std::string_view text) {
    if (!has_library_ || !kind_) {
      problem_ = fmt::format("'{}' before 'library' and a [kind]", cuda);
      return;
    }
    Entry entry{.cuda = cuda, .library = library_, .kind = *kind_};
    bool named = false, dated = false;
    for (std::string_view next = word(text); !next.empty(); next = word(text)) {
      if (next == "compat") {
        entry.compat = true;
      } else if (next[0] == '@' && !dated) {
        dated = true;
        if (!dates(next.substr(1), entry)) return;
      } else if (!named && !dated && !entry.compat) {
        named = true;
        entry.hip = next == "-" ? std::string_view() : next;
      } else {
        problem_ = fmt::format("unexpected '{}'", next);
        return;
      }
    }
    if (!named && !by_rule(entry)) return;
    if (!entry.mapped() && (entry.compat || dated)) {
      problem_ =
          fmt::format("'{}' has no counterpart, so it cannot have a release or compat", cuda);
      return;
    }
    if (entry.since == kNoRelease && !entry.compat) {
      problem_ = fmt::format("'{}' is in no HIP release and not in compat.h: use '-'", cuda);
      return;
    }
    tables_.entries.push_back(entry);
    if (const Entry* other = tables_.index.add(tables_.entries, tables_.entries.size() - 1)) {
      problem_ = fmt::format("duplicate name '{}', already in a table of {}", cuda,
                             name_of(other->library));
      return;
    }
    last_ = true;
  }

  bool by_rule(Entry& entry) {
    for (const Rule& rule : rules_) {
      if (!entry.cuda.starts_with(rule.from)) continue;
      entry.hip = rule.from == rule.to
                      ? entry.cuda
                      : tables_.made.join(rule.to, entry.cuda.substr(rule.from.size()), {});
      return true;
    }
    problem_ = fmt::format("no rule of this library matches '{}'", entry.cuda);
    return false;
  }

  // "6.2", "5.1-7.0", "-" (in no release)
  bool dates(std::string_view text, Entry& entry) {
    if (text == "-") {
      entry.since = kNoRelease;
      return true;
    }
    const std::size_t dash = std::min(text.find('-'), text.size());
    if (!date(text.substr(0, dash), entry.since)) return false;
    if (dash == text.size()) return true;
    if (!date(text.substr(dash + 1), entry.until)) return false;
    if (entry.since < entry.until) return true;
    problem_ = fmt::format("invalid range '{}'", text);
    return false;
  }

  bool date(std::string_view text, HipVersion& version) {
    const auto parsed = parse_hip_version(text);
    if (parsed) {
      version = *parsed;
    } else {
      problem_ = fmt::format("invalid HIP version '{}'", text);
    }
    return parsed.has_value();
  }

  // A line with details of the name above it.
  void detail(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (!last_ || text.size() < 3 || text[1] != ' ') {
      problem_ = "expected '> call' or a caveat ('!', '~', '&', '+') below a name";
      return;
    }
    Entry& entry = tables_.entries.back();
    std::string_view& field = text[0] == '>' ? entry.call : entry.caveat;
    const std::size_t mark = kDetails.find(text[0]);
    if (mark == std::string_view::npos || !field.empty()) {
      problem_ = "expected '> call' or a caveat ('!', '~', '&', '+'), each at most once per name";
      return;
    }
    field = text.substr(2);
    if (text[0] == '>')
      problem_ = call_problem(field);
    else
      entry.caveat_holds = static_cast<CaveatHolds>(mark);
  }

  TableText table_;
  Tables& tables_;
  std::vector<Rule> rules_;
  Library library_ = Library::kOther;
  bool has_library_ = false;
  std::optional<Kind> kind_;
  bool last_ = false;  // a name has been read that details may follow
  std::size_t line_ = 0;
  std::string problem_;
};

// '*' stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at)
    if (matches(rest, name.substr(at))) return true;
  return false;
}

std::string_view advice_for(const Entry& entry, const std::vector<Advice>& advice) {
  const auto found = std::ranges::find_if(advice, [&](const Advice& each) {
    return each.library == entry.library && matches(each.pattern, entry.cuda);
  });
  return found == advice.end() ? std::string_view() : found->text;
}

}  // namespace

Result<Tables> read_tables(const std::vector<TableText>& texts) {
  Tables tables;
  std::size_t lines = 0;
  for (const TableText& text : texts)
    lines += static_cast<std::size_t>(std::ranges::count(text.text, '\n')) + 1;
  tables.entries.reserve(lines);
  tables.index.reserve(lines);
  for (const TableText& text : texts) HW_CHECK(Reader(text, tables).read());
  for (Entry& entry : tables.entries)
    if (!entry.mapped() && entry.caveat.empty()) entry.caveat = advice_for(entry, tables.advice);
  return tables;
}

std::vector<TableText> embedded_tables() {
  std::vector<TableText> result;
  for (unsigned i = 0; i < port_api_tables_count; ++i)
    result.push_back({port_api_tables[i].path, port_api_tables[i].content()});
  return result;
}

}  // namespace port::api

}  // namespace hipwright
