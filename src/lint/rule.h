// SPDX-License-Identifier: MIT
// A rule is one file, rules/<area>/<name>.cpp: it checks one source file and reports findings. Its
// leading comment is its page in docs/rules and the text of `hipwright lint explain`. The file
// defines one function with its own name in hipwright::lint::rules, from which the build generates
// the list of all rules (`tools/new rule` writes all of it):
//
//   const Name kBallot("__ballot");
//   void find(CudaCheck& check) { for (const auto at : check.file.occurrences(kBallot)) … }
//   Rule ballot_in_32_bits() {
//     return {.code = "HW201", …, .triggers = {kBallot}, .cuda = find};
//   }
//
// Code shared by several rules is in src/lint, not below rules/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "project/file_facts.h"
#include "syntax/cuda/file.h"
#include "syntax/names.h"
#include "syntax/python/file.h"

namespace hipwright::syntax::workflow {
class File;
}

namespace hipwright::lint {

// The hundreds digit of the codes.
enum class Area {
  kSuppression,    // HW0xx: suppression comments
  kWaveSize,       // HW1xx: assumptions about 32 or 64 lanes
  kCrossLane,      // HW2xx: ballots, masks, shuffles
  kFp8,            // HW3xx: fnuz and OCP
  kUninitialised,  // HW4xx
  kDevice,         // HW5xx: device and platform selection
  kCapture,        // HW6xx: graph capture, torch.compile
  kEnvironment,    // HW7xx: allocator settings, environment variables, imports
  kNvidiaOnly,     // HW8xx: PTX, intrinsics, headers, builds
  kPython,         // HW9xx: exceptions, aliasing
  kWorkflow,       // HCxxx: GitHub Actions workflows; selected by `ci check`, or by name
};
std::string_view to_string(Area area);  // "wave-size": also the word for --select
constexpr unsigned kAreaCount = 11;

// The targets a finding matters for. A target with both wave sizes counts by its default size.
enum class Relevance { kAll, kWave64, kWave32, kFnuz, kOcp };

namespace cu = syntax::cuda;
using project::FileFacts;

struct Rule;

// What a rule reports, before the engine adds lines and columns and drops suppressed and unselected
// findings.
struct Reported {
  const Rule* rule;
  Relevance relevance;
  Diagnostic diagnostic;
};

// What every rule gets, whatever it reads: the facts of the file, and a place to report to.
class RuleContext {
 public:
  RuleContext(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out)
      : facts(of_file), rule_(rule), out_(out) {}

  const FileFacts& facts;

  // Code, severity and path come from the rule and the file. `relevance` overrides the rule's: one
  // rule can find 32 in one place and 64 in another.
  void report(Span span, Confidence confidence, std::string message, std::vector<Fix> fixes = {},
              std::optional<Relevance> relevance = std::nullopt);

 private:
  const Rule& rule_;
  std::vector<Reported>& out_;
};

struct CudaCheck : RuleContext {
  CudaCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
            const syntax::cuda::File& source)
      : RuleContext(rule, of_file, out), file(source) {}
  const syntax::cuda::File& file;

  // Can AMD's compiler see this token? By build lists, includes and #if lines.
  syntax::Truth on_amd(syntax::cuda::TokenIndex token) const {
    return facts.built_on_amd & file.compiled(token, syntax::cuda::Platform::kAmd);
  }
};

struct PythonCheck : RuleContext {
  PythonCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
              const syntax::python::File& source)
      : RuleContext(rule, of_file, out), file(source) {}
  const syntax::python::File& file;
};

// Build files, requirements, shell scripts and similar files, read as lines.
struct TextCheck : RuleContext {
  TextCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
            std::string_view source)
      : RuleContext(rule, of_file, out), text(source) {}
  std::string_view text;
};

struct WorkflowCheck : RuleContext {
  WorkflowCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
                const syntax::workflow::File& source)
      : RuleContext(rule, of_file, out), file(source) {}
  const syntax::workflow::File& file;
};

struct Rule {
  std::string_view code;     // "HW201": never changes
  std::string_view name;     // "ballot-in-32-bits"
  std::string_view summary;  // one line, for lists
  Severity severity = Severity::kWarning;
  Relevance relevance = Relevance::kAll;
  // The rule runs on source files that contain one of these names; on every file if there are none.
  std::vector<syntax::Name> triggers;
  // It also runs on files whose text contains one of these words, which need not be names.
  std::vector<std::string_view> words = {};
  void (*cuda)(CudaCheck& check) = nullptr;
  void (*python)(PythonCheck& check) = nullptr;
  // Runs on every file whose name matches text_files, sources included, regardless of triggers.
  void (*text)(TextCheck& check) = nullptr;
  void (*workflow)(WorkflowCheck& check) = nullptr;
  std::vector<std::string_view> text_files;  // "CMakeLists.txt", "*.cmake", "requirements*.txt"
  std::string_view source = {};  // "cross_lane/ballot_in_32_bits.cpp"; set by all_rules()

  Area area() const { return code[1] == 'C' ? Area::kWorkflow : static_cast<Area>(code[2] - '0'); }
};

// All rules, by code.
const std::vector<Rule>& all_rules();
const Rule* find_rule(std::string_view code_or_name);
// The leading comment of the rule's file as Markdown: sections "## What it finds", "## Why it
// matters", "## Example", "## Use instead", "## When it is not a bug".
std::string rule_page(const Rule& rule);

}  // namespace hipwright::lint
