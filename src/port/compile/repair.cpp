// SPDX-License-Identifier: MIT
#include "port/compile/repair.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/pattern.h"
#include "base/words.h"
#include "port/marks.h"
#include "port/options.h"
#include "port/source/include_place.h"
#include "port/source/paths.h"
#include "port/source/vector_operators.h"
#include "syntax/cuda/file.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using toolchain::LogMessage;

namespace {

constexpr std::size_t kLongest = 4000;

// The ported text of one file, read again.
struct Source {
  explicit Source(const std::string& ported) : text(ported), file(text), lines(text) {}

  std::optional<cu::TokenIndex> token_at(const LogMessage& message) const {
    if (message.line == 0 || message.line > lines.line_count()) return std::nullopt;
    const std::size_t offset = lines.line(message.line).begin + message.column - 1;
    const auto tokens = file.tokens();
    const auto at = std::upper_bound(
        tokens.begin(), tokens.end(), offset,
        [](std::size_t place, const cu::Token& token) { return place < token.end; });
    const auto index = static_cast<cu::TokenIndex>(at - tokens.begin());
    if (at == tokens.end() || !file.span(index).contains(offset)) return std::nullopt;
    return index;
  }

  std::string text;
  cu::File file;
  LineIndex lines;
};

class Repairs {
 public:
  explicit Repairs(const PortedText& text_of) : text_of_(text_of) {}

  void read(Messages error) {
    // Names of instantiated templates can be of any length, and patterns are read recursively.
    if (std::any_of(error.begin(), error.end(),
                    [](const LogMessage& each) { return each.text.size() > kLongest; }))
      return;
    const std::string& text = error[0].text;
    if (add_header(error[0]) || correct_header(error[0])) return;
    if (text.find("static assertion failed") != std::string::npos &&
        text.find("mask") != std::string::npos)
      return narrow_mask(error);
    if (text.find("is ambiguous") != std::string::npos &&
        text.find("overloaded operator") != std::string::npos)
      return settle_operator(error);
    if (text.starts_with("no matching function for call to")) return cast_argument(error);
    if (convert_number(error[0])) return;
    if (text.starts_with("missing 'template' keyword prior to dependent template name"))
      return add_template(error[0]);
  }

  std::vector<Repair> take() { return std::move(list_); }

 private:
  const Source* source(const std::string& path) {
    const auto known = sources_.find(path);
    if (known != sources_.end()) return known->second.get();
    const std::string* text = text_of_(path);
    auto read = text == nullptr ? nullptr : std::make_unique<Source>(*text);
    return sources_.emplace(path, std::move(read)).first->second.get();
  }

  void propose(Repair repair) {
    const auto is_same = [&](const Repair& other) {
      return other.path == repair.path && other.span == repair.span &&
             other.replacement == repair.replacement;
    };
    if (std::none_of(list_.begin(), list_.end(), is_same)) list_.push_back(std::move(repair));
  }

  void include(const std::string& path, const Source& in, const std::string& what, CodeId code,
               std::string reason) {
    const std::size_t place = place_for_include(in.file);
    propose({.path = path,
             .span = {place, place},
             .replacement = fmt::format("#include {}{}", what, line_break_of(in.text)),
             .code = code,
             .reason = std::move(reason)});
  }

  bool add_header(const LogMessage& error) {
    static const Pattern kStd(R"(no (?:type|member|template) named '(\w+)' in namespace 'std.*)");
    static const Pattern kName(
        R"((?:use of undeclared identifier|unknown type name|unknown class name) '(\w+)'.*)");
    std::vector<std::string> match = kStd.match(error.text);
    const bool in_std = !match.empty();
    if (!in_std) match = kName.match(error.text);
    if (match.empty()) return false;
    const std::string name = match[1];
    const auto declared = header_declaring(name, in_std);
    const Source* in = source(error.file);
    if (!declared || in == nullptr) return false;
    if (in->text.find(declared->header) != std::string::npos) return false;
    include(error.file, *in, std::string(declared->header),
            declared->is_hip ? CodeId("HP801") : CodeId("HP802"),
            fmt::format("{}{} is declared there", in_std ? "std::" : "", name));
    return true;
  }

  // <hipblas.h>: ROCm keeps each library's headers in a folder of their own.
  bool correct_header(const LogMessage& error) {
    static const Pattern kMissing(R"('((?:hip|roc|rccl|miopen)\w*)\.(h|hpp)' file not found)");
    const auto match = kMissing.match(error.text);
    const Source* in = source(error.file);
    if (in == nullptr || match.empty()) return false;
    const std::string name = match[1], path = name + "/" + name + "." + match[2];
    if (library_of_header(path).empty()) return false;
    for (const cu::Include& each : in->file.includes())
      if (each.path == name + "." + match[2]) {
        propose({.path = error.file,
                 .span = in->file.span(each.hash + 2),
                 .replacement = fmt::format("<{}>", path),
                 .code = "HP803",
                 .reason = "ROCm installs it there"});
        return true;
      }
    return false;
  }

  // A 32-bit mask: the function in warp32 accepts it and uses the 32 lanes of its own warp.
  void narrow_mask(Messages error) {
    for (const LogMessage& note : error) {
      if (note.text.find("requested here") == std::string::npos) continue;
      const Source* in = source(note.file);
      if (in == nullptr) continue;
      const auto token = in->token_at(note);
      if (!token) continue;
      const std::string_view name = in->file.text(*token);
      if (!name.starts_with("__") || !name.ends_with("_sync")) continue;
      propose({.path = note.file,
               .span = in->file.span(*token),
               .replacement = fmt::format("warp32::{}", name.substr(2)),
               .code = "HP804",
               .reason = "the mask has 32 bits, for a 32-lane warp",
               .needs_compat = true});
      const std::string compat =
          fmt::format("\"{}{}\"", way_to_root(note.file), std::string(kCompatName));
      if (!has_any(in->text, {kCompatName, kNamesName}))
        include(note.file, *in, compat, "HP804", "warp32 is declared there");
      return;
    }
  }

  // Two operators match, HIP's and the project's: HIP's is kept if it does the same, and the
  // project's is called otherwise.
  void settle_operator(Messages error) {
    const LogMessage* own = nullptr;
    bool is_also_hips = false;
    for (const LogMessage& note : error.subspan(1)) {
      if (note.text.find("candidate function") == std::string::npos) continue;
      if (source(note.file) != nullptr)
        own = &note;
      else
        is_also_hips |= note.file.find("/hip/") != std::string::npos;
    }
    if (own == nullptr || !is_also_hips) return;
    const Source* in = source(own->file);
    const auto token = in->token_at(*own);
    if (!token) return;
    const std::string_view macro = in->file.text(*token);
    if (macro == kOwnOperator || macro == kOwnAssignment)
      return call_own_operator(error[0], in->file, *token);
    for (const cu::Function& function : in->file.functions()) {
      if (function.body.empty() || !(function.head.contains(*token) || function.name == *token))
        continue;
      // Whatever it does, the program expects it.
      if (vector_operator(in->file, function) != VectorOperator::kSame) return;
      const std::size_t begin = in->file.span(function.head).begin;
      const std::size_t end = in->file.span(function.body.end).end;  // its brace
      propose({.path = own->file,
               .span = {begin, end},
               .replacement = "",
               .code = "HP805",
               .reason = "HIP's vector types define this operator"});
      return;
    }
  }

  // a * b with a const b: a * float2(b). a *= b: own_multiply(a, b).
  void call_own_operator(const LogMessage& error, const cu::File& own, cu::TokenIndex macro) {
    const Source* in = source(error.file);
    const auto sign = in == nullptr ? std::nullopt : in->token_at(error);
    const auto arguments = own.arguments(macro + 1);
    if (!sign || arguments.size() != 3 || in->file.text(*sign) != own.text(arguments[1])) return;
    const cu::TokenIndex begin = *sign + 1;
    const auto text_of = [&](cu::TokenRange range) { return in->file.text(range); };
    if (own.text(macro) == kOwnOperator) {
      const cu::TokenRange operand{begin, end_of_operand(in->file, begin)};
      if (operand.empty()) return;
      return propose(
          {.path = error.file,
           .span = in->file.span(operand),
           .replacement = fmt::format("{}({})", own.text(arguments[0]), text_of(operand)),
           .code = "HP805",
           .reason = "selects the program's operator, not HIP's"});
    }
    const cu::TokenRange whole = in->file.statement(*sign);
    if (whole.end <= begin || !in->file.is(whole.end - 1, ";")) return;
    const cu::TokenRange left{whole.begin, *sign}, right{begin, whole.end - 1};
    if (end_of_operand(in->file, left.begin) != left.end) return;  // if (c) a *= b;
    propose({.path = error.file,
             .span = in->file.span({left.begin, right.end}),
             .replacement =
                 fmt::format("{}({}, {})", own.text(arguments[2]), text_of(left), text_of(right)),
             .code = "HP805",
             .reason = "selects the program's operator, not HIP's"});
  }

  // The start of one side of an operator; `begin` if it cannot be determined.
  static cu::TokenIndex end_of_operand(const cu::File& file, cu::TokenIndex begin) {
    const auto is_name = [&](cu::TokenIndex at) {
      return at < file.tokens().size() && file.tokens()[at].kind == cu::Kind::kName;
    };
    cu::TokenIndex at = begin;
    while (file.is(at, "-") || file.is(at, "*") || file.is(at, "&")) ++at;
    if (!is_name(at)) {
      if (!file.is(at, "(") || file.partner(at) == cu::kNoToken) return begin;
      at = file.partner(at);
      if (is_name(at + 1) || file.is(at + 1, "(")) return begin;  // a cast
    }
    for (++at; at < file.tokens().size();) {
      if ((file.is(at, "(") || file.is(at, "[")) && file.partner(at) != cu::kNoToken)
        at = file.partner(at) + 1;
      else if ((file.is(at, ".") || file.is(at, "->") || file.is(at, "::")) && is_name(at + 1))
        at += 2;
      else
        break;
    }
    return file.is(at, "<") ? begin : at;  // f<…>(…), or a comparison
  }

  // f(const hipblasHalf*) called with a const __half*: the same bits under two names.
  void cast_argument(Messages error) {
    static const Pattern kNote(
        R"(candidate function.* not viable: no known conversion from '([^']+)'(?: \(aka '[^']+'\))? to )"
        R"('((?:const )?(?:hipblas|rocblas_|hipsolver|hipfft|hipsparse)\w+ \*)'(?: \(aka '[^']+'\))? )"
        R"(for (\d{1,3})(?:st|nd|rd|th) argument.*)");
    const LogMessage* only = nullptr;
    for (const LogMessage& note : error.subspan(1)) {
      if (!note.text.starts_with("candidate function")) continue;
      if (only != nullptr) return;
      only = &note;
    }
    const Source* in = source(error[0].file);
    if (only == nullptr || in == nullptr) return;
    const auto match = kNote.match(only->text);
    if (match.empty() || match[1].find('*') == std::string::npos) return;
    const auto token = in->token_at(error[0]);
    if (!token || *token + 1 >= in->file.tokens().size() || !in->file.is(*token + 1, "(")) return;
    const auto arguments = in->file.arguments(*token + 1);
    const std::size_t wanted = std::stoul(match[3]);
    if (wanted == 0 || wanted > arguments.size()) return;
    const Span place = in->file.span(arguments[wanted - 1]);
    propose({.path = error[0].file,
             .span = place,
             .replacement = fmt::format("reinterpret_cast<{}>({})", match[2],
                                        in->text.substr(place.begin, place.size())),
             .code = "HP806",
             .reason = "the same bits under the library's name"});
  }

  // static_cast<T>(x) in a template: from half to bfloat16 or back, or from a 64-bit integer.
  bool convert_number(const LogMessage& error) {
    static const Pattern kCast(
        R"(ambiguous conversion for [\w -]+ from '([^']+)'(?: \(aka '[^']+'\))? to '([^']+)'.*)");
    static const Pattern kOther(
        R"(conversion from '([^']+)'(?: \(aka '[^']+'\))? to '([^']+)'(?: \(aka '[^']+'\))? is ambiguous)");
    std::vector<std::string> match = kCast.match(error.text);
    const bool is_at_cast = !match.empty();
    if (!is_at_cast) match = kOther.match(error.text);
    if (match.empty() || !is_number(match[1]) || !is_number(match[2])) return false;
    const Source* in = source(error.file);
    const auto token = in == nullptr ? std::nullopt : in->token_at(error);
    if (!token) return false;
    const cu::TokenRange operand = is_at_cast
                                       ? operand_of_cast(in->file, *token)
                                       : cu::TokenRange{*token, end_of_operand(in->file, *token)};
    if (operand.empty()) return false;
    const Span place = in->file.span(operand);
    propose({.path = error.file,
             .span = place,
             .replacement =
                 fmt::format("hip_compat::number({})", in->text.substr(place.begin, place.size())),
             .code = "HP224",
             .reason = "HIP lacks this conversion",
             .needs_compat = true});
    if (in->text.find(kCompatName) == std::string::npos)
      include(error.file, *in,
              fmt::format("\"{}{}\"", way_to_root(error.file), std::string(kCompatName)), "HP224",
              "hip_compat is declared there");
    return true;
  }

  static bool is_number(std::string_view type) {
    constexpr auto kTypes = std::to_array<std::string_view>(
        {"__half", "__hip_bfloat16", "decltype(data)", "_Float16", "long", "unsigned long",
         "long long", "unsigned long long"});
    if (type.starts_with("const ")) type.remove_prefix(6);
    return std::ranges::find(kTypes, type) != kTypes.end();
  }

  // static_cast<T>(x), T(x), (T)x: x.
  static cu::TokenRange operand_of_cast(const cu::File& file, cu::TokenIndex cast) {
    cu::TokenIndex open = cast;
    if (file.is(cast, "(") && file.partner(cast) != cu::kNoToken) {
      const cu::TokenIndex begin = file.partner(cast) + 1;
      return {begin, end_of_operand(file, begin)};
    }
    while (open + 1 < file.tokens().size() && open < cast + 16 && !file.is(open, "(") &&
           !file.is(open, ";"))
      ++open;
    const cu::TokenIndex close = file.is(open, "(") ? file.partner(open) : cu::kNoToken;
    return close == cu::kNoToken ? cu::TokenRange{cast, cast} : cu::TokenRange{open + 1, close};
  }

  // a.f<3>() in a template: nvcc looks f up in the template's definition, C++ does not.
  void add_template(const LogMessage& error) {
    const Source* in = source(error.file);
    const auto token = in == nullptr ? std::nullopt : in->token_at(error);
    if (!token || in->file.tokens()[*token].kind != cu::Kind::kName || *token == 0) return;
    if (!in->file.is(*token - 1, ".") && !in->file.is(*token - 1, "->") &&
        !in->file.is(*token - 1, "::"))
      return;
    const std::size_t place = in->file.span(*token).begin;
    propose({.path = error.file,
             .span = {place, place},
             .replacement = "template ",
             .code = "HP807",
             .reason = "the name depends on a template parameter"});
  }

  const PortedText& text_of_;
  std::map<std::string, std::unique_ptr<Source>> sources_;
  std::vector<Repair> list_;
};

}  // namespace

std::vector<Repair> repairs_for(Messages messages, const PortedText& text_of) {
  Repairs repairs(text_of);
  for (std::size_t begin = 0; begin < messages.size();) {
    std::size_t end = begin + 1;
    while (end < messages.size() && messages[end].severity == "note") ++end;
    if (messages[begin].severity == "error") repairs.read(messages.subspan(begin, end - begin));
    begin = end;
  }
  return repairs.take();
}

}  // namespace hipwright::port
