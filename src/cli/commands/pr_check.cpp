// SPDX-License-Identifier: MIT
// What is done with a local branch before there is a pull request: check, describe, create.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/pr.h"
#include "github/check/checklist.h"
#include "github/drafts/describe.h"
#include "github/fetch/fetch.h"
#include "perf/compare/report.h"
#include "perf/record/record.h"

namespace hipwright::cli {

namespace {

constexpr std::size_t kMostOpen = 300;

struct Options {
  PrOptions common;
  std::string base, title, body_file;
  std::vector<std::filesystem::path> records;
  bool local = false, pre_commit = false, yes = false, draft = false;
};

github::HardwareRecord record_of_perf(const perf::Record& record, const std::string& file) {
  github::HardwareRecord out{.file = file};
  const auto fact = [&](const char* name) {
    const auto found = record.machine.find(name);
    const bool is_known =
        found != record.machine.end() && found->second != "none" && found->second != "unknown";
    return is_known ? found->second : std::string();
  };
  out.gpu = fact("gpu0");
  out.rocm = fact("rocm");
  out.pytorch = fact("torch");
  std::vector<std::string> names, results;
  for (const perf::Benchmark& each : record.benchmarks) {
    names.push_back(each.name);
    out.has_failed |= each.status == perf::RunStatus::kError;
    if (const perf::Measurement* time = each.measurement(perf::kDuration);
        time != nullptr && !time->samples.empty()) {
      std::vector<double> values;
      for (const perf::Sample& sample : time->samples) values.push_back(sample.value);
      results.push_back(perf::value_text(perf::median(std::move(values)), time->unit));
    } else {
      results.emplace_back(to_string(each.status));
    }
  }
  out.test = fmt::format("{}", fmt::join(names, ", "));
  out.result = fmt::format("{}", fmt::join(results, ", "));
  return out;
}

Result<std::vector<github::HardwareRecord>> read_records(
    const std::vector<std::filesystem::path>& files) {
  std::vector<github::HardwareRecord> records;
  for (const auto& file : files) {
    HW_TRY(const std::string text, read_input(file));
    HW_TRY(const Json json, parse_json(text, file.string()));
    if (json.is_object() && json.contains("checklist")) {
      records.push_back(github::record_of_verify(json, file.string()));
      continue;
    }
    HW_TRY(const perf::Record record, perf::read_record(file));
    records.push_back(record_of_perf(record, file.string()));
  }
  return records;
}

Result<github::OpenPullRequests> find_open(PrSession& session, const github::Repository& repository,
                                           const github::Profile& profile, bool is_rocm) {
  const std::string scope = "is:pr is:open sort:updated repo:" + repository.text();
  github::OpenPullRequests open;
  HW_TRY(open.list, github::fetch_summaries(session.client, scope, kMostOpen));
  if (is_rocm && !profile.rocm_labels.empty() &&
      profile.rocm_labels[0].find('*') == std::string::npos) {
    HW_TRY(const auto labelled,
           github::fetch_summaries(session.client,
                                   fmt::format("{} label:\"{}\"", scope, profile.rocm_labels[0]),
                                   kMostOpen));
    for (const github::Summary& each : labelled)
      if (std::ranges::find(*open.list, each.id, &github::Summary::id) == open.list->end())
        open.list->push_back(each);
  }
  return open;
}

// The branch, its repository's profile, and what is open there.
struct Subject {
  github::LocalBranch branch;
  std::optional<github::Repository> repository;
  github::Profile profile;
  std::vector<github::HardwareRecord> records;
  github::OpenPullRequests open;
  std::string title;

  github::CheckInput input(bool pre_commit) const {
    return {branch, profile, title, records, open, pre_commit};
  }
};

Result<Subject> read_subject(const Options& options, PrSession& session) {
  Subject subject;
  HW_TRY(subject.records, read_records(options.records));
  HW_TRY(subject.branch, github::read_branch("", options.base));
  if (!options.common.repositories.empty()) {
    HW_TRY(subject.repository, options.common.repository());
  } else {
    subject.repository = github::upstream_of("");
  }
  subject.profile = session.profiles.of(subject.repository.value_or(github::Repository{}));
  subject.title =
      options.title.empty() ? github::title_for(subject.branch, subject.profile) : options.title;
  if (options.local) {
    subject.open.why_not = "GitHub was not asked (--local)";
  } else if (!subject.repository) {
    subject.open.why_not = "no remote leads to GitHub; give --repo OWNER/NAME";
  } else {
    auto open = find_open(session, *subject.repository, subject.profile,
                          github::changes_rocm(subject.branch, subject.profile));
    if (open)
      subject.open = *std::move(open);
    else
      subject.open.why_not = open.error().message();
  }
  return subject;
}

Result<int> check(const Options& options) {
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(Subject subject, read_subject(options, session));
  // The title that a reader will see: of the commit, unless one is given.
  if (options.title.empty() && !subject.branch.commits.empty())
    subject.title = subject.branch.commits.front().subject;
  HW_TRY(const auto items, github::check_branch(subject.input(options.pre_commit)));
  const auto& common = options.common;
  print_pr(common.is_json()              ? json_text(github::checklist_json(items))
           : common.format == "markdown" ? github::checklist_markdown(items)
                                         : github::checklist_text(items, globals().colour_out),
           common);
  if (subject.branch.has_uncommitted) warn("uncommitted changes are not part of the branch");
  const auto has = [&](github::Answer answer) {
    return std::ranges::any_of(
        items, [&](const github::ChecklistItem& item) { return item.answer == answer; });
  };
  return has(github::Answer::kFail)         ? kFindings
         : has(github::Answer::kNotChecked) ? kNotChecked
                                            : kOk;
}

Result<int> describe(const Options& options) {
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(const Subject subject, read_subject(options, session));
  if (subject.branch.commits.empty())
    return fail("nothing to describe", subject.branch.base, "no commits since then",
                "Commit your change, or name another base.");
  const github::Description description = github::describe(subject.input(false));
  if (options.common.is_json())
    print(json_text({{"title", description.title},
                     {"body", description.body},
                     {"to_fill_in", description.gaps}}));
  else
    print_text(description.title + "\n\n" + description.body);
  if (!subject.open.list) warn("related pull requests: " + subject.open.why_not);
  if (!description.gaps.empty())
    note(fmt::format("to be filled in by you: {}", fmt::join(description.gaps, "; ")));
  return kOk;
}

// The branch must be on GitHub as it is here: the pull request shows what is there.
Status check_pushed(PrSession& session, const Subject& subject) {
  const auto& branch = subject.branch;
  if (branch.name.empty())
    return fail("cannot create the pull request", branch.top.string(), "HEAD is on no branch",
                "git switch -c NAME");
  if (branch.owner.empty())
    return fail("cannot create the pull request", branch.name, "no remote of it leads to GitHub",
                "git push -u origin HEAD");
  HW_TRY(const auto answer,
         session.client.get(fmt::format("/repos/{}/{}/commits/{}", branch.owner,
                                        subject.repository->name, branch.commits.back().hash),
                            "application/vnd.github.sha"));
  if (answer) return {};
  return fail("cannot create the pull request", branch.name, "its last commit is not on GitHub",
              "git push -u origin HEAD");
}

std::string branch_of(std::string_view base) {
  const std::size_t slash = base.find('/');
  const bool is_remote = base.starts_with("origin/") || base.starts_with("upstream/");
  return std::string(is_remote ? base.substr(slash + 1) : base);
}

Result<int> create(const Options& options) {
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(const Subject subject, read_subject(options, session));
  if (!subject.repository)
    return fail("unknown repository", "", "no remote leads to GitHub", "Give --repo OWNER/NAME.");
  if (subject.branch.commits.empty())
    return fail("nothing to propose", subject.branch.base, "no commits since then");
  github::Description description = github::describe(subject.input(false));
  if (!options.body_file.empty()) {
    HW_TRY(description.body, read_input(options.body_file));
  }
  const Json body = {{"title", description.title},
                     {"head", subject.branch.owner + ":" + subject.branch.name},
                     {"base", branch_of(subject.branch.base)},
                     {"body", description.body},
                     {"draft", options.draft}};
  print_text(fmt::format("{}\n{} into {}:{}\n\n{}", description.title,
                         body["head"].get<std::string>(), subject.repository->text(),
                         body["base"].get<std::string>(), description.body));
  if (github::has_gaps(description.body)) {
    const Error gaps{
        "the description has gaps", "", "see the lines that begin with <!-- TODO",
        "Write it to a file with `hipwright pr describe`, fill it in, and give it with "
        "--body-file."};
    if (options.yes) return std::unexpected(gaps);
    warn(gaps.message());
  }
  if (!options.yes) {
    note("nothing was created; add --yes to create this pull request");
    return kOk;
  }
  HW_CHECK(check_pushed(session, subject));
  HW_TRY(const Json created,
         session.client.post("/repos/" + subject.repository->text() + "/pulls", body));
  note("created " + created.value("html_url", std::string("the pull request")));
  return kOk;
}

PrPart define_local(App app, const char* name, const char* summary,
                    Result<int> (*run)(const Options& options),
                    void (*more)(App app, Options& options)) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand(name, summary);
  part.add_option("BASE", options->base,
                  "Commit, branch or tag (default: the default branch of upstream or origin)")
      .type_name("BASE");
  part.add_option("--title", options->title, "Title (default: of the first commit)")
      .type_name("TEXT");
  part.add_option("--record", options->records,
                  "Records of runs: of `verify --json` and `perf run`, separated by commas")
      .type_name("FILE")
      .delimiter(',')
      .allow_extra_args(false);
  part.add_flag("--local", options->local, "Do not ask GitHub for open pull requests");
  options->common.define(part);
  more(part, *options);
  return {part, [options, run] {
            const auto done = run(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace

PrPart define_pr_check(App app) {
  return define_local(app, "check", "Check the current branch before you open a pull request",
                      check, [](App part, Options& options) {
                        options.common.define_format(part);
                        part.add_flag("--pre-commit", options.pre_commit,
                                      "Run the repository's hooks, which may change files");
                      });
}

PrPart define_pr_describe(App app) {
  return define_local(
      app, "describe", "Write title and description for the current branch", describe,
      [](App part, Options& options) {
        Option of = part.add_option("--format", options.common.format, "Output format")
                        .type_name("FORMAT")
                        .one_of({"text", "json"})
                        .capture_default_str();
        part.add_flag("--json{json}", options.common.format, "Same as --format json").excludes(of);
      });
}

PrPart define_pr_create(App app) {
  return define_local(
      app, "create", "Open a pull request for the current branch, which must be pushed", create,
      [](App part, Options& options) {
        part.add_option("--body-file", options.body_file, "Description (default: as `pr describe`)")
            .type_name("FILE");
        part.add_flag("--draft", options.draft, "As a draft");
        part.add_flag("--yes", options.yes, "Create it; without this option, only print it");
      });
}

}  // namespace hipwright::cli
