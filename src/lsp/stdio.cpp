// SPDX-License-Identifier: MIT
#include "lsp/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include "lsp/inbox.h"

namespace hipwright::lsp {

namespace {

// Until the input ends, or `stop` can be read.
void read_all(int input, int stop, Inbox& inbox) {
  MessageReader reader;
  std::string buffer(std::size_t{64} << 10, '\0');
  while (true) {
    std::array<pollfd, 2> files = {pollfd{input, POLLIN, 0}, pollfd{stop, POLLIN, 0}};
    if (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) continue;
    if (files[1].revents != 0) break;
    const ssize_t got = ::read(input, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    reader.feed({buffer.data(), static_cast<std::size_t>(got)});
    while (auto body = reader.next()) inbox.put(*std::move(body));
  }
  inbox.close();
}

bool write_all(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void handle(Server& server, const Inbox::Item& item) {
  if (!item.message) return server.handle_broken(item.message.error());
  if (item.is_cancelled) return server.handle_cancelled(item.message->at("id"));
  server.handle(*item.message);
}

}  // namespace

int serve(const ServerOptions& options, int input, int output) {
  std::signal(SIGPIPE, SIG_IGN);  // write() reports a dead editor
  std::array<int, 2> stop{};
  if (::pipe(stop.data()) != 0) return 1;
  bool is_heard = true;
  Server server(options,
                [&](const Value& message) { is_heard &= write_all(output, framed(message)); });
  Inbox inbox;
  std::thread reader([&] { read_all(input, stop[0], inbox); });
  while (!server.exit_code() && is_heard) {
    const auto item = inbox.take();
    if (!item) break;
    handle(server, *item);
    // Lint only when no change is pending: fast typing does not lint every letter.
    if (inbox.empty()) server.settle();
  }
  inbox.close();
  write_all(stop[1], "x");
  reader.join();
  ::close(stop[0]);
  ::close(stop[1]);
  return server.exit_code().value_or(1);
}

}  // namespace hipwright::lsp
