// SPDX-License-Identifier: MIT
#include "trace/read/read.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process.h"
#include "base/words.h"
#include "trace/read/input.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

constexpr std::size_t kBlock = 1U << 20;
constexpr char kBefore[] = " \r\n\t\xEF\xBB\xBF";  // blanks and a byte order mark

struct OwnedPiece {
  std::string path, text;
  std::size_t line = 1;
};

// Pieces on their way from the thread that unpacks and splits to the one that parses.
class PieceQueue {
 public:
  // False: the reader wants no more.
  bool push(OwnedPiece piece) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return pieces_.size() < kMost || is_closed_; });
    if (is_closed_) return false;
    pieces_.push_back(std::move(piece));
    changed_.notify_all();
    return true;
  }
  // Empty: there are no more.
  std::optional<OwnedPiece> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !pieces_.empty() || is_closed_; });
    if (pieces_.empty()) return std::nullopt;
    OwnedPiece piece = std::move(pieces_.front());
    pieces_.pop_front();
    changed_.notify_all();
    return piece;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t kMost = 8;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<OwnedPiece> pieces_;
  bool is_closed_ = false;
};

// Whose file it is shows in its first bytes: rocprofv3's has one key at the top.
bool is_rocprofv3(std::string_view head) {
  return head.find("\"rocprofiler-sdk-tool\"") != std::string_view::npos;
}

Result<bool> split(Input& input, std::string_view head, const std::string& origin,
                   const JsonReader& reader, PieceQueue& queue) {
  JsonSplitter splitter(
      origin, [&](std::string_view path, char first) { return reader.decide(path, first); },
      [&](const JsonPiece& piece) -> Status {
        if (!queue.push({std::string(piece.path), std::string(piece.text), piece.line}))
          return fail("cannot read the trace", origin, "reading was ended");
        return {};
      },
      [&](std::string_view element) { return reader.wants(element); });
  HW_CHECK(splitter.feed(head));
  std::string block(kBlock, '\0');
  for (;;) {
    HW_TRY(const std::size_t size, input.read(block));
    if (size == 0) break;
    HW_CHECK(splitter.feed(std::string_view(block).substr(0, size)));
  }
  HW_TRY(const bool is_whole, splitter.finish());
  return is_whole;
}

Status read_json(Input& input, std::string_view head, const std::string& origin, Trace& trace) {
  const std::unique_ptr<JsonReader> reader =
      is_rocprofv3(head) ? make_rocprofv3_reader(trace) : make_kineto_reader(trace);
  PieceQueue queue;
  Result<bool> is_whole = false;
  std::thread splitting([&] {
    is_whole = split(input, head, origin, *reader, queue);
    queue.close();
  });
  while (const auto piece = queue.pop()) {
    if (Status taken = reader->take({piece->path, piece->text, piece->line}); !taken) break;
  }
  queue.close();
  splitting.join();
  if (!is_whole) return std::unexpected(is_whole.error());
  reader->finish();
  if (!*is_whole) {
    trace.notes.push_back("the file ends in the middle: what comes before that was read");
    trace.is_complete = false;
  }
  return {};
}

Result<std::string> first_block(Input& input) {
  std::string head(kBlock, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    HW_TRY(const std::size_t got, input.read(std::span(head).subspan(size)));
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  return head;
}

// What to do with a profiler's own file, by the ending of its name.
std::string advice_for(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (is_any(ending, {".nsys-rep", ".qdrep"}))
    return fmt::format("Run: nsys export --type sqlite {}", shell_quoted({file.string()}));
  if (is_any(ending, {".pftrace", ".perfetto-trace", ".otf2", ".proto", ".pb"}))
    return "Record with rocprofv3's --output-format json or rocpd.";
  if (is_any(ending, {".zip", ".zst", ".xz", ".bz2", ".tar", ".tgz"}))
    return "Unpack it, or pack it with gzip.";
  return "It reads PyTorch's and rocprofv3's JSON, CSV of rocprof, rocprofv3 and nsys, and the "
         "databases of rocprofv3 and nsys.";
}

Status read_file_into(const std::string& file, Trace& trace) {
  HW_TRY(const std::unique_ptr<Input> input, open_input(file));
  HW_TRY(const std::string head, first_block(*input));
  if (head.starts_with("SQLite format 3")) return read_sqlite(file, trace);
  const std::size_t first = head.find_first_not_of(kBefore);
  if (first == std::string::npos) return fail("cannot read the trace", file, "the file is empty");
  if (head[first] == '{' || head[first] == '[') return read_json(*input, head, file, trace);
  if (head.find('\0') != std::string::npos)
    return fail("cannot read the trace", file, "a binary file that hipwright does not read",
                advice_for(file));
  if (head.find(',') != std::string::npos) {
    HW_TRY(const std::unique_ptr<Input> again, open_input(file));
    return read_csv(*again, file, trace);
  }
  return fail("cannot read the trace", file, "not a trace that hipwright knows", advice_for(file));
}

Status check(const Trace& trace) {
  if (!trace.gpu.empty() || !trace.calls.empty() || !trace.ops.empty()) return {};
  if (trace.notes.empty())
    return fail("cannot read the trace", trace.file,
                "it has no GPU events, host calls or operations",
                "Record it with the GPU's activities enabled.");
  return fail("cannot read the trace", trace.file,
              fmt::format("nothing in it can be analysed: {}", fmt::join(trace.notes, "; ")),
              trace.is_complete ? "" : "Record or copy it again.");
}

}  // namespace

Result<Trace> read_trace(const std::vector<std::string>& files, const Window& window) {
  Trace trace;
  for (const std::string& file : files) {
    trace.file += (trace.file.empty() ? "" : ", ") + file;
    HW_CHECK(read_file_into(file, trace));
  }
  HW_CHECK(check(trace));
  if (!window.is_all()) HW_CHECK(keep_window(trace, window));
  link(trace);
  return trace;
}

Result<Trace> read_trace_text(std::string_view text, const std::string& origin) {
  Trace trace;
  trace.file = origin;
  const auto input = text_input(text);
  HW_TRY(const std::string head, first_block(*input));
  const std::size_t first = head.find_first_not_of(kBefore);
  if (first != std::string::npos && head[first] != '{' && head[first] != '[') {
    const auto again = text_input(text);
    HW_CHECK(read_csv(*again, origin, trace));
  } else {
    HW_CHECK(read_json(*input, head, origin, trace));
  }
  HW_CHECK(check(trace));
  link(trace);
  return trace;
}

}  // namespace hipwright::trace
