// SPDX-License-Identifier: MIT
#include "base/cleanup.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <set>
#include <string>
#include <string_view>

#include "base/file.h"

namespace hipwright {

namespace {

// The first byte of a message; a group's number or a path follows.
enum Message : char {
  kOwnGroup = 'G',
  kDisownGroup = 'g',
  kOwnPath = 'P',
  kDisownPath = 'p',
  kCleanUp = 'c',
};

constexpr std::size_t kLongest = 1 + 4096;
// Compilers remove their temporary files on SIGTERM.
constexpr int kPatienceMs = 300;
constexpr int kReplyPatienceMs = 5000;

std::atomic<int> the_socket = -1;
std::atomic<pid_t> the_cleaner = 0;

// Also without the second process: the groups that run at the moment, for clean_up().
std::array<std::atomic<pid_t>, 256> the_groups{};

// Not close(): a program that is being started has the socket, too, until its exec().
void end_cleaner(int socket) noexcept {
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  while (::waitpid(the_cleaner, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void pause_ms(long ms) {
  const timespec time{0, ms * 1'000'000};
  ::nanosleep(&time, nullptr);
}

// A group exists until its last member was waited for.
template <class Groups>
bool wait_for_end(const Groups& groups, int patience_ms) {
  const auto runs = [&] {
    for (const pid_t group : groups)
      if (group > 0 && ::kill(-group, 0) == 0) return true;
    return false;
  };
  for (int waited = 0; runs(); waited += 5) {
    if (waited >= patience_ms) return false;
    pause_ms(5);
  }
  return true;
}

template <class Groups>
void end_groups(const Groups& groups) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    for (const pid_t group : groups)
      if (group > 0) {
        ::kill(-group, signal);
        ::kill(-group, SIGCONT);
      }
    if (wait_for_end(groups, kPatienceMs)) return;
  }
}

// The second process.
class Cleaner {
 public:
  explicit Cleaner(int socket) : socket_(socket) {}

  [[noreturn]] void run() {
    std::array<char, kLongest> buffer;
    while (true) {
      const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      if (buffer[0] != kCleanUp) {
        note({buffer.data(), static_cast<std::size_t>(got)});
        continue;
      }
      clean();
      static_cast<void>(::send(socket_, "", 1, MSG_NOSIGNAL));
    }
    clean();  // again after kCleanUp: threads may have written until the end
    ::_exit(0);
  }

 private:
  void note(std::string_view message) {
    const std::string rest(message.substr(1));
    switch (message[0]) {
      case kOwnGroup:
        groups_.insert(std::atoi(rest.c_str()));
        break;
      case kDisownGroup:
        groups_.erase(std::atoi(rest.c_str()));
        break;
      case kOwnPath:
        paths_.insert(rest);
        break;
      case kDisownPath:
        paths_.erase(rest);
        break;
      default:
        break;
    }
  }

  void clean() {
    end_groups(groups_);
    groups_.clear();  // their numbers may soon be those of others
    for (const std::string& path : paths_) remove_tree(path);
  }

  const int socket_;
  std::set<pid_t> groups_;
  std::set<std::string> paths_;
};

[[noreturn]] void become_cleaner(int socket) {
  ::setsid();  // a terminal's signals are for the first process
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP})
    ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_NAME, "hipwright-clean");
  // Nothing of the first process stays open: its readers wait for the end of file.
  const int kept = ::dup2(socket, 3);
  ::close_range(4, ~0U, 0);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int each : {0, 1, 2}) ::dup2(null, each);
  if (null > 3) ::close(null);
  static_cast<void>(::chdir("/"));
  Cleaner(kept).run();
}

void send(Message what, std::string_view rest) noexcept {
  const int socket = the_socket.load();
  if (socket < 0 || rest.size() + 1 > kLongest) return;
  std::array<char, kLongest> buffer;
  buffer[0] = what;
  std::copy(rest.begin(), rest.end(), buffer.begin() + 1);
  while (::send(socket, buffer.data(), rest.size() + 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

std::string whole_path(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

}  // namespace

void start_cleanup() {
  int sockets[2];
  if (has_cleanup() || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    return;
  const pid_t cleaner = ::fork();
  if (cleaner == 0) {
    ::close(sockets[0]);
    become_cleaner(sockets[1]);
  }
  ::close(sockets[1]);
  if (cleaner < 0) {
    ::close(sockets[0]);
    return;
  }
  the_cleaner = cleaner;
  the_socket = sockets[0];
}

void stop_cleanup() noexcept {
  const int socket = the_socket.exchange(-1);
  if (socket < 0) return;
  end_cleaner(socket);
}

bool has_cleanup() noexcept {
  return the_socket.load() >= 0;
}

void own_group(pid_t group) noexcept {
  for (auto& each : the_groups)
    if (pid_t free = 0; each.compare_exchange_strong(free, group)) break;
  send(kOwnGroup, std::to_string(group));
}

void disown_group(pid_t group) noexcept {
  for (auto& each : the_groups)
    if (pid_t mine = group; each.compare_exchange_strong(mine, 0)) break;
  send(kDisownGroup, std::to_string(group));
}

void own_path(const std::filesystem::path& path) {
  if (has_cleanup()) send(kOwnPath, whole_path(path));
}

void disown_path(const std::filesystem::path& path) {
  if (has_cleanup()) send(kDisownPath, whole_path(path));
}

void clean_up() noexcept {
  const int socket = the_socket.exchange(-1);
  const char message = kCleanUp;
  if (socket >= 0 && ::send(socket, &message, 1, MSG_NOSIGNAL) == 1) {
    pollfd reply{socket, POLLIN, 0};
    if (::poll(&reply, 1, kReplyPatienceMs) == 1) return end_cleaner(socket);
  }
  end_groups(the_groups);
}

}  // namespace hipwright
