// SPDX-License-Identifier: MIT
#include "toolchain/compile/unit_compiler.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/thread_pool.h"
#include "toolchain/compile/precompiled_wrapper.h"
#include "toolchain/compile/system_headers.h"
#include "toolchain/sync_notes.h"

namespace hipwright::toolchain {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::minutes kTimeout{10};

fs::path from(const fs::path& root, const fs::path& file) {
  return is_in_directory(file, root) ? file.lexically_relative(root) : file;
}

// A digest of a unit's compilation, source and headers, the same in any copy of the tree. Every
// header that any target may include counts: the compiler names only the host's. None if an
// #include is computed, because its file is unknown, or if the source takes other files in.
std::optional<Hash128> digest_of(const fs::path& root, const TranslationUnit& unit,
                                 const DriverPlan& plan, const fs::path& object,
                                 const SystemHeaders& system) {
  Hasher hasher;
  for (std::string word : plan.argv) {
    if (word == object) continue;
    if (const std::size_t at = word.find(root.string()); at != std::string::npos)
      word.replace(at, root.string().size(), "<root>");
    hasher.field(word);
  }
  IncludeFlags includes = include_flags(unit.flags);
  includes.files.push_back(root / unit.path);
  for (const char* folder : {"/usr/local/include", "/usr/include"})
    includes.folders.emplace_back(folder);
  const IncludeScan scan = scan_includes("", includes.folders, includes.files, &system);
  if (scan.has_computed) return std::nullopt;
  for (const fs::path& file : scan.files) {
    const auto content = read_file(file);
    if (!content || content->find("#embed") != std::string::npos ||
        content->find(".incbin") != std::string::npos)
      return std::nullopt;
    hasher.field(from(root, file).generic_string()).field(*content);
  }
  return hasher.finish();
}

}  // namespace

struct UnitCompiler::Objects {
  std::mutex mutex;
  std::map<Hash128, CompiledUnit> known;
  std::atomic<std::size_t> count = 0;
  const SystemHeaders system = SystemHeaders::of_this_machine();
};

UnitCompiler::UnitCompiler(std::vector<std::string> archs, fs::path folder)
    : archs_(std::move(archs)), folder_(std::move(folder)), objects_(std::make_unique<Objects>()) {
  found_ = find();
}

UnitCompiler::~UnitCompiler() = default;

Status UnitCompiler::find() {
  HW_CHECK(make_directories(folder_));
  rocm_ = find_rocm();
  if (rocm_) return {};
  HW_TRY(Clang clang, find_hip_compiler());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(Sdk sdk, prepare_sdk(clang, device_libs));
  HW_TRY(auto machine, default_archs());
  // An SDK in a temporary directory: the user's cache cannot be used.
  if (const auto cache = user_cache_directory(); cache && !sdk.warning)
    kept_ = std::make_unique<ObjectCache>(*cache / "objects",
                                          clang_identity(clang, sdk, objects_->system));
  own_ = DriverEnvironment{std::move(clang), std::move(sdk), std::move(machine)};
  return {};
}

Result<DriverPlan> UnitCompiler::plan(std::vector<std::string> words) const {
  HW_CHECK(found_);
  if (!archs_.empty()) {
    words.emplace_back("--arch");
    words.push_back(fmt::format("{}", fmt::join(archs_, ",")));
  }
  words.emplace_back("-fopenmp=libgomp");
  HW_TRY(const DriverRequest request, parse_driver_words(words));
  if (rocm_) return plan_rocm(request, *rocm_);
  return plan_own(request, *own_);
}

Result<Finished> UnitCompiler::call(DriverPlan plan) const {
  if (own_) {
    use_precompiled_wrapper(plan, own_->sdk, Precompile::kNow);
    use_sync_notes(plan, own_->clang);
  }
  return run({.argv = std::move(plan.argv), .timeout = kTimeout});
}

Result<Finished> UnitCompiler::make_object(const DriverPlan& plan,
                                           const std::optional<Hash128>& digest,
                                           const fs::path& object) const {
  if (!digest || !kept_ || !ObjectCache::covers(plan)) return call(plan);
  return kept_->get_or_compile(*digest, object, [&] { return call(plan); });
}

Result<CompiledUnit> UnitCompiler::compile(const fs::path& root, const TranslationUnit& unit) {
  const fs::path object = folder_ / fmt::format("unit{}.o", objects_->count++);
  // All errors, one message a line.
  std::vector<std::string> words = {"-O2",
                                    "-gline-tables-only",
                                    "-w",
                                    "-ferror-limit=0",
                                    "-fno-color-diagnostics",
                                    "-fno-caret-diagnostics",
                                    fmt::format("-ffile-prefix-map={}/=", root.string()),
                                    "-ffile-compilation-dir=.",
                                    "-c"};
  words.insert(words.end(), unit.flags.begin(), unit.flags.end());
  words.push_back((root / unit.path).string());
  words.insert(words.end(), {"-o", object.string()});
  HW_TRY(const DriverPlan planned, plan(std::move(words)));
  const std::optional<Hash128> digest = digest_of(root, unit, planned, object, objects_->system);
  if (digest) {
    const std::lock_guard lock(objects_->mutex);
    if (const auto found = objects_->known.find(*digest); found != objects_->known.end()) {
      CompiledUnit compiled = found->second;
      compiled.is_reused = true;
      return compiled;
    }
  }
  HW_TRY(Finished finished, make_object(planned, digest, object));
  CompiledUnit compiled{.object = object, .ok = finished.ok(), .seconds = finished.seconds};
  compiled.log = finished.timed_out ? fmt::format("the compiler did not finish within {} minutes",
                                                  kTimeout.count())
                                    : std::move(finished.err);
  compiled.messages = parse_compiler_log(compiled.log);
  for (LogMessage& message : compiled.messages)
    message.file = from(root, fs::path(message.file).lexically_normal()).generic_string();
  if (compiled.ok && digest) {
    const std::lock_guard lock(objects_->mutex);
    objects_->known.emplace(*digest, compiled);
  }
  return compiled;
}

std::vector<Result<CompiledUnit>> UnitCompiler::compile(const fs::path& root,
                                                        std::span<const TranslationUnit> units,
                                                        Progress& progress) {
  std::error_code ignored;
  const fs::path tree = fs::canonical(root, ignored);
  std::vector<Result<CompiledUnit>> compiled(units.size());
  ThreadPool pool;
  pool.parallel_for(units.size(), [&](std::size_t i) {
    compiled[i] = compile(tree, units[i]);
    progress.advance(1, units[i].path);
  });
  return compiled;
}

Result<Finished> UnitCompiler::link(const std::vector<fs::path>& inputs,
                                    const std::vector<std::string>& flags,
                                    const fs::path& program) const {
  std::vector<std::string> words;
  for (const fs::path& each : inputs) words.push_back(each.string());
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", program.string()});
  HW_TRY(DriverPlan planned, plan(std::move(words)));
  return call(std::move(planned));
}

}  // namespace hipwright::toolchain
