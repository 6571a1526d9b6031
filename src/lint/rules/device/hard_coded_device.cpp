// SPDX-License-Identifier: MIT
// A tensor is created on the default GPU, whichever device its inputs are on.
//
// ## What it finds
//
// `device="cuda"`, `device = "cuda"`, `.to("cuda")`, `.cuda()`, `torch.device("cuda")`,
// `options["device"] = "cuda"`, `{"device": "cuda"}`, `device = "cpu" if offload else "cuda"`,
// `autocast("cuda")` and `init_device_mesh("cuda", …)` in library code; and
// `get_device_properties("cuda")` where a parameter's device is available. "cuda" is a valid device
// name on ROCm, too: the rule is about the device index, and about programs that also run
// elsewhere. Confidence is higher where a parameter's device is available, where an index is
// written (`"cuda:0"`), and in files for ROCm. Also a buffer of a CUDA graph without any device, so
// on the CPU, in a class whose other tensors are created with `device=`. In C++: DLPack's `kDLCUDA`
// without `kDLROCM` beside it.
//
// ## Why it matters
//
// With several GPUs, or several ranks in one process, the new tensor is created on another GPU than
// the data: at best a copy, at worst an illegal access or a wrong result in a kernel. DLPack is
// different: there a ROCm tensor is of type `kDLROCM`, and a check for `kDLCUDA` rejects it.
//
// ## Example
//
// ```python
// def prepare(x):
//     return torch.empty(x.shape, device="cuda")
// ```
//
// ## Use instead
//
// ```python
// def prepare(x):
//     return torch.empty(x.shape, device=x.device)
// ```
//
// ## When it is not a bug
//
// - Tests, benchmarks, examples and scripts that use one GPU.
// - The default of a parameter: the caller decides.
// - A file that is about CUDA by its name.
// - A fallback when no device is known: `x.device if x is not None else torch.device("cuda")`.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/path.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kDevice("device");
const Name kTo("to");
const Name kCuda("cuda");
const Name kDeviceType("device_type");
const Name kAutocast("autocast");
const Name kMesh("init_device_mesh");
const Name kMeshClass("DeviceMesh");
const Name kMapLocation("map_location");
const Name kProperties("get_device_properties");
constexpr std::string_view kKey = "\"device\"";

// "cuda" or "cuda:N"
bool is_cuda(const File& file, TokenIndex at) {
  if (at >= file.tokens().size() || file.tokens()[at].kind != Kind::kString) return false;
  const std::string value = file.string_value(at);
  return value == "cuda" ||
         (value.starts_with("cuda:") && value.size() > 5 && value.find('{') == std::string::npos);
}

// The token that selects the default GPU: the string of device="cuda", torch.device("cuda"),
// .to("cuda"), autocast("cuda"), or the name itself in x.cuda(); kNoToken if there is none.
TokenIndex device_at(const File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  const bool is_keyword =
      file.is(at, kDevice) || file.is(at, kDeviceType) || file.is(at, kMapLocation);
  if (is_keyword && file.is(at + 1, "=") && open != kNoToken && file.is(open, "("))
    return is_cuda(file, at + 2) ? at + 2 : kNoToken;
  if ((file.is(at, kMesh) || file.is(at, kMeshClass)) && file.is(at + 1, "("))
    return is_cuda(file, at + 2) ? at + 2 : kNoToken;
  const bool is_called = at > 1 && file.is(at - 1, ".") && file.is(at + 1, "(");
  if (!is_called) return kNoToken;
  if (!file.is(at, kCuda)) return is_cuda(file, at + 2) ? at + 2 : kNoToken;
  // x.cuda() and x.cuda(non_blocking=True); torch.cuda is a module.
  return file.text(at - 2) != "torch" && file.positional_arguments(at + 1).empty() &&
                 !file.keyword_argument(at + 1, "device")
             ? at
             : kNoToken;
}

// options["device"] = "cuda"
TokenIndex device_of_entry(const File& file, const Statement& statement) {
  if (statement.kind != StatementKind::kSimple || statement.tokens.size() < 6) return kNoToken;
  const TokenIndex last = statement.tokens.end - 1;
  if (!is_cuda(file, last) || !file.is(last - 1, "=") || !file.is(last - 2, "]")) return kNoToken;
  const bool is_device = file.tokens()[last - 3].kind == Kind::kString &&
                         file.string_value(last - 3) == "device" && file.is(last - 4, "[");
  return is_device ? last : kNoToken;
}

// device = "cuda", self.device = "cuda": used for tensors created later. Under a condition it is a
// choice.
TokenIndex device_of_name(const File& file, const Statement& statement) {
  if (statement.kind != StatementKind::kSimple || statement.parent == kNoStatement ||
      file.statements()[statement.parent].kind != StatementKind::kDef)
    return kNoToken;
  const TokenRange name = file.dotted(statement.tokens.begin);
  const TokenIndex last = statement.tokens.end - 1;
  const bool is_device = name.end + 1 == last && file.is(name.end, "=") && is_cuda(file, last) &&
                         file.text(name.end - 1).ends_with("device");
  // device = "cuda", and another device on another platform.
  return is_device && bindings(file, variable_at(file, name.end - 1)).size() == 1 ? last : kNoToken;
}

// idle_device = "cpu" if offload else "cuda": one of two kinds of devices is fixed. A condition
// that tests for CUDA is a choice.
TokenIndex device_of_two(const File& file, const Statement& statement) {
  if (statement.kind != StatementKind::kSimple) return kNoToken;
  const TokenRange name = file.dotted(statement.tokens.begin);
  const TokenIndex last = statement.tokens.end - 1;
  if (!file.is(name.end, "=") || last < name.end + 5 || !is_cuda(file, last) ||
      !file.is(last - 1, "else") || !file.is(name.end + 2, "if") ||
      !file.text(name.end - 1).ends_with("device"))
    return kNoToken;
  const TokenRange condition{name.end + 3, last - 1};
  for (const std::string_view word : {"cuda", "available", "platform", "rocm", "hip", "device"})
    if (has_word(file, condition, word)) return kNoToken;
  return last;
}

// {"dtype": …, "device": "cuda"}
TokenIndex device_of_key(const File& file, TokenIndex key) {
  const TokenIndex open = file.enclosing(key);
  return file.tokens()[key].kind == Kind::kString && file.string_value(key) == "device" &&
                 file.is(key + 1, ":") && open != kNoToken && file.is(open, "{") &&
                 is_cuda(file, key + 2)
             ? key + 2
             : kNoToken;
}

// get_device_properties("cuda"): queries the default GPU.
bool is_property(const File& file, TokenIndex text) {
  const TokenIndex open = file.enclosing(text);
  return open != kNoToken && open > 0 && file.is(open - 1, kProperties);
}

// if device is None: device = torch.device("cuda")
bool is_fallback(const File& file, TokenIndex text) {
  const StatementIndex index = file.statement_at(text);
  const Statement& statement = file.statements()[index];
  if (statement.kind != StatementKind::kSimple || statement.parent == kNoStatement) return false;
  const Statement& around = file.statements()[statement.parent];
  const TokenIndex asked = around.tokens.begin + 1;
  return around.kind == StatementKind::kIf && file.is(statement.tokens.begin + 1, "=") &&
         file.is(asked, file.text(statement.tokens.begin)) && file.is(asked + 1, "is") &&
         file.is(asked + 2, "None");
}

// with torch.cuda.device(weight.device): "cuda" is that device in its block.
bool is_in_device_block(const File& file, TokenIndex text) {
  const auto all = file.statements();
  const StatementIndex index = file.statement_at(text);
  if (index == kNoStatement || file.is(text, "\"cuda:0\"")) return false;
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent) {
    if (all[at].kind == StatementKind::kDef) return false;
    const std::string header =
        all[at].kind == StatementKind::kWith ? file.compact(all[at].tokens) : std::string();
    if (header.starts_with("with torch.cuda.device(") ||
        header.starts_with("with torch.cuda.device_of("))
      return true;
  }
  return false;
}

// torch.device("cuda", index), a query to torch.cuda, or a fallback when no device is known.
bool is_chosen(const File& file, TokenIndex text) {
  if (is_in_device_block(file, text)) return true;
  if (file.is(text + 1, "if") || file.is(text - 1, "else") || file.is(text - 1, "or") ||
      is_fallback(file, text))
    return true;
  const TokenIndex open = file.enclosing(text);
  if (open == kNoToken || open == 0) return false;
  // autocast("cuda") if x.is_cuda else …
  if (const TokenIndex close = file.partner(open); close != kNoToken && file.is(close + 1, "if"))
    return true;
  const TokenRange callee = file.dotted(open - 1);
  const std::string name = file.compact(callee);
  if (name == "torch.device" && file.is(text + 1, ",")) return true;
  if (name.starts_with("torch.cuda.") && !is_property(file, text)) return true;
  return (name == "torch.device" || name == "t.device") && callee.begin > 0 &&
         (file.is(callee.begin - 1, "else") || file.is(callee.begin - 1, "or"));
}

// x: torch.Tensor, x: Optional[torch.Tensor]
bool is_annotated_as_tensor(const File& file, TokenRange parameter) {
  if (parameter.size() < 3 || !file.is(parameter.begin + 1, ":")) return false;
  TokenRange annotation{parameter.begin + 2, parameter.begin + 2};
  while (annotation.end < parameter.end && !file.is(annotation.end, "=")) ++annotation.end;
  const std::string type = file.compact(annotation);
  return type == "torch.Tensor" || type == "Tensor" || type == "Optional[torch.Tensor]" ||
         type == "torch.Tensor|None" || type == "Optional[Tensor]";
}

// x.to("cuda"), x.cuda(): the data comes from another device.
bool is_moved(const File& file, std::string_view name, TokenRange body) {
  const auto moves = [&](TokenIndex at) {
    return body.contains(at) && at > 1 && file.is(at - 1, ".") && file.is(at - 2, name) &&
           device_at(file, at) != kNoToken;
  };
  return std::ranges::any_of(file.occurrences(kTo), moves) ||
         std::ranges::any_of(file.occurrences(kCuda), moves);
}

// Everything that the function asks of the parameter is something a tensor has: a configuration or
// a model has a device, too, and its tensors may be elsewhere.
bool is_used_as_tensor(const File& file, std::string_view name, TokenRange body) {
  static constexpr std::array<std::string_view, 32> kMembers = {
      "device",  "dtype",     "shape",     "size",      "ndim",          "dim",
      "numel",   "stride",    "view",      "reshape",   "transpose",     "permute",
      "to",      "float",     "half",      "bfloat16",  "int",           "long",
      "T",       "t",         "new_zeros", "new_empty", "clone",         "contiguous",
      "is_cuda", "unsqueeze", "squeeze",   "flatten",   "is_contiguous", "element_size",
      "sum",     "max"};
  for (TokenIndex at = body.begin; at + 2 < body.end; ++at)
    if (file.is(at, name) && file.tokens()[at].kind == Kind::kName && file.is(at + 1, ".") &&
        !file.is(at - 1, ".") && std::ranges::find(kMembers, file.text(at + 2)) == kMembers.end())
      return false;
  return true;
}

// The device available to this function: a parameter `device`, the device of a tensor parameter, or
// the object's own. Empty if there is none.
struct Known {
  std::string name;         // "x.device"
  bool is_certain = false;  // it is never None, and has this attribute
};
Known device_at_hand(const File& file, StatementIndex index) {
  const StatementIndex function = file.enclosing_def(index);
  const TokenIndex name = file.name_of(function);
  if (name == kNoToken || !file.is(name + 1, "(")) return {};
  const TokenRange body = function_around(file, index);
  const auto is_asked = [&](std::string_view owner, TokenIndex from) {
    return std::ranges::any_of(file.occurrences(kDevice), [&](TokenIndex at) {
      return body.contains(at) && at > from && at > 1 && file.is(at - 1, ".") &&
             file.is(at - 2, owner) && (at < 3 || !file.is(at - 3, ".")) && !file.is(at + 1, "=") &&
             !file.is(at + 1, "(");
    });
  };
  Known found;
  for (const TokenRange& parameter : file.arguments(name + 1)) {
    if (parameter.empty() || file.tokens()[parameter.begin].kind != Kind::kName) continue;
    const std::string_view word = file.text(parameter.begin);
    // With None, PyTorch creates the tensor on the CPU.
    const bool may_be_none =
        has_word(file, parameter, "none") || has_word(file, parameter, "optional");
    if (word == "device") return {"device", !may_be_none};
    if (!found.name.empty()) continue;
    const bool is_tensor = is_annotated_as_tensor(file, parameter);
    if ((is_tensor || (is_asked(word, parameter.begin) && is_used_as_tensor(file, word, body))) &&
        !is_moved(file, word, body))
      found = {std::string(word) + ".device", is_tensor && !may_be_none};
  }
  return found;
}

void look_at(PythonCheck& check, TokenIndex where, bool may_be_chosen = true) {
  const File& file = check.file;
  if (file.token_runs_on_rocm(where) == Truth::kNo) return;
  const StatementIndex index = file.statement_at(where);
  if (index == kNoStatement || in_function_header(file, index)) return;
  // device("cuda", index)
  if (where > 1 && file.is(where - 1, "(") && file.is(where - 2, kDevice) &&
      file.is(where + 1, ","))
    return;
  // @register(device="cuda") names a key of the dispatcher.
  if (file.is(file.statements()[index].tokens.begin, "@")) return;
  // What torch.compile wrote: a benchmark of itself.
  if (function_name(file, index) == "benchmark_compiled_module") return;
  // A script's own code, not a library's; def cuda(self), which does what its name says.
  if (file.enclosing_def(index) == kNoStatement || function_name(file, index) == "cuda" ||
      function_name(file, index).starts_with("test_"))
    return;
  const bool is_string = file.tokens()[where].kind == Kind::kString;
  if (is_string && may_be_chosen && is_chosen(file, where)) return;
  const Known hand = device_at_hand(file, index);
  const std::string& known = hand.name;
  const bool asks = is_string && is_property(file, where);
  if (known.empty() && asks) return;
  // A program run by hand uses one GPU.
  if (known.empty() && (is_tool(check) || function_name(file, index) == "main")) return;
  const bool numbered = is_string && file.string_value(where) != "cuda" && !is_tool(check);
  const bool is_sure = numbered || check.facts.is_rocm_specific;
  // The type of a device has no index: it only excludes other kinds of devices.
  const bool is_type =
      is_string && (file.is(where - 2, kDeviceType) || file.is(where - 2, kAutocast) ||
                    file.is(where - 2, kMesh) || file.is(where - 2, kMeshClass));
  const Confidence confidence = asks || is_type ? Confidence::kLow
                                : known.empty() ? (is_sure ? Confidence::kMedium : Confidence::kLow)
                                                : Confidence::kMedium;
  std::vector<Fix> fixes;
  // "cuda" as a device type is not a device, and x.cuda() is another call.
  if (hand.is_certain && is_string && !is_type)
    fixes.push_back({.description = "use the available device",
                     .safe = false,
                     .edits = {{file.span(where), known}}});
  check.report(file.span(where), confidence,
               known.empty() ? "uses the default GPU, whichever device the data is on"
                             : fmt::format("uses the default GPU; use {} instead", known),
               std::move(fixes));
}

// cuda_accelerator.py: "cuda" is its subject. CUDA graphs exist on all platforms.
bool is_named_after_cuda(std::string_view path) {
  const std::string_view name = project::name_of(path);
  const bool has_word = name.starts_with("cuda_") || name.find("_cuda.") != name.npos ||
                        name.find("_cuda_") != name.npos || name == "cuda.py";
  return has_word && name.find("graph") == name.npos;
}

// torch.ones(…), torch.zeros(…): creates a tensor on the default device, the CPU, unless told.
constexpr std::array<std::string_view, 6> kMakers = {"zeros", "ones",   "empty",
                                                     "full",  "arange", "tensor"};

// self.lengths = torch.ones(n): the call's '('; kNoToken if it is something else.
TokenIndex made_without_device(const File& file, const Statement& statement) {
  const TokenIndex first = statement.tokens.begin;
  if (statement.kind != StatementKind::kSimple || statement.tokens.size() < 9 ||
      !file.is(first, "self") || !file.is(first + 3, "=") || !file.is(first + 4, "torch") ||
      !is_any(file.text(first + 6), kMakers) || !file.is(first + 7, "("))
    return kNoToken;
  const TokenIndex open = first + 7;
  for (const std::string_view word : {"device", "pin_memory", "cpu", "host"})
    if (has_word(file, statement.tokens, word)) return kNoToken;
  return file.partner(open) + 1 == statement.tokens.end ? open : kNoToken;
}

bool is_in_with(const File& file, StatementIndex index) {
  for (StatementIndex at = file.statements()[index].parent; at != kNoStatement;
       at = file.statements()[at].parent)
    if (file.statements()[at].kind == StatementKind::kWith) return true;
  return false;
}

// def init_cuda_graph_state(self, …): self.lengths = torch.ones(n), where the class creates its
// other buffers with device=.
void find_buffers_on_cpu(PythonCheck& check) {
  const File& file = check.file;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const TokenIndex open = made_without_device(file, file.statements()[index]);
    if (open == kNoToken || !contains_word(function_name(file, index), "cuda_graph") ||
        is_in_with(file, index) || file.token_runs_on_rocm(open) == Truth::kNo)
      continue;
    const StatementIndex owner = file.enclosing_class(index);
    if (owner == kNoStatement) continue;
    const TokenRange around{file.statements()[owner].tokens.begin,
                            file.statements()[file.statements()[owner].block_end - 1].tokens.end};
    const bool others_have_one = std::ranges::any_of(file.occurrences(kDevice), [&](TokenIndex at) {
      const TokenIndex call = file.enclosing(at);
      return around.contains(at) && file.is(at + 1, "=") && call != kNoToken && call > 0 &&
             is_any(file.text(call - 1), kMakers);
    });
    if (others_have_one && !has_word(file, around, "set_default_device"))
      check.report(file.span(TokenRange{open - 3, file.partner(open) + 1}), Confidence::kMedium,
                   "a buffer of the graph is created on the CPU, unlike the others; pass device=");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (!check.facts.is_test && file.text().find("cuda_graph") != std::string_view::npos)
    find_buffers_on_cpu(check);
  if (check.facts.is_test || is_for_others(check) || is_named_after_cuda(check.facts.path)) return;
  for (const Name& name :
       {kDevice, kTo, kDeviceType, kAutocast, kCuda, kMesh, kMeshClass, kMapLocation, kProperties})
    for (const TokenIndex at : file.occurrences(name))
      if (const TokenIndex where = device_at(file, at); where != kNoToken) look_at(check, where);
  for (const Statement& statement : file.statements()) {
    if (const TokenIndex where = device_of_name(file, statement); where != kNoToken)
      look_at(check, where);
    if (const TokenIndex where = device_of_two(file, statement); where != kNoToken)
      look_at(check, where, /*may_be_chosen=*/false);
  }
  if (file.text().find(kKey) == std::string_view::npos) return;
  for (const Statement& statement : file.statements())
    if (const TokenIndex where = device_of_entry(file, statement); where != kNoToken)
      look_at(check, where);
  for (TokenIndex key = 0; key + 2 < file.tokens().size(); ++key)
    if (const TokenIndex where = device_of_key(file, key); where != kNoToken) look_at(check, where);
}

// --- DLPack in C++ ---

const Name kDlCuda("kDLCUDA");
const Name kDlRocm("kDLROCM");

// Named in the same function; anywhere if it is outside functions or if the file defines one by the
// other.
bool is_rocm_named(const cu::File& file, cu::TokenIndex at) {
  const cu::Function* function = file.function_at(at);
  return std::ranges::any_of(file.occurrences(kDlRocm), [&](cu::TokenIndex each) {
    return function == nullptr || file.function_at(each) == function ||
           file.function_at(each) == nullptr;
  });
}

void find_in_cuda(CudaCheck& check) {
  const cu::File& file = check.file;
  if (check.facts.is_test || check.facts.is_nvidia_specific || is_bound_to_nvidia(check)) return;
  for (const cu::TokenIndex at : file.occurrences(kDlCuda)) {
    if (check.on_amd(at) == Truth::kNo || is_rocm_named(file, at)) continue;
    check.report(file.span(at),
                 check.facts.built_on_amd == Truth::kYes ? Confidence::kMedium : Confidence::kLow,
                 "ROCm tensors have the device type kDLROCM; accept it, too");
  }
}

}  // namespace

Rule hard_coded_device() {
  return {.code = "HW501",
          .name = "hard-coded-device",
          .summary = "tensor created on the default GPU, whichever device its inputs are on",
          .severity = Severity::kNote,
          .triggers = {kDevice, kTo, kDeviceType, kAutocast, kCuda, kMesh, kMeshClass, kMapLocation,
                       kProperties, kDlCuda},
          .words = {kKey},
          .cuda = find_in_cuda,
          .python = find};
}

}  // namespace hipwright::lint::rules
