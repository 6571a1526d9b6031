// SPDX-License-Identifier: MIT
// Any text as PTX, with any operands: a translation is lines of C++ that lex, or a refusal with a
// page. A first line of constraints ("=r =f l n"), then the text.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "port/codes.h"
#include "port/ptx/ptx.h"
#include "port/ptx/statement.h"

using namespace hipwright;
using namespace hipwright::port;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  std::vector<ptx::Argument> arguments;
  bool is_output = false, is_both = false;
  for (const char c : input.substr(0, std::min<std::size_t>(line, 64))) {
    is_output |= c == '=' || c == '+';
    is_both |= c == '+';
    if (c < 'a' || c > 'z') continue;
    arguments.push_back({.text = std::string(1, 'a' + static_cast<char>(arguments.size() % 26)),
                         .constraint = c,
                         .is_input = is_both || !is_output,
                         .is_output = is_output});
    is_output = is_both = false;
  }
  const std::string_view text = input.substr(line);
  const ptx::Translation translation = ptx::translate(text, arguments, size % 2 == 0);
  HW_ASSERT(!translation.refusal || find_code(translation.refusal->code) != nullptr);
  for (const std::string& each : translation.lines) {
    HW_ASSERT(translation.refusal || each.ends_with(';') || each.ends_with('}'));
    int depth = 0;
    for (const char c : each) depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    HW_ASSERT(translation.refusal || depth == 0);
  }
  const syntax::cuda::File file(input);
  for (const ptx::AsmStatement& statement : ptx::asm_statements(file)) {
    HW_ASSERT(statement.span.end <= input.size() && statement.span.begin < statement.span.end);
    for (const ptx::AsmOperand& operand : statement.operands)
      HW_ASSERT(operand.expression.begin <= operand.expression.end);
  }
  return 0;
}
