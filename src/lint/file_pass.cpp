// SPDX-License-Identifier: MIT
#include "lint/file_pass.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "lint/embedded_cuda.h"
#include "lint/suppression.h"
#include "project/glob.h"
#include "project/language.h"
#include "syntax/scan.h"

namespace hipwright::lint {

namespace {

// The words of all rules, and those of each.
struct TriggerWords {
  syntax::WordSet all;
  std::vector<syntax::WordSet::Bits> of_rules;  // as in all_rules()
};

const TriggerWords& trigger_words() {
  static const TriggerWords kWords = [] {
    std::vector<std::string_view> words;
    for (const Rule& rule : all_rules())
      words.insert(words.end(), rule.words.begin(), rule.words.end());
    TriggerWords made{syntax::WordSet(std::move(words)), {}};
    for (const Rule& rule : all_rules()) made.of_rules.push_back(made.all.bits_of(rule.words));
    return made;
  }();
  return kWords;
}

bool has_trigger_word(const Rule& rule, const Source& source) {
  const auto index = static_cast<std::size_t>(&rule - all_rules().data());
  return (source.words() & trigger_words().of_rules[index]).any();
}

template <class File>
bool has_trigger(const Rule& rule, const File& file, const Source& source) {
  if (rule.triggers.empty() && rule.words.empty()) return true;
  if (std::ranges::any_of(rule.triggers, [&](const syntax::Name& name) { return file.has(name); }))
    return true;
  return !rule.words.empty() && has_trigger_word(rule, source);
}

bool reads_text(const Rule& rule, std::string_view path) {
  return rule.text != nullptr &&
         std::any_of(rule.text_files.begin(), rule.text_files.end(), [&](std::string_view pattern) {
           return project::name_matches(pattern, path);
         });
}

// Files added by hipwright port are not linted.
bool is_of_hipwright(std::string_view text) {
  const std::string_view head = text.substr(0, 400);
  return head.find("Written by hipwright") != std::string_view::npos ||
         head.find("Made by hipwright port") != std::string_view::npos;
}

std::vector<Reported> run_rules(const std::vector<const Rule*>& rules, const FileFacts& facts,
                                const Source& source) {
  std::vector<Reported> found;
  const bool is_ours = is_of_hipwright(source.text());
  for (const Rule* rule : rules) {
    if (source.workflow() != nullptr && rule->workflow != nullptr) {
      WorkflowCheck check(*rule, facts, found, *source.workflow());
      rule->workflow(check);
    }
    if (is_ours) continue;
    if (source.cuda() != nullptr && rule->cuda != nullptr &&
        has_trigger(*rule, *source.cuda(), source)) {
      CudaCheck check(*rule, facts, found, *source.cuda());
      rule->cuda(check);
    }
    if (source.python() != nullptr && rule->python != nullptr &&
        has_trigger(*rule, *source.python(), source)) {
      PythonCheck check(*rule, facts, found, *source.python());
      rule->python(check);
    }
    if (reads_text(*rule, facts.path)) {
      TextCheck check(*rule, facts, found, source.text());
      rule->text(check);
    }
  }
  if (source.python() != nullptr && !is_ours)
    for (const EmbeddedCuda& embedded : embedded_cuda(*source.python(), facts))
      check_embedded(embedded, facts, rules, source.text(), found);
  return found;
}

PositionRange in_code_points(CodePointPositions& positions, Span span) {
  const Position begin = positions.of(span.begin);
  return {begin, positions.of(span.end)};
}

Finding place(Reported reported, std::string_view text, const LineIndex& lines,
              CodePointPositions& positions) {
  Finding finding;
  static_cast<Diagnostic&>(finding) = std::move(reported.diagnostic);
  finding.rule = reported.rule;
  finding.position = lines.position(finding.span.begin);
  finding.end = lines.position(finding.span.end);
  finding.code_points.range = in_code_points(positions, finding.span);
  for (const Fix& fix : finding.fixes) {
    auto& ranges = finding.fix_ranges.emplace_back();
    auto& in_points = finding.code_points.fixes.emplace_back();
    for (const TextEdit& edit : fix.edits) {
      ranges.push_back({lines.position(edit.span.begin), lines.position(edit.span.end)});
      in_points.push_back(in_code_points(positions, edit.span));
    }
  }
  finding.line = line_excerpt(text, lines, finding.position);
  return finding;
}

void add_fingerprints(std::vector<Finding>& findings, std::string_view project_path) {
  Fingerprints fingerprints(project_path);
  for (Finding& finding : findings)
    finding.fingerprint = fingerprints.next(finding.code, finding.line.text);
}

// Positions and lines are computed only for texts with findings.
std::vector<Finding> placed(std::vector<Reported> reported, std::string_view text) {
  std::vector<Finding> findings;
  if (reported.empty()) return findings;
  const LineIndex lines(text);
  CodePointPositions positions(text, lines);
  findings.reserve(reported.size());
  for (Reported& each : reported)
    findings.push_back(place(std::move(each), text, lines, positions));
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.code < b.code;
  });
  return findings;
}

template <class File>
void note_problems(const File& file, const Source& source, std::vector<FileNote>& notes) {
  if (file.effort().is_used_up())
    notes.push_back(
        {source.path(), "too repetitive to analyse completely; findings may be missing"});
  if (file.problems().empty()) return;
  const syntax::Problem& first = file.problems().front();
  const std::size_t more = file.problems().size() - 1;
  notes.push_back(
      {source.path(), fmt::format("{} (line {}{})", first.what,
                                  LineIndex(source.text()).position(first.span.begin).line,
                                  more == 0 ? "" : fmt::format(", and {} more", more))});
}

// Macros of AMD's compiler or of the project's builds for it, in the file or in what it includes.
bool names_amd(const FileFacts& facts, std::string_view text) {
  if (facts.own_definitions != nullptr && !facts.own_definitions->per_target.empty()) return true;
  static constexpr std::array<std::string_view, 6> kWords = {"USE_ROCM", "__HIP_", "__HIPCC__",
                                                             "USE_HIP",  "_ROCM",  "hip_runtime"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return syntax::has_bytes(text, word); });
}

bool ends_lines_with_return(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
}

}  // namespace

Source::Source(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {
  switch (project::language_of(path_)) {
    case project::Language::kCuda:
      cuda_.emplace(text);
      break;
    case project::Language::kPython:
      python_.emplace(text);
      break;
    default:
      if (syntax::workflow::is_workflow(path_)) workflow_.emplace(text);
      break;
  }
}

const syntax::WordSet::Bits& Source::words() const {
  if (!words_) words_ = trigger_words().all.found_in(text_);
  return *words_;
}

bool concerns(const Selection& selection, std::string_view path) {
  return project::is_code(project::language_of(path)) ||
         std::any_of(selection.rules.begin(), selection.rules.end(), [&](const Rule* rule) {
           return reads_text(*rule, path) ||
                  (rule->workflow != nullptr && syntax::workflow::is_workflow(path));
         });
}

bool is_triggered(const Selection& selection, const Source& source) {
  return std::any_of(selection.rules.begin(), selection.rules.end(), [&](const Rule* rule) {
    return (source.cuda() != nullptr && rule->cuda != nullptr &&
            has_trigger(*rule, *source.cuda(), source)) ||
           (source.python() != nullptr && rule->python != nullptr &&
            has_trigger(*rule, *source.python(), source)) ||
           reads_text(*rule, source.path());
  });
}

FileResult check_source(const Selection& selection, const FileFacts& of_file,
                        std::string_view project_path, const Source& source) {
  FileFacts facts = of_file;
  if (facts.is_unlisted) facts.names_amd = names_amd(facts, source.text());
  const std::vector<const Rule*> rules = selection.rules_for(project_path);
  FileResult result{.bytes = source.text().size()};
  if (source.cuda() != nullptr && facts.macros != nullptr && facts.own_definitions != nullptr)
    source.cuda()->know(*facts.macros, facts.own_definitions->redefined);
  std::vector<Reported> reported = run_rules(rules, facts, source);
  std::vector<Suppression> suppressions = find_suppressions(source);
  result.suppressed = suppress(suppressions, source, reported);
  // After the check for unused suppressions: those for another target are used.
  std::erase_if(reported, [&](const Reported& each) { return !selection.wants(each); });
  check_suppressions(suppressions, source, facts, rules, reported);
  result.findings = placed(std::move(reported), source.text());
  add_fingerprints(result.findings, project_path);
  result.in_baseline = std::erase_if(result.findings, [&](const Finding& finding) {
    return std::binary_search(selection.baseline.begin(), selection.baseline.end(),
                              finding.fingerprint);
  });
  if (source.cuda() != nullptr) {
    note_problems(*source.cuda(), source, result.notes);
    if (ends_lines_with_return(source.text()))
      result.notes.push_back({source.path(), "lines end with CR only; read as a single line"});
  }
  if (source.python() != nullptr) note_problems(*source.python(), source, result.notes);
  return result;
}

}  // namespace hipwright::lint
