// SPDX-License-Identifier: MIT
#include <chrono>
#include <ctime>
#include <limits>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"
#include "cli/verify.h"
#include "runtime/data_type.h"
#include "toolchain/sdk.h"
#include "verify/golden/golden.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string folder, file, pictures;
  std::vector<std::filesystem::path> sources;
  verify::Provenance provenance;
  std::size_t sample = verify::kSample;
  std::string operation = "reduction";
  std::size_t terms = 1024;
  std::optional<double> relative, absolute, ulps, cosine;
  bool pytorch = false, any_order = false, json = false;
  verify::Layout layout;
};

int pack(Options& options) {
  const auto captures = verify::read_captures(options.folder);
  if (!captures) return report(captures.error());
  auto hash = verify::source_hash(options.sources);
  if (!hash) return report(hash.error());
  verify::Golden golden{.provenance = options.provenance};
  golden.provenance.source_hash = *std::move(hash);
  golden.provenance.made = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (const auto& [name, values] : *captures)
    // Of a sample nobody could say which elements belong together.
    golden.tensors.emplace(name, verify::is_any_order(name)
                                     ? verify::Stored{values, values.shape, {}}
                                     : verify::sampled(values, options.sample));
  const Status written = verify::write_golden(golden, options.file);
  if (!written) return report(written.error());
  if (!globals().quiet)
    fmt::print(stderr, "hipwright: {} tensors are in {}\n", golden.tensors.size(), options.file);
  return kOk;
}

// Pairs of what and value; what is not known is left out.
std::vector<std::pair<std::string, std::string>> facts(const verify::Provenance& provenance) {
  std::vector<std::pair<std::string, std::string>> all{{"device", provenance.device},
                                                       {"driver", provenance.driver},
                                                       {"compiler", provenance.compiler},
                                                       {"command", provenance.command},
                                                       {"sources", provenance.source_hash},
                                                       {"seed", std::to_string(provenance.seed)},
                                                       {"made", provenance.made}};
  std::erase_if(all, [](const auto& fact) { return fact.second.empty() || fact.second == "0"; });
  return all;
}

std::string stored_text(const verify::Stored& stored) {
  return stored.indices.empty() ? "all" : fmt::format("{} of them", stored.indices.size());
}

std::string golden_text(const verify::Golden& golden) {
  std::string text;
  for (const auto& [what, value] : facts(golden.provenance))
    text += fmt::format("{:<9} {}\n", what, value);
  Table table({"tensor", "type", "shape", "stored"});
  for (const auto& [name, stored] : golden.tensors)
    table.add({name, std::string(verify::short_name(stored.values.type)),
               runtime::shape_text(stored.shape), stored_text(stored)});
  return text + (text.empty() ? "" : "\n") + table.text(globals().colour_out);
}

Json golden_json(const verify::Golden& golden) {
  Json provenance = Json::object(), tensors = Json::array();
  for (const auto& [what, value] : facts(golden.provenance)) provenance[what] = value;
  for (const auto& [name, stored] : golden.tensors)
    tensors.push_back({{"name", name},
                       {"type", verify::short_name(stored.values.type)},
                       {"shape", stored.shape},
                       {"stored", stored.values.count()}});
  return {{"provenance", provenance}, {"tensors", tensors}};
}

int show(const Options& options) {
  const auto golden = verify::read_golden(options.file);
  if (!golden) return report(golden.error());
  print(options.json ? json_text(golden_json(*golden)) : golden_text(*golden));
  return kOk;
}

Result<verify::Operation> checked_operation(const Options& options) {
  for (const auto& number : {options.relative, options.absolute, options.ulps, options.cosine})
    if (number && !(*number >= 0 && *number < std::numeric_limits<double>::infinity()))
      return fail("cannot compare", {}, "a tolerance is negative or not a number",
                  "Give 0 or more.");
  if (options.cosine && options.any_order)
    return fail("cannot compare", {},
                "--cosine compares element with element, --any-order does not",
                "Give one of them.");
  return verify::parse_operation(options.operation);
}

verify::Tolerance tolerance_of(const Options& options, verify::Operation operation,
                               const std::string& name, DataType type) {
  verify::Tolerance tolerance;
  if (options.relative || options.absolute || options.ulps || options.cosine) {
    tolerance.relative = options.relative.value_or(0);
    tolerance.absolute = options.absolute.value_or(0);
    tolerance.ulps = options.ulps;
    tolerance.cosine = options.cosine;
  } else {
    tolerance = options.pytorch ? verify::pytorch_tolerance(type)
                                : verify::default_tolerance(type, operation, options.terms);
  }
  tolerance.any_order = options.any_order || verify::is_any_order(name);
  return tolerance;
}

Json json_of(const verify::Checked& checked) {
  const verify::Comparison& c = checked.comparison;
  return {{"name", checked.name},
          {"passes", c.passes},
          {"problem", c.problem},
          {"text", c.text()},
          {"pattern", c.pattern},
          {"count", c.count},
          {"wrong", c.wrong},
          {"first_wrong", c.first_wrong},
          {"max_absolute", c.max_absolute},
          {"max_relative", c.max_relative},
          {"max_ulps", c.max_ulps},
          {"cosine", c.cosine},
          {"wrong_nans", c.wrong_nans},
          {"wrong_infinities", c.wrong_infinities},
          {"by_ulps", c.by_ulps}};
}

Status write_pictures(const Options& options, const verify::Golden& golden,
                      const std::map<std::string, verify::Values>& captures,
                      const std::vector<verify::Checked>& all) {
  if (options.pictures.empty()) return {};
  HW_CHECK(make_directories(options.pictures));
  for (const verify::Checked& checked : all) {
    const auto expected = golden.tensors.find(checked.name);
    const auto actual = captures.find(checked.name);
    if (checked.comparison.wrong == 0 || expected == golden.tensors.end() ||
        actual == captures.end() || !expected->second.indices.empty())
      continue;
    const std::string png =
        verify::heat_map(expected->second.values, actual->second, checked.comparison);
    std::string name = verify::capture_file_name(checked.name, DataType::kF32);
    name.replace(name.size() - 3, 3, "png");
    HW_CHECK(write_file_atomic(std::filesystem::path(options.pictures) / name, png));
  }
  return {};
}

int check(const Options& options) {
  const auto operation = checked_operation(options);
  if (!operation) return report(operation.error());
  const auto golden = verify::read_golden(options.file);
  if (!golden) return report(golden.error());
  if (!options.sources.empty()) {
    const auto hash = verify::source_hash(options.sources);
    if (!hash) return report(hash.error());
    const Status same = verify::check_source(*golden, *hash, options.file);
    if (!same) return report(same.error());
  }
  for (const auto& [name, stored] : golden->tensors)
    if (options.cosine && verify::is_any_order(name))
      return report({"cannot compare", name,
                     "--cosine compares element with element, and these may come in any order",
                     "Leave --cosine out, or give other bounds."});
  const auto captures = verify::read_captures(options.folder);
  if (!captures) return report(captures.error());
  const auto all = verify::check(
      *golden, *captures,
      [&](const std::string& name, DataType type) {
        return tolerance_of(options, *operation, name, type);
      },
      options.layout);
  const Status drawn = write_pictures(options, *golden, *captures, all);
  if (!drawn) return report(drawn.error());
  std::size_t different = 0;
  Json list = Json::array();
  for (const verify::Checked& checked : all) {
    const bool passes = checked.comparison.passes;
    different += passes ? 0 : 1;
    if (options.json)
      list.push_back(json_of(checked));
    else
      print(fmt::format("{} {}: {}\n",
                        paint(passes ? "same   " : "differs",
                              passes ? Colour::kGreen : Colour::kRed, globals().colour_out),
                        checked.name, checked.comparison.text()));
  }
  if (options.json) print(json_text({{"tensors", std::move(list)}}));
  return different == 0 ? kOk : kFindings;
}

void define_pack(CLI::App& app, Options& o) {
  app.add_option("folder", o.folder, "Captures: .npy and .npz files")->required();
  app.add_option("-o,--output", o.file, "The golden file: NAME.safetensors")->required();
  app.add_option("--source", o.sources, "The sources that were run; their hash is kept");
  app.add_option("--device", o.provenance.device, "What ran them");
  app.add_option("--driver", o.provenance.driver, "With which driver");
  app.add_option("--compiler", o.provenance.compiler, "What compiled them");
  app.add_option("--command", o.provenance.command, "How they were run");
  app.add_option("--seed", o.provenance.seed, "Of the inputs");
  app.add_option("--sample", o.sample, "Store at most so many elements of a tensor; default 65536")
      ->check(CLI::PositiveNumber);
}

void define_check(CLI::App& app, Options& o) {
  app.add_option("file", o.file, "The golden file")->required();
  app.add_option("folder", o.folder, "Captures of another run")->required();
  app.add_option("--relative", o.relative, "Allowed difference, times the expected value");
  app.add_option("--absolute", o.absolute, "Allowed difference");
  app.add_option("--ulps", o.ulps, "Allowed units in the last place");
  app.add_option("--cosine", o.cosine, "The least similarity as vectors");
  app.add_flag("--pytorch", o.pytorch, "Tolerances of torch.testing.assert_close");
  app.add_option("--operation", o.operation,
                 "Tolerances of the table for this kind of arithmetic; default reduction");
  app.add_option("--terms", o.terms, "How many values a result adds up; default 1024");
  app.add_flag("--any-order", o.any_order, "The same elements, in whatever order");
  app.add_option("--wave", o.layout.wave_size, "Lanes of a wave: finds patterns of lanes");
  app.add_option("--block", o.layout.block_size, "Threads of a block: finds patterns of blocks");
  app.add_option("--source", o.sources, "An error if the results were made from other sources");
  app.add_option("--pictures", o.pictures,
                 "Write a picture of the errors of each tensor that differs");
  app.add_flag("--json", o.json, "Print JSON");
}

}  // namespace

Action define_verify_golden(CLI::App& verify) {
  CLI::App* app =
      verify.add_subcommand("golden", "Results that were right once: keep them, compare with them");
  app->require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App* packs = app->add_subcommand("pack", "Make one file of a folder of captures");
  define_pack(*packs, *options);
  CLI::App* shows = app->add_subcommand("show", "What is in a golden file, and who made it");
  shows->add_option("file", options->file, "The golden file")->required();
  shows->add_flag("--json", options->json, "Print JSON");
  CLI::App* checks = app->add_subcommand("check", "Compare captures with a golden file");
  define_check(*checks, *options);
  CLI::App* header = app->add_subcommand(
      "header", "Print hipwright/golden.h, with which a program captures; it needs nothing else");
  return [=] {
    if (packs->parsed()) return pack(*options);
    if (shows->parsed()) return show(*options);
    if (checks->parsed()) return check(*options);
    if (header->parsed()) print(toolchain::golden_header());
    return kOk;
  };
}

}  // namespace hipwright::cli
