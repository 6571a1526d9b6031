// SPDX-License-Identifier: MIT
// The jobs of a generated workflow, one function each. What is safe is the default: pinned actions,
// no credentials in checkouts, forks never on self-hosted runners, no event text in scripts, a
// limit for each job.
#pragma once

#include <string>
#include <vector>

#include "ci/init/steps.h"

namespace hipwright::ci {

// For the whole repository.
NewJob configure_job(const Repository& repository, const InitOptions& options, bool is_release);
NewJob lint_job();
// After `needs`, which made the assets.
NewJob release_job(std::vector<std::string> needs, const Repository& repository,
                   const InitOptions& options);
NewJob publish_job(const std::vector<std::string>& needs);
NewJob summary_job(const std::vector<NewJob>& jobs);

// For a component.
NewJob compile_job(const JobRequest& request);
NewJob compile_windows_job(const JobRequest& request);
NewJob software_job(const JobRequest& request);
NewJob build_kernels_job(const JobRequest& request);
NewJob build_gpu_job(const JobRequest& request);
NewJob build_gpu_windows_job(const JobRequest& request);
NewJob wheel_job(const JobRequest& request);  // pure Python
NewJob wheel_linux_job(const JobRequest& request);
NewJob wheel_windows_job(const JobRequest& request);
NewJob wheel_kernels_job(const JobRequest& request);
NewJob python_test_job(const JobRequest& request);
NewJob python_gpu_job(const JobRequest& request);
NewJob python_gpu_windows_job(const JobRequest& request);
NewJob profile_job(const JobRequest& request);
NewJob profile_windows_job(const JobRequest& request);

}  // namespace hipwright::ci
