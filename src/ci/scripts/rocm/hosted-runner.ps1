# On a hosted Windows runner: frees disk space and installs build tools in pinned versions. Elsewhere it changes nothing.
$ErrorActionPreference = 'Stop'
if ($env:RUNNER_ENVIRONMENT -ne 'github-hosted') {
  Write-Output 'not a hosted runner: nothing is changed'
  exit 0
}
foreach ($folder in 'C:\Android', 'C:\hostedtoolcache\windows\CodeQL', 'C:\Program Files\dotnet\sdk') {
  if (Test-Path $folder) { Remove-Item -Recurse -Force $folder -ErrorAction SilentlyContinue }
}
choco install ninja --version 1.12.1 --yes --no-progress
if ($LASTEXITCODE) { exit $LASTEXITCODE }
Get-PSDrive -PSProvider FileSystem
