// SPDX-License-Identifier: MIT
#include "kernels/bundle.h"

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

// Whatever the wave size is.
std::string source_hash(const Op& op) {
  return hash128(source_of(op, 0)).hex();
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

Result<std::string> compile_op(const Op& op, const arch::Target& target) {
  static ROCmCompiler compiler({.architecture = "gfx942"});
  try {
    const std::string any = symbol_of(op, element_types().front(), op.tiles.front());
    const CompiledKernel compiled = compiler.compile_kernel(
        source_of(op, target.info->default_wave_size()), any, {.architecture = target.id()});
    return std::string(compiled.code_object());
  } catch (const AMDBackendError& error) {
    return fail("cannot compile", fmt::format("{} for {}", op.name, target.id()), error.what(),
                error.advice());
  }
}

Result<std::vector<BundleSummary>> build_bundles(
    std::span<const arch::Target> targets, const fs::path& directory,
    const std::function<void(const Op&, const arch::Target&)>& progress) {
  HW_CHECK(make_directories(directory));
  std::vector<BundleSummary> summaries;
  Json entries = Json::array();
  for (const Op& op : all_ops()) {
    std::vector<toolchain::TargetCode> codes;
    Json names = Json::array();
    for (const arch::Target& target : targets) {
      if (progress) progress(op, target);
      HW_TRY(std::string code, compile_op(op, target));
      codes.push_back({target.id(), std::move(code)});
      names.push_back(target.id());
    }
    const std::string bundle = toolchain::write_bundle(codes);
    const std::string file = fmt::format("{}.hipfb", op.name);
    HW_CHECK(write_file_atomic(directory / file, bundle));
    entries.push_back({{"operation", op.name},
                       {"file", file},
                       {"hash", hash128(bundle).hex()},
                       {"source", source_hash(op)},
                       {"targets", std::move(names)}});
    summaries.push_back({op.name, file, bundle.size(), op.tiles.size() * element_types().size()});
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

Result<std::optional<std::string>> Bundles::code(const Op& op, const arch::Target& target) const {
  const auto found = entries_.find(op.name);
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  const fs::path path = directory_ / entry.file;
  if (entry.source != source_hash(op))
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
