#!/bin/sh
nvcc -O2 -arch=sm_80 -o sum sum.cu  # reports: HP410
nvidia-smi -L  # reports: HP410
