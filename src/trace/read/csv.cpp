// SPDX-License-Identifier: MIT
// CSV files: rocprof's results, rocprofv3's kernel, copy and API traces, nsys' cuda_gpu_trace and
// cuda_api_trace. Columns are found by their names; the unit of a time stands in its name.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
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
    return row_.empty() && cell_.empty() ? Status{} : end_row(visit);
  }
  std::size_t line() const { return line_; }
  bool is_cut() const { return is_cut_; }

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
  std::size_t line_ = 0;
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

struct Layout {
  enum class Kind { kUnknown, kGpu, kCopies, kCalls } kind;
  const char* format;
};

Layout layout_of(const Columns& columns) {
  if (columns.has("kernel_name") && columns.has("start_timestamp"))
    return {Layout::Kind::kGpu, "rocprofv3 CSV"};
  if (columns.has("kernelname") && columns.has("beginns"))
    return {Layout::Kind::kGpu, "rocprof CSV"};
  if (columns.has("direction") && columns.has("start_timestamp"))
    return {Layout::Kind::kCopies, "rocprofv3 CSV"};
  if (columns.has("function") && columns.has("start_timestamp"))
    return {Layout::Kind::kCalls, "rocprofv3 CSV"};
  if (columns.has("strm") && columns.has("start") && columns.has("duration"))
    return {Layout::Kind::kGpu, "nsys CSV"};
  if (columns.has("tid") && columns.has("start") && columns.has("duration") && columns.has("name"))
    return {Layout::Kind::kCalls, "nsys CSV"};
  return {Layout::Kind::kUnknown, ""};
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
    if (!columns_) {
      columns_.emplace(row);
      layout_ = layout_of(*columns_);
      // nsys prints titles above its tables.
      if (layout_.kind == Layout::Kind::kUnknown && row.size() < 3 && line < 20) {
        columns_.reset();
        return {};
      }
      if (layout_.kind == Layout::Kind::kUnknown)
        return fail("cannot read the trace", fmt::format("{}:{}", path, line),
                    "its columns are not those of a trace",
                    "hipwright reads rocprof's results, rocprofv3's kernel, memory_copy and "
                    "hip_api traces, and nsys' "
                    "cuda_gpu_trace and cuda_api_trace.");
      trace_.format = layout_.format;
      return {};
    }
    const auto begin = columns_->time(row, {"start_timestamp", "beginns", "start"});
    auto end = columns_->time(row, {"end_timestamp", "endns"});
    if (const auto duration = columns_->time(row, {"duration"}); begin && !end && duration)
      end = *begin + *duration;
    if (!begin || !end || !is_plausible({*begin, *end})) {
      rejected_.add("without a valid time");
      return {};
    }
    if (layout_.kind == Layout::Kind::kCalls)
      call(row, {*begin, *end});
    else
      gpu(row, {*begin, *end});
    return {};
  }

  void finish(bool is_cut) {
    rejected_.note(trace_);
    if (!is_cut) return;
    trace_.notes.push_back("the file ends in the middle of a row");
    trace_.is_complete = false;
  }
  bool has_header() const { return columns_.has_value(); }

 private:
  void call(const Row& row, Interval time) {
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
    event.kind = layout_.kind == Layout::Kind::kCopies ? GpuKind::kCopy
                 : columns.has("strm")                 ? kind_of(columns.text(row, {"name"}))
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
  Layout layout_{Layout::Kind::kUnknown, ""};
  Rejected rejected_;
};

}  // namespace

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
  reader.finish(rows.is_cut());
  return {};
}

}  // namespace hipwright::trace
