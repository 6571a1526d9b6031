import subprocess

subprocess.check_output(["nvidia-smi", "-L"])  # reports: HP511
print("run nvidia-smi to see")
