// SPDX-License-Identifier: MIT
#pragma once
void run(int n, float* host);
void more(int n, float* host);
