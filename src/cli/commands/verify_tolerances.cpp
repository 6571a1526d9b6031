// SPDX-License-Identifier: MIT
#include <memory>

#include "base/file.h"
#include "cli/verify.h"
#include "verify/numeric/tolerance.h"

namespace hipwright::cli {

VerifyPart define_verify_tolerances(App verify) {
  App app = verify.add_subcommand("tolerances", "Print the tolerances for comparing results");
  auto file = std::make_shared<std::string>();
  app.add_option("--write-docs", *file, "Write docs/tolerances.md to FILE").group("");
  return {app, [file] {
            const std::string page = verify::tolerance_page();
            if (file->empty()) {
              print(page);
              return kOk;
            }
            const Status written = write_file_atomic(*file, page);
            return written ? kOk : report(written.error());
          }};
}

}  // namespace hipwright::cli
