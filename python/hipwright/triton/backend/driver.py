# SPDX-License-Identifier: MIT
"""Triton's driver when HIPWRIGHT_TRITON names a software GPU."""

import os

from .. import driver as _driver

VARIABLE = "HIPWRIGHT_TRITON"


class EnvironmentDriver(_driver.SoftDriver):
    def __init__(self):
        super().__init__(os.environ[VARIABLE], os.environ.get("HIPWRIGHT_SOFT_CHECK") or True)

    @staticmethod
    def is_active():
        return bool(os.environ.get(VARIABLE))
