// SPDX-License-Identifier: MIT
#include "port/api/call.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/words.h"
#include "port/api/api.h"

namespace hipwright::port::api {

namespace {

constexpr std::string_view kSeparator = " | ";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the first form off `call`.
std::string_view next_form(std::string_view& call) {
  const std::size_t end = std::min(call.find(kSeparator), call.size());
  const std::string_view form = call.substr(0, end);
  call.remove_prefix(std::min(end + kSeparator.size(), call.size()));
  return form;
}

// "3: text" → 3 and "text"; empty for a form with any number of arguments.
std::optional<std::size_t> take_count(std::string_view& form) {
  if (form.size() < 3 || !is_digit(form[0])) return std::nullopt;
  std::size_t length = 1;
  std::size_t count = static_cast<std::size_t>(form[0] - '0');
  if (is_digit(form[1])) count = 10 * count + static_cast<std::size_t>(form[length++] - '0');
  if (!form.substr(length).starts_with(": ")) return std::nullopt;
  form.remove_prefix(length + 2);
  return count;
}

bool has_pointer_cast(std::string_view argument) {
  if (argument == "nullptr" || argument == "NULL") return true;
  for (const std::string_view cast :
       {"(const void*)", "(const void *)", "(void*)", "(void *)", "(void const*)",
        "reinterpret_cast<", "static_cast<const void", "static_cast<void"})
    if (argument.starts_with(cast)) return true;
  return false;
}

std::string kernel(std::string_view argument) {
  if (has_pointer_cast(argument)) return std::string(argument);
  return fmt::format("reinterpret_cast<const void*>({})", argument);
}

std::string symbol(std::string_view argument) {
  if (argument.starts_with("HIP_SYMBOL(")) return std::string(argument);
  return fmt::format("HIP_SYMBOL({})", argument);
}

// hipMemLocationTypeHost is newer than HIP 6: anything but a device is the host.
std::string location(std::string_view argument) {
  std::string text(argument);
  if (text.starts_with('{')) text = "hipMemLocation" + text;
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower.find("loc") == std::string::npos || text.find('.') != std::string::npos) return text;
  return fmt::format("({0}.type == hipMemLocationTypeDevice ? {0}.id : hipCpuDeviceId)", text);
}

struct Role {
  std::string_view name;  // with what stands before the number
  std::string (*apply)(std::string_view argument);
};
constexpr Role kRoles[] = {
    {"kernel($", kernel},
    {"symbol($", symbol},
    {"location($", location},
};

const Role* role_at(std::string_view form) {
  for (const Role& role : kRoles)
    if (form.starts_with(role.name)) return &role;
  return nullptr;
}

// The argument with this digit's number; empty if there are fewer.
std::optional<std::string_view> argument_of(char digit,
                                            std::span<const std::string_view> arguments) {
  const auto index = static_cast<std::size_t>(digit - '1');
  if (index >= arguments.size()) return std::nullopt;
  return trimmed(arguments[index]);
}

void append_all(std::string& out, std::span<const std::string_view> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out += ", ";
    out += trimmed(arguments[i]);
  }
}

// "$2..": removed with the comma before it if there are no such arguments.
void append_rest(std::string& out, char digit, std::span<const std::string_view> arguments) {
  const auto first = static_cast<std::size_t>(digit - '1');
  if (first < arguments.size()) {
    append_all(out, arguments.subspan(first));
  } else if (out.ends_with(", ")) {
    out.resize(out.size() - 2);
  }
}

std::string form_problem(std::string_view form, std::optional<std::size_t> count) {
  for (std::size_t at = form.find('$'); at != std::string_view::npos; at = form.find('$', at + 1)) {
    const char next = at + 1 < form.size() ? form[at + 1] : '\0';
    if (next != '*' && !is_digit(next)) return "expected a digit or '*' after '$'";
    if (is_digit(next) && count && static_cast<std::size_t>(next - '0') > *count)
      return fmt::format("'${}' in a form for {} arguments", next, *count);
  }
  for (std::size_t at = 0; at < form.size(); ++at)
    if (const Role* role = role_at(form.substr(at))) {
      const std::string_view rest = form.substr(at + role->name.size());
      if (rest.size() < 2 || !is_digit(rest[0]) || rest[0] == '0' || rest[1] != ')')
        return fmt::format("'{}' takes one argument", role->name);
    }
  return {};
}

}  // namespace

std::string call_problem(std::string_view call) {
  std::array<bool, 100> seen{};
  bool seen_any = false;
  while (!call.empty()) {
    std::string_view form = next_form(call);
    if (seen_any) return "a form for any number of arguments must be the last one";
    const auto count = take_count(form);
    if (form.empty()) return "empty form";
    seen_any = !count;
    if (count && std::exchange(seen[*count], true))
      return fmt::format("two forms for {} arguments", *count);
    if (std::string problem = form_problem(form, count); !problem.empty()) return problem;
  }
  return {};
}

std::string_view call_form(const Entry& entry, std::size_t argument_count) {
  std::string_view call = entry.call;
  while (!call.empty()) {
    std::string_view form = next_form(call);
    const auto count = take_count(form);
    if (!count || *count == argument_count) return form;
  }
  return {};
}

std::optional<std::string> rewritten_call(const Entry& entry,
                                          std::span<const std::string_view> arguments) {
  const std::string_view form = call_form(entry, arguments.size());
  if (form.empty()) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const Role* const role = role_at(form.substr(i));
    if (role == nullptr && form[i] != '$') {
      out += form[i];
      continue;
    }
    i += role != nullptr ? role->name.size() : 1;
    const char which = form[i];
    if (which == '0') {
      out += entry.hip;
    } else if (which == '*') {
      append_all(out, arguments);
    } else if (role == nullptr && form.substr(i + 1).starts_with("..")) {
      append_rest(out, which, arguments);
      i += 2;
    } else {
      const auto argument = argument_of(which, arguments);
      if (!argument) return std::nullopt;
      out += role != nullptr ? role->apply(*argument) : std::string(*argument);
      i += role != nullptr ? 1 : 0;
    }
  }
  return out;
}

std::optional<CallMacro> call_macro(const Entry& entry, std::size_t argument_count) {
  if (entry.call.find(kSeparator) != std::string_view::npos) return std::nullopt;
  std::string_view form = entry.call;
  if (form.empty() || take_count(form) || form.find("location($") != std::string_view::npos)
    return std::nullopt;
  // The last argument that the form names, and whether it takes those after it.
  const bool has_all = form.find("$*") != std::string_view::npos;
  std::size_t named = 0;
  bool takes_rest = has_all;
  for (std::size_t at = form.find('$'); at != std::string_view::npos; at = form.find('$', at + 1)) {
    if (!is_digit(form[at + 1]) || form[at + 1] == '0') continue;
    const bool is_rest = form.substr(at + 2).starts_with("..");
    const auto number = static_cast<std::size_t>(form[at + 1] - '0');
    named = std::max(named, is_rest ? number - 1 : number);
    takes_rest |= is_rest;
  }
  if ((takes_rest && (argument_count <= named || (has_all && named != 0))) ||
      (!takes_rest && argument_count != named))
    return std::nullopt;
  std::vector<std::string> parameters;
  for (std::size_t i = 1; i <= named; ++i) parameters.push_back(fmt::format("a{}", i));
  if (takes_rest) parameters.emplace_back("...");
  CallMacro macro{fmt::format("{}({})", entry.cuda, fmt::join(parameters, ", ")), {}};
  if (takes_rest) parameters.back() = "__VA_ARGS__";
  const auto text =
      rewritten_call(entry, std::vector<std::string_view>(parameters.begin(), parameters.end()));
  if (!text) return std::nullopt;
  macro.text = *text;
  return macro;
}

}  // namespace hipwright::port::api
