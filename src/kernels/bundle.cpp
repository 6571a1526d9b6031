// SPDX-License-Identifier: MIT
#include "kernels/bundle.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "hipwright/compiler.h"
#include "toolchain/code_object/choose.h"
#include "toolchain/code_object/offload_bundle.h"

namespace fs = std::filesystem;

namespace hipwright::kernels {

namespace {

constexpr const char* kIndex = "index.json";
constexpr int kFormat = 1;
constexpr const char* kRebuild = "Build it again with `hipwright kernels build`.";

// "gemm.bf16"; of an operation with one unit, its name.
std::string name_of(const Op& op, const std::string& unit) {
  return unit.empty() ? op.name : fmt::format("{}.{}", op.name, unit);
}

std::size_t kernels_of(const Op& op, const std::string& unit) {
  const auto instances = instances_of(op, {});
  return static_cast<std::size_t>(
      std::ranges::count(instances, unit, [](const Instance& each) { return each.unit; }));
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A name, not a path: an index does not lead out of its directory.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name != "." && name != "..";
}

}  // namespace

Result<std::string> compile_op(const Op& op, const std::string& unit, const arch::Target& target) {
  static ROCmCompiler compiler({.architecture = "gfx942"});
  const Chip chip = chip_of(*target.info);
  try {
    const CompiledKernel compiled = compiler.compile_kernel(
        source_of(op, chip, unit), any_symbol(op, chip, unit), {.architecture = target.id()});
    return std::string(compiled.code_object());
  } catch (const AMDBackendError& error) {
    return fail("cannot compile", fmt::format("{} for {}", name_of(op, unit), target.id()),
                error.what(), error.advice());
  }
}

namespace {

struct Built {
  BundleSummary summary;
  Json entry;
};

Result<Built> build_bundle(const Op& op, const std::string& unit,
                           std::span<const arch::Target> targets, const fs::path& directory) {
  std::vector<toolchain::TargetCode> codes;
  Json names = Json::array();
  for (const arch::Target& target : targets) {
    HW_TRY(std::string code, compile_op(op, unit, target));
    codes.push_back({target.id(), std::move(code)});
    names.push_back(target.id());
  }
  const std::string bundle = toolchain::write_bundle(codes);
  const std::string name = name_of(op, unit), file = fmt::format("{}.hipfb", name);
  HW_CHECK(write_file_atomic(directory / file, bundle));
  return Built{{op.name, unit, file, bundle.size(), kernels_of(op, unit)},
               {{"operation", name},
                {"file", file},
                {"hash", hash128(bundle).hex()},
                {"source", fingerprint_of(op)},
                {"targets", std::move(names)}}};
}

}  // namespace

Result<std::vector<BundleSummary>> build_bundles(std::span<const Op* const> ops,
                                                 std::span<const arch::Target> targets,
                                                 const fs::path& directory) {
  HW_CHECK(make_directories(directory));
  std::vector<BundleSummary> summaries;
  Json entries = Json::array();
  for (const Op* op : ops)
    for (const std::string& unit : units_of(*op)) {
      HW_TRY(Built built, build_bundle(*op, unit, targets, directory));
      entries.push_back(std::move(built.entry));
      summaries.push_back(std::move(built.summary));
    }
  // Last: an index names only files that are there.
  const Json index = {
      {"format", kFormat}, {"version", HIPWRIGHT_VERSION}, {"bundles", std::move(entries)}};
  HW_CHECK(write_file_atomic(directory / kIndex, json_text(index)));
  return summaries;
}

Result<Bundles> Bundles::open(const fs::path& directory) {
  const fs::path path = directory / kIndex;
  const auto text = read_input(path);
  if (!text)
    return fail("cannot use the kernel bundles", path.string(), text.error().why,
                "Name a directory that `hipwright kernels build` wrote.");
  return parse(*text, directory);
}

Result<Bundles> Bundles::parse(std::string_view text, const fs::path& directory) {
  const fs::path path = directory / kIndex;
  const auto damaged = [&](std::string why) {
    return fail("cannot use the kernel bundles", path.string(), std::move(why), kRebuild);
  };
  HW_TRY(const Json index, parse_json(text, path.string()));
  if (!index.is_object()) return damaged("not an index");
  const auto format = index.find("format");
  if (format == index.end() || *format != kFormat)
    return damaged("it has the format of another version");
  const auto list = index.find("bundles");
  if (list == index.end() || !list->is_array()) return damaged("it lists no bundles");
  Bundles bundles;
  bundles.directory_ = directory;
  for (const Json& each : *list) {
    if (!each.is_object()) return damaged("an entry is not an object");
    Entry entry{text_at(each, "file"), text_at(each, "hash"), text_at(each, "source")};
    if (!is_plain_name(entry.file)) return damaged("an entry names no file beside the index");
    bundles.entries_.emplace(text_at(each, "operation"), std::move(entry));
  }
  return bundles;
}

Result<std::optional<std::string>> Bundles::code(const Op& op, const std::string& unit,
                                                 const arch::Target& target) const {
  const auto found = entries_.find(name_of(op, unit));
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  const fs::path path = directory_ / entry.file;
  if (entry.source != fingerprint_of(op))
    return fail("cannot use the kernel bundle", path.string(),
                "it was built by another version of hipwright", kRebuild);
  HW_TRY(std::string bytes, read_input(path));
  if (hash128(bytes).hex() != entry.hash)
    return fail("cannot use the kernel bundle", path.string(), "it is damaged", kRebuild);
  HW_TRY(const toolchain::Choice choice,
         toolchain::choose_code_object(toolchain::Bytes(std::move(bytes)), path.string(), target));
  if (!choice.best) return std::nullopt;
  return std::string(choice.best->bytes().view());
}

}  // namespace hipwright::kernels
