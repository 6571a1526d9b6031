# usage: use-rocm.ps1 sdk|runner
# Makes a HIP installation the one that later steps use: HIP_PATH, ROCM_PATH and PATH.
#   sdk     AMD's HIP SDK from HIP_SDK_URL, installed if it is not there; the installer must be signed by AMD
#   runner  what is installed on a self-hosted runner
# ROCM_PATH, if it is set, is used in both cases. ROCM_EXTRA_BIN_DIRS and ROCM_EXTRA_LIB_DIRS are
# further directories, separated by semicolons.
param([Parameter(Mandatory = $true)][ValidateSet('sdk', 'runner')][string]$Kind)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$root = Join-Path $env:ProgramFiles 'AMD\ROCm'

function Find-Hip {
  if ($env:ROCM_PATH) { return $env:ROCM_PATH }
  if (-not (Test-Path $root)) { return $null }
  $newest = Get-ChildItem $root -Directory |
    Where-Object { $_.Name -match '^\d+\.\d+' } |
    Sort-Object { [version]$_.Name } |
    Select-Object -Last 1
  if ($newest) { return $newest.FullName }
  return $null
}

function Install-HipSdk {
  $installer = Join-Path $env:RUNNER_TEMP 'hip-sdk.exe'
  Invoke-WebRequest -Uri $env:HIP_SDK_URL -OutFile $installer
  $signature = Get-AuthenticodeSignature $installer
  if ($signature.Status -ne 'Valid' -or $signature.SignerCertificate.Subject -notmatch 'Advanced Micro Devices') {
    throw "$($env:HIP_SDK_URL) is not signed by AMD: $($signature.Status)"
  }
  $process = Start-Process $installer -ArgumentList '-install' -PassThru
  # The installer has been seen to hang.
  if (-not $process.WaitForExit(1200000)) {
    $process.Kill()
    throw 'the installer of the HIP SDK did not end in 20 minutes'
  }
  if ($process.ExitCode -ne 0) { throw "the installer of the HIP SDK failed: exit code $($process.ExitCode)" }
}

$hip = Find-Hip
if (-not $hip -and $Kind -eq 'sdk') {
  Install-HipSdk
  $hip = Find-Hip
}
if (-not $hip -or -not (Test-Path (Join-Path $hip 'bin'))) {
  Write-Output "::error::there is no HIP SDK in $root : install it, or set the repository variable ROCM_PATH_WINDOWS"
  exit 1
}
@("HIP_PATH=$hip", "ROCM_PATH=$hip", "ROCM_HOME=$hip") | Add-Content -Path $env:GITHUB_ENV
# Windows looks for DLLs in PATH, too. The last line comes first.
foreach ($list in $env:ROCM_EXTRA_LIB_DIRS, $env:ROCM_EXTRA_BIN_DIRS) {
  if ($list) { $list -split ';' | Where-Object { $_ } | Add-Content -Path $env:GITHUB_PATH }
}
Join-Path $hip 'bin' | Add-Content -Path $env:GITHUB_PATH
Write-Output "HIP: $hip"
