// SPDX-License-Identifier: MIT
// --hip-kernel-execution-syntax: kernel<<<…>>>(…) becomes hipLaunchKernelGGL(kernel, …). HIP
// accepts both, so a launch that is not understood stays. Runs after the passes that change
// arguments, whose changes it absorbs.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

bool is_name(const cu::File& file, cu::TokenIndex at) {
  return file.tokens()[at].kind == cu::Kind::kName;
}

// The < that opens the template arguments that end before `end`, or kNoToken.
cu::TokenIndex template_open(const cu::File& file, cu::TokenIndex end) {
  int depth = 0;
  for (cu::TokenIndex at = end; at-- > 0;) {
    if (file.is(at, ")") || file.is(at, "]")) {
      at = file.partner(at);
      if (at == cu::kNoToken) return cu::kNoToken;
    } else if (file.is(at, ">")) {
      ++depth;
    } else if (file.is(at, ">>")) {
      depth += 2;
    } else if (file.is(at, "<")) {
      if (--depth == 0) return at;
    } else if (file.is(at, ";") || file.is(at, "{") || file.is(at, "}") || file.is(at, "(") ||
               file.is(at, "<<") || file.is(at, "=")) {
      return cu::kNoToken;
    }
    if (depth <= 0) return cu::kNoToken;
  }
  return cu::kNoToken;
}

struct Kernel {
  cu::TokenRange range;
  cu::TokenIndex name;
  bool has_arguments;  // kernel<…>
};

// a::b::kernel or kernel<…> before the <<<. Members, calls and other expressions are none.
std::optional<Kernel> kernel_before(const cu::File& file, cu::TokenIndex launch) {
  cu::TokenIndex end = launch;
  bool has_arguments = false;
  if (end > 0 && (file.is(end - 1, ">") || file.is(end - 1, ">>"))) {
    end = template_open(file, end);
    if (end == cu::kNoToken) return std::nullopt;
    has_arguments = true;
  }
  if (end == 0 || !is_name(file, end - 1)) return std::nullopt;
  const cu::TokenIndex name = end - 1;
  cu::TokenIndex begin = name;
  while (begin > 0 && file.is(begin - 1, "::")) {
    --begin;
    if (begin == 0 || !is_name(file, begin - 1)) break;
    --begin;
  }
  if (begin > 0 && (file.is(begin - 1, ".") || file.is(begin - 1, "->") ||
                    file.is(begin - 1, ">") || file.is(begin - 1, "*")))
    return std::nullopt;
  return Kernel{{begin, launch}, name, has_arguments};
}

// Is the kernel a template, here or in another file?
bool is_template(const SourceContext& context, std::string_view name) {
  return std::ranges::any_of(context.tree.files, [&](const auto& source) {
    const cu::File* file = source->cuda();
    return file != nullptr && std::ranges::any_of(file->functions(), [&](const cu::Function& each) {
             return (each.qualifiers & cu::kGlobal) != 0 && !each.template_parameters.empty() &&
                    file->text(each.name) == name;
           });
  });
}

class Launch {
 public:
  Launch(SourceContext& context, cu::TokenIndex at)
      : context_(context), file_(context.file), open_(at), close_(context.file.partner(at)) {}

  void translate() {
    const std::string problem = read();
    if (!problem.empty())
      return context_.report("HP223", Severity::kNote, file_.span(open_),
                             fmt::format("launch keeps its <<<>>>: {}", problem),
                             "HIP accepts both forms.");
    context_.needs.runtime = true;
    context_.change({file_.span(kernel_->range.begin).begin, file_.span(end_).end}, text(),
                    "HP223");
  }

 private:
  // Empty, or why this launch stays.
  std::string read() {
    if ((file_.tokens()[open_].flags & cu::kInDirective) != 0) return "it is part of a macro";
    if (close_ == cu::kNoToken || !file_.is(close_ + 1, "(") ||
        file_.partner(close_ + 1) == cu::kNoToken)
      return "its end is not found";
    end_ = file_.partner(close_ + 1);
    kernel_ = kernel_before(file_, open_);
    if (!kernel_) return "the kernel is an expression";
    config_ = file_.arguments(open_);
    if (config_.size() < 2 || config_.size() > 4) return "its configuration is not understood";
    for (const cu::TokenRange& each : config_)
      if (each.empty() || file_.is(each.begin, "{") || has_angle(each))
        return "its configuration is not understood";
    for (cu::TokenIndex at = kernel_->range.begin; at <= end_; ++at)
      if ((file_.tokens()[at].flags & cu::kInDirective) != 0)
        return "it contains preprocessor directives";
    if (loses_comment()) return "a comment would be lost";
    return {};
  }

  // f<a, b>(n): its comma would separate arguments of the macro.
  bool has_angle(cu::TokenRange range) const {
    for (cu::TokenIndex at = range.begin; at < range.end; ++at)
      if (file_.is(at, "<") || file_.is(at, ">")) return true;
    return false;
  }

  // Between the kernel's name, the arguments and the parentheses.
  bool loses_comment() const {
    const Span whole = file_.span(cu::TokenRange{kernel_->range.begin, end_ + 1});
    return std::ranges::any_of(file_.comments(), [&](const cu::Comment& comment) {
      const auto is_in = [&](Span span) {
        return span.begin <= comment.span.begin && comment.span.end <= span.end;
      };
      return is_in(whole) && !is_in(file_.span(kernel_->range)) &&
             (arguments().empty() || !is_in(file_.span(arguments()))) &&
             std::ranges::none_of(
                 config_, [&](const cu::TokenRange& each) { return is_in(file_.span(each)); });
    });
  }

  cu::TokenRange arguments() const { return {close_ + 2, end_}; }

  std::string ported(cu::TokenRange range) const {
    return context_.changes().text_of(file_.text(), file_.span(range));
  }

  std::string size(std::size_t index) const {
    const std::string text = ported(config_[index]);
    return text.starts_with("dim3(") ? text : fmt::format("dim3({})", text);
  }

  std::string text() const {
    const std::string kernel = ported(kernel_->range);
    const bool wraps = kernel_->has_arguments || is_template(context_, file_.text(kernel_->name));
    std::string call = fmt::format("hipLaunchKernelGGL({}, {}, {}, {}, {}",
                                   wraps ? fmt::format("HIP_KERNEL_NAME({})", kernel) : kernel,
                                   size(0), size(1), config_.size() > 2 ? ported(config_[2]) : "0",
                                   config_.size() > 3 ? ported(config_[3]) : "0");
    if (!arguments().empty()) call += fmt::format(", {}", ported(arguments()));
    return call + ")";
  }

  SourceContext& context_;
  const cu::File& file_;
  cu::TokenIndex open_, close_, end_ = cu::kNoToken;
  std::optional<Kernel> kernel_;
  std::vector<cu::TokenRange> config_;
};

void apply(SourceContext& context) {
  if (context.options.launches != LaunchSyntax::kHip) return;
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kPunct || !file.is(at, "<<<") || context.is_settled(at))
      continue;
    const cu::Function* function = file.function_at(at);
    if (function != nullptr && function->is_device()) continue;  // HP214 reports it
    Launch(context, at).translate();
  }
}

}  // namespace

Pass launch_syntax() {
  return {.codes = {"HP223"},
          .after = {"names", "calls", "device_pointers", "group_members", "linear_textures",
                    "pasted_names", "project_rules", "sparse_buffers", "vector_operators"},
          .before = {"headers"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
