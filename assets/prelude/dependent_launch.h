// Programmatic dependent launch, which NVRTC leaves out: nothing waits in a launch on its own.
#pragma once

#if __CUDA_ARCH__ >= 900
static __device__ inline void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
static __device__ inline void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
#endif
