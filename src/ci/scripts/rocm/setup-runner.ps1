# Sets up a self-hosted Windows runner for jobs on AMD GPUs: Windows 11, run as administrator. Running it again changes nothing.
#
# usage: setup-runner.ps1 [-Check] [-RunnerDirectory DIRECTORY]
#   -Check            print what would change; exit with 1 if something would
#   -RunnerDirectory  where actions-runner is unpacked: its .env is written
#
# The driver (AMD Software: PRO Edition) and the HIP SDK are not installed here: both ask for a restart.
# Afterwards register the runner, for one job at a time:
#   .\config.cmd --url https://github.com/OWNER/REPOSITORY --token TOKEN --labels "Windows,ROCm" --ephemeral
param([switch]$Check, [string]$RunnerDirectory = '')
$ErrorActionPreference = 'Stop'
$script:changes = 0

function Invoke-Change([string]$What, [scriptblock]$Action) {
  Write-Output $What
  $script:changes += 1
  if (-not $Check) { & $Action }
}

# Pinned: an upgrade is a change of this list, not of the day on which a machine was set up.
$packages = @(
  @{ Id = 'Microsoft.PowerShell'; Version = '7.5.1' },
  @{ Id = 'Python.Python.3.11'; Version = '3.11.9' },
  @{ Id = 'Kitware.CMake'; Version = '3.31.6' },
  @{ Id = 'Ninja-build.Ninja'; Version = '1.12.1' },
  @{ Id = 'Git.Git'; Version = '2.49.0' }
)
foreach ($package in $packages) {
  $listed = winget list --id $package.Id --exact --accept-source-agreements 2>$null | Out-String
  if ($listed -notmatch [regex]::Escape($package.Version)) {
    Invoke-Change "install $($package.Id) $($package.Version)" {
      winget install --id $package.Id --version $package.Version --exact --silent --scope machine --accept-package-agreements --accept-source-agreements
      if ($LASTEXITCODE) { throw "winget failed: exit code $LASTEXITCODE" }
    }
  }
  $pinned = winget pin list 2>$null | Out-String
  if ($pinned -notmatch [regex]::Escape($package.Id)) {
    Invoke-Change "pin $($package.Id)" { winget pin add --id $package.Id --exact | Out-Null }
  }
}

# Visual Studio Build Tools 2022 with the C++ workload.
$vswhere = Join-Path ${env:ProgramFiles(x86)} 'Microsoft Visual Studio\Installer\vswhere.exe'
$tools = ''
if (Test-Path $vswhere) {
  $tools = & $vswhere -products '*' -version '[17.0,18.0)' -requires Microsoft.VisualStudio.Component.VC.Tools.x86.x64 -property installationPath
}
if (-not $tools) {
  Invoke-Change 'install Visual Studio Build Tools 2022 with C++' {
    winget install --id Microsoft.VisualStudio.2022.BuildTools --exact --silent --accept-package-agreements --accept-source-agreements --override '--quiet --wait --norestart --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended'
    if ($LASTEXITCODE) { throw "winget failed: exit code $LASTEXITCODE" }
  }
}

# Paths of more than 260 characters: build trees have them.
$fileSystem = 'HKLM:\SYSTEM\CurrentControlSet\Control\FileSystem'
if ((Get-ItemProperty $fileSystem -Name LongPathsEnabled -ErrorAction SilentlyContinue).LongPathsEnabled -ne 1) {
  Invoke-Change 'enable long paths' { Set-ItemProperty $fileSystem -Name LongPathsEnabled -Value 1 -Type DWord }
}

# Storage Sense works per user and needs a session, which a service's account does not have.
$task = 'ROCm runner disk cleanup'
if (-not (Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue)) {
  Invoke-Change "schedule '$task'" {
    $command = 'Get-ChildItem $env:SystemRoot\Temp, C:\Users\*\AppData\Local\pip\cache -Recurse -File -ErrorAction SilentlyContinue | Where-Object LastWriteTime -lt (Get-Date).AddDays(-14) | Remove-Item -Force -ErrorAction SilentlyContinue'
    $encoded = [Convert]::ToBase64String([Text.Encoding]::Unicode.GetBytes($command))
    $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument "-NoProfile -EncodedCommand $encoded"
    $trigger = New-ScheduledTaskTrigger -Daily -At '03:00'
    Register-ScheduledTask -TaskName $task -Action $action -Trigger $trigger -User 'NT AUTHORITY\SYSTEM' | Out-Null
  }
}

# The runner's service reads this file, not the environment of an account.
if ($RunnerDirectory) {
  if (-not (Test-Path $RunnerDirectory)) { throw "there is no directory '$RunnerDirectory'" }
  $file = Join-Path $RunnerDirectory '.env'
  $lines = @()
  if (Test-Path $file) { $lines = @(Get-Content $file) }
  $hip = [Environment]::GetEnvironmentVariable('HIP_PATH', 'Machine')
  if ($hip -and ($lines -notcontains "HIP_PATH=$hip")) {
    Invoke-Change "add HIP_PATH to $file" { Add-Content -Path $file -Value "HIP_PATH=$hip" }
  }
}

if (-not (Test-Path (Join-Path $env:ProgramFiles 'AMD\ROCm'))) {
  Write-Output 'warning: no HIP SDK in Program Files\AMD\ROCm: install it from AMD'
}
if ($script:changes -eq 0) {
  Write-Output 'nothing to change'
} elseif ($Check) {
  exit 1
}
