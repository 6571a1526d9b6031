# Prints facts about a Windows machine for `hipwright doctor --facts FILE`. Reads only; needs no rights of an administrator.
# usage: powershell -ExecutionPolicy Bypass -File probe.ps1 > facts.json
$ErrorActionPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [System.Text.Encoding]::UTF8

function Get-Output([string]$Path, [string[]]$Arguments) {
    $result = [ordered]@{ exit_code = $null; timed_out = $false; out = '' }
    if (-not $Path) { return $result }
    $info = New-Object System.Diagnostics.ProcessStartInfo
    $info.FileName = $Path
    $info.Arguments = $Arguments -join ' '
    $info.RedirectStandardOutput = $true
    $info.RedirectStandardError = $true
    $info.UseShellExecute = $false
    try {
        $process = [System.Diagnostics.Process]::Start($info)
        $reading = $process.StandardOutput.ReadToEndAsync()
        $errors = $process.StandardError.ReadToEndAsync()
        if (-not $process.WaitForExit(30000)) {
            $process.Kill()
            $result.timed_out = $true
        } else {
            $result.exit_code = $process.ExitCode
        }
        $result.out = $reading.Result + $errors.Result
    } catch {
        $result.out = $_.Exception.Message
    }
    return $result
}

function Get-ProgramPath([string]$Name) {
    $command = Get-Command $Name -CommandType Application | Select-Object -First 1
    if ($command) { return $command.Source }
    return $null
}

$system = Get-CimInstance Win32_OperatingSystem
$computer = Get-CimInstance Win32_ComputerSystem

$programs = [ordered]@{}
foreach ($name in 'git', 'cmake', 'ninja', 'python', 'hipcc', 'docker') {
    $path = Get-ProgramPath $name
    if (-not $path) { continue }
    $version = ''
    if ((Get-Output $path @('--version')).out -match '\d+(\.\d+)+') { $version = $Matches[0] }
    $key = $name
    if ($name -eq 'python') { $key = 'python3' }
    $programs[$key] = [ordered]@{ path = $path; version = $version }
}

$disks = @()
foreach ($disk in Get-CimInstance Win32_LogicalDisk -Filter 'DriveType=3') {
    $disks += [ordered]@{ path = $disk.DeviceID; total = [uint64]$disk.Size; free = [uint64]$disk.FreeSpace }
}

$environment = [ordered]@{}
foreach ($name in 'HIP_PATH', 'HIP_VISIBLE_DEVICES', 'CUDA_VISIBLE_DEVICES', 'PYTORCH_ROCM_ARCH', 'HIPWRIGHT_HIP_ARCHES',
    'AMDGPU_TARGETS', 'GPU_TARGETS', 'ROCM_PATH', 'ROCM_HOME', 'HIP_PLATFORM', 'MAX_JOBS') {
    $value = [Environment]::GetEnvironmentVariable($name)
    if ($value) { $environment[$name] = $value }
}

$adapters = @()
$drivers = @()
foreach ($adapter in Get-CimInstance Win32_VideoController) {
    if ($adapter.PNPDeviceID -notmatch 'VEN_1002') { continue }
    $adapters += [string]$adapter.Name
    $drivers += [string]$adapter.DriverVersion
}

# The display driver installs amdhip64_6.dll or amdhip64_7.dll into System32; loading needs P/Invoke.
$loads = $false
$loadError = ''
try {
    Add-Type -Namespace Hipwright -Name Native -MemberDefinition '[DllImport("kernel32", SetLastError = true, CharSet = CharSet.Unicode)] public static extern System.IntPtr LoadLibrary(string name);'
    foreach ($dll in 'amdhip64_7.dll', 'amdhip64_6.dll', 'amdhip64.dll') {
        if ([Hipwright.Native]::LoadLibrary($dll) -ne [IntPtr]::Zero) { $loads = $true; break }
        $loadError = $dll + ': error ' + [Runtime.InteropServices.Marshal]::GetLastWin32Error()
    }
} catch {
    $loads = $null
    $loadError = $_.Exception.Message
}
if ($loads) { $loadError = '' }

$hipPath = [string][Environment]::GetEnvironmentVariable('HIP_PATH')
$hipExists = $null
if ($hipPath) { $hipExists = [bool](Test-Path $hipPath) }
$hipInfoPath = Get-ProgramPath 'hipInfo'
if (-not $hipInfoPath -and $hipPath -and (Test-Path (Join-Path $hipPath 'bin\hipInfo.exe'))) {
    $hipInfoPath = Join-Path $hipPath 'bin\hipInfo.exe'
}
$hipInfo = Get-Output $hipInfoPath @()
$runtime = $null
if ($hipInfo.exit_code -eq 0) {
    $runtime = @([regex]::Matches($hipInfo.out, 'gcnArchName:\s*(\S+)') | ForEach-Object { $_.Groups[1].Value })
}

$studio = ''
$cpp = $null
$vswhere = Join-Path ${env:ProgramFiles(x86)} 'Microsoft Visual Studio\Installer\vswhere.exe'
if (Test-Path $vswhere) {
    $studio = ((Get-Output $vswhere @('-version', '[17.0,18.0)', '-products', '*', '-requires', 'Microsoft.VisualStudio.Component.VC.Tools.x86.x64', '-property', 'installationPath')).out).Trim()
    $cpp = [bool]$studio
} else {
    $cpp = $false
}

$longPaths = $null
$policy = Get-ItemProperty -Path 'HKLM:\SYSTEM\CurrentControlSet\Control\FileSystem' -Name LongPathsEnabled
if ($policy) { $longPaths = [bool]$policy.LongPathsEnabled }

$network = @()
foreach ($name in 'github.com', 'api.github.com', 'pypi.org', 'files.pythonhosted.org', 'download.pytorch.org', 'download.microsoft.com') {
    $reachable = $true
    $reason = ''
    try {
        $null = Invoke-WebRequest -Uri "https://$name/" -Method Head -TimeoutSec 10 -UseBasicParsing -ErrorAction Stop
    } catch {
        # An answer with an error code is an answer.
        if (-not $_.Exception.Response) { $reachable = $false; $reason = $_.Exception.Message }
    }
    $network += [ordered]@{ host = $name; reachable = $reachable; error = $reason }
}

$runner = $null
$workspace = (Get-Location).Path
$service = Get-CimInstance Win32_Service | Where-Object { $_.Name -like 'actions.runner.*' } | Select-Object -First 1
if ($service) {
    $directory = Split-Path -Parent (Split-Path -Parent ($service.PathName.Trim('"')))
    $workspace = Join-Path $directory '_work'
    $ephemeral = $null
    $settings = Join-Path $directory '.runner'
    if (Test-Path $settings) {
        $ephemeral = [string](Get-Content -Raw $settings | ConvertFrom-Json).ephemeral -eq 'True'
    }
    $runner = [ordered]@{
        directory = $directory; ephemeral = $ephemeral; url = ''
        account = [ordered]@{ name = [string]$service.StartName; uid = $null; groups = @(); home = '' }
        has_job_started_hook = $false; has_job_completed_hook = $false
    }
}

$facts = [ordered]@{
    schema = 'hipwright-host-facts/1'
    host = [string]$env:COMPUTERNAME
    time = (Get-Date).ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ')
    os = 'windows'
    os_name = [string]$system.Caption
    kernel = [string]$system.Version
    machine = [string]$env:PROCESSOR_ARCHITECTURE
    account = [ordered]@{ name = [string]$env:USERNAME; uid = $null; groups = @(); home = [string]$env:USERPROFILE }
    cpus = [int]$env:NUMBER_OF_PROCESSORS
    memory_total = [uint64]$computer.TotalPhysicalMemory
    memory_available = [uint64]$system.FreePhysicalMemory * 1024
    disks = @($disks)
    environment = $environment
    programs = $programs
    runtime = $runtime
    network = @($network)
    runner = $runner
    windows = [ordered]@{
        build = [int]$system.BuildNumber
        edition = [string]$system.Caption
        hip_path = $hipPath
        hip_path_exists = $hipExists
        amdhip64_loads = $loads
        amdhip64_error = $loadError
        visual_cpp = $cpp
        visual_studio = $studio
        long_paths = $longPaths
        workspace = $workspace
        display_adapters = @($adapters)
        driver_versions = @($drivers)
        hipinfo = $hipInfo
        winget = [bool](Get-ProgramPath 'winget')
        choco = [bool](Get-ProgramPath 'choco')
    }
}
$facts | ConvertTo-Json -Depth 6
