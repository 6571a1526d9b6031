#include <stdio.h>
int nothing_of_cuda();
