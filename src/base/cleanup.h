// SPDX-License-Identifier: MIT
// What must not outlive this process, however it ends: the programs that it started, its temporary
// files and directories. A second process waits for the end of this one, kill -9 included, ends
// what still runs and removes what is left.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace hipwright {

// Starts the second process. Called once, by main, before there are threads. Without it (a library
// in another program, or no process to be had) started programs still end with their parent.
void start_cleanup();
bool has_cleanup() noexcept;
// Removes what is left and waits for the second process: before main returns, and before this
// process becomes another program.
void stop_cleanup() noexcept;

// A process group that run() started, until it has ended.
void own_group(pid_t group) noexcept;
void disown_group(pid_t group) noexcept;

// A file, or a directory with its content.
void own_path(const std::filesystem::path& path);
void disown_path(const std::filesystem::path& path);

// Cleans up now and waits for it: the last act before _exit(). Async-signal-safe. Groups are ended
// without the second process too.
void clean_up() noexcept;

}  // namespace hipwright
