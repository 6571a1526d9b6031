// SPDX-License-Identifier: MIT
// A rule is one file, rules/<area>/<name>.cpp: it looks at one source file and reports. Its leading
// comment is its page in docs/rules and the text of `hipwright lint explain`. The file defines one
// function with its own name in hipwright::lint::rules, from which the build makes the list of all
// rules (tools/new rule writes all of it):
//
//   const Name kBallot("__ballot");
//   void find(CudaCheck& check) { for (const auto at : check.file.occurrences(kBallot)) … }
//   Rule ballot_in_32_bits() {
//     return {.code = "HW201", .name = "ballot-in-32-bits", …, .triggers = {kBallot}, .cuda =
//     check};
//   }
//
// What several rules share is in src/lint, not below rules/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "syntax/build/project.h"
#include "syntax/cuda/file.h"
#include "syntax/names.h"
#include "syntax/python/file.h"

namespace hipwright::lint {

// The hundreds of the codes.
enum class Area {
  kSuppression,    // HW0xx: comments that speak to this tool
  kWaveSize,       // HW1xx: 32 or 64 lanes taken for granted
  kCrossLane,      // HW2xx: ballots, masks, shuffles
  kFp8,            // HW3xx: fnuz and OCP
  kUninitialised,  // HW4xx
  kDevice,         // HW5xx: which device, which platform
  kCapture,        // HW6xx: graphs, capture, torch.compile
  kEnvironment,    // HW7xx: allocator settings, environment variables, imports
  kNvidiaOnly,     // HW8xx: PTX, intrinsics, headers, builds
  kPython,         // HW9xx: exceptions, aliasing
};
std::string_view to_string(Area area);  // "wave-size": also the word for --select
constexpr unsigned kAreaCount = 10;

// Which targets a finding matters for. A target with both wave sizes counts by its default one.
enum class Relevance { kAll, kWave64, kWave32, kFnuz, kOcp };

// What is known of the file that is looked at, besides its text.
struct FileFacts {
  std::string path;  // as reported: relative to the working directory
  // By build lists and includes; what #if lines say is File::compiled().
  syntax::Truth built_on_amd = syntax::Truth::kMaybe;
  syntax::Truth built_on_nvidia = syntax::Truth::kMaybe;
  // Build lists name what AMD compiles, and this file is not among it: nothing is certain here.
  bool is_unlisted = false;
  // What the rest of the project defines; null: it is not known.
  const syntax::build::OwnNames* own_names = nullptr;
  const syntax::cuda::MacroKnowledge* macros = nullptr;
  // Of the path: "rocm", "hip", "amd" in a folder's or the file's name; and the reverse.
  bool is_rocm_specific = false;
  bool is_nvidia_specific = false;
  bool is_test = false;  // tests, benchmarks, examples, docs
};

struct Rule;

// What a rule reports, before the engine adds lines and columns and leaves out what is suppressed
// or not asked for.
struct Reported {
  const Rule* rule;
  Relevance relevance;
  Diagnostic diagnostic;
};

class Check {
 public:
  Check(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out)
      : facts(of_file), rule_(rule), out_(out) {}

  const FileFacts& facts;

  // Code, severity and path come from the rule and the file. `relevance` where it is not the
  // rule's: one rule can find 32 in one place and 64 in another.
  void report(Span span, Confidence confidence, std::string message, std::vector<Fix> fixes = {},
              std::optional<Relevance> relevance = std::nullopt);

 private:
  const Rule& rule_;
  std::vector<Reported>& out_;
};

struct CudaCheck : Check {
  CudaCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
            const syntax::cuda::File& source)
      : Check(rule, of_file, out), file(source) {}
  const syntax::cuda::File& file;

  // Can AMD's compiler see this token? By build lists, includes and #if lines.
  syntax::Truth on_amd(syntax::cuda::TokenIndex token) const {
    return facts.built_on_amd & file.compiled(token, syntax::cuda::Platform::kAmd);
  }
};

struct PythonCheck : Check {
  PythonCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
              const syntax::python::File& source)
      : Check(rule, of_file, out), file(source) {}
  const syntax::python::File& file;
};

// Build files, requirements, shell and the like: read as lines.
struct TextCheck : Check {
  TextCheck(const Rule& rule, const FileFacts& of_file, std::vector<Reported>& out,
            std::string_view source)
      : Check(rule, of_file, out), text(source) {}
  std::string_view text;
};

struct Rule {
  std::string_view code;     // "HW201": stable for ever
  std::string_view name;     // "ballot-in-32-bits"
  std::string_view summary;  // one line, for lists
  Severity severity = Severity::kWarning;
  Relevance relevance = Relevance::kAll;
  // A source file is given to the rule when it has one of these names; none: every file.
  std::vector<syntax::Name> triggers;
  // Or when its text has one of these anywhere: for what is not a name.
  std::vector<std::string_view> words = {};
  void (*cuda)(CudaCheck& check) = nullptr;
  void (*python)(PythonCheck& check) = nullptr;
  // Given every file whose name fits, sources too, whatever the triggers.
  void (*text)(TextCheck& check) = nullptr;
  std::vector<std::string_view> text_files;  // "CMakeLists.txt", "*.cmake", "requirements*.txt"
  std::string_view source = {};  // "cross_lane/ballot_in_32_bits.cpp"; set by all_rules()

  Area area() const { return static_cast<Area>(code[2] - '0'); }
};

// All rules, by code.
const std::vector<Rule>& all_rules();
const Rule* find_rule(std::string_view code_or_name);
// The leading comment of the rule's file as Markdown: sections "## What it finds", "## Why it
// matters", "## Example", "## Use instead", "## When it is not a bug".
std::string rule_page(const Rule& rule);

}  // namespace hipwright::lint
