# SPDX-License-Identifier: MIT
import hipwright.soft


def pytest_configure(config):
    # The checks are chosen when the process first uses a software GPU, whichever test that is.
    hipwright.soft.load()
