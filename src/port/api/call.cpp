// SPDX-License-Identifier: MIT
#include "port/api/call.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "port/api/api.h"

namespace hipwright::port::api {

namespace {

constexpr std::string_view kSeparator = " | ";
constexpr std::string_view kKernel = "kernel($";
constexpr std::string_view kSymbol = "symbol($";

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

// "3: text" → 3 and "text"; nothing for a form that is for any number of arguments.
std::optional<std::size_t> take_count(std::string_view& form) {
  if (form.size() < 3 || !is_digit(form[0])) return std::nullopt;
  std::size_t length = 1;
  std::size_t count = static_cast<std::size_t>(form[0] - '0');
  if (is_digit(form[1])) count = 10 * count + static_cast<std::size_t>(form[length++] - '0');
  if (!form.substr(length).starts_with(": ")) return std::nullopt;
  form.remove_prefix(length + 2);
  return count;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool has_pointer_cast(std::string_view argument) {
  if (argument == "nullptr" || argument == "NULL") return true;
  for (const std::string_view cast :
       {"(const void*)", "(const void *)", "(void*)", "(void *)", "(void const*)",
        "reinterpret_cast<", "static_cast<const void", "static_cast<void"})
    if (argument.starts_with(cast)) return true;
  return false;
}

void append_kernel(std::string& out, std::string_view argument) {
  argument = trimmed(argument);
  if (has_pointer_cast(argument)) {
    out += argument;
  } else {
    out += fmt::format("reinterpret_cast<const void*>({})", argument);
  }
}

void append_symbol(std::string& out, std::string_view argument) {
  argument = trimmed(argument);
  if (argument.starts_with("HIP_SYMBOL(")) {
    out += argument;
  } else {
    out += fmt::format("HIP_SYMBOL({})", argument);
  }
}

}  // namespace

std::string call_problem(std::string_view call) {
  std::array<bool, 100> seen{};
  bool seen_any = false;
  while (!call.empty()) {
    std::string_view form = next_form(call);
    if (seen_any) return "a form for any number of arguments is the last one";
    const auto count = take_count(form);
    if (form.empty()) return "a form is empty";
    seen_any = !count;
    if (count && std::exchange(seen[*count], true))
      return fmt::format("two forms for {} arguments", *count);
    for (std::size_t at = form.find('$'); at != std::string_view::npos;
         at = form.find('$', at + 1)) {
      const char next = at + 1 < form.size() ? form[at + 1] : '\0';
      if (next != '*' && !is_digit(next)) return "'$' is followed by a digit or '*'";
      if (is_digit(next) && count && static_cast<std::size_t>(next - '0') > *count)
        return fmt::format("'${}' in a form for {} arguments", next, *count);
    }
    for (const std::string_view role : {kKernel, kSymbol})
      for (std::size_t at = form.find(role); at != std::string_view::npos;
           at = form.find(role, at + 1))
        if (at + role.size() + 1 >= form.size() || !is_digit(form[at + role.size()]) ||
            form[at + role.size()] == '0' || form[at + role.size() + 1] != ')')
          return fmt::format("'{}…)' holds one argument", role.substr(0, role.size() - 1));
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
    const std::string_view rest = form.substr(i);
    const bool kernel = rest.starts_with(kKernel);
    if (kernel || rest.starts_with(kSymbol)) {
      const std::size_t digit = i + kKernel.size();
      static_assert(kKernel.size() == kSymbol.size());
      const std::size_t index = static_cast<std::size_t>(form[digit] - '1');
      if (index >= arguments.size()) return std::nullopt;
      (kernel ? append_kernel : append_symbol)(out, arguments[index]);
      i = digit + 1;
    } else if (form[i] != '$') {
      out += form[i];
    } else if (form[++i] == '*') {
      out += fmt::format("{}", fmt::join(arguments, ", "));
    } else if (form[i] == '0') {
      out += entry.hip;
    } else {
      const std::size_t index = static_cast<std::size_t>(form[i] - '1');
      if (index >= arguments.size()) return std::nullopt;
      out += trimmed(arguments[index]);
    }
  }
  return out;
}

}  // namespace hipwright::port::api
