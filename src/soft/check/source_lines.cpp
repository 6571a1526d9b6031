// SPDX-License-Identifier: MIT
#include "soft/check/source_lines.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

namespace hipwright::soft {

// Findings are few: the tables are read anew for each.
std::string source_line(const Image& image, std::uint64_t address) {
  const std::string_view bytes = image.object().bytes().view();
  const llvm::StringRef text(bytes.data(), bytes.size());
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(text, ""));
  if (!object) {
    llvm::consumeError(object.takeError());
    return {};
  }
  // Damaged debug information is no reason to talk about it here.
  const auto quiet = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  const std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(
      **object, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "", quiet, quiet);
  const llvm::DILineInfo line =
      context
          ->getLineInfoForAddress(
              {address - image.base(), llvm::object::SectionedAddress::UndefSection},
              {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
               llvm::DILineInfoSpecifier::FunctionNameKind::None})
          .value_or(llvm::DILineInfo());
  if (!line || line.Line == 0) return {};
  return fmt::format("{}:{}", line.FileName, line.Line);
}

}  // namespace hipwright::soft
