// SPDX-License-Identifier: MIT
#include "soft/check/source_lines.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <cstring>

#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

namespace {

// LLVM allocates what the header of a compressed section claims. More than this is damage.
constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 30;

bool can_unpack(const toolchain::ElfFile& elf) {
  std::uint64_t total = 0;
  for (const toolchain::ElfSection& section : elf.sections()) {
    if (!(section.flags & llvm::ELF::SHF_COMPRESSED)) continue;
    const toolchain::Bytes content = elf.content(section);
    llvm::ELF::Elf64_Chdr header{};
    if (content.view().size() < sizeof header) return false;
    std::memcpy(&header, content.view().data(), sizeof header);
    if (header.ch_size > kMostUnpacked) return false;
    total += header.ch_size;
  }
  return total <= kMostUnpacked;
}

}  // namespace

std::string SourceFrame::place() const {
  return fmt::format("{}:{}", file, line);
}

// Findings are few: the tables are read anew for each.
std::vector<SourceFrame> source_frames(const Image& image, std::uint64_t address) {
  if (!can_unpack(image.object().elf())) return {};
  const std::string_view bytes = image.object().bytes().view();
  const llvm::StringRef text(bytes.data(), bytes.size());
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(text, ""));
  if (!object) {
    llvm::consumeError(object.takeError());
    return {};
  }
  // Damaged debug information is ignored without a message.
  const auto quiet = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  const std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(
      **object, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "", quiet, quiet);
  const llvm::DIInliningInfo chain = context->getInliningInfoForAddress(
      {address - image.base(), llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
       llvm::DILineInfoSpecifier::FunctionNameKind::LinkageName});
  std::vector<SourceFrame> frames;
  for (unsigned i = 0; i < chain.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& frame = chain.getFrame(i);
    if (!frame || frame.Line == 0) continue;
    const bool named = frame.FunctionName != llvm::DILineInfo::BadString;
    frames.push_back({.function = named ? toolchain::demangle(frame.FunctionName) : std::string(),
                      .file = frame.FileName,
                      .line = frame.Line});
  }
  return frames;
}

bool is_system_header(std::string_view path) {
  constexpr std::string_view kRoots[] = {"/usr/include/", "/usr/lib/", "/opt/rocm"};
  // hipwright's own SDK lies in the user's cache; ROCm and clang may be installed anywhere.
  constexpr std::string_view kParts[] = {"/hipwright/sdk/", "/include/hip/amd_detail/",
                                         "/include/hip/hip_", "/lib/clang/"};
  return std::ranges::any_of(kRoots, [&](auto root) { return path.starts_with(root); }) ||
         std::ranges::any_of(kParts, [&](auto part) { return path.find(part) != path.npos; });
}

const SourceFrame* own_frame(const std::vector<SourceFrame>& frames) {
  const auto own = std::ranges::find_if(
      frames, [](const SourceFrame& frame) { return !is_system_header(frame.file); });
  if (own != frames.end()) return &*own;
  return frames.empty() ? nullptr : &frames.front();
}

}  // namespace hipwright::soft
