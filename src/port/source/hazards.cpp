// SPDX-License-Identifier: MIT
// What no exchange of names brings to AMD's GPUs: said, with what to do.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "port/source/parts.h"
#include "port/source/text_source.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kMajor("major"), kMinor("minor"), kProperties("cudaDeviceProp"),
    kGetProperties("cudaGetDeviceProperties"), kWhile("while"), kFor("for"),
    kAtomicCas("atomicCAS"), kAtomicExchange("atomicExch"), kVolatile("volatile");

// kernel<<<…>>> in device code.
void find_nested_launches(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kPunct || !file.is(at, "<<<")) continue;
    const cu::Function* function = file.function_at(at);
    if (function == nullptr || !function->is_device() || !function->body.contains(at)) continue;
    if (context.is_settled(at)) continue;
    const bool is_host_too = (function->qualifiers & cu::kHost) != 0;
    context.tell(
        "HP214", is_host_too ? Severity::kWarning : Severity::kError,
        file.span(at > 0 ? at - 1 : at), "a kernel starts a kernel: HIP has no dynamic parallelism",
        "Let the host start it: write what is to be started into a list in memory, and "
        "read it when this kernel is done. Or do the inner work in a loop of this kernel.");
  }
}

bool compares(const cu::File& file, cu::TokenIndex at) {
  static constexpr std::array<const char*, 7> kSigns = {"<", ">", "<=", ">=", "==", "!=", "*"};
  return at < file.tokens().size() &&
         std::any_of(kSigns.begin(), kSigns.end(),
                     [&](const char* sign) { return file.is(at, sign); });
}

// prop.major >= 8, 10 * prop.major + prop.minor
void find_capabilities(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kProperties) && !file.has(kGetProperties)) return;
  std::set<cu::TokenIndex> told;  // one word per statement
  for (const Name& name : {kMajor, kMinor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      if (at < 2 || !(file.is(at - 1, ".") || file.is(at - 1, "->")) || context.is_settled(at))
        continue;
      cu::TokenIndex begin = at - 2;
      const cu::TokenIndex open = file.is(begin, "]") ? file.partner(begin) : cu::kNoToken;
      if (open != cu::kNoToken && open > 0) begin = open - 1;
      if (!compares(file, at + 1) && !(begin > 0 && compares(file, begin - 1))) continue;
      if (!told.insert(file.statement(at).begin).second) continue;
      context.tell(
          "HP104", Severity::kWarning, {file.span(begin).begin, file.span(at).end},
          "on AMD these are the numbers of the gfx target: 9.0 for gfx90a, 9.4 for gfx942, "
          "11.0 for gfx1100",
          "A comparison with NVIDIA's capabilities takes an MI300 for a Hopper. Ask for "
          "what is meant, or choose with an #if.");
    }
}

// Nothing is done in it but to wait.
bool only_waits(const cu::File& file, cu::TokenIndex after) {
  if (after >= file.tokens().size()) return false;
  if (file.is(after, ";")) return true;
  if (!file.is(after, "{") || file.partner(after) == cu::kNoToken) return false;
  for (cu::TokenIndex at = after + 1; at < file.partner(after); ++at) {
    if (file.tokens()[at].kind != cu::Kind::kName) continue;
    const std::string_view text = file.text(at);
    if (text != "__nanosleep" && text != "__threadfence" && text != "__threadfence_block" &&
        text != "__syncwarp" && text != "continue" && text != "__threadfence_system")
      return false;
  }
  return true;
}

bool is_volatile(const cu::File& file, cu::TokenRange condition, const cu::Function& function) {
  for (cu::TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.is(at, kVolatile) || file.is(at, kAtomicCas) || file.is(at, kAtomicExchange))
      return true;
    if (file.tokens()[at].kind != cu::Kind::kName) continue;
    if (file.text(at).starts_with("atomic") || file.text(at).starts_with("__ldcv") ||
        file.text(at) == "load")
      return true;
    for (const cu::TokenIndex declared : file.occurrences(kVolatile))
      if (function.head.begin <= declared && declared < function.body.end)
        for (cu::TokenIndex name = declared + 1; name < declared + 6 && name < function.body.end;
             ++name)
          if (file.text(name) == file.text(at)) return true;
  }
  return false;
}

// while (atomicCAS(lock, 0, 1) != 0); while (flag[i] == 0) {}
void find_waiting_loops(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Name& name : {kWhile, kFor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      const cu::Function* function = file.function_at(at);
      if (function == nullptr || !function->is_device() || context.are_lanes_settled(at)) continue;
      const cu::TokenIndex open = at + 1;
      if (open >= file.tokens().size() || !file.is(open, "(")) continue;
      const cu::TokenIndex close = file.partner(open);
      if (close == cu::kNoToken) continue;
      const cu::TokenRange condition{open + 1, close};
      const bool ends_do = at > 0 && file.is(at - 1, "}");  // do {…} while (…);
      bool waits = only_waits(file, close + 1);
      if (ends_do) {
        const cu::TokenIndex body = file.partner(at - 1);
        if (body != cu::kNoToken && body > 0 && file.text(body - 1) == "do")
          waits = only_waits(file, body);
      }
      if (!waits || !is_volatile(file, condition, *function)) continue;
      context.tell(
          "HP305", Severity::kWarning, file.span(at),
          "a loop that waits for another thread: on AMD it may wait for ever",
          "The lanes of a wave go through a loop together, and two warps of 32 may be the "
          "halves of one wave. If the one that is waited for is among them, it never comes "
          "to set the value. Wait in one lane of the block and use __syncthreads(), or do "
          "the work inside of the loop by the lane that got the lock.");
    }
}

// Kernels for NVRTC, and commands for a shell.
void find_texts(SourceContext& context) {
  const cu::File& file = context.file;
  const std::string_view text = file.text();
  const bool has_source = text.find("__global__") != std::string_view::npos ||
                          text.find("__device__") != std::string_view::npos;
  if (!has_source && text.find("nvidia-smi") == std::string_view::npos) return;
  const auto tokens = file.tokens();
  std::string joined;
  cu::TokenIndex first = cu::kNoToken;
  const auto finish = [&] {
    if (first != cu::kNoToken && is_cuda_source(joined) && !context.is_settled(first)) {
      const std::string trouble = trouble_in_source(joined);
      context.tell(
          "HP213", Severity::kWarning, file.span(first),
          trouble.empty() ? "this text is CUDA source: it is compiled while the program "
                            "runs, and was not translated"
                          : "this text is CUDA source, and was not translated; look at " + trouble,
          "hiprtc compiles what is the same in both languages as it is; the rest has to be "
          "written for AMD, chosen with an #if around the text.");
    }
    joined.clear();
    first = cu::kNoToken;
  };
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kString || (tokens[at].flags & cu::kInDirective) != 0) {
      if (first != cu::kNoToken) finish();
      continue;
    }
    if (first == cu::kNoToken) first = at;
    joined += string_content(file.text(at));
    if (file.text(at).find("nvidia-smi") != std::string_view::npos && !context.is_settled(at))
      context.tell("HP511", Severity::kWarning, file.span(at),
                   "nvidia-smi is not there on machines with AMD GPUs",
                   "amd-smi and rocm-smi answer such questions, in other words; the HIP runtime "
                   "answers many of them itself.");
  }
}

}  // namespace

void tell_hazards(SourceContext& context) {
  find_nested_launches(context);
  find_capabilities(context);
  find_waiting_loops(context);
  find_texts(context);
}

}  // namespace hipwright::port
