// SPDX-License-Identifier: MIT
// Inline PTX becomes C++ that computes the same.
#include "port/ptx/ptx.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/words.h"
#include "port/pass.h"
#include "port/ptx/statement.h"
#include "port/source/context.h"
#include "port/source/paths.h"
#include "syntax/cuda/assembly.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using port::ptx::Argument;
using port::ptx::AsmOperand;
using port::ptx::AsmStatement;
using port::ptx::Program;
using port::ptx::Remark;
using port::ptx::Translation;

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

// The whitespace that the line of `at` begins with; nothing when other text stands before `at`.
std::optional<std::string_view> indent(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::string_view before = text.substr(begin, at - begin);
  return is_blank(before) ? std::optional(before) : std::nullopt;
}

class Rewriter {
 public:
  Rewriter(SourceContext& context, const AsmStatement& statement)
      : context_(context), file_(context.file), statement_(statement) {}

  void rewrite() {
    if (context_.is_settled(statement_.keyword) || !is_ptx()) return;
    if (!statement_.unreadable.empty())
      return report(
          {"HP316", "macros assemble the string of this asm statement",
           "Only strings written out in the file are translated: " + statement_.unreadable + "."},
          statement_.text);
    std::vector<Argument> arguments;
    for (const AsmOperand& operand : statement_.operands) arguments.push_back(argument(operand));
    const cu::Function* function = file_.function_at(statement_.keyword);
    Translation translation =
        port::ptx::translate(statement_.text, arguments,
                             function != nullptr && (function->qualifiers & cu::kGlobal) != 0);
    if (translation.refusal)
      return report(*translation.refusal,
                    translation.instruction.empty() ? statement_.text : translation.instruction);
    for (const Remark& remark : translation.remarks)
      context_.report(remark.code, Severity::kNote, statement_.span, remark.message, remark.why);
    const std::string text = function_for(translation, arguments).value_or(text_of(translation));
    const std::string used = text + definition_;
    if (used.find("warp32::") != std::string::npos &&
        context_.shares_lanes_with_amd(statement_.span, SourceContext::Side::kDevice))
      return;
    if (!context_.change(statement_.span, text, "HP310", statement_.text)) return;
    context_.needs.runtime = true;
    if (!function_.empty()) context_.shim().functions.emplace(function_, definition_);
    context_.needs.ptx |= used.find("hip_ptx::") != std::string::npos;
    context_.needs.compat |= has_any(used, {"warp32::", "__"});
  }

 private:
  // Other assembly is for another machine.
  bool is_ptx() const {
    if (statement_.text.find("%[") != std::string::npos) return false;  // nvcc has no such operands
    const cu::Function* function = file_.function_at(statement_.keyword);
    const bool is_device = function != nullptr && function->is_device();
    const bool is_unread = !statement_.unreadable.empty() && cu::begins_like_ptx(statement_.text);
    if (is_unread || !cu::ptx_instruction(statement_.text).empty()) {
      // Some words are those of other machines, too.
      const bool is_known_host = function != nullptr && !is_device &&
                                 !context_.source.is_header() &&
                                 !context_.source.path().ends_with(".cu");
      return !is_known_host;
    }
    const Program program = port::ptx::read_program(statement_.text);
    return is_device && !program.instructions.empty() && !program.instructions[0].modifiers.empty();
  }

  Argument argument(const AsmOperand& operand) const {
    Argument result{
        .text = context_.changes().text_of(file_.text(), file_.span(operand.expression)),
        .constraint = operand.constraint,
        .is_input = operand.is_input,
        .is_output = operand.is_output};
    const cu::TokenRange range = cu::unwrapped(file_, operand.expression);
    if (operand.is_output && operand.constraint == 'l' && range.end - range.begin == 1) {
      const auto variable = cu::declaration_of(file_, range.begin);
      result.is_pointer = variable && !variable->is_array &&
                          (file_.is(variable->name - 1, "*") ||
                           file_.text(variable->type).find('*') != std::string_view::npos);
    }
    return result;
  }

  // In dual mode several statements become a function of the header for AMD's compilers, named
  // after the first instruction, and the asm statement a call of it.
  std::optional<std::string> function_for(const Translation& translation,
                                          const std::vector<Argument>& arguments) {
    if (!context_.is_dual() || !translation.is_block) return std::nullopt;
    std::vector<Argument> parameters = arguments;
    std::vector<std::string> types, declared, texts;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].constraint == 'n' || arguments[i].is_pointer) return std::nullopt;
      parameters[i].text = fmt::format("p{}", i);
      types.push_back(fmt::format("class T{}", i));
      declared.push_back(fmt::format("T{0}{1} p{0}", i, arguments[i].is_output ? "&" : ""));
      texts.push_back(arguments[i].text);
    }
    // Outside the kernel: its end cannot be in the function.
    const Translation body = port::ptx::translate(statement_.text, parameters, false);
    if (body.refusal || arguments.empty()) return std::nullopt;
    std::string lines;
    for (const std::string& line : body.lines) {
      if (line.find("return") != std::string::npos) return std::nullopt;
      lines += fmt::format("  {}\n", line);
    }
    const std::string comment = one_line(statement_.text);
    function_ =
        fmt::format("{}_{}", name_of(statement_.text), hash128(lines + comment).hex().substr(0, 4));
    definition_ =
        fmt::format("// {:.90}\ntemplate <{}>\n__device__ inline void {}({}) {{\n{}}}\n", comment,
                    fmt::join(types, ", "), function_, fmt::join(declared, ", "), lines);
    return fmt::format("hip_ptx::{}({}){}", function_, fmt::join(texts, ", "),
                       statement_.has_semicolon ? ";" : "");
  }

  static std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text)
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\\')
        line += c;
      else if (!line.empty() && line.back() != ' ')
        line += ' ';
    return line;
  }
  // "cvta_to_shared_u64" of "{ .reg .u64 a; cvta.to.shared.u64 a, %1; …"
  static std::string name_of(const std::string& text) {
    const Program program = port::ptx::read_program(text);
    if (program.instructions.empty()) return "statement";
    std::string name = program.instructions[0].name;
    for (const std::string& word : program.instructions[0].modifiers) name += "_" + word;
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
  }

  std::string text_of(const Translation& translation) const {
    const bool in_macro = (file_.tokens()[statement_.keyword].flags & cu::kInMacroBody) != 0;
    const auto margin = in_macro ? std::nullopt : indent(file_.text(), statement_.span.begin);
    const std::string_view line_break = line_break_of(file_.text());
    if (translation.lines.empty()) return statement_.has_semicolon ? "(void)0;" : "(void)0";
    if (!translation.is_block) {
      std::string text = translation.lines[0];
      if (!statement_.has_semicolon && text.ends_with(';')) text.pop_back();
      return text;
    }
    std::string text = statement_.has_semicolon ? "{" : "do {";
    for (const std::string& line : translation.lines) {
      if (margin)
        text += fmt::format("{}{}  {}", line_break, *margin, line);
      else
        text += " " + line;
    }
    text += margin ? fmt::format("{}{}}}", line_break, *margin) : " }";
    if (!statement_.has_semicolon) text += " while (0)";
    return text;
  }

  void report(const Remark& remark, std::string_view quoted) {
    std::string quote(quoted.substr(0, 100));
    std::replace(quote.begin(), quote.end(), '\n', ' ');
    // Code for certain NVIDIA GPUs is excluded elsewhere.
    bool is_left_out = file_.compiled(statement_.keyword, cu::Platform::kAmd) == syntax::Truth::kNo;
    if (is_left_out) {
      is_left_out = false;
      for (const std::string& condition : file_.conditions(statement_.keyword))
        is_left_out |= condition.find("__CUDA_ARCH__") == std::string::npos ||
                       condition.find_first_of("<>=") != std::string::npos;
    }
    context_.report(remark.code, is_left_out ? Severity::kNote : Severity::kError, statement_.span,
                    fmt::format("{}: {}", remark.message, quote), remark.why);
  }

  SourceContext& context_;
  const cu::File& file_;
  const AsmStatement& statement_;
  std::string function_, definition_;  // empty: the statement becomes others
};

void apply(SourceContext& context) {
  for (const AsmStatement& statement : port::ptx::asm_statements(context.file))
    Rewriter(context, statement).rewrite();
}

}  // namespace

Pass ptx() {
  return {.codes = {"HP306", "HP310", "HP311", "HP312", "HP313", "HP314", "HP315", "HP316"},
          .after = {"names", "calls", "dialect"},  // it takes over what they changed in operands
          .before = {"headers"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
