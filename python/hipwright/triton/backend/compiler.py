# SPDX-License-Identifier: MIT
"""Triton asks each backend for a compiler: this one has none, since Triton's own AMD compiler is used."""

from triton.backends import compiler as _triton


class NoCompiler(_triton.BaseBackend):
    @staticmethod
    def supports_target(target):
        return False

    def hash(self):
        return "hipwright"

    def parse_options(self, options):
        raise NotImplementedError

    def add_stages(self, stages, options, language=None):
        raise NotImplementedError

    def load_dialects(self, context):
        raise NotImplementedError

    def get_module_map(self):
        return {}

    def pack_metadata(self, metadata):
        raise NotImplementedError

    def get_codegen_implementation(self, options):
        raise NotImplementedError
