// SPDX-License-Identifier: MIT
// A plugin for clang that keeps what machine code does not say: which accesses are atomic or
// volatile in the source, with their order and scope, where fences were, and which variable an
// access is to. Each kind is a section of the code object that lists addresses
// (soft/load/sync_notes.h and object_notes.h read them); the code itself stays the same, bit for
// bit.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBundle.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MemoryModelRelaxationAnnotations.h>
#include <llvm/PassRegistry.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/AtomicOrdering.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace llvm;

std::string scope_name(const LLVMContext& context, SyncScope::ID scope) {
  SmallVector<StringRef> names;
  context.getSyncScopeNames(names);
  StringRef name = scope < names.size() ? names[scope] : "";
  name.consume_back("one-as");
  name.consume_back("-");
  return name.empty() ? "system" : name.str();
}

// Adds a section to those that list the instruction's address.
void add_note(MachineInstr& at, const std::string& section) {
  MachineFunction& function = *at.getMF();
  LLVMContext& context = function.getFunction().getContext();
  SmallVector<Metadata*> sections;
  if (MDNode* const notes = at.getPCSections()) {
    for (const MDOperand& each : notes->operands()) {
      const auto* const name = dyn_cast<MDString>(each);
      if (name && name->getString() == section) return;
      sections.push_back(each);
    }
  }
  sections.push_back(MDString::get(context, section));
  at.setPCSections(function, MDNode::get(context, sections));
}

bool is_wait(const MachineInstr& instruction, const TargetInstrInfo& info) {
  return info.getName(instruction.getOpcode()).starts_with("S_WAIT");
}

// While fences are instructions of their own: notes them at what comes behind. One of the next two
// instructions stays, whatever is done to the code from here.
class NoteFences : public MachineFunctionPass {
 public:
  static char ID;
  NoteFences() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "hipwright: note fences"; }
  bool runOnMachineFunction(MachineFunction& function) override {
    if (!function.getTarget().getTargetTriple().isAMDGCN()) return false;
    const TargetInstrInfo& info = *function.getSubtarget().getInstrInfo();
    for (MachineBasicBlock& block : function)
      for (MachineInstr& each : block)
        if (info.getName(each.getOpcode()) == "ATOMIC_FENCE") note(each, info);
    return false;
  }

 private:
  static std::string section_of(const MachineInstr& fence) {
    const auto order = static_cast<AtomicOrdering>(fence.getOperand(0).getImm());
    const auto scope = static_cast<SyncScope::ID>(fence.getOperand(1).getImm());
    std::string section = "hipwright.fence." + std::string(toIRString(order)) + "." +
                          scope_name(fence.getMF()->getFunction().getContext(), scope);
    const MMRAMetadata spaces(fence.getMMRAMetadata());
    const bool local = spaces.hasTag("amdgpu-synchronize-as", "local");
    const bool global = spaces.hasTag("amdgpu-synchronize-as", "global");
    if (local != global) section += local ? ".local" : ".global";
    return section;
  }
  static void note(const MachineInstr& fence, const TargetInstrInfo& info) {
    const std::string section = section_of(fence);
    const MachineBasicBlock* block = fence.getParent();
    auto next = std::next(fence.getIterator());
    for (unsigned noted = 0; noted < 2;) {
      if (next == block->instr_end()) {
        // Falls through.
        block = block->getNextNode();
        if (!block || block->empty()) return;
        next = const_cast<MachineBasicBlock*>(block)->instr_begin();
        continue;
      }
      auto& each = const_cast<MachineInstr&>(*next);
      ++next;
      // Bundles are undone where fences become instructions.
      if (each.isMetaInstruction() || each.isBundle() || is_wait(each, info) ||
          info.getName(each.getOpcode()) == "ATOMIC_FENCE")
        continue;
      add_note(each, section);
      ++noted;
      if (each.mayLoadOrStore() || each.isCall() || each.isTerminator()) return;
    }
  }
};
char NoteFences::ID = 0;

// Where a kernel's variables lie in private memory. Frames of other functions have no fixed place.
class Frame {
 public:
  using Range = std::pair<std::int64_t, std::int64_t>;  // begin, end

  explicit Frame(const MachineFunction& function) {
    if (function.getFunction().getCallingConv() != CallingConv::AMDGPU_KERNEL) return;
    const MachineFrameInfo& frame = function.getFrameInfo();
    const std::set<int> spilled = spill_slots(function);
    for (int index = 0; index < frame.getObjectIndexEnd(); ++index) {
      if (frame.isDeadObjectIndex(index) || frame.isVariableSizedObjectIndex(index)) continue;
      const std::int64_t begin = frame.getObjectOffset(index);
      const Range range(begin, begin + frame.getObjectSize(index));
      const AllocaInst* const variable = frame.getObjectAllocation(index);
      if (variable) variables_[variable] = range;
      // A slot may be reserved for registers, and never used.
      if (variable || spilled.contains(index)) ranges_.push_back(range);
    }
    size_ = static_cast<std::int64_t>(frame.getStackSize());
    std::ranges::sort(ranges_);
  }
  const Range* of(const Value* variable) const {
    const auto found = variables_.find(variable);
    return found == variables_.end() ? nullptr : &found->second;
  }
  // ".BEGIN.END" of each part that belongs to no variable.
  std::string gaps() const {
    std::string text;
    if (ranges_.empty()) return text;
    std::int64_t end = 0;
    const auto add = [&](std::int64_t next) {
      if (next > end) text += "." + std::to_string(end) + "." + std::to_string(next);
    };
    for (const Range& range : ranges_) {
      add(range.first);
      end = std::max(end, range.second);
    }
    add(size_);
    return text;
  }

 private:
  static std::set<int> spill_slots(const MachineFunction& function) {
    std::set<int> slots;
    for (const MachineBasicBlock& block : function)
      for (const MachineInstr& each : block.instrs())
        for (const MachineMemOperand* const memory : each.memoperands())
          if (const auto* const slot =
                  dyn_cast_or_null<FixedStackPseudoSourceValue>(memory->getPseudoValue()))
            slots.insert(slot->getFrameIndex());
    return slots;
  }

  std::vector<Range> ranges_;
  std::map<const Value*, Range> variables_;
  std::int64_t size_ = 0;
};

// At the end: notes atomic and volatile accesses, those to variables, and the function itself. The
// instructions of a bundle have one address; their notes say which of them is meant.
class NoteAccesses : public MachineFunctionPass {
 public:
  static char ID;
  NoteAccesses() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "hipwright: note accesses"; }
  bool runOnMachineFunction(MachineFunction& function) override {
    if (!function.getTarget().getTargetTriple().isAMDGCN()) return false;
    const Frame frame(function);
    bool has_assembly = false;
    for (MachineBasicBlock& block : function)
      for (MachineInstr& each : block) {
        note_access(each, each, 0, frame);
        if (each.isBundle()) note_bundle(each, frame);
        has_assembly |= each.isInlineAsm() && touches_memory(each);
      }
    // The function outlives its machine code: another target's notes do not stay.
    LLVMContext& context = function.getFunction().getContext();
    SmallVector<Metadata*> sections = {
        MDString::get(context, has_assembly ? "hipwright.noted.assembly" : "hipwright.noted")};
    if (const std::string gaps = frame.gaps(); !gaps.empty())
      sections.push_back(MDString::get(context, "hipwright.gaps" + gaps));
    function.getFunction().setMetadata(LLVMContext::MD_pcsections, MDNode::get(context, sections));
    return false;
  }

 private:
  static void note_bundle(MachineInstr& bundle, const Frame& frame) {
    unsigned index = 0;
    for (auto each = std::next(bundle.getIterator());
         each != bundle.getParent()->instr_end() && each->isBundledWithPred(); ++each) {
      if (each->isMetaInstruction()) continue;
      note_access(*each, bundle, index, frame);
      if (const MDNode* const notes = each->getPCSections())
        for (const MDOperand& note : notes->operands())
          if (const auto* const name = dyn_cast<MDString>(note);
              name && name->getString().starts_with("hipwright.fence"))
            add_note(bundle, numbered(name->getString().str(), index));
      ++index;
    }
  }
  static std::string numbered(std::string section, unsigned index) {
    return index == 0 ? section : section + "+" + std::to_string(index);
  }
  static bool is_cast(const Value* value) {
    const auto* const call = dyn_cast<IntrinsicInst>(value);
    return call && call->getIntrinsicID() == Intrinsic::amdgcn_addrspacecast_nonnull;
  }
  // Which variable an access is to, if its place within the variable is found at run time. One
  // instruction may do the work of several accesses: then nothing is said.
  static std::string variable_of(const MachineInstr& access, const Frame& frame) {
    if (access.memoperands().size() != 1) return {};
    const Value* const pointer = access.memoperands().front()->getValue();
    if (!pointer) return {};
    const DataLayout& layout = access.getMF()->getDataLayout();
    const Value* object = pointer;
    bool is_fixed = true;
    do {
      APInt offset(layout.getIndexTypeSizeInBits(object->getType()), 0);
      const Value* const base = object->stripAndAccumulateConstantOffsets(layout, offset, true);
      object = getUnderlyingObject(object, 0);
      is_fixed = is_fixed && base == object;
    } while (is_cast(object) && (object = cast<IntrinsicInst>(object)->getArgOperand(0)));
    if (is_fixed) return {};
    if (const Frame::Range* const range = frame.of(object))
      return "hipwright.within.scratch." + std::to_string(range->first) + "." +
             std::to_string(range->second);
    const auto* const variable = dyn_cast<GlobalVariable>(object);
    constexpr unsigned kGlobal = 1, kConstant = 4;
    if (!variable || !variable->hasName() || variable->getName().contains('!') ||
        (variable->getAddressSpace() != kGlobal && variable->getAddressSpace() != kConstant))
      return {};
    return "hipwright.within.symbol." + variable->getName().str();
  }
  static void note_access(const MachineInstr& access, MachineInstr& at, unsigned index,
                          const Frame& frame) {
    if (access.isBundle()) return;
    if (const std::string section = variable_of(access, frame); !section.empty())
      add_note(at, numbered(section, index));
    for (const MachineMemOperand* const memory : access.memoperands()) {
      if (memory->isAtomic()) {
        const LLVMContext& context = access.getMF()->getFunction().getContext();
        add_note(at, numbered("hipwright.atomic." +
                                  std::string(toIRString(memory->getMergedOrdering())) + "." +
                                  scope_name(context, memory->getSyncScopeID()),
                              index));
      } else if (memory->isVolatile()) {
        add_note(at, numbered("hipwright.volatile", index));
      }
    }
  }
  static bool touches_memory(const MachineInstr& assembly) {
    const std::string_view text = assembly.getOperand(0).getSymbolName();
    for (const std::string_view word : {"ds_", "global_", "flat_", "buffer_", "s_load", "s_store"})
      if (text.find(word) != std::string_view::npos) return true;
    return false;
  }
};
char NoteAccesses::ID = 0;

const RegisterPass<NoteFences> kFences("hipwright-note-fences", "Note fences");
const RegisterPass<NoteAccesses> kAccesses("hipwright-note-accesses", "Note accesses");

const RegisterTargetPassConfigCallback kCallback([](TargetMachine& machine, PassManagerBase&,
                                                    TargetPassConfig* config) {
  if (!machine.getTargetTriple().isAMDGCN() || !config) return;
  // Fences become waits and cache instructions after these; not every level of optimisation has
  // the second.
  config->insertPass(&XRayInstrumentationID, &NoteFences::ID);
  if (const PassInfo* const pairs =
          PassRegistry::getPassRegistry()->getPassInfo(StringRef("gcn-create-vopd")))
    config->insertPass(pairs->getTypeInfo(), &NoteFences::ID);
  config->insertPass(&MachineSanitizerBinaryMetadataID, &NoteAccesses::ID);
});

}  // namespace

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "hipwright-sync-notes", LLVM_VERSION_STRING, [](PassBuilder&) {},
          nullptr};
}
