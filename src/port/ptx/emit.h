// SPDX-License-Identifier: MIT
// Translates PTX instructions to C++ statements: operands as expressions of a given type, results
// into their destinations.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "port/code_id.h"
#include "port/ptx/program.h"
#include "port/ptx/types.h"

namespace hipwright::port::ptx {

// The expression in the parentheses after a constraint.
struct Argument {
  std::string text;
  char constraint = 0;
  bool is_input = true, is_output = false;
  bool is_pointer = false;  // an output that is declared as one
};

// Why there is no translation, or how it differs.
struct Remark {
  CodeId code;
  std::string message, why;
};

class Emitter {
 public:
  // kInline: one statement that uses the expressions themselves. kBlock: they are evaluated once,
  // first, and the outputs are written last.
  enum class Form { kInline, kBlock };
  Emitter(const Program& program, std::span<const Argument> arguments, Form form, bool is_kernel)
      : program_(program), arguments_(arguments), form_(form), is_kernel_(is_kernel) {
    reads_.resize(arguments.size());
    writes_.resize(arguments.size());
  }

  // An expression of exactly this type; as the operand of any operator.
  std::string get(const Operand& operand, Cpp as);
  // As the argument of a function with a parameter of this type: without casts between integers.
  std::string pass(const Operand& operand, Cpp as);
  // An address as load(), store() and their like take it.
  std::string address(const Operand& operand, const Instruction& instruction);
  bool set(const Operand& operand, std::string value, Cpp type);
  void run(std::string statement) { statements_.push_back(std::move(statement)); }
  // A name for a value that is declared within the statements.
  std::string fresh();
  std::string carry();  // the name of the carry flag; used() tells whether it had a value

  bool refuse(CodeId code, std::string message, std::string why);
  void remark(std::string message, std::string why);
  bool is_predicate(const Operand& operand);
  bool is_kernel() const { return is_kernel_; }
  // A number that is known: a literal.
  static std::optional<std::uint64_t> number(const Operand& operand);

  void translate(const Instruction& instruction);
  bool failed() const { return refusal_.has_value(); }
  const Remark& refusal() const { return *refusal_; }
  const std::vector<Remark>& remarks() const { return remarks_; }
  // Can one statement replace the whole?
  bool fits_inline() const;
  // The statements, one per line; a block of them.
  std::vector<std::string> lines() const;

  bool has_carry = false;  // an instruction before this one has set it

 private:
  std::optional<Cpp> kept_in(const Operand& operand);
  std::string special(const Operand& operand);
  std::string raw(unsigned argument);
  const Register* find_register(std::string_view name) const;

  const Program& program_;
  std::span<const Argument> arguments_;
  Form form_;
  bool is_kernel_;
  std::vector<unsigned> reads_, writes_;
  std::set<std::string, std::less<>> used_registers_;
  std::vector<std::string> statements_;
  unsigned fresh_ = 0;
  bool uses_carry_ = false;
  bool has_guard_ = false;
  std::optional<Remark> refusal_;
  std::vector<Remark> remarks_;
};

// Instructions by name. false: not in this form.
using Translate = bool (*)(Emitter& emit, const Instruction& instruction);
struct Entry {
  std::string_view name;
  Translate translate;
};
std::span<const Entry> integer_ops();
std::span<const Entry> float_ops();
std::span<const Entry> move_ops();
std::span<const Entry> memory_ops();
std::span<const Entry> lane_ops();
std::span<const Entry> control_ops();

// For those that have no counterpart: why, and what to do instead.
std::optional<Remark> advice_for(const Instruction& instruction);

}  // namespace hipwright::port::ptx
