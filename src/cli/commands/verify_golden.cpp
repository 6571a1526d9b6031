// SPDX-License-Identifier: MIT
#include <chrono>
#include <climits>
#include <ctime>
#include <limits>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/counted.h"
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
  if (const Status writable = can_write(options.file); !writable) return report(writable.error());
  const auto captures = verify::read_captures(options.folder);
  if (!captures) return report(captures.error());
  auto hash = verify::source_hash(options.sources);
  if (!hash) return report(hash.error());
  verify::Golden golden{.provenance = options.provenance};
  golden.provenance.source_hash = *std::move(hash);
  golden.provenance.made = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (const auto& [name, values] : *captures)
    // A sample does not say which elements belong together.
    golden.tensors.emplace(name, verify::is_any_order(name)
                                     ? verify::StoredValues{values, values.shape, {}}
                                     : verify::sampled(values, options.sample));
  const Status written = verify::write_golden(golden, options.file);
  if (!written) return report(written.error());
  note(fmt::format("wrote {} to {}", counted(golden.tensors.size(), "tensor"), options.file));
  return kOk;
}

// Pairs of label and value; unknown values are omitted.
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

std::string stored_text(const verify::StoredValues& stored) {
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
      return fail("invalid tolerance", {}, "negative or not a number", "Use 0 or more.");
  if (options.cosine && options.any_order)
    return fail("`--cosine` cannot be combined with `--any-order`", {},
                "the cosine compares element by element", "Use one of them.");
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

Json json_of(const verify::NamedComparison& checked) {
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

// Before the comparison: can pictures be written?
Status check_pictures(const Options& options) {
  if (options.pictures.empty()) return {};
  HW_CHECK(make_directories(options.pictures));
  return can_write(std::filesystem::path(options.pictures) / "picture.png");
}

Status write_pictures(const Options& options, const verify::Golden& golden,
                      const std::map<std::string, verify::Values>& captures,
                      const std::vector<verify::NamedComparison>& all) {
  if (options.pictures.empty()) return {};
  for (const verify::NamedComparison& checked : all) {
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
  if (const Status writable = check_pictures(options); !writable) return report(writable.error());
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
                     "--cosine compares element by element, and these may come in any order",
                     "Omit --cosine, or use other bounds."});
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
  for (const verify::NamedComparison& checked : all) {
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

void define_pack(App app, Options& o) {
  app.add_option("DIR", o.folder, "Directory with captures: .npy and .npz files")
      .type_name("DIR")
      .required();
  app.add_option("-o,--output", o.file, "Golden file to write: NAME.safetensors")
      .type_name("FILE")
      .required();
  app.add_option("--source", o.sources, "Record a hash of these sources").type_name("FILE");
  app.add_option("--device", o.provenance.device, "Record the device").type_name("TEXT");
  app.add_option("--driver", o.provenance.driver, "Record the driver").type_name("TEXT");
  app.add_option("--compiler", o.provenance.compiler, "Record the compiler").type_name("TEXT");
  app.add_option("--command", o.provenance.command, "Record the command").type_name("TEXT");
  app.add_option("--seed", o.provenance.seed, "Record the seed of the inputs").type_name("N");
  app.add_option("--sample", o.sample, "Maximum number of elements to store of a tensor")
      .type_name("N")
      .capture_default_str()
      .range(1U, UINT_MAX);
}

void define_check(App app, Options& o) {
  app.add_option("FILE", o.file, "Golden file").type_name("FILE").required();
  app.add_option("DIR", o.folder, "Directory with captures to compare").type_name("DIR").required();
  app.add_option("--relative", o.relative, "Maximum difference relative to the expected value")
      .type_name("X");
  app.add_option("--absolute", o.absolute, "Maximum absolute difference").type_name("X");
  app.add_option("--ulps", o.ulps, "Maximum difference in units in the last place").type_name("X");
  app.add_option("--cosine", o.cosine, "Minimum cosine similarity").type_name("X");
  app.add_flag("--pytorch", o.pytorch, "Use the tolerances of torch.testing.assert_close");
  app.add_option("--operation", o.operation, "Use the tolerances for this kind of arithmetic")
      .type_name("KIND")
      .capture_default_str();
  app.add_option("--terms", o.terms, "Number of terms that are added up for one result")
      .type_name("N")
      .capture_default_str();
  app.add_flag("--any-order", o.any_order, "Ignore the order of elements");
  app.add_option("--wave", o.layout.wave_size, "Wave size, to find patterns across lanes")
      .type_name("LANES");
  app.add_option("--block", o.layout.block_size, "Block size, to find patterns across threads")
      .type_name("THREADS");
  app.add_option("--source", o.sources, "Fail unless the results come from these sources")
      .type_name("FILE");
  app.add_option("--pictures", o.pictures, "Write an image of the errors of each failing tensor")
      .type_name("DIR");
  app.add_flag("--json", o.json, "Print JSON");
}

}  // namespace

VerifyPart define_verify_golden(App verify) {
  App app =
      verify.add_subcommand("golden", "Store known-good results and compare others with them");
  app.require_subcommand();
  auto options = std::make_shared<Options>();
  App packs = app.add_subcommand("pack", "Pack a directory of captures into a golden file");
  define_pack(packs, *options);
  App shows = app.add_subcommand("show", "Show the contents and origin of a golden file");
  shows.add_option("FILE", options->file, "Golden file").type_name("FILE").required();
  shows.add_flag("--json", options->json, "Print JSON");
  App checks = app.add_subcommand("check", "Compare captures with a golden file");
  define_check(checks, *options);
  App header = app.add_subcommand(
      "header", "Print hipwright/golden.h, the header that programs capture results with");
  return {app, [=] {
            if (packs.parsed()) return pack(*options);
            if (shows.parsed()) return show(*options);
            if (checks.parsed()) return check(*options);
            if (header.parsed()) print(toolchain::golden_header());
            return kOk;
          }};
}

}  // namespace hipwright::cli
