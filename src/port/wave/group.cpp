// SPDX-License-Identifier: MIT
#include "port/wave/group.h"

#include <algorithm>

#include <fmt/format.h>

#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/places.h"

namespace hipwright::port {

const cu::LaneOp* warp_function_at(const cu::File& file, cu::TokenIndex token) {
  const cu::LaneOp* op = cu::lane_op_at(file, token);
  if (op == nullptr || !op->name.text().starts_with("__")) return nullptr;
  if (token > 0 &&
      (file.is(token - 1, ".") || file.is(token - 1, "->") || file.is(token - 1, "::")))
    return nullptr;
  return op;
}

namespace {

std::optional<std::uint64_t> number_at(const cu::File& file, cu::TokenIndex at) {
  const auto found = cu::literal(file, at);
  return found ? std::optional(found->value) : std::nullopt;
}

bool is_call(const cu::File& file, cu::TokenIndex at) {
  return cu::is_name(file, at) && (file.is(at + 1, "(") || file.is(at + 1, "<"));
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
  return cu::is_name(file, at) ? at : cu::kNoToken;
}

// Defined under a condition. An include guard does not count.
bool has_condition(const cu::File& file, cu::TokenIndex name) {
  const auto conditions = file.conditions(name);
  return conditions.size() > 1 ||
         std::any_of(conditions.begin(), conditions.end(), [&](const std::string& each) {
           return each.find('!') == std::string::npos ||
                  each.find(file.text(name)) != std::string::npos;
         });
}
// Can this expression have another value in another build? Through macros and constants.
bool depends(const cu::File& file, cu::TokenRange expression, int depth = 6) {
  if (depth == 0) return true;
  for (cu::TokenIndex at = expression.begin; at < expression.end; ++at) {
    if (!cu::is_name(file, at)) continue;
    int definitions = 0;
    for (const cu::Macro& macro : file.macros()) {
      if (file.text(macro.name) != file.text(at) || macro.body.contains(at)) continue;
      if (++definitions > 1 || has_condition(file, macro.name) ||
          depends(file, macro.body, depth - 1))
        return true;
    }
    if (definitions > 0) continue;
    const auto variable = cu::declaration_of(file, at);
    if (variable && !variable->value.contains(at) &&
        (has_condition(file, variable->name) || depends(file, variable->value, depth - 1)))
      return true;
  }
  return false;
}

// The number of threads of a launch, when it is known and the block has one dimension.
std::optional<std::uint64_t> block_size(const cu::File& file, cu::TokenRange expression) {
  const cu::TokenRange inside = cu::unwrapped(file, expression);
  if (depends(file, inside)) return std::nullopt;
  if (const auto value = cu::constant(file, inside)) return value->value;
  if (inside.end - inside.begin != 1 || !cu::is_name(file, inside.begin)) return std::nullopt;
  const auto variable = cu::declaration_of(file, inside.begin);
  if (!variable || variable->is_array || variable->is_reference ||
      type_text(file, variable->type) != "dim3")
    return std::nullopt;
  // It is used in launches only, and never changes.
  const cu::Function* function = file.function_at(inside.begin);
  const cu::TokenRange scope =
      function != nullptr ? cu::TokenRange{function->head.begin, function->body.end}
                          : cu::TokenRange{0, static_cast<cu::TokenIndex>(file.tokens().size())};
  for (const cu::TokenIndex at : cu::places_in(file, scope, file.text(inside.begin))) {
    const cu::TokenIndex open = file.enclosing(at);
    const bool is_launch = open != cu::kNoToken && file.is(open, "<<<");
    if (at != variable->name && file.function_at(at) == function && !is_launch) return std::nullopt;
  }
  const auto value = cu::constant(file, variable->value);
  return value ? std::optional(value->value) : std::nullopt;
}

}  // namespace

void WaveGroup::collect_functions() {
  struct Known {
    DeviceFunction function;
    std::set<std::string_view> calls;
  };
  std::vector<Known> all;
  for (const SourceFile* source : files_) {
    const cu::File& file = *source->cuda();
    for (const cu::Function& function : file.functions()) {
      if (!function.is_device() || function.body.empty()) continue;
      Known known{{source, &function, false}, {}};
      for (cu::TokenIndex at = function.body.begin; at < function.body.end; ++at) {
        if (!cu::is_name(file, at)) continue;
        if (warp_function_at(file, at) != nullptr && !own_.has(file.text(at), *source, at))
          known.function.crosses = true;
        else if (is_call(file, at))
          known.calls.insert(file.text(at));
      }
      all.push_back(std::move(known));
    }
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (Known& each : all) {
      if (each.function.crosses) {
        const auto name = each.function.source->cuda()->text(each.function.function->name);
        grows |= crossing_.emplace(name).second;
        continue;
      }
      each.function.crosses =
          std::any_of(each.calls.begin(), each.calls.end(),
                      [&](std::string_view name) { return crossing_.contains(name); });
      grows |= each.function.crosses;
    }
  }
  for (const Known& each : all)
    if (each.function.crosses) functions_.push_back(each.function);
}

// Constants that are 32 and whose names say warp size.
void WaveGroup::find_sizes(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  const auto take = [&](cu::TokenIndex name, cu::TokenRange value) {
    const auto found = value.empty() ? std::nullopt : cu::constant(file, value);
    if (!found || found->value != 32)
      return stop(source, file.span(name), fmt::format("{} is not 32 here", file.text(name)));
    if (has_condition(file, name))
      return stop(source, file.span(name),
                  fmt::format("{} may have another value", file.text(name)));
    if (value.end - value.begin != 1 || !number_at(file, value.begin))
      return stop(source, file.span(name), fmt::format("{} is computed", file.text(name)));
    if (!sizes_.emplace(file.text(name)).second)
      return stop(source, file.span(name), fmt::format("{} has two definitions", file.text(name)));
    accept(source, name);
    edit(source, file.span(value), std::string(kWaveSize));
  };
  for (const cu::Macro& macro : file.macros())
    if (cu::is_warp_size_name(file.text(macro.name)))
      macro.is_function
          ? stop(source, file.span(macro.name), "the warp size is a macro with arguments")
          : take(macro.name, macro.body);
  for (cu::TokenIndex at = 1; at + 2 < file.tokens().size(); ++at) {
    if (!cu::is_name(file, at) || !cu::is_punctuator(file, at + 1, {"=", "{"}) ||
        !cu::is_warp_size_name(file.text(at)) || (file.tokens()[at].flags & cu::kInDirective) != 0)
      continue;
    const auto variable = cu::declared_at(file, at);
    const bool is_constant = variable && !variable->value.empty() &&
                             file.text(variable->type).find("const") != std::string_view::npos &&
                             file.function_at(at) == nullptr &&
                             cu::is_punctuator(file, variable->value.end, {";", "}"});
    if (!is_constant)
      return stop(source, file.span(at), fmt::format("{} is not a constant", file.text(at)));
    take(at, variable->value);
  }
}

// Operations across lanes that are not understood, anywhere.
void WaveGroup::check_words(const SourceFile& source) {
  static const std::set<std::string_view> kWords = {"asm",
                                                    "__asm__",
                                                    "__asm",
                                                    "volatile",
                                                    "tiled_partition",
                                                    "coalesced_threads",
                                                    "cub",
                                                    "wmma",
                                                    "nvcuda",
                                                    "thread_block_tile",
                                                    "coalesced_group",
                                                    "LaneId",
                                                    "binary_partition",
                                                    "labeled_partition",
                                                    "this_thread",
                                                    "cute",
                                                    "cutlass"};
  const cu::File& file = *source.cuda();
  for (cu::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (!cu::is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (kWords.contains(word))
      return stop(source, file.span(at), fmt::format("{} together with warp functions", word));
    if (warp_function_at(file, at) != nullptr && !own_.has(word, source, at)) {
      const cu::Function* function = file.function_at(at);
      if ((file.tokens()[at].flags & cu::kInDirective) != 0)
        return stop(source, file.span(at), fmt::format("{} in a macro", word));
      if (function == nullptr || !function->is_device())
        return stop(source, file.span(at), fmt::format("{} outside device functions", word));
    }
  }
}

// Every use of the size must have been understood.
void WaveGroup::check_sizes(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  for (cu::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (!cu::is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if ((word == "warpSize" || sizes_.contains(word)) && !accepted_[&source].contains(at))
      return stop(source, file.span(at), fmt::format("unsupported use of {}", word));
  }
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
    const auto number = number_at(file, at);
    const bool is_shift = at > 0 && cu::is_punctuator(file, at - 1, {">>", "<<"});
    if (number == 32U || number == 31U || (number == 5U && is_shift))
      stop(source, file.span(at),
           fmt::format("{} in host code may be the warp size", file.text(at)));
  }
}

void WaveGroup::check_launches(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  for (cu::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (!file.is(at, "<<<")) continue;
    const cu::TokenIndex kernel = kernel_before(file, at);
    if (kernel == cu::kNoToken) {
      stop(source, file.span(at), "a launch of an unnamed kernel");
      continue;
    }
    if (!crossing_.contains(file.text(kernel))) continue;
    accept(source, kernel);
    if ((file.tokens()[at].flags & cu::kInDirective) != 0)
      stop(source, file.span(at), "a launch in a macro");
    const auto arguments = file.arguments(at);
    const auto threads = arguments.size() >= 2 ? block_size(file, arguments[1]) : std::nullopt;
    if (!threads || *threads == 0 || *threads % 64 != 0)
      stop(source, file.span(at),
           threads ? fmt::format("a block of {} threads is not a multiple of 64", *threads)
                   : std::string("the block size may not be a multiple of 64"));
    launched_.emplace(file.text(kernel));
  }
}

// Other users of these functions: pointers, other files, launches outside the tree.
void WaveGroup::check_names() {
  for (const auto& each : tree_.files) {
    const cu::File* file = each->cuda();
    if (file == nullptr) continue;
    const bool is_ours = std::find(files_.begin(), files_.end(), each.get()) != files_.end();
    for (cu::TokenIndex at = 0; at < file->tokens().size(); ++at) {
      if (!cu::is_name(*file, at) || !crossing_.contains(file->text(at))) continue;
      const std::string_view name = file->text(at);
      if (!is_ours)
        return stop(*files_[0], {0, 0}, fmt::format("{} is also used in {}", name, each->path()));
      const cu::Function* function = file->function_at(at);
      if (function != nullptr && function->name == at) continue;
      // Calls within device code are checked there.
      const bool is_called = function != nullptr && function->is_device();
      if (!is_called && !accepted_[each.get()].contains(at) && file->text(at) != "main")
        return stop(*each, file->span(at),
                    fmt::format("{} used for something other than a launch", name));
    }
  }
}

// Macros can hide anything: a return, a loop, a lane.
void WaveGroup::check_macros(const DeviceFunction& each) {
  const cu::File& file = *each.source->cuda();
  const auto is_shouted = [](std::string_view word) {
    return word.size() > 1 &&
           std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  };
  for (cu::TokenIndex at = each.function->body.begin; at < each.function->body.end; ++at) {
    if (!cu::is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (sizes_.contains(word)) continue;
    bool is_macro = false, is_call_of_macro = false;
    for (const SourceFile* source : files_)
      if (const cu::Macro* macro = source->cuda()->macro_named(word)) {
        is_macro = true;
        is_call_of_macro |= macro->is_function;
      }
    const bool is_constant = !is_call_of_macro && cu::constant(file, {at, at + 1}).has_value() &&
                             !depends(file, {at, at + 1});
    if ((is_macro && !is_constant) || (!is_macro && is_shouted(word) && file.is(at + 1, "(")))
      return stop(*each.source, file.span(at), fmt::format("{}, a macro", word));
  }
}

std::optional<Obstacle> WaveGroup::look() {
  for (const SourceFile* file : files_) {
    find_sizes(*file);
    check_words(*file);
  }
  collect_functions();
  for (const SourceFile* file : files_) {
    check_launches(*file);
    check_host(*file);
  }
  if (!obstacle_) check_names();
  std::vector<const DeviceFunction*> rest, kernels;
  const auto know = [&](const DeviceFunction& each, std::optional<Combined> result) {
    const cu::File& file = *each.source->cuda();
    if (result && !known_.emplace(file.text(each.function->name), *result).second)
      stop(*each.source, file.span(each.function->name), "two functions have this name");
  };
  for (const DeviceFunction& each : functions_) {
    if (obstacle_) break;
    check_macros(each);
    const auto result = reducer(*this, each);
    if (!result) (each.is_kernel() ? kernels : rest).push_back(&each);
    know(each, result);
  }
  // Their callees are known if defined earlier.
  for (const DeviceFunction* each : rest)
    if (!obstacle_) know(*each, check_block(*this, *each));
  for (const DeviceFunction* each : kernels) {
    if (obstacle_) break;
    const std::string_view name = each->source->cuda()->text(each->function->name);
    if (!launched_.contains(name))
      stop(*each->source, each->source->cuda()->span(each->function->name),
           fmt::format("{} is launched elsewhere with unknown block sizes", name));
    check_block(*this, *each);
  }
  if (kernels.empty() && !functions_.empty())
    stop(*functions_[0].source, functions_[0].source->cuda()->span(functions_[0].function->name),
         "the kernels that call this are elsewhere");
  for (const SourceFile* file : files_)
    if (!obstacle_) check_sizes(*file);
  return obstacle_;
}

}  // namespace hipwright::port
