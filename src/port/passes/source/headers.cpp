// SPDX-License-Identifier: MIT
// #include lines: replaces CUDA headers by HIP's and adds those that other passes need. Passes that
// set `needs` run before it.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "port/marks.h"
#include "port/pass.h"
#include "port/source/context.h"
#include "port/source/include_place.h"
#include "port/source/paths.h"
#include "port/style.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

constexpr std::string_view kRuntime = "hip/hip_runtime.h";
constexpr std::string_view kRuntimeApi = "hip/hip_runtime_api.h";

const std::array kOfKernels = {syntax::Name("__global__"),   syntax::Name("__device__"),
                               syntax::Name("__constant__"), syntax::Name("threadIdx"),
                               syntax::Name("blockIdx"),     syntax::Name("dim3")};
constexpr std::string_view kBlas = "hipblas/hipblas.h";

const syntax::Name kHalf("half"), kHalfType("__half"), kHgemm("cublasHgemm");

class Headers {
 public:
  explicit Headers(SourceContext& context)
      : context_(context), file_(context.file), conventions_(conventions_of(context.options)) {}

  void translate() {
    for (const cu::Include& include : file_.includes()) read(include);
    const bool adds_ptx = context_.needs.ptx && !has_ptx_;
    const bool adds_compat = !adds_ptx && context_.needs.compat && !has_compat_;
    const bool adds_runtime = conventions_.includes_runtime_everywhere
                                  ? lacks_runtime()
                                  : !adds_compat && !adds_ptx && needs_runtime_first();
    if (context_.is_dual())
      include_shim(adds_compat || adds_ptx || adds_runtime);
    else if (!conventions_.includes_runtime_everywhere && (adds_compat || adds_ptx || adds_runtime))
      included_.emplace(kRuntime);
    for (const Line& line : lines_) rewrite(line);
    for (const Line& line : lines_) hoist(line);
    if (context_.is_dual()) return write_lines();
    if (adds_compat || adds_ptx)
      insert(fmt::format("#include \"{}\"", path_at_root(adds_ptx ? kPtxName : kCompatName)));
    if (adds_runtime) insert_runtime();
    write_lines();
  }

 private:
  // The header of the ported tree that includes the runtime: instead of one that the file includes
  // already, or because a pass needs it.
  void include_shim(bool is_needed) {
    is_needed |= std::ranges::any_of(lines_, [&](const Line& line) {
      return line.entry != nullptr &&
             (path_after(line) == kRuntime || path_after(line) == kRuntimeApi);
    });
    if (is_needed) context_.shim().is_included = true;
    if (context_.shim().is_included) included_.emplace(kRuntime);
  }

  // An #include of a header that is CUDA's, or HIP's already.
  struct Line {
    const cu::Include* include;
    const api::Entry* entry;  // nullptr: HIP's
  };

  void read(const cu::Include& include) {
    const std::string_view path = include.path;
    has_ptx_ |= path.ends_with(kPtxName);
    has_compat_ |= path.ends_with(kCompatName) || has_ptx_;
    if (path.ends_with(kNamesName)) {  // an earlier port put it where the runtime would go
      has_runtime_ = true;
      const SourceFile* names = context_.tree.find(kNamesName);
      has_compat_ |= names != nullptr && names->text().find(kCompatName) != std::string_view::npos;
      return;
    }
    if (context_.is_settled(include.hash)) return;
    // The project's own rule takes precedence over the tables; its change is already recorded.
    const auto& rules = context_.options.rules.headers;
    if (const auto rule = rules.find(path); rule != rules.end()) {
      has_runtime_ |= rule->second == kRuntime && !is_behind_own_;
      is_behind_own_ |= !rule->second.starts_with("hip/");
      return;
    }
    const api::Entry* entry = api::find_header(path);
    // The project's own header of that name takes precedence over CUDA's.
    if ((entry == nullptr && !include.is_system) ||
        means_own_header(context_.tree, path, context_.source, include.is_system)) {
      is_behind_own_ |= !path.ends_with(kNamesName);  // which is ours, and needs nothing
      reads_own_ |= !context_.tree.nearest(path, context_.source, include.is_system).empty();
      return;
    }
    if (entry == nullptr && !path.starts_with("hip/")) {
      has_library_ |= path.starts_with("hip") || path.starts_with("roc");
      return;
    }
    lines_.push_back({&include, entry});
    context_.needs.compat |= entry != nullptr && entry->compat;
    if (path_after(lines_.back()) == kRuntime) has_runtime_ |= !is_behind_own_;
  }

  std::string path_after(const Line& line) const {
    return line.entry == nullptr ? std::string(line.include->path)
                                 : header_path(context_.options, *line.entry, line.include->path);
  }

  void remove(const cu::Include& include, std::string reason) {
    const Span line = include_line(file_, include.hash);
    if (conventions_.keeps_lines)
      context_.change({file_.span(include.hash).begin, path_span(include).end}, "", "HP208",
                      std::move(reason));
    else if (is_all_of(include, line))
      context_.change(line, "", "HP208", std::move(reason));
    else  // the line holds something else, or continues
      context_.change(path_span(include), fmt::format("<{}>", kRuntime), "HP208",
                      std::move(reason));
  }

  // Nothing but the #include and a comment that ends with the line.
  bool is_all_of(const cu::Include& include, Span line) const {
    const std::size_t end = path_span(include).end;
    std::string_view rest = file_.text().substr(end, line.end - end);
    while (!rest.empty() && std::string_view(" \t\r\n").find(rest.back()) != std::string_view::npos)
      rest.remove_suffix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (rest.empty()) return true;
    if (rest.starts_with("//")) return rest.back() != '\\';
    return rest.starts_with("/*") && rest.find("*/") == rest.size() - 2;
  }

  void rewrite(const Line& line) {
    const cu::Include& include = *line.include;
    const api::Entry* entry = line.entry;
    const Span place = path_span(include);
    if (entry != nullptr && entry->compat)
      return remove(include, fmt::format("{} has it", kCompatName));
    if (entry != nullptr && !entry->mapped()) {
      if (entry->caveat.empty()) return remove(include, "HIP needs no such header");
      return context_.report("HP209", Severity::kError, place,
                             fmt::format("<{}> has no HIP counterpart", include.path),
                             std::string(entry->caveat));
    }
    const std::string path = path_after(line);
    if (path.empty()) return remove(include, "HIP needs no such header");
    const bool is_runtime = path == kRuntime || path == kRuntimeApi;
    if (context_.is_dual() && is_runtime && context_.shim().is_included && entry != nullptr)
      return remove(include, fmt::format("{} includes it", kNamesName));
    if (file_.conditions(include.hash).empty() && is_included_once(context_.options, path) &&
        !included_.insert(path).second)
      return remove(include, "included before");
    // A path that stays names a library that ROCm lacks; nothing else reports it.
    const bool stays = path == include.path;
    if (entry != nullptr && !entry->caveat.empty() &&
        entry->caveat_holds != api::CaveatHolds::kWithoutPort)
      context_.report("HP204", stays ? Severity::kWarning : Severity::kNote, place,
                      stays ? fmt::format("<{}> is not part of ROCm", path)
                            : fmt::format("<{}> differs from <{}>", path, include.path),
                      std::string(entry->caveat));
    if (stays) return;
    const bool is_quoted = conventions_.keeps_quotes && !include.is_system;
    context_.change(place, is_quoted ? fmt::format("\"{}\"", path) : fmt::format("<{}>", path),
                    "HP208");
    report_spelling(*entry, include, path);
    if (api::header_path(*entry, include.path) != kBlas) return;
    if (mentions_half())
      define_before(include, "HIPBLAS_USE_HIP_HALF", "makes hipBLAS use HIP's half type");
    if (!conventions_.names_blas_v2)
      define_before(include, "HIPBLAS_V2", "makes hipBLAS use cuBLAS's types before HIP 7");
  }

  // hipblas.h: ROCm has the header in a directory that compilers do not search by themselves.
  void report_spelling(const api::Entry& entry, const cu::Include& include, std::string_view path) {
    const std::string usual = api::header_path(entry, include.path);
    if (path == usual || path.find('/') != std::string_view::npos) return;
    context_.report(
        "HP204", Severity::kNote, path_span(include),
        fmt::format("<{}> is <{}> in ROCm", path, usual),
        fmt::format("Compile with -I<rocm>/include/{}.", usual.substr(0, usual.find('/'))));
  }

  // CUDA headers may be included in extern "C" { }; HIP headers contain templates, so they are
  // included once more, before it.
  void hoist(const Line& line) {
    const std::optional<std::size_t> place = before_c_linkage(file_, line.include->hash);
    if (!place || (line.entry != nullptr && (!line.entry->mapped() || line.entry->compat))) return;
    const std::string path = path_after(line);
    if (hoisted_.insert(path).second)
      add_line(*place, Rank::kOthers, fmt::format("#include <{}>", path),
               "HIP headers cannot be included inside extern \"C\"");
  }

  bool mentions_half() const {
    return file_.has(kHalf) || file_.has(kHalfType) || file_.has(kHgemm);
  }

  void define_before(const cu::Include& include, std::string macro, std::string reason) {
    if (context_.is_dual()) {
      context_.shim().is_included = true;
      context_.shim().settings.insert(std::move(macro));
      return;
    }
    add_line(include_line(file_, include.hash).begin, Rank::kOthers,
             fmt::format("#define {}", macro), std::move(reason));
  }

  // With its quotes or brackets.
  Span path_span(const cu::Include& include) const { return file_.span(include.hash + 2); }

  // nvcc includes the runtime header before every source; hipcc does not.
  bool needs_runtime_first() const {
    return (context_.needs.runtime || reads_own_ || is_kernel_alone()) &&
           !context_.source.is_header() && !has_runtime_ && !has_compat_ &&
           context_.source.path().ends_with(".cu");
  }

  // Uses HIP, and no #include of its own is the runtime's.
  bool lacks_runtime() const {
    const auto is_runtime = [](const cu::Include& include) { return include.path == kRuntime; };
    const bool has =
        std::ranges::any_of(file_.includes(), is_runtime) ||  // an earlier port's, perhaps quoted
        std::ranges::any_of(lines_, [&](const Line& line) { return path_after(line) == kRuntime; });
    return !has && (context_.needs.runtime || context_.needs.compat || context_.needs.ptx ||
                    !lines_.empty() || uses_kernel_names());
  }

  bool uses_kernel_names() const {
    return std::ranges::any_of(kOfKernels, [&](const auto& name) { return file_.has(name); });
  }

  // Names that are the same in HIP need its header, too, and no other #include provides it.
  bool is_kernel_alone() const {
    return lines_.empty() && !is_behind_own_ && !has_library_ && uses_kernel_names();
  }

  std::string path_at_root(std::string_view name) const {
    return way_to_root(context_.source.path()) + std::string(name);
  }

  void insert(const std::string& line) {
    add_line(place_for_include(file_), Rank::kBefore, line, {});
  }

  void insert_runtime() {
    const std::string line = fmt::format("#include <{}>", kRuntime);
    if (!conventions_.includes_runtime_everywhere) return insert(line);
    const std::optional<std::size_t> guard = end_of_guard(file_);
    add_line(guard.value_or(place_for_include(file_)), Rank::kBefore,
             std::string(line_break_of(file_.text())) + line, {});
  }

  // Lines inserted at one place are one change: the runtime before its users.
  enum class Rank { kBefore, kOthers };
  void add_line(std::size_t place, Rank rank, std::string_view line, std::string reason) {
    auto& [text, why] = added_[{place, rank}];
    text += line;
    text += line_break_of(file_.text());
    if (!reason.empty()) why += (why.empty() ? "" : "; ") + reason;
  }
  void write_lines() {
    for (auto at = added_.begin(); at != added_.end();) {
      const std::size_t place = at->first.first;
      Lines all;
      for (; at != added_.end() && at->first.first == place; ++at) {
        all.text += at->second.text;
        if (all.why.empty()) all.why = at->second.why;
      }
      context_.change({place, place}, std::move(all.text), "HP208", std::move(all.why));
    }
  }

  SourceContext& context_;
  const cu::File& file_;
  const Conventions conventions_;
  bool is_behind_own_ = false;  // an #include of the project came first
  bool reads_own_ = false;      // which may rely on what nvcc includes before it
  bool has_runtime_ = false;    // before those of the project
  bool has_compat_ = false;
  bool has_library_ = false;  // one of ROCm's, which includes the runtime's
  bool has_ptx_ = false;      // which includes the former
  std::vector<Line> lines_;
  std::set<std::string, std::less<>> included_, hoisted_;
  struct Lines {
    std::string text, why;
  };
  std::map<std::pair<std::size_t, Rank>, Lines> added_;
};

void apply(SourceContext& context) {
  Headers(context).translate();
}

}  // namespace

Pass headers() {
  return {.codes = {"HP204", "HP208", "HP209"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
