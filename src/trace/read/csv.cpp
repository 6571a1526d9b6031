// SPDX-License-Identifier: MIT
// CSV files: rocprof's results, rocprofv3's kernel, copy and API traces and its agents, nsys'
// cuda_gpu_trace and cuda_api_trace. Columns are found by their names; the unit of a time stands in
// its name. Tables that profilers write beside them are recognised and left out.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/words.h"
#include "trace/read/input.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

using Row = std::vector<std::string>;

// Rows of a CSV text, fed in blocks. Quotes protect commas and line ends; two quotes are one.
class CsvRows {
 public:
  // Calls `visit` for each complete row.
  template <class Visit>
  Status feed(std::string_view bytes, Visit visit) {
    for (const char c : bytes) {
      if (in_quotes_) {
        if (c == '"')
          in_quotes_ = false, was_quote_ = true;
        else
          cell_ += c;
      } else if (c == '"') {
        if (was_quote_) cell_ += '"';
        in_quotes_ = true;
        was_quote_ = false;
      } else if (c == ',') {
        end_cell();
      } else if (c == '\n') {
        HW_CHECK(end_row(visit));
      } else if (c != '\r') {
        was_quote_ = false;
        cell_ += c;
      }
      if (cell_.size() > (16U << 20))
        return fail("cannot read the CSV text", {}, "a cell is longer than 16 MiB");
    }
    return {};
  }
  template <class Visit>
  Status finish(Visit visit) {
    if (in_quotes_) is_cut_ = true;
    if (row_.empty() && cell_.empty()) return {};
    last_cells_ = row_.size() + 1;
    return end_row(visit);
  }
  std::size_t line() const { return line_; }
  bool is_cut() const { return is_cut_; }
  // Of a last row without a line end; 0: it has one.
  std::size_t last_cells() const { return last_cells_; }

 private:
  void end_cell() {
    row_.push_back(std::move(cell_));
    cell_.clear();
    was_quote_ = false;
  }
  template <class Visit>
  Status end_row(Visit visit) {
    end_cell();
    ++line_;
    const Status status = row_.size() == 1 && row_[0].empty() ? Status{} : visit(row_);
    row_.clear();
    return status;
  }

  Row row_;
  std::string cell_;
  bool in_quotes_ = false, was_quote_ = false, is_cut_ = false;
  std::size_t line_ = 0, last_cells_ = 0;
};

std::optional<double> real(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer(std::string_view text) {
  text = trimmed(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Where the columns of a meaning are. "Start (ns)" is "start" in nanoseconds.
class Columns {
 public:
  explicit Columns(const Row& header) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      std::string name = lowered(trimmed(header[i]));
      double unit = 1;
      if (const std::size_t open = name.rfind(" (");
          open != std::string::npos && name.ends_with(')')) {
        const std::string_view text =
            std::string_view(name).substr(open + 2, name.size() - open - 3);
        unit = text == "ns"                   ? 1
               : text == "us" || text == "μs" ? 1e3
               : text == "ms"                 ? 1e6
               : text == "s"                  ? 1e9
               : text == "mb"                 ? 1e6
                                              : 1;
        name.resize(open);
      }
      columns_.emplace(std::move(name), Column{i, unit});
    }
  }

  bool has(std::string_view name) const { return find({name}) != nullptr; }
  // Of the first of these names that the file has; empty: none, or the row is short.
  std::string_view text(const Row& row, Words names) const {
    const Column* column = find(names);
    return column == nullptr || column->index >= row.size() ? std::string_view()
                                                            : std::string_view(row[column->index]);
  }
  std::optional<Nanoseconds> time(const Row& row, Words names) const {
    const Column* column = find(names);
    if (column == nullptr || column->index >= row.size()) return std::nullopt;
    const std::string_view text = row[column->index];
    // Integers exactly: a double has not enough digits for nanoseconds since an epoch.
    if (const auto whole = integer(text); whole && column->unit == 1)
      return *whole >= 0 && *whole < std::int64_t{1} << 61 ? whole : std::nullopt;
    const auto number = real(text);
    if (!number || !(*number * column->unit >= 0 && *number * column->unit < 2.3e18))
      return std::nullopt;
    return std::llround(*number * column->unit);
  }
  std::int64_t number(const Row& row, Words names, std::int64_t otherwise) const {
    return integer(text(row, names)).value_or(otherwise);
  }
  std::uint32_t size(const Row& row, Words names) const {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(number(row, names, 0), 0, 0xFFFFFFFF));
  }
  std::uint64_t bytes(const Row& row, Words names) const {
    const Column* column = find(names);
    if (column == nullptr || column->index >= row.size()) return 0;
    const double number = real(row[column->index]).value_or(0) * column->unit;
    return number >= 0 && number < 1e18 ? static_cast<std::uint64_t>(number) : 0;
  }

 private:
  struct Column {
    std::size_t index;
    double unit;
  };
  const Column* find(Words names) const {
    for (std::string_view name : names)
      if (const auto found = columns_.find(name); found != columns_.end()) return &found->second;
    return nullptr;
  }
  std::map<std::string, Column, std::less<>> columns_;
};

enum class Kind {
  kUnknown,
  kGpu,
  kCopies,
  kCalls,
  kAgents,
  kTotals,  // sums by name, without a time when
  kOther,   // of a profiler, but nothing that runs on the GPU or launches it
};

struct Layout {
  Kind kind;
  const char* format;
};

// The first whose columns the header has.
Layout layout_of(const Columns& columns) {
  struct Row {
    Words columns;
    Kind kind;
    const char* format;
  };
  static const Row kRows[] = {
      {{"kernel_name", "start_timestamp"}, Kind::kGpu, "rocprofv3 CSV"},
      {{"kernelname", "beginns"}, Kind::kGpu, "rocprof CSV"},
      {{"direction", "start_timestamp"}, Kind::kCopies, "rocprofv3 CSV"},
      {{"function", "start_timestamp"}, Kind::kCalls, "rocprofv3 CSV"},
      {{"agent_type", "product_name"}, Kind::kAgents, "rocprofv3 CSV"},
      {{"strm", "start", "duration", "name"}, Kind::kGpu, "nsys CSV"},
      {{"tid", "start", "duration", "name"}, Kind::kCalls, "nsys CSV"},
      {{"name", "totaldurationns"}, Kind::kTotals, "totals"},
      {{"total time"}, Kind::kTotals, "totals"},
      {{"total"}, Kind::kTotals, "totals"},  // nsys' sums by size
      {{"operation", "start_timestamp"}, Kind::kOther, "memory allocations"},
      {{"counter_name", "counter_value"}, Kind::kOther, "counters without times"},
      {{"kernelname", "grd"}, Kind::kOther, "counters without times"},
      {{"start", "end"}, Kind::kOther, "ranges"},
  };
  for (const Row& row : kRows)
    if (std::ranges::all_of(row.columns, [&](auto name) { return columns.has(name); }))
      return {row.kind, row.format};
  return {Kind::kUnknown, ""};
}

// "NVIDIA H100 80GB HBM3 (0)": name and number.
std::int64_t nsys_device(std::string_view text, Trace& trace) {
  const std::size_t open = text.rfind('(');
  const auto number = open == std::string_view::npos
                          ? std::nullopt
                          : integer(text.substr(open + 1, text.size() - open - 2));
  if (!number) return 0;
  if (std::ranges::find(trace.devices, *number, &Device::id) == trace.devices.end())
    trace.devices.push_back({.id = *number, .name = std::string(trimmed(text.substr(0, open)))});
  return *number;
}

GpuKind kind_of(std::string_view name) {
  if (contains_word(name, "memcpy")) return GpuKind::kCopy;
  return contains_word(name, "memset") ? GpuKind::kFill : GpuKind::kKernel;
}

class CsvReader {
 public:
  explicit CsvReader(Trace& trace)
      : trace_(trace), streams_(trace.streams), threads_(trace.threads) {}

  Status row(const Row& row, const std::string& path, std::size_t line) {
    // `nsys stats` prints several tables one after the other, each below such a line.
    if (row.size() < 3 && (row[0].starts_with("Processing [") || row[0].starts_with("** "))) {
      columns_.reset();
      return {};
    }
    if (!columns_) return header(row, path, line);
    switch (layout_.kind) {
      case Kind::kUnknown:
      case Kind::kTotals:
      case Kind::kOther:
        break;
      case Kind::kAgents:
        agent_row(row);
        break;
      case Kind::kGpu:
      case Kind::kCopies:
      case Kind::kCalls:
        timed(row);
        break;
    }
    return {};
  }

  void finish(const CsvRows& rows) {
    rejected_.note(trace_);
    const bool is_short = rows.last_cells() > 0 && rows.last_cells() < header_cells_;
    if (!rows.is_cut() && !is_short) return;
    trace_.notes.push_back("the file ends in the middle of a row");
    trace_.is_complete = false;
  }
  bool has_header() const { return header_cells_ > 0; }

 private:
  Status header(const Row& row, const std::string& path, std::size_t line) {
    columns_.emplace(row);
    layout_ = layout_of(*columns_);
    if (layout_.kind == Kind::kUnknown && row.size() < 3 && line < 20) {  // a title
      columns_.reset();
      return {};
    }
    if (layout_.kind == Kind::kUnknown)
      return fail("cannot read the trace", fmt::format("{}:{}", path, line),
                  "its columns are not those of a trace",
                  "hipwright reads rocprof's results, rocprofv3's kernel, memory_copy and "
                  "hip_api traces, and nsys' cuda_gpu_trace and cuda_api_trace.");
    header_cells_ = row.size();
    if (layout_.kind == Kind::kTotals)
      trace_.notes.push_back(
          fmt::format("{} has totals without begin times, which were not read: give rocprofv3's "
                      "kernel_trace.csv, rocprof's results.csv or nsys' cuda_gpu_trace",
                      path));
    else if (layout_.kind == Kind::kOther)
      trace_.notes.push_back(fmt::format("{} has {}, which were not read", path, layout_.format));
    else if (layout_.kind != Kind::kAgents || trace_.format.empty())
      trace_.format = layout_.format;
    return {};
  }

  void timed(const Row& row) {
    const auto begin = columns_->time(row, {"start_timestamp", "beginns", "start"});
    auto end = columns_->time(row, {"end_timestamp", "endns"});
    if (const auto duration = columns_->time(row, {"duration"}); begin && !end && duration)
      end = *begin + *duration;
    if (!begin || !end || !is_plausible({*begin, *end}))
      rejected_.add("without a valid time");
    else if (layout_.kind == Kind::kCalls)
      call(row, {*begin, *end});
    else if (is_first_of_dispatch(row))
      gpu(row, {*begin, *end});
  }

  // With counters, a dispatch has a row for each of them.
  bool is_first_of_dispatch(const Row& row) {
    if (!columns_->has("counter_name")) return true;
    return dispatches_
        .insert(
            {columns_->number(row, {"process_id"}, 0), columns_->number(row, {"dispatch_id"}, 0)})
        .second;
  }

  void agent_row(const Row& row) {
    if (columns_->text(row, {"agent_type"}) != "GPU") return;
    Device device{.id = columns_->number(row, {"node_id"}, 0),
                  .name = std::string(columns_->text(row, {"product_name"}))};
    if (const auto gfx = columns_->text(row, {"name"}); gfx.starts_with("gfx"))
      device.gfx = std::string(gfx);
    device.units = columns_->size(row, {"cu_count"});
    device.wave = columns_->size(row, {"wave_front_size"});
    trace_.devices.push_back(std::move(device));
  }

  void call(const Row& row, Interval time) {
    if (is_range_domain(columns_->text(row, {"domain"}))) {
      Op range{.time = time, .name = trace_.names.id(columns_->text(row, {"function"}))};
      range.thread = threads_.index(
          {columns_->number(row, {"process_id"}, 0), columns_->number(row, {"thread_id"}, 0)});
      range.is_annotation = true;
      trace_.ops.push_back(range);
      return;
    }
    HostCall call{.time = time, .name = trace_.names.id(columns_->text(row, {"function", "name"}))};
    call.thread = threads_.index({columns_->number(row, {"process_id", "pid"}, 0),
                                  columns_->number(row, {"thread_id", "tid"}, 0)});
    call.correlation = columns_->number(row, {"correlation_id", "corrid"}, -1);
    trace_.calls.push_back(call);
  }

  void gpu(const Row& row, Interval time) {
    const Columns& columns = *columns_;
    GpuEvent event{.time = time};
    event.name =
        trace_.names.id(columns.text(row, {"kernel_name", "kernelname", "direction", "name"}));
    event.kind = layout_.kind == Kind::kCopies ? GpuKind::kCopy
                 : columns.has("strm")         ? kind_of(columns.text(row, {"name"}))
                                               : GpuKind::kKernel;
    event.correlation = columns.number(row, {"correlation_id", "corrid"}, -1);
    event.grid = {columns.size(row, {"grid_size_x", "grd", "grdx"}),
                  columns.size(row, {"grid_size_y", "grdy"}),
                  columns.size(row, {"grid_size_z", "grdz"})};
    event.block = {columns.size(row, {"workgroup_size_x", "wgr", "blkx"}),
                   columns.size(row, {"workgroup_size_y", "blky"}),
                   columns.size(row, {"workgroup_size_z", "blkz"})};
    event.bytes = columns.bytes(row, {"bytes"});
    Stream stream;
    stream.number = columns.number(row, {"stream_id", "strm", "queue_id", "queue-id"}, 0);
    stream.device = columns.has("strm")
                        ? nsys_device(columns.text(row, {"device"}), trace_)
                        : agent(columns.text(row, {"agent_id", "gpu-id", "destination_agent_id"}));
    event.stream = streams_.index(stream);
    trace_.gpu.push_back(event);
  }

  // "4" or "Agent 4".
  static std::int64_t agent(std::string_view text) {
    const std::size_t digits = text.find_first_of("0123456789");
    return digits == std::string_view::npos ? 0 : integer(text.substr(digits)).value_or(0);
  }

  Trace& trace_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  std::optional<Columns> columns_;
  Layout layout_{Kind::kUnknown, ""};
  std::size_t header_cells_ = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> dispatches_;
  Rejected rejected_;
};

}  // namespace

bool is_range_domain(std::string_view domain) {
  return domain.starts_with("MARKER") || domain.starts_with("RCCL");
}

Status read_csv(Input& input, const std::string& path, Trace& trace) {
  CsvRows rows;
  CsvReader reader(trace);
  const auto visit = [&](const Row& row) { return reader.row(row, path, rows.line()); };
  std::string block(1U << 20, '\0');
  for (;;) {
    HW_TRY(const std::size_t size, input.read(block));
    if (size == 0) break;
    HW_CHECK(rows.feed(std::string_view(block).substr(0, size), visit));
  }
  HW_CHECK(rows.finish(visit));
  if (!reader.has_header())
    return fail("cannot read the trace", path, "no header with the columns of a trace");
  reader.finish(rows);
  return {};
}

}  // namespace hipwright::trace
