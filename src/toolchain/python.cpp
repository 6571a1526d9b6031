// SPDX-License-Identifier: MIT
#include "toolchain/python.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "base/process.h"

namespace hipwright::toolchain {

Result<std::string> python_with(std::string_view what,
                                std::initializer_list<std::string_view> packages) {
  const char* chosen = std::getenv("HIPWRIGHT_PYTHON");
  std::string interpreter = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  const std::string script = fmt::format(
      "import importlib.util as u\n"
      "print(' '.join(n for n in '{}'.split() if not u.find_spec(n)))\n",
      fmt::join(packages, " "));
  HW_TRY(const Finished asked, run({.argv = {interpreter, "-c", script}}));
  if (!asked.ok()) return fail(std::string(what), interpreter, asked.err);
  const std::string missing = asked.out.substr(0, asked.out.find('\n'));
  if (missing.empty()) return interpreter;
  return fail(std::string(what), interpreter,
              fmt::format("it lacks the Python packages: {}", missing),
              "Install them (hipwright: pip install . in its source tree), or name another Python "
              "in HIPWRIGHT_PYTHON.");
}

}  // namespace hipwright::toolchain
