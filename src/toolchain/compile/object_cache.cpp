// SPDX-License-Identifier: MIT
#include "toolchain/compile/object_cache.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/file.h"
#include "toolchain/compile/precompiled_wrapper.h"
#include "toolchain/compile/system_headers.h"

namespace hipwright::toolchain {

namespace fs = std::filesystem;

namespace {

// -fplugin=FILE and the like.
bool names_file(const std::string& word) {
  const std::size_t equals = word.find('=');
  std::error_code ignored;
  return word.starts_with('-') && equals != std::string::npos &&
         fs::is_regular_file(word.substr(equals + 1), ignored);
}

void warn(const Error& error) {
  std::fprintf(stderr, "%s%s\n", kCacheWarning, error.message().c_str());
}

}  // namespace

ObjectCache::ObjectCache(fs::path directory, std::string compiler)
    : compiler_(std::move(compiler)),
      cache_({.directory = std::move(directory), .memory_entries = 0, .warn = warn}) {}

bool ObjectCache::covers(const DriverPlan& plan) {
  return wrapper_call(plan) && !environment_changes_clang() &&
         std::ranges::none_of(plan.argv, names_file);
}

Result<Finished> ObjectCache::get_or_compile(const Hash128& digest, const fs::path& object,
                                             const std::function<Result<Finished>()>& compile) {
  std::optional<Result<Finished>> compiled;
  const auto kept = cache_.get_or_compile(
      {.source = digest.hex(), .compiler = compiler_}, [&]() -> Result<Compiled> {
        compiled = compile();
        HW_CHECK(*compiled);
        if (!(*compiled)->ok() || !(*compiled)->err.empty())
          return fail("cannot keep the object", object.string(), "the compiler printed messages");
        HW_TRY(std::string bytes, read_file(object));
        return Compiled{.payload = std::move(bytes)};
      });
  if (compiled) {
    if (kept) (*compiled)->seconds = (*kept)->compile_seconds();  // what later callers get
    return *std::move(compiled);
  }
  // Another thread's compilation of the same unit has messages; they belong to each caller.
  if (!kept) return compile();
  HW_CHECK(write_file_atomic(object, (*kept)->payload()));
  return Finished{.seconds = (*kept)->compile_seconds()};
}

}  // namespace hipwright::toolchain
