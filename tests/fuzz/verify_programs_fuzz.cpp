// SPDX-License-Identifier: MIT
// hipwright.toml and Makefile of a tree, up to the first NUL byte and behind it: every program that
// is found has sources, and each of its runs has a golden file or none.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "verify/program/workload.h"

using namespace hipwright;

namespace {

const std::filesystem::path& tree() {
  static const TemporaryDirectory made = [] {
    TemporaryDirectory out = TemporaryDirectory::create().value();
    constexpr const char* kMain = "#include \"b.h\"\nint main() { f(); }\n";
    for (const auto& [name, text] : {std::pair{"a.cu", kMain},
                                     {"b.cu", "#include \"b.h\"\nvoid f() {}\n"},
                                     {"b.h", "void f();\n"},
                                     {"d/c.hip", kMain}})
      HW_ASSERT(make_directories((out.path() / name).parent_path()) &&
                write_file_atomic(out.path() / name, text));
    return out;
  }();
  return made.path();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\0'), size);
  HW_ASSERT(write_file_atomic(tree() / "hipwright.toml", text.substr(0, end)));
  HW_ASSERT(write_file_atomic(tree() / "Makefile", text.substr(std::min(end + 1, size))));
  const auto workload = verify::find_workload(tree());
  if (!workload) {
    HW_ASSERT(!workload.error().message().empty());
    return 0;
  }
  for (const verify::ProgramSpec& program : workload->programs) {
    HW_ASSERT(!program.name.empty() && !program.units.empty() && !program.runs.empty());
    HW_ASSERT(program.goldens.size() <= 1 || program.goldens.size() == program.runs.size());
  }
  return 0;
}
