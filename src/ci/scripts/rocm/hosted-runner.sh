#!/usr/bin/env bash
# usage: hosted-runner.sh [disk] [PACKAGE…]
# On a hosted Linux runner: frees disk space, installs packages. Elsewhere it changes nothing.
set -euo pipefail
if [ "${RUNNER_ENVIRONMENT:-}" != github-hosted ]; then
  echo "not a hosted runner: nothing is changed"
  exit 0
fi
if [ "${1:-}" = disk ]; then
  shift
  sudo rm -rf /usr/local/lib/android /usr/share/dotnet /opt/ghc /usr/local/.ghcup /opt/hostedtoolcache/CodeQL
  df -h /
fi
if [ $# -gt 0 ]; then
  sudo apt-get update
  sudo apt-get install --yes --no-install-recommends "$@"
fi
