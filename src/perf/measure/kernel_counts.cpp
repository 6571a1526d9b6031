// SPDX-License-Identifier: MIT
#include "perf/measure/kernel_counts.h"

#include <algorithm>
#include <map>

#include <elf.h>
#include <fmt/format.h>

#include "base/file.h"
#include "perf/record/json_input.h"
#include "toolchain/code_object/producer.h"

namespace hipwright::perf {

namespace {

using toolchain::KernelResources;

KernelCounts counts_of(const KernelResources& resources, const std::string& producer) {
  KernelCounts kernel{.kernel = resources.name,
                      .target = resources.target,
                      .source = std::string(kCodeObject),
                      .producer = producer};
  kernel.counts = {{"vgprs", resources.vgprs},
                   {"agprs", resources.agprs},
                   {"sgprs", resources.sgprs},
                   {"vgpr_spills", resources.vgpr_spills},
                   {"sgpr_spills", resources.sgpr_spills},
                   {"lds_bytes", resources.lds_bytes},
                   {"scratch_bytes", resources.scratch_bytes}};
  if (resources.code_bytes) kernel.counts["code_bytes"] = *resources.code_bytes;
  if (resources.occupancy) kernel.counts["occupancy"] = resources.occupancy->waves_per_simd;
  return kernel;
}

struct Counter {
  const char* name;
  std::vector<const char*> path;
};

// Of a kernel in the report.
const std::vector<Counter>& counters() {
  static const std::vector<Counter> list = {
      {"launches", {"launches"}},
      {"waves", {"waves"}},
      {"instructions", {"instructions", "total"}},
      {"global_load_bytes", {"global", "loads", "bytes"}},
      {"global_load_lines", {"global", "loads", "lines"}},
      {"global_store_bytes", {"global", "stores", "bytes"}},
      {"global_store_lines", {"global", "stores", "lines"}},
      {"global_atomics", {"global", "atomics", "accesses"}},
      {"scalar_bytes", {"scalar_bytes"}},
      {"scratch_accesses", {"scratch_accesses"}},
      {"lds_run_bytes", {"lds", "bytes"}},
      {"lds_bank_conflicts", {"lds", "bank_conflicts"}},
  };
  return list;
}

Result<KernelCounts> read_kernel(const JsonField& field) {
  KernelCounts kernel{.source = std::string(kSoftwareGpu)};
  HW_TRY(const JsonField name, field.at("kernel"));
  HW_TRY(kernel.kernel, name.text());
  HW_TRY(const JsonField target, field.at("target"));
  HW_TRY(kernel.target, target.text());
  HW_TRY(kernel.producer, field.optional_text("producer"));
  for (const Counter& counter : counters()) {
    JsonField at = field;
    for (const char* step : counter.path) {
      HW_TRY(at, at.at(step));
    }
    HW_TRY(kernel.counts[counter.name], at.count());
  }
  return kernel;
}

auto same_kernel(const KernelCounts& wanted) {
  return [&wanted](const KernelCounts& each) {
    return each.kernel == wanted.kernel && each.target == wanted.target &&
           each.source == wanted.source;
  };
}

}  // namespace

std::vector<KernelCounts> code_counts(const toolchain::Inspection& inspection) {
  std::vector<KernelCounts> all;
  for (const auto& image : inspection.images) {
    if (!image.object) continue;
    const std::string producer = toolchain::producer_of(*image.object);
    for (const KernelResources& each : image.kernels) all.push_back(counts_of(each, producer));
  }
  return all;
}

Result<std::vector<KernelCounts>> file_counts(const std::filesystem::path& file) {
  HW_TRY(const auto inspection, toolchain::inspect_file(file));
  for (const auto& image : inspection.images)
    if (image.error) return std::unexpected(*image.error);
  return code_counts(inspection);
}

bool has_kernels(const std::filesystem::path& file) {
  auto content = read_file(file);
  if (!content || !content->starts_with(ELFMAG)) return false;
  const auto elf = toolchain::ElfFile::parse(*std::move(content), file.string());
  // What this reader does not know, such as a program of 32 bits, has no AMD code.
  if (!elf) return false;
  return elf->machine() == EM_AMDGPU || elf->section(".hip_fatbin") != nullptr ||
         elf->section(".llvm.offloading") != nullptr;
}

Result<std::vector<KernelCounts>> parse_run_report(std::string_view text,
                                                   const std::string& origin) {
  HW_TRY(const Json json, parse_bounded_json(text, origin));
  const JsonField report(json, origin);
  HW_TRY(const JsonField finished_field, report.at("finished"));
  HW_TRY(const bool finished, finished_field.boolean());
  if (!finished) return finished_field.wrong("the program did not end normally");
  HW_TRY(const JsonField kernels, report.at("kernels"));
  HW_TRY(const auto list, kernels.items());
  std::vector<KernelCounts> all;
  for (const JsonField& each : list) {
    HW_TRY(auto kernel, read_kernel(each));
    all.push_back(std::move(kernel));
  }
  return all;
}

void add_counts(std::vector<KernelCounts>& to, const std::vector<KernelCounts>& other) {
  for (const KernelCounts& each : other) {
    const auto found = std::find_if(to.begin(), to.end(), same_kernel(each));
    if (found == to.end()) {
      to.push_back(each);
      continue;
    }
    for (const auto& [name, value] : each.counts) found->counts[name] += value;
  }
}

void mark_unstable(std::vector<KernelCounts>& first, const std::vector<KernelCounts>& second) {
  for (KernelCounts& each : first) {
    const auto other = std::find_if(second.begin(), second.end(), same_kernel(each));
    for (const auto& [name, value] : each.counts) {
      const bool is_same =
          other != second.end() && other->counts.contains(name) && other->counts.at(name) == value;
      if (!is_same) each.unstable.push_back(name);
    }
  }
}

void number_namesakes(std::vector<KernelCounts>& kernels) {
  std::map<std::string, unsigned> seen;
  for (KernelCounts& each : kernels)
    if (const unsigned number = ++seen[each.source + '\n' + each.target + '\n' + each.kernel];
        number > 1)
      each.kernel += fmt::format(" #{}", number);
}

}  // namespace hipwright::perf
