// SPDX-License-Identifier: MIT
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/cleanup.h"
#include "base/stop.h"

namespace hipwright {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const ProcessCommand& command) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(command.environment.begin(), command.environment.end(),
                                      [&](const auto& pair) { return pair.first == name; });
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment) merged.push_back(name + "=" + value);
  return merged;
}

Error cannot_start(const ProcessCommand& command, int error_number) {
  return {"cannot start", command.argv.empty() ? "" : command.argv.front(),
          errno_text(error_number),
          error_number == ENOEXEC
              ? "It is neither an executable for this machine nor a script with a #! line."
              : ""};
}

// Why find_program() found nothing.
Error no_program(const std::string& name) {
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  if (name.find('/') == std::string::npos)
    return {
        "cannot start", name, "not found in PATH",
        exists(status) ? fmt::format("To start the file in this directory, use ./{}", name) : ""};
  if (!exists(status)) return {"cannot start", name, errno_text(ENOENT), ""};
  if (is_directory(status)) return {"cannot start", name, "it is a directory", ""};
  return {"cannot start", name, "the file is not executable",
          fmt::format("Make it executable: chmod +x {}", shell_quoted({name}))};
}

// A child that stops reading must not kill us. SIGPIPE goes to the thread that writes, so holding
// it back there is enough; the process's handler is not ours to change.
class BrokenPipeGuard {
 public:
  BrokenPipeGuard() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  BrokenPipeGuard(const BrokenPipeGuard&) = delete;
  BrokenPipeGuard& operator=(const BrokenPipeGuard&) = delete;
  ~BrokenPipeGuard() {
    if (::sigismember(&before_, SIGPIPE) == 1) return;  // blocked already: the caller's to handle
    const timespec now{};
    ::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_;
  sigset_t before_;
};

// Holds back the signals that have handlers (base/stop.h): a child must not run them.
class InterruptGuard {
 public:
  InterruptGuard() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int each : kSignals) ::sigaddset(&held, each);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // In the child: as exec() would leave them.
  void reset() const {
    for (const int each : kSignals) {
      struct sigaction action {};
      if (::sigaction(each, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
        ::signal(each, SIG_DFL);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t before_;
};

// What a started program needs, made before fork(): the parent may have threads.
struct Start {
  std::string program, directory;
  std::vector<std::string> arguments, environment;
  std::vector<char*> argv, envp;
  bool has_own_group = true;
  std::array<int, 3> standard{0, 1, 2};  // its input, output and errors
  int death_signal = SIGKILL;
  pid_t parent = ::getpid();

  Start(const ProcessCommand& command, const std::filesystem::path& path)
      : program(path.string()),
        directory(command.directory.string()),
        arguments(command.argv),
        environment(merged_environment(command)),
        argv(pointers(arguments)),
        envp(pointers(environment)),
        // The second process ends what ignores SIGTERM.
        death_signal(has_cleanup() ? SIGTERM : SIGKILL) {}
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
};

// Only async-signal-safe calls.
[[noreturn]] void child(const Start& start, const InterruptGuard& signals, int report) {
  if (start.has_own_group) {
    ::setpgid(0, 0);
    own_group(::getpid());  // the parent may be killed before it does so
  }
  signals.reset();
  ::prctl(PR_SET_PDEATHSIG, start.death_signal);
  if (::getppid() != start.parent) ::_exit(127);  // it died before the call
  bool is_ready = start.directory.empty() || ::chdir(start.directory.c_str()) == 0;
  for (int each = 0; each < 3; ++each)
    is_ready = is_ready && ::dup2(start.standard[static_cast<std::size_t>(each)], each) >= 0;
  if (is_ready) ::execve(start.program.c_str(), start.argv.data(), start.envp.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &reason, sizeof reason);
  ::_exit(127);
}

// The process, or -1.
pid_t fork_and_exec(const Start& start, int report) {
  const InterruptGuard signals;
  const pid_t pid = ::fork();
  if (pid == 0) child(start, signals, report);
  if (pid > 0 && start.has_own_group) {
    ::setpgid(pid, pid);  // the child does the same: neither may be late
    own_group(pid);
  }
  return pid;
}

// Waits for exec(): why it failed, or 0.
int exec_error(Pipe& report) {
  Pipe::close_end(report.write_end);
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(report.read_end, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

bool is_to_stop(const ProcessCommand& command) {
  return !command.cleans_up && stop_requested();
}

int stop_descriptor_of(const ProcessCommand& command) {
  return command.cleans_up ? -1 : stop_descriptor();
}

// Moves bytes between the pipes and the strings until both outputs are closed. Returns false at the
// deadline and when this process is interrupted.
bool pump(Pipe& in, Pipe& out, Pipe& err, const ProcessCommand& command, Finished& result,
          std::optional<Clock::time_point> deadline) {
  std::string_view input = command.input;
  std::array<char, 65536> buffer;
  if (input.empty()) Pipe::close_end(in.write_end);
  while (out.read_end >= 0 || err.read_end >= 0) {
    if (is_to_stop(command)) return false;
    std::array<pollfd, 4> polled{{{out.read_end, POLLIN, 0},
                                  {err.read_end, POLLIN, 0},
                                  {in.write_end, POLLOUT, 0},
                                  {stop_descriptor_of(command), POLLIN, 0}}};
    int wait_ms = -1;
    if (deadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return false;
      wait_ms = static_cast<int>(std::min<long long>(left, 1 << 30));
    }
    if (::poll(polled.data(), polled.size(), wait_ms) < 0 && errno != EINTR) return true;
    const auto drain = [&](int& end, short events, std::string& into) {
      if (end < 0 || events == 0) return;
      const ssize_t got = ::read(end, buffer.data(), buffer.size());
      if (got > 0) {
        into.append(buffer.data(), static_cast<std::size_t>(got));
        // Cut now and then, not at every read.
        if (command.output_limit != 0 && into.size() > 2 * command.output_limit + buffer.size())
          into.erase(0, into.size() - command.output_limit);
      } else if (got == 0 || errno != EINTR)
        Pipe::close_end(end);
    };
    drain(out.read_end, polled[0].revents, result.out);
    drain(err.read_end, polled[1].revents, result.err);
    if (in.write_end >= 0 && polled[2].revents != 0) {
      const ssize_t written = ::write(in.write_end, input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      if ((written < 0 && errno != EINTR && errno != EAGAIN) || input.empty())
        Pipe::close_end(in.write_end);
    }
  }
  return true;
}

// Waits for the end of the child itself, until the deadline or an interrupt; a child may close its
// output and go on. It stays a zombie, so that its number means nothing else yet.
bool wait_for(const ProcessCommand& command, pid_t pid, std::optional<Clock::time_point> deadline) {
  constexpr int kAtOnce = WEXITED | WNOWAIT | WNOHANG;
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  bool has_ended = false;
  while (!is_to_stop(command)) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, kAtOnce) != 0 && errno != EINTR) break;
    has_ended = info.si_pid == pid;
    if (has_ended) break;
    long long left = 1 << 30;
    if (deadline)
      left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
    if (left <= 0) break;
    std::array<pollfd, 2> polled{{{stop_descriptor_of(command), POLLIN, 0}, {handle, POLLIN, 0}}};
    ::poll(polled.data(), handle >= 0 ? 2 : 1,
           static_cast<int>(std::min<long long>(left, handle >= 0 ? 1 << 30 : 10)));
  }
  if (handle >= 0) ::close(handle);
  return has_ended;
}

// Ends the whole group: compilers that are interrupted may remove their temporary files first.
void end_group(pid_t pid) {
  if (stop_requested()) {
    ::kill(-pid, SIGTERM);
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    pollfd ended{handle, POLLIN, 0};
    if (handle >= 0) {
      ::poll(&ended, 1, 300);
      ::close(handle);
    }
  }
  ::kill(-pid, SIGKILL);
}

bool reap(pid_t pid, int& status, rusage& used) {
  pid_t waited = 0;
  while ((waited = ::wait4(pid, &status, 0, &used)) < 0 && errno == EINTR) {
  }
  return waited == pid;
}

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void cut(std::string& text, std::size_t limit) {
  if (limit != 0 && text.size() > limit) text.erase(0, text.size() - limit);
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const auto executable = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos)
    return executable(name) ? std::optional<std::filesystem::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate =
        std::filesystem::path(end == 0 ? "." : rest.substr(0, end)) / name;
    if (executable(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

Result<Finished> run(const ProcessCommand& command) {
  if (command.argv.empty()) return std::unexpected(cannot_start(command, EINVAL));
  const auto program = find_program(command.argv.front());
  if (!program) return std::unexpected(no_program(command.argv.front()));
  if (is_to_stop(command)) return std::unexpected(stopped(command.argv.front()));

  Pipe in, out, err, report;
  if (!in.open() || !out.open() || !err.open() || !report.open())
    return std::unexpected(cannot_start(command, errno));
  ::fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  Start start(command, *program);
  start.standard = {in.read_end, out.write_end, err.write_end};
  const auto started = Clock::now();
  const pid_t pid = fork_and_exec(start, report.write_end);
  if (pid < 0) return std::unexpected(cannot_start(command, errno));
  Pipe::close_end(in.read_end);
  Pipe::close_end(out.write_end);
  Pipe::close_end(err.write_end);
  const int failed = exec_error(report);
  const bool has_started = failed == 0;

  if (has_started && command.started) command.started(pid);
  const BrokenPipeGuard guard;
  Finished result;
  rusage used{};
  const auto deadline = command.timeout ? std::optional(started + *command.timeout) : std::nullopt;
  const bool has_ended = has_started && pump(in, out, err, command, result, deadline) &&
                         wait_for(command, pid, deadline);
  result.timed_out = has_started && !has_ended && !is_to_stop(command);
  // After a normal end, too: nothing that it left in the background outlives it.
  end_group(pid);
  disown_group(pid);
  int status = 0;
  if (!reap(pid, status, used))
    return fail("cannot wait for", command.argv.front(), errno_text(errno));
  if (!has_started) return std::unexpected(cannot_start(command, failed));
  // What an interrupt ended has no result.
  if (is_to_stop(command) && (!has_ended || status != 0))
    return std::unexpected(stopped(command.argv.front()));

  result.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  result.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  result.peak_resident_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  cut(result.out, command.output_limit);
  cut(result.err, command.output_limit);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.exit_code = exit_code_of(status);
  return result;
}

Result<int> run_in_foreground(const ProcessCommand& command) {
  if (command.argv.empty()) return std::unexpected(cannot_start(command, EINVAL));
  const auto program = find_program(command.argv.front());
  if (!program) return std::unexpected(no_program(command.argv.front()));
  Pipe report;
  if (!report.open()) return std::unexpected(cannot_start(command, errno));
  Start start(command, *program);
  // A terminal's keys are for one group, and send their signals to all of it.
  start.has_own_group = ::isatty(STDIN_FILENO) != 1;
  stop_on_interrupt();
  const pid_t pid = fork_and_exec(start, report.write_end);
  if (pid < 0) return std::unexpected(cannot_start(command, errno));
  const int failed = exec_error(report);
  if (failed == 0 && !wait_for(command, pid, {})) {
    const int signal = stop_signal();
    if (start.has_own_group)
      ::kill(-pid, signal);
    else if (signal != SIGINT)
      ::kill(pid, signal);
  }
  int status = 0;
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
  if (start.has_own_group) {
    ::kill(-pid, SIGKILL);  // what it left in the background
    disown_group(pid);
  }
  rusage ignored{};
  if (!reap(pid, status, ignored))
    return fail("cannot wait for", command.argv.front(), errno_text(errno));
  if (failed != 0) return std::unexpected(cannot_start(command, failed));
  return exit_code_of(status);
}

Error replace_process(const ProcessCommand& command) {
  if (command.argv.empty()) return cannot_start(command, EINVAL);
  const auto program = find_program(command.argv.front());
  if (!program) return no_program(command.argv.front());
  std::vector<std::string> arguments = command.argv;
  std::vector<std::string> environment = merged_environment(command);
  stop_cleanup();
  ::execve(program->c_str(), pointers(arguments).data(), pointers(environment).data());
  return cannot_start(command, errno);
}

std::string shell_quoted(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string line;
  for (const std::string& argument : argv) {
    if (!line.empty()) line += ' ';
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace hipwright
