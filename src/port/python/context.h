// SPDX-License-Identifier: MIT
// Shared state of the passes over one Python file: how a change is gated, and which of the added
// modules the file needs for it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "port/options.h"
#include "port/ported_file.h"
#include "port/python/layout.h"

namespace hipwright::port {

// The required contents of added modules, by folder.
struct PythonNeeds {
  std::set<std::string> support;    // names of hip_support
  std::set<std::string> attention;  // functions of attention_fallback
  std::set<std::string> nvml;       // functions of nvml_fallback

  void merge(PythonNeeds more) {
    support.merge(more.support);
    attention.merge(more.attention);
    nvml.merge(more.nvml);
  }
};

// The kind of a change, and the reason for this one.
struct Why {
  CodeId code;
  std::string reason = {};
};

class PythonContext {
 public:
  PythonContext(const Options& port_options, const Tree& port_tree, const PythonLayout& of_tree,
                PortedFile& into);

  const Options& options;
  const Tree& tree;
  const PythonLayout& layout;
  const SourceFile& source;
  const syntax::python::File& file;
  PythonNeeds needs;

  // Is this code already NVIDIA-only?
  bool is_settled(syntax::python::TokenIndex token) const;

  // For an expression: `on_rocm if is_rocm else <original>`. `uses`: names of hip_support in
  // `on_rocm`.
  bool gate_value(syntax::python::TokenRange value, std::string_view on_rocm, const Why& why,
                  const std::vector<std::string>& uses = {});
  // For a statement: the ROCm lines (empty: it is skipped there), and the original under else.
  // Fails if several statements share the line.
  bool gate_statement(syntax::python::StatementIndex statement,
                      const std::vector<std::string>& on_rocm, const Why& why,
                      const std::vector<std::string>& uses = {});
  // For a condition that is true if there is a GPU: `is_rocm or <original>`; or false there.
  bool gate_truth(syntax::python::TokenRange condition, bool is_true, const Why& why);
  // Separate lines before a statement, at its indentation: a comment, a call under the gate.
  void put_before(syntax::python::StatementIndex statement, std::vector<std::string> lines,
                  const Why& why, const std::vector<std::string>& uses = {});
  // Lines directly after the imports, run once. False if they cannot be inserted there.
  bool put_on_import(std::vector<std::string> lines, const Why& why,
                     const std::vector<std::string>& uses);

  void report(CodeId code, Severity severity, Span span, std::string message, std::string why = {});
  std::string_view gate() const { return gate_; }

  // Writes the inserted lines, and the imports that the gates need.
  void finish();

 private:
  struct Inserted {
    std::string imports, lines;
    Why why = {"HP101"};
  };

  bool is_gated(syntax::python::TokenRange value) const;
  bool can_gate(syntax::python::StatementIndex statement,
                const std::vector<std::string>& names) const;
  bool stands_alone(syntax::python::StatementIndex statement) const;
  void use(syntax::python::StatementIndex statement, const std::vector<std::string>& names);
  syntax::python::StatementIndex head_of(syntax::python::StatementIndex statement) const;
  syntax::python::StatementIndex ancestor(syntax::python::StatementIndex statement,
                                          syntax::python::StatementIndex in) const;
  std::size_t line_begin(syntax::python::StatementIndex statement) const;
  std::size_t line_after(syntax::python::StatementIndex statement) const;
  std::string indent_of(syntax::python::StatementIndex statement) const;
  std::string unit() const;
  std::string indented(syntax::python::StatementIndex statement) const;
  bool needs_brackets(syntax::python::TokenRange value) const;
  bool change(Span span, std::string replacement, const Why& why);
  void write_inserted();
  std::string import_line(const std::set<std::string>& names) const;
  void import_at_top(std::set<std::string> names);
  bool runs_on_import(syntax::python::StatementIndex statement) const;
  std::size_t place_of_import(syntax::python::StatementIndex first) const;

  PortedFile& out_;
  std::string gate_ = "is_rocm";
  std::string_view break_;
  bool has_plain_lines_ = true;  // no line ends with a carriage return alone
  // The last statement skipped on ROCm: the next one joins its block.
  syntax::python::StatementIndex left_out_ = syntax::python::kNoStatement;
  // The first import of torch that is run with the module; kNoStatement: it is imported later.
  syntax::python::StatementIndex torch_ = syntax::python::kNoStatement;
  // Before this one nothing may be imported that the gates need: it would load torch, or a package,
  // earlier than the program does. kNoStatement: hip_support loads neither.
  syntax::python::StatementIndex not_before_ = syntax::python::kNoStatement;
  bool loads_package_ = false;  // hip_support lies in a package that the file does not import
  // The import of hip_support that is there already.
  syntax::python::StatementIndex support_ = syntax::python::kNoStatement;
  // First users of names, by the function that has to import them (kNoStatement: the file).
  struct Use {
    syntax::python::StatementIndex first;
    std::set<std::string> names;
  };
  std::map<syntax::python::StatementIndex, Use> uses_;
  std::map<std::size_t, Inserted> inserted_;  // by offset
  std::vector<std::string> on_import_;
  Why on_import_why_ = {"HP101"};
};

}  // namespace hipwright::port
