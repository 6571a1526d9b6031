// SPDX-License-Identifier: MIT
// Every instruction of AITER's prebuilt kernels is one that the software GPU runs. Runs where
// HIPWRIGHT_AITER names a checkout of AITER.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "soft/exec/ops/ops.h"
#include "soft/load/image.h"

namespace hipwright::soft {
namespace {

namespace fs = std::filesystem;

bool runs(const Inst& inst) {
  return inst.op && find_op(inst.op->name) == inst.op && !(inst.op->flags & kRefused);
}

TEST(Aiter, EveryInstructionRuns) {
  const char* const checkout = std::getenv("HIPWRIGHT_AITER");
  if (!checkout) GTEST_SKIP() << "not run: HIPWRIGHT_AITER does not name a checkout of AITER";
  for (const std::string target : {"gfx942", "gfx950"}) {
    std::map<std::string, std::set<std::string>> gaps;  // by instruction: files
    std::size_t files = 0, instructions = 0;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(checkout) / "hsa" / target)) {
      if (entry.path().extension() != ".co") continue;
      ++files;
      const auto bytes = read_file(entry.path());
      ASSERT_TRUE(bytes) << entry.path();
      auto object = toolchain::CodeObject::parse(*bytes, entry.path().string());
      ASSERT_TRUE(object) << object.error().message();
      Memory memory(std::uint64_t{1} << 30);
      auto image = Image::load(*std::move(object), target, memory);
      ASSERT_TRUE(image) << image.error().message();
      for (const Inst* inst : (*image)->program(64).decode_all()) {
        ++instructions;
        if (!runs(*inst)) gaps[std::string(name_of(*inst))].insert(entry.path().filename());
      }
    }
    std::printf("%s: %zu files, %zu instructions\n", target.c_str(), files, instructions);
    for (const auto& [name, where] : gaps)
      ADD_FAILURE() << target << ": " << name << " in " << where.size() << " files, first "
                    << *where.begin();
  }
}

}  // namespace
}  // namespace hipwright::soft
