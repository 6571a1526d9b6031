// SPDX-License-Identifier: MIT
#include "port/wave/group.h"

#include <algorithm>

#include <fmt/format.h>

#include "lint/cuda/warp_sizes.h"

namespace hipwright::port {

const lint::LaneOp* warp_function_at(const cu::File& file, cu::TokenIndex token) {
  const lint::LaneOp* op = lint::lane_op_at(file, token);
  if (op == nullptr || !op->name.text().starts_with("__")) return nullptr;
  if (token > 0 &&
      (file.is(token - 1, ".") || file.is(token - 1, "->") || file.is(token - 1, "::")))
    return nullptr;
  return op;
}

namespace {

std::optional<std::uint64_t> number_at(const cu::File& file, cu::TokenIndex at) {
  const auto found = lint::literal(file, at);
  return found ? std::optional(found->value) : std::nullopt;
}

bool is_call(const cu::File& file, cu::TokenIndex at) {
  return lint::is_name(file, at) && (file.is(at + 1, "(") || file.is(at + 1, "<"));
}

// k<<<…>>>, k<256><<<…>>>: the k.
cu::TokenIndex kernel_before(const cu::File& file, cu::TokenIndex launch) {
  cu::TokenIndex at = launch;
  if (at == 0) return cu::kNoToken;
  --at;
  if (file.is(at, ">")) {
    int depth = 0;
    do {
      depth += file.is(at, ">") ? 1 : file.is(at, "<") ? -1 : 0;
      if (at == 0) return cu::kNoToken;
      --at;
    } while (depth > 0);
  }
  return lint::is_name(file, at) ? at : cu::kNoToken;
}

// The number of threads of a launch, when it is known and the block has one dimension.
std::optional<std::uint64_t> block_size(const cu::File& file, cu::TokenRange expression) {
  if (const auto value = lint::constant(file, expression)) return value->value;
  const cu::TokenRange inside = lint::unwrapped(file, expression);
  if (inside.end - inside.begin == 1 && lint::is_name(file, inside.begin)) {
    const auto variable = lint::declaration_of(file, inside.begin);
    if (!variable || variable->value.empty()) return std::nullopt;
    const std::string_view type = file.text(variable->type);
    if (type.find("dim3") == std::string_view::npos && type.find("const") == std::string_view::npos)
      return std::nullopt;
    if (type.find("dim3") != std::string_view::npos) {
      // Assigned to afterwards?
      for (const cu::TokenIndex at : lint::places_of(file, file.text(inside.begin)))
        if (file.is(at + 1, ".") || file.is(at + 1, "=")) {
          if (at != variable->name) return std::nullopt;
        }
    }
    return lint::constant(file, variable->value)
               ? std::optional(lint::constant(file, variable->value)->value)
               : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void WaveGroup::collect_functions() {
  struct Known {
    DeviceFunction function;
    std::set<std::string_view> calls;
    bool matters = false;
  };
  std::vector<Known> all;
  for (const SourceFile* source : files_) {
    const cu::File& file = *source->cuda();
    for (const cu::Function& function : file.functions()) {
      if (!function.is_device() || function.body.empty()) continue;
      Known known{{source, &function, false}, {}, false};
      for (cu::TokenIndex at = function.body.begin; at < function.body.end; ++at) {
        if (!lint::is_name(file, at)) continue;
        if (warp_function_at(file, at) != nullptr && !own_.has(file.text(at), *source))
          known.function.crosses = true;
        else if (is_call(file, at))
          known.calls.insert(file.text(at));
      }
      all.push_back(std::move(known));
    }
  }
  const auto name_of = [](const Known& each) {
    return each.function.source->cuda()->text(each.function.function->name);
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (Known& each : all) {
      if (each.function.crosses) grows |= crossing_.emplace(name_of(each)).second;
      if (each.function.crosses) continue;
      each.function.crosses =
          std::any_of(each.calls.begin(), each.calls.end(),
                      [&](std::string_view name) { return crossing_.contains(name); });
      grows |= each.function.crosses;
    }
  }
  std::set<std::string_view> called;
  for (bool grows = true; grows;) {
    grows = false;
    for (Known& each : all) {
      if (each.matters || !(each.function.crosses || called.contains(name_of(each)))) continue;
      each.matters = grows = true;
      called.insert(each.calls.begin(), each.calls.end());
    }
  }
  for (const Known& each : all)
    if (each.matters) functions_.push_back(each.function);
}

// Constants that say 32, and by their names that it is the size of a warp.
void WaveGroup::find_sizes(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  const auto take = [&](cu::TokenIndex name, cu::TokenRange value) {
    const auto found = value.empty() ? std::nullopt : lint::constant(file, value);
    if (!found || found->value != 32)
      return stop(source, file.span(name), fmt::format("{} is not 32 here", file.text(name)));
    if (sizes_.contains(file.text(name)) && value.end - value.begin == 1 &&
        lint::is_name(file, value.begin))
      return;
    sizes_.emplace(file.text(name));
    edit(source, file.span(value), std::string(kWaveSize));
  };
  for (const cu::Macro& macro : file.macros())
    if (lint::is_warp_size_name(file.text(macro.name)))
      macro.is_function
          ? stop(source, file.span(macro.name), "the size of a warp is a macro with arguments")
          : take(macro.name, macro.body);
  for (cu::TokenIndex at = 1; at + 2 < file.tokens().size(); ++at) {
    if (!lint::is_name(file, at) || !lint::is_any(file, at + 1, {"=", "{"}) ||
        !lint::is_warp_size_name(file.text(at)) ||
        (file.tokens()[at].flags & cu::kInDirective) != 0)
      continue;
    const auto variable = lint::declared_at(file, at);
    const bool is_constant = variable && !variable->value.empty() &&
                             file.text(variable->type).find("const") != std::string_view::npos &&
                             lint::is_any(file, variable->value.end, {";", "}"});
    if (!is_constant)
      return stop(source, file.span(at), fmt::format("{} is not a constant", file.text(at)));
    take(at, variable->value);
  }
}

void WaveGroup::check_macros(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  for (const lint::LaneOp& op : lint::lane_ops())
    for (const cu::TokenIndex at : file.occurrences(op.name))
      if (warp_function_at(file, at) != nullptr && !own_.has(file.text(at), source) &&
          (file.tokens()[at].flags & cu::kInMacroBody) != 0)
        stop(source, file.span(at), fmt::format("{} in a macro", file.text(at)));
}

void WaveGroup::check_host(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  for (cu::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    const cu::Function* function = file.function_at(at);
    if (function != nullptr && function->is_device()) {
      at = std::max(at, std::max(function->body.end, function->head.end));
      continue;
    }
    if (function == nullptr || !function->body.contains(at)) continue;
    if (lint::is_name(file, at) && sizes_.contains(file.text(at)))
      stop(source, file.span(at), fmt::format("{} in host code", file.text(at)));
    const auto number = number_at(file, at);
    const bool is_shift = at > 0 && lint::is_any(file, at - 1, {">>", "<<"});
    if (number == 32U || number == 31U || (number == 5U && is_shift))
      stop(source, file.span(at),
           fmt::format("{} in host code may be the size of a warp", file.text(at)));
  }
}

void WaveGroup::check_launches(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  for (cu::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (!file.is(at, "<<<")) continue;
    const cu::TokenIndex kernel = kernel_before(file, at);
    if (kernel == cu::kNoToken) {
      stop(source, file.span(at), "a launch of a kernel without a name");
      continue;
    }
    if (!crossing_.contains(file.text(kernel))) continue;
    const auto arguments = file.arguments(at);
    const auto threads = arguments.size() >= 2 ? block_size(file, arguments[1]) : std::nullopt;
    if (!threads || *threads % 64 != 0)
      stop(source, file.span(at),
           threads ? fmt::format("a block of {} threads has no whole waves of 64", *threads)
                   : std::string("the size of a block is not known to be a multiple of 64"));
    launched_.emplace(file.text(kernel));
  }
}

std::optional<Obstacle> WaveGroup::look() {
  for (const SourceFile* file : files_) find_sizes(*file);
  collect_functions();
  for (const SourceFile* file : files_) {
    check_macros(*file);
    check_launches(*file);
    check_host(*file);
  }
  const bool has_kernel =
      std::any_of(functions_.begin(), functions_.end(),
                  [](const DeviceFunction& each) { return each.crosses && each.is_kernel(); });
  if (!has_kernel && !functions_.empty())
    stop(*functions_[0].source, functions_[0].source->cuda()->span(functions_[0].function->name),
         "the kernels that call this are elsewhere");
  // Callees first: what they return is known then.
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const DeviceFunction& a, const DeviceFunction& b) {
                     return !a.is_kernel() && b.is_kernel();
                   });
  for (const DeviceFunction& each : functions_) {
    if (obstacle_) break;
    const std::string_view name = each.source->cuda()->text(each.function->name);
    if (each.is_kernel() && each.crosses && !launched_.contains(name))
      stop(*each.source, each.source->cuda()->span(each.function->name),
           fmt::format("{} is launched elsewhere, with blocks of unknown size", name));
    FunctionCheck(*this, each).run();
  }
  return obstacle_;
}

}  // namespace hipwright::port
