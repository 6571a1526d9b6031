// SPDX-License-Identifier: MIT
#include "toolchain/code_object/triton_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "base/terminal.h"
#include "toolchain/code_object/code_object.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kAlways[] = {"num_warps", "num_stages"};
// 0 stands for "the compiler decides".
constexpr std::string_view kAmdOptions[] = {"waves_per_eu", "matrix_instr_nonkdim", "kpack"};
// Of programs that hipwright.triton.flags compiled: which option it changed.
constexpr const char* kVariant = "hipwright_variant";

std::vector<std::pair<std::string, std::string>> options_of(const Json& metadata) {
  std::vector<std::pair<std::string, std::string>> options;
  const auto add = [&](std::string_view name, bool always) {
    const auto found = metadata.find(name);
    if (found == metadata.end() || !found->is_number_integer()) return;
    const auto value = found->get<std::int64_t>();
    if (always || value > (name == "kpack" ? 1 : 0))
      options.emplace_back(name, std::to_string(value));
  };
  for (const std::string_view name : kAlways) add(name, true);
  for (const std::string_view name : kAmdOptions) add(name, false);
  return options;
}

std::uint32_t shared_of(const Json& metadata) {
  const auto found = metadata.find("shared");
  return found != metadata.end() && found->is_number_unsigned() ? found->get<std::uint32_t>() : 0;
}

// Adds the kernels of one code object and its metadata.
Status add_file(const fs::path& file, const fs::path& description, TritonCache& out) {
  HW_TRY(const std::string text, read_file(description));
  HW_TRY(const Json metadata, parse_json(text, description.string()));
  if (!metadata.is_object() || !metadata.contains("num_warps")) return {};  // not Triton's
  HW_TRY(std::string content, read_file(file));
  HW_TRY(const CodeObject object, CodeObject::parse(Bytes(std::move(content)), file.string()));
  for (KernelResources& resources : kernel_resources(object, shared_of(metadata))) {
    TritonKernel kernel{
        .file = file, .resources = std::move(resources), .options = options_of(metadata)};
    if (const auto variant = metadata.find(kVariant);
        variant != metadata.end() && variant->is_string())
      kernel.variant = variant->get<std::string>();
    out.kernels.push_back(std::move(kernel));
  }
  return {};
}

auto order_of(const TritonKernel& kernel) {
  return std::tuple(kernel.resources.target, kernel.resources.name, kernel.configuration(),
                    kernel.file.string());
}

std::string named(const TritonKernel& kernel) {
  return fmt::format("{} {}", kernel.resources.name, kernel.configuration());
}

std::string occupancy_text(const KernelResources& kernel) {
  return kernel.occupancy ? std::to_string(kernel.occupancy->waves_per_simd) : "?";
}

// "VGPRs 168 -> 128, occupancy 2 -> 4"
std::string changes(const KernelResources& from, const KernelResources& to) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& before, const std::string& after) {
    if (before != after)
      text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", name, before, after);
  };
  const auto number = [&](std::string_view name, std::uint64_t before, std::uint64_t after) {
    add(name, std::to_string(before), std::to_string(after));
  };
  number("VGPRs", from.vgprs, to.vgprs);
  number("AGPRs", from.agprs, to.agprs);
  number("spills", from.vgpr_spills + from.sgpr_spills, to.vgpr_spills + to.sgpr_spills);
  number("LDS", from.lds_bytes, to.lds_bytes);
  number("scratch", from.scratch_bytes, to.scratch_bytes);
  add("occupancy", occupancy_text(from), occupancy_text(to));
  if (from.code_bytes && to.code_bytes) number("code", *from.code_bytes, *to.code_bytes);
  return text;
}

}  // namespace

std::string TritonKernel::configuration() const {
  std::string text;
  for (const auto& [name, value] : options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Result<TritonCache> read_triton_cache(const fs::path& directory) {
  TritonCache cache;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& file = entry->path();
    std::error_code ignored;
    if (file.extension() != ".hsaco" || !entry->is_regular_file(ignored)) continue;
    const fs::path description = fs::path(file).replace_extension(".json");
    if (!fs::is_regular_file(description, ignored)) continue;
    if (const Status added = add_file(file, description, cache); !added)
      cache.errors.push_back(added.error());
  }
  if (error) return fail("cannot inspect", directory.string(), error.message());
  if (cache.kernels.empty() && cache.errors.empty())
    return fail("cannot inspect", directory.string(),
                "the directory has no kernels of Triton's AMD backend (NAME.hsaco with NAME.json)",
                "Name Triton's cache (~/.triton/cache, or $TRITON_CACHE_DIR), or files.");
  std::ranges::sort(cache.kernels, {}, order_of);
  return cache;
}

std::string triton_table(const std::vector<TritonKernel>& kernels, bool colour) {
  std::map<std::string, std::vector<KernelResources>> by_target;
  for (const TritonKernel& kernel : kernels) {
    KernelResources row = kernel.resources;
    row.name = named(kernel);
    by_target[row.target].push_back(std::move(row));
  }
  std::string text;
  for (const auto& [target, rows] : by_target)
    text += fmt::format("\n{}: {}\n{}", paint(target, Colour::kBold, colour),
                        counted(rows.size(), "kernel"), resources_table(rows, colour, 100));
  return text;
}

std::string triton_changes(const std::vector<TritonKernel>& kernels,
                           const std::vector<TritonKernel>& variants) {
  std::string text;
  for (const TritonKernel& kernel : kernels) {
    std::string lines;
    std::size_t same = 0;
    for (const TritonKernel& variant : variants) {
      if (variant.file.parent_path().parent_path().filename() !=
          kernel.file.parent_path().filename())
        continue;
      const std::string changed = changes(kernel.resources, variant.resources);
      if (changed.empty()) {
        ++same;
      } else {
        lines += fmt::format("  {}: {}\n", variant.variant, changed);
      }
    }
    if (lines.empty() && same == 0) continue;
    text += fmt::format("\n{} for {}, with other options:\n{}", named(kernel),
                        kernel.resources.target, lines);
    if (same != 0) text += fmt::format("  {} without effect\n", counted(same, "option"));
  }
  return text;
}

Json triton_json(const std::string& directory, const std::vector<TritonKernel>& kernels) {
  std::map<std::string, Json> by_target;
  for (const TritonKernel& kernel : kernels) {
    Json row = resources_json({&kernel.resources, 1}).at(0);
    row["file"] = kernel.file.string();
    row["triton"] = Json::object();
    for (const auto& [name, value] : kernel.options) row["triton"][name] = std::stoll(value);
    if (!kernel.variant.empty()) row["variant"] = kernel.variant;
    auto [image, is_new] = by_target.try_emplace(kernel.resources.target);
    if (is_new) image->second = {{"target", kernel.resources.target}, {"kernels", Json::array()}};
    image->second["kernels"].push_back(std::move(row));
  }
  Json images = Json::array();
  for (auto& [target, image] : by_target) images.push_back(std::move(image));
  return {{"file", directory}, {"images", std::move(images)}};
}

}  // namespace hipwright::toolchain
