// The driver's interface is the host's: of it, the names that stand in kernels' files.
#pragma once
#define CUDA_VERSION 13000
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUtexObject = unsigned long long;
using CUsurfObject = unsigned long long;
