// SPDX-License-Identifier: MIT
// A rule is one file below rules/: it looks at one source file and reports. Its leading comment is
// its page in docs/rules and the text of `hipwright lint explain`.
//
//   const Name kBallot("__ballot");
//   void check(CudaCheck& check) { for (const auto at : check.file.occurrences(kBallot)) … }
//   const Rule::Registration kRule({.code = "HW201", .name = "ballot-in-32-bits", …});
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "syntax/cuda/file.h"
#include "syntax/names.h"
#include "syntax/python/file.h"

namespace hipwright::lint {

// The hundreds of the codes.
enum class Area {
  kWaveSize = 1,   // HW1xx: 32 or 64 lanes taken for granted
  kCrossLane,      // HW2xx: ballots, masks, shuffles
  kFp8,            // HW3xx: fnuz and OCP
  kUninitialised,  // HW4xx
  kDevice,         // HW5xx: which device, which platform
  kCapture,        // HW6xx: graphs, capture, torch.compile
  kEnvironment,    // HW7xx: allocator settings, environment variables, imports
  kNvidiaOnly,     // HW8xx: PTX, intrinsics, headers, builds
  kPython,         // HW9xx: exceptions, aliasing
};
std::string_view to_string(Area area);

// Which targets a finding matters for.
enum class Relevance { kAll, kWave64, kWave32, kFnuz, kOcp };

// What is known of the file that is looked at, besides its text.
struct FileFacts {
  std::string path;  // as reported: relative to the working directory
  // By build lists and includes; what #if lines say is File::compiled().
  syntax::Truth built_on_amd = syntax::Truth::kMaybe;
  syntax::Truth built_on_nvidia = syntax::Truth::kMaybe;
  // Of the path: "rocm", "hip", "amd" in a folder's or the file's name; and the reverse.
  bool is_rocm_specific = false;
  bool is_nvidia_specific = false;
  bool is_test = false;  // tests, benchmarks, examples, docs
};

struct Rule;

class Check {
 public:
  Check(const Rule& rule, const FileFacts& facts, std::vector<Diagnostic>& out)
      : facts(facts), rule_(rule), out_(out) {}

  const FileFacts& facts;

  // The engine fills in path, position, code and severity.
  void report(Span span, Confidence confidence, std::string message, std::vector<Fix> fixes = {});

 private:
  const Rule& rule_;
  std::vector<Diagnostic>& out_;
};

struct CudaCheck : Check {
  CudaCheck(const Rule& rule, const FileFacts& facts, std::vector<Diagnostic>& out,
            const syntax::cuda::File& source)
      : Check(rule, facts, out), file(source) {}
  const syntax::cuda::File& file;

  // Can AMD's compiler see this token? By build lists, includes and #if lines.
  syntax::Truth on_amd(syntax::cuda::TokenIndex token) const {
    return facts.built_on_amd & file.compiled(token, syntax::cuda::Platform::kAmd);
  }
};

struct PythonCheck : Check {
  PythonCheck(const Rule& rule, const FileFacts& facts, std::vector<Diagnostic>& out,
              const syntax::python::File& source)
      : Check(rule, facts, out), file(source) {}
  const syntax::python::File& file;
};

// Build files, requirements, shell and the like: read as lines.
struct TextCheck : Check {
  TextCheck(const Rule& rule, const FileFacts& facts, std::vector<Diagnostic>& out,
            std::string_view source)
      : Check(rule, facts, out), text(source) {}
  std::string_view text;
};

struct Rule {
  std::string_view code;     // "HW201": stable for ever
  std::string_view name;     // "ballot-in-32-bits"
  std::string_view summary;  // one line, for lists
  Area area;
  Severity severity = Severity::kWarning;
  Relevance relevance = Relevance::kAll;
  // A source file is given to the rule when it has one of these names; none: every file.
  std::vector<syntax::Name> triggers;
  void (*cuda)(CudaCheck& check) = nullptr;
  void (*python)(PythonCheck& check) = nullptr;
  // By file name: see text_kinds in engine.h.
  void (*text)(TextCheck& check) = nullptr;
  std::vector<std::string_view> text_files;  // "CMakeLists.txt", "*.cmake", "requirements*.txt"
  std::string_view source = {};              // __FILE__: where its page is

  struct Registration {
    explicit Registration(Rule rule);
  };
};

// All rules, by code.
const std::vector<Rule>& rules();
const Rule* find_rule(std::string_view code_or_name);
// The leading comment of the rule's file as Markdown.
std::string rule_page(const Rule& rule);

}  // namespace hipwright::lint
