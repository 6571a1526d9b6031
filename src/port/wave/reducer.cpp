// SPDX-License-Identifier: MIT
// Functions that combine the values of all lanes of a warp, and do nothing else:
//   for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
//   return v;
// or the same five steps written out.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

class ReducerCheck : public Lanes {
 public:
  using Lanes::Lanes;

  std::optional<Combined> look() {
    if (which_.is_kernel() || !has_one_value()) return std::nullopt;
    const auto found = statements(file_, function_.body);
    if (!found || found->size() < 2) return std::nullopt;
    const Statement& last = found->back();
    if (last.kind != Statement::Kind::kSimple || last.range.end - last.range.begin != 2 ||
        file_.text(last.range.begin) != "return" || file_.text(last.range.begin + 1) != value_)
      return std::nullopt;
    const bool fits = found->size() == 2 ? loop((*found)[0].range) : written_out(*found);
    if (!fits) return std::nullopt;
    write();
    return Combined{*how_, is_template() ? std::string() : type_, false};
  }

  std::optional<ReductionLoop> look_at(TokenRange range) {
    const TokenIndex close = file_.partner(range.begin + 1);
    if (close == cu::kNoToken) return std::nullopt;
    const TokenIndex name = file_.is(close + 1, "{") ? close + 2 : close + 1;
    value_ = file_.text(name);
    if (!cu::is_name(file_, name) || !loop(range)) return std::nullopt;
    write();
    return ReductionLoop{name, *how_};
  }

 private:
  void write() {
    for (const TokenRange mask : masks_) write_mask(mask);
    for (const TokenRange width : widths_) write_size(width);
  }
  bool is_template() const { return !function_.template_parameters.empty(); }

  // (float v), and float is returned.
  bool has_one_value() {
    const TokenRange list = function_.parameters;
    if (list.empty()) return false;
    for (TokenIndex at = list.begin; at < list.end; ++at)
      if (cu::is_punctuator(file_, at, {",", "&", "*", "[", "=", "(", "<", "&&"})) return false;
    value_ = file_.text(list.end - 1);
    type_ = type_text(file_, {list.begin, list.end - 1});
    // template <typename T>
    TokenIndex begin = function_.head.begin;
    if (is_template()) {
      const TokenRange types = function_.template_parameters;
      if (types.end - types.begin != 2 || file_.text(types.begin + 1) != type_) return false;
      begin = types.end + 1;
    }
    return type_text(file_, {begin, function_.name}) == type_ && type_.find("bool") == type_.npos;
  }

  // Skips the value of another lane. `distance`: how far away it is.
  std::optional<TokenIndex> shuffle(TokenIndex at, TokenRange& distance) {
    const cu::LaneOp* op = warp_function_at(file_, at);
    if (op == nullptr || op->kind != cu::LaneOp::Kind::kShuffle || !file_.is(at + 1, "("))
      return std::nullopt;
    const std::string_view name = op->name.text();
    if (name.find("_down") == name.npos && name.find("_xor") == name.npos) return std::nullopt;
    const TokenIndex close = file_.partner(at + 1);
    auto arguments = file_.arguments(at + 1);
    if (close == cu::kNoToken) return std::nullopt;
    if (op->mask == 0) {
      if (arguments.empty() || !is_full_mask(arguments[0])) return std::nullopt;
      masks_.push_back(arguments[0]);
      arguments.erase(arguments.begin());
    }
    if (arguments.size() < 2 || arguments.size() > 3 || file_.text(arguments[0]) != value_)
      return std::nullopt;
    if (arguments.size() == 3) {
      if (!is_size(arguments[2])) return std::nullopt;
      widths_.push_back(arguments[2]);
    }
    distance = arguments[1];
    return static_cast<TokenIndex>(close + 1);
  }

  bool is_value(TokenIndex at) const { return file_.text(at) == value_; }

  bool combines(Combine how) {
    if (how_ && *how_ != how) return false;
    how_ = how;
    return true;
  }

  // v += shuffle, v = v + shuffle, v = max(v, shuffle)
  bool step(TokenRange range, TokenRange& distance) {
    struct Sign {
      const char *alone, *assigned;
      Combine how;
    };
    static constexpr std::array kSigns = {
        Sign{"+", "+=", Combine::kAdd}, Sign{"|", "|=", Combine::kOr},
        Sign{"&", "&=", Combine::kAnd}, Sign{"^", "^=", Combine::kXor}};
    struct Word {
      std::string_view name;
      Combine how;
    };
    static constexpr std::array kWords = {
        Word{"max", Combine::kMax}, Word{"fmaxf", Combine::kMax}, Word{"fmax", Combine::kMax},
        Word{"min", Combine::kMin}, Word{"fminf", Combine::kMin}, Word{"fmin", Combine::kMin}};
    if (range.end - range.begin < 4 || !is_value(range.begin)) return false;
    const TokenIndex at = range.begin + 1;
    for (const Sign& each : kSigns)
      if (file_.is(at, each.assigned))
        return shuffle(at + 1, distance) == range.end && combines(each.how);
    if (!file_.is(at, "=")) return false;
    for (const Sign& each : kSigns)
      if (is_value(at + 1) && file_.is(at + 2, each.alone))
        return shuffle(at + 3, distance) == range.end && combines(each.how);
    for (const Word& each : kWords)
      if (file_.text(at + 1) == each.name && file_.is(at + 2, "(") && is_value(at + 3) &&
          file_.is(at + 4, ",") && !group_.own_.has(each.name, *which_.source, at))
        return shuffle(at + 5, distance) == range.end - 1 && file_.is(range.end - 1, ")") &&
               combines(each.how);
    return false;
  }

  // Over the powers of two below the warp size, each once.
  bool loop(TokenRange range) {
    const TokenIndex open = range.begin + 1;
    if (file_.text(range.begin) != "for" || file_.partner(open) == cu::kNoToken) return false;
    const TokenIndex close = file_.partner(open);
    std::vector<TokenRange> parts;
    TokenIndex begin = open + 1;
    for (TokenIndex at = begin; at <= close; ++at) {
      if (!file_.is(at, ";") && at != close) continue;
      parts.push_back({begin, at});
      begin = at + 1;
    }
    if (parts.size() != 3) return false;
    TokenIndex equals = parts[0].begin;
    while (equals < parts[0].end && !file_.is(equals, "=")) ++equals;
    if (equals - parts[0].begin < 2 || equals + 1 >= parts[0].end) return false;
    const std::string type = type_text(file_, {parts[0].begin, equals - 1});
    if (type != "int" && type != "unsigned int") return false;
    const std::string name(file_.text(equals - 1));
    if (name == value_) return false;
    // Its only statement.
    TokenRange body{close + 1, range.end};
    if (file_.is(body.begin, "{")) body = {body.begin + 1, body.end - 1};
    const auto inner = statements(file_, body);
    TokenRange distance;
    if (!inner || inner->size() != 1 || (*inner)[0].kind != Statement::Kind::kSimple ||
        !step((*inner)[0].range, distance) || file_.text(distance) != name)
      return false;
    return halves(name, {equals + 1, parts[0].end}, parts[1], parts[2]) ||
           doubles(name, {equals + 1, parts[0].end}, parts[1], parts[2]);
  }

  bool is_one_of(TokenRange range, const std::string& name,
                 std::initializer_list<const char*> forms) const {
    std::string text;
    for (TokenIndex at = range.begin; at < range.end; ++at) text += file_.text(at);
    return std::any_of(forms.begin(), forms.end(), [&](const char* form) {
      return text == fmt::format(fmt::runtime(form), name);
    });
  }

  bool halves(const std::string& name, TokenRange start, TokenRange until, TokenRange next) {
    if (!is_one_of(next, name, {"{0}/=2", "{0}>>=1", "{0}={0}/2", "{0}={0}>>1"}) ||
        !is_one_of(until, name, {"{0}>0", "{0}>=1", "{0}!=0", "{0}"}))
      return false;
    start = cu::unwrapped(file_, start);
    if (start.end - start.begin == 1 && is_number(start.begin, 16)) {
      replace(start, fmt::format("{} / 2", kWaveSize));
      return true;
    }
    if (start.end - start.begin != 3 || !is_size({start.begin, start.begin + 1})) return false;
    if (!(file_.is(start.begin + 1, "/") && is_number(start.begin + 2, 2)) &&
        !(file_.is(start.begin + 1, ">>") && is_number(start.begin + 2, 1)))
      return false;
    write_size({start.begin, start.begin + 1});
    return true;
  }
  bool doubles(const std::string& name, TokenRange start, TokenRange until, TokenRange next) {
    if (!is_one_of(next, name, {"{0}*=2", "{0}<<=1", "{0}={0}*2", "{0}={0}<<1"}) ||
        start.end - start.begin != 1 || !is_number(start.begin, 1) ||
        until.end - until.begin != 3 || file_.text(until.begin) != name ||
        !file_.is(until.begin + 1, "<") || !is_size({until.begin + 2, until.end}))
      return false;
    write_size({until.begin + 2, until.end});
    return true;
  }

  // One more step for 64-lane waves.
  bool written_out(const std::vector<Statement>& all) {
    if (all.size() != 6) return false;
    const auto text_without = [&](TokenRange range, TokenRange distance) {
      return std::string(file_.text({range.begin, distance.begin})) +
             std::string(file_.text({distance.end, range.end}));
    };
    std::string first;
    for (std::size_t i = 0; i < 5; ++i) {
      TokenRange distance;
      if (all[i].kind != Statement::Kind::kSimple || !step(all[i].range, distance) ||
          distance.end - distance.begin != 1 || !is_number(distance.begin, 16U >> i))
        return false;
      const std::string text = text_without(all[i].range, distance);
      if (i == 0) {
        first = text;
        one_more(all[i].range, distance);
      } else if (text != first) {
        return false;
      }
    }
    return true;
  }
  void one_more(TokenRange range, TokenRange distance) {
    std::string text;
    for (TokenIndex at = range.begin; at < range.end; ++at) {
      const bool is_mask = !masks_.empty() && masks_.back().contains(at);
      const bool is_width = !widths_.empty() && widths_.back().contains(at);
      if (at > range.begin && !(is_mask && at > masks_.back().begin))
        text += file_.text().substr(file_.span(at - 1).end,
                                    file_.span(at).begin - file_.span(at - 1).end);
      if (is_mask)
        text += at == masks_.back().begin ? "~0ull" : "";
      else if (at == distance.begin)
        text += "32";
      else
        text += is_width ? kWaveSize : file_.text(at);
    }
    const std::size_t begin = file_.span(range.begin).begin;
    group_.edit(*which_.source, {begin, begin}, fmt::format("if ({} > 32) {};\n", kWaveSize, text));
  }

  std::string value_, type_;
  std::optional<Combine> how_;
  std::vector<TokenRange> masks_, widths_;
};

std::optional<Combined> reducer(WaveGroup& group, const DeviceFunction& which) {
  return ReducerCheck(group, which).look();
}

std::optional<ReductionLoop> reduction_loop(WaveGroup& group, const DeviceFunction& which,
                                            TokenRange range) {
  return ReducerCheck(group, which).look_at(range);
}

}  // namespace hipwright::port
