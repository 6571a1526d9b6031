// SPDX-License-Identifier: MIT
// Any bytes to the language server: it answers every request once, with messages that are valid.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "lsp/inbox.h"
#include "lsp/server.h"

namespace {

using namespace hipwright;

// One line a message, so that the fuzzer need not count bytes.
void serve_lines(std::string_view input) {
  lsp::Inbox inbox;
  std::size_t requests = 0, answers = 0;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    inbox.put(std::string(input.substr(0, end)));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  inbox.close();
  lsp::Server server({.has_files = false}, [&](const lsp::Value& message) {
    answers += !message.contains("method");
    HW_ASSERT(lsp::parse_body(message.dump(-1, ' ', false, lsp::Value::error_handler_t::replace)));
  });
  while (const auto item = inbox.take()) {
    if (!item->message) {
      server.handle_broken(item->message.error());
      ++requests;
      continue;
    }
    const bool is_request = lsp::member(*item->message, {"id"}) != nullptr &&
                            lsp::string_at(*item->message, {"method"}) != nullptr;
    requests += is_request;
    const std::size_t before = answers;
    if (item->is_cancelled)
      server.handle_cancelled(item->message->at("id"));
    else
      server.handle(*item->message);
    if (is_request) HW_ASSERT(answers == before + 1);
    server.settle();
  }
  HW_ASSERT(answers >= requests);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  lsp::MessageReader reader;
  for (std::size_t at = 0; at < size; at += 7) {
    reader.feed(input.substr(at, 7));
    while (reader.next()) {
    }
  }
  serve_lines(input);
  return 0;
}
