// SPDX-License-Identifier: MIT
// Text to machine code, by LLVM, in this process.
#include <llvm-c/Target.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

#include "soft/lab.h"

namespace hipwright::soft {

namespace {

void keep_message(const llvm::SMDiagnostic& diagnostic, void* to) {
  if (diagnostic.getKind() != llvm::SourceMgr::DK_Error) return;
  auto& message = *static_cast<std::string*>(to);
  if (message.empty()) message = diagnostic.getMessage().str();
}

std::vector<std::uint8_t> text_section(llvm::StringRef object) {
  auto file =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "assembled"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    auto name = section.getName();
    if (!name || *name != ".text") continue;
    auto contents = section.getContents();
    if (!contents) continue;
    return {contents->bytes_begin(), contents->bytes_end()};
  }
  return {};
}

Result<std::vector<std::uint8_t>> assemble_with(const std::string& features, std::string_view gfx,
                                                std::string_view text) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
  });
  const auto failed = [&](std::string why) {
    return fail("cannot assemble", std::string(gfx) + ": " + std::string(text), std::move(why));
  };
  static const llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string why;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!target) return failed(why);
  static const llvm::MCTargetOptions options;
  static const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  static const std::unique_ptr<llvm::MCAsmInfo> info(
      target->createMCAsmInfo(*registers, triple, options));
  static const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, llvm::StringRef(gfx.data(), gfx.size()), features));

  llvm::SourceMgr sources;
  std::string message;
  sources.setDiagHandler(keep_message, &message);
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), "text"), {});
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources, &options);
  const std::unique_ptr<llvm::MCObjectFileInfo> sections(
      target->createMCObjectFileInfo(context, /*PIC=*/false));
  context.setObjectFileInfo(sections.get());

  llvm::SmallVector<char, 4096> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  const std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *info));
  const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*target_parser);
  if (parser->Run(/*NoInitialTextSection=*/false) || !message.empty())
    return failed(message.empty() ? "the assembler gave no reason" : message);
  return text_section(llvm::StringRef(object.data(), object.size()));
}

}  // namespace

Result<std::vector<std::uint8_t>> assemble(std::string_view gfx, unsigned wave_size,
                                           std::string_view text) {
  const std::string features = wave_size == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
  auto bytes = assemble_with(features, gfx, text);
  // Halves by name, which compilers choose and LLVM 22 does not by default.
  if (!bytes && gfx.starts_with("gfx12"))
    if (auto named = assemble_with(features + ",+real-true16", gfx, text)) return named;
  return bytes;
}

}  // namespace hipwright::soft
