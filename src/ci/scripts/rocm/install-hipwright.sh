#!/usr/bin/env bash
# Installs hipwright from HIPWRIGHT_URL, whose digest must be HIPWRIGHT_SHA256, unless it is in PATH.
set -euo pipefail
if command -v hipwright >/dev/null; then
  hipwright --version
  exit 0
fi
if [ -z "${HIPWRIGHT_URL:-}" ] || [ -z "${HIPWRIGHT_SHA256:-}" ]; then
  echo "::error::set the repository variables HIPWRIGHT_URL and HIPWRIGHT_SHA256"
  exit 1
fi
curl -fsSL --retry 3 -o "$RUNNER_TEMP/hipwright.tar.gz" "$HIPWRIGHT_URL"
echo "$HIPWRIGHT_SHA256  $RUNNER_TEMP/hipwright.tar.gz" | sha256sum -c -
mkdir -p "$RUNNER_TEMP/hipwright"
tar -xzf "$RUNNER_TEMP/hipwright.tar.gz" -C "$RUNNER_TEMP/hipwright" --strip-components 1
echo "$RUNNER_TEMP/hipwright/bin" >>"$GITHUB_PATH"
