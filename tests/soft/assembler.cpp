// SPDX-License-Identifier: MIT
// Text to machine code, by LLVM, in this process.
#include <llvm-c/Target.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
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

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "soft/decode/text.h"
#include "soft/lab.h"

namespace hipwright::soft {

namespace {

// The first error of each line.
using Errors = std::map<int, std::string>;

void keep_message(const llvm::SMDiagnostic& diagnostic, void* to) {
  if (diagnostic.getKind() == llvm::SourceMgr::DK_Error)
    static_cast<Errors*>(to)->emplace(diagnostic.getLineNo(), diagnostic.getMessage().str());
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

// What all processors share; made once.
struct Tables {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  std::string why;
  const llvm::Target* target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> info;
  std::unique_ptr<llvm::MCInstrInfo> instructions;

  Tables() {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    target = llvm::TargetRegistry::lookupTarget(triple, why);
    if (!target) return;
    registers.reset(target->createMCRegInfo(triple));
    info.reset(target->createMCAsmInfo(*registers, triple, options));
    instructions.reset(target->createMCInstrInfo());
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

struct Assembled {
  std::vector<std::uint8_t> code;
  Errors errors;
};

Assembled run_assembler(std::string_view gfx, unsigned wave_size, std::string_view text) {
  const auto& [triple, options, why, target, registers, info, instructions] = tables();
  Assembled out;
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, llvm::StringRef(gfx.data(), gfx.size()),
                                    wave_size == 32 ? "+wavefrontsize32" : "+wavefrontsize64"));
  llvm::SourceMgr sources;
  sources.setDiagHandler(keep_message, &out.errors);
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
  if (parser->Run(/*NoInitialTextSection=*/false) && out.errors.empty())
    out.errors.emplace(0, "the assembler gave no reason");
  if (out.errors.empty()) out.code = text_section(llvm::StringRef(object.data(), object.size()));
  return out;
}

// What LLVM's tables print for all opcodes of all targets.
std::set<std::string> printable_mnemonics() {
  const Tables& t = tables();
  const std::unique_ptr<llvm::MCInstPrinter> printer(t.target->createMCInstPrinter(
      t.triple, t.info->getAssemblerDialect(), *t.info, *t.instructions, *t.registers));
  std::set<std::string> out;
  for (unsigned opcode = 0; opcode < t.instructions->getNumOpcodes(); ++opcode) {
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    const char* text = printer->getMnemonic(inst).first;
    if (!text) continue;
    const std::string_view line = text;
    const std::string_view name = line.substr(0, line.find_first_of(" \t,"));
    // Comments and pseudo instructions of the compiler are no mnemonics.
    if (!name.empty() && std::ranges::all_of(name, [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        }))
      out.emplace(name);
  }
  return out;
}

}  // namespace

Result<std::vector<std::uint8_t>> assemble(std::string_view gfx, unsigned wave_size,
                                           std::string_view text) {
  const auto failed = [&](std::string why) {
    return fail("cannot assemble", std::string(gfx) + ": " + std::string(text), std::move(why));
  };
  if (!tables().target) return failed(tables().why);
  Assembled assembled = run_assembler(gfx, wave_size, text);
  if (!assembled.errors.empty()) return failed(assembled.errors.begin()->second);
  return std::move(assembled.code);
}

// A mnemonic alone on its line: one of the target lacks operands, another is not supported.
std::vector<std::string> mnemonics(std::string_view gfx, unsigned wave_size) {
  const std::set<std::string> printable = printable_mnemonics();
  std::string text;
  for (const std::string& name : printable) text += name + "\n";
  const Errors errors = run_assembler(gfx, wave_size, text).errors;
  std::set<std::string> out;
  int line = 0;
  for (const std::string& name : printable) {
    const auto error = errors.find(++line);
    const std::string_view message = error == errors.end() ? "" : error->second;
    const auto says = [&](std::string_view part) {
      return message.find(part) != std::string_view::npos;
    };
    if (!says("not supported") && !says("invalid instruction") && !says("unexpected token"))
      out.emplace(parse_text(name).first.mnemonic);
  }
  return {out.begin(), out.end()};
}

}  // namespace hipwright::soft
