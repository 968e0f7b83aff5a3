// Leaves out the two thirds of <cuda/ptx> that few texts use, which halves NVRTC's time. Included
// before a text that names none of it. Where another version of these headers has
// other guards, they are included as always.
#pragma once

// Types of 8, 6 and 4 bits, for which CCCL includes 250 KB: its own switch for them.
#define CCCL_DISABLE_NVFP8_SUPPORT

// cuda::ptx::ld and ld_…, a load with each combination of hints.
#define _CUDA_PTX_LD_H_

// cuda::ptx::multimem_…
#define _CUDA_PTX_MULTIMEM_LD_REDUCE_H_
#define _CUDA_PTX_MULTIMEM_RED_H_
#define _CUDA_PTX_MULTIMEM_ST_H_

// cuda::ptx::tcgen05_…
#define _CUDA_PTX_TCGEN05_ALLOC_H_
#define _CUDA_PTX_TCGEN05_COMMIT_H_
#define _CUDA_PTX_TCGEN05_CP_H_
#define _CUDA_PTX_TCGEN05_FENCE_H_
#define _CUDA_PTX_TCGEN05_LD_H_
#define _CUDA_PTX_TCGEN05_MMA_H_
#define _CUDA_PTX_TCGEN05_MMA_WS_H_
#define _CUDA_PTX_TCGEN05_SHIFT_H_
#define _CUDA_PTX_TCGEN05_ST_H_
#define _CUDA_PTX_TCGEN05_WAIT_H_
