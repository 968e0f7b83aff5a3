__constant__ float kTable[32]={1,2,3};
__device__ float dTable[32]={1,2,3};
extern "C" __global__ void k_race_missing_second_sync(const float*a,const float*b,float*c,int n){ __shared__ float A[16][16],B[16][16]; int x=threadIdx.x,y=threadIdx.y; float s=0;
 for(int t=0;t<n/16;++t){ A[y][x]=a[(blockIdx.y*16+y)*n+t*16+x];
 B[y][x]=b[(t*16+y)*n+blockIdx.x*16+x]; __syncthreads();
 for(int k=0;k<16;++k) s+=A[y][k]*B[k][x]; }
 c[(blockIdx.y*16+y)*n+blockIdx.x*16+x]=s; }
extern "C" __global__ void k_ok_matmul(const float*a,const float*b,float*c,int n){ __shared__ float A[16][16],B[16][16]; int x=threadIdx.x,y=threadIdx.y; float s=0;
 for(int t=0;t<n/16;++t){ A[y][x]=a[(blockIdx.y*16+y)*n+t*16+x];
 B[y][x]=b[(t*16+y)*n+blockIdx.x*16+x]; __syncthreads();
 for(int k=0;k<16;++k) s+=A[y][k]*B[k][x]; __syncthreads(); }
 c[(blockIdx.y*16+y)*n+blockIdx.x*16+x]=s; }
extern "C" __global__ void k_race_global_blocks(float*a){ int i=blockIdx.x*blockDim.x+threadIdx.x; a[i]=a[i+64 < 256 ? i+64 : i]+1; }
extern "C" __global__ void k_race_global_counter(int*a){ a[0]+=1; }
extern "C" __global__ void k_ok_global_atomic(int*a){ atomicAdd(a,1); }
extern "C" __global__ void k_ok_last_block(const float*in,volatile float*part,unsigned*count,float*out){ __shared__ float s[64]; __shared__ bool last; int t=threadIdx.x; s[t]=in[blockIdx.x*64+t]; __syncthreads();
 for(int d=32;d;d>>=1){ if(t<d) s[t]+=s[t+d]; __syncthreads(); }
 if(t==0){ part[blockIdx.x]=s[0]; __threadfence(); unsigned c=atomicAdd(count,1u); last=(c==gridDim.x-1); } __syncthreads();
 if(last && t==0){ __threadfence(); float r=0; for(int i=0;i<gridDim.x;++i) r+=part[i]; *out=r; } }
extern "C" __global__ void k_race_last_block_nofence(const float*in,float*part,unsigned*count,float*out){ __shared__ bool last; int t=threadIdx.x;
 if(t==0){ part[blockIdx.x]=in[blockIdx.x]; unsigned c=atomicAdd(count,1u); last=(c==gridDim.x-1); } __syncthreads();
 if(last && t==0){ float r=0; for(int i=0;i<gridDim.x;++i) r+=part[i]; *out=r; } }
extern "C" __global__ void k_race_histogram_shared(const unsigned*in,unsigned*out){ __shared__ unsigned h[16]; if(threadIdx.x<16) h[threadIdx.x]=0; __syncthreads(); h[in[threadIdx.x]&15]++; __syncthreads(); if(threadIdx.x<16) out[threadIdx.x]=h[threadIdx.x]; }
extern "C" __global__ void k_race_hist_init_nosync(const unsigned*in,unsigned*out){ __shared__ unsigned h[64]; if(threadIdx.x<64) h[threadIdx.x]=0; atomicAdd(&h[in[threadIdx.x]&63],1u); __syncthreads(); if(threadIdx.x<64) out[threadIdx.x]=h[threadIdx.x]; }
extern "C" __global__ void k_race_atomic_plain(unsigned*out){ __shared__ unsigned c; if(threadIdx.x==0) c=0; __syncthreads(); atomicAdd(&c,1u); if(threadIdx.x==0) out[0]=c; }
extern "C" __global__ void k_ok_warp_shfl(const float*in,float*out){ float v=in[threadIdx.x]; for(int d=16;d;d>>=1) v+=__shfl_down_sync(~0u,v,d); if(threadIdx.x%32==0) atomicAdd(out,v); }
extern "C" __global__ void k_shfl_mask_wrong(const float*in,float*out){ float v=in[threadIdx.x]; if(threadIdx.x<16) v+=__shfl_down_sync(~0u,v,8); out[threadIdx.x]=v; }
extern "C" __global__ void k_shfl_inactive_source(const float*in,float*out){ float v=in[threadIdx.x]; if(threadIdx.x<20) v=__shfl_sync(0xfffffu,v,25); out[threadIdx.x]=v; }
extern "C" __global__ void k_barrier_in_loop_uneven(float*out){ __shared__ float s[64]; for(int i=0;i<(threadIdx.x<32?2:3);++i){ s[threadIdx.x]=i; __syncthreads(); } out[threadIdx.x]=s[threadIdx.x]; }
extern "C" __global__ void k_barrier_two_places(float*out){ __shared__ float s[64]; s[threadIdx.x]=1; if(threadIdx.x<32) { __syncthreads(); s[threadIdx.x]+=1; } else { __syncthreads(); s[threadIdx.x]+=2; } out[threadIdx.x]=s[threadIdx.x]; }
extern "C" __global__ void k_barrier_return_early_ok(float*out,int n){ int i=blockIdx.x*blockDim.x+threadIdx.x; __shared__ float s[64]; if(i>=n) return; s[threadIdx.x]=i; __syncthreads(); out[i]=s[threadIdx.x]; }
extern "C" __global__ void k_uninit_local(float*out,int n){ float a[8]; for(int i=0;i<n;++i) a[i]=i; float s=0; for(int i=0;i<8;++i) s+=a[(i*n+threadIdx.x)&7]; out[threadIdx.x]=s; }
extern "C" __global__ void k_uninit_shared_tail(const float*in,float*out,int n){ __shared__ float s[34]; int t=threadIdx.x; s[t+1]=in[t]; __syncthreads(); out[t]=s[t]+s[t+1]+s[t+2]; }
extern "C" __global__ void k_oob_2d(const float*in,float*out,int w,int h){ int x=blockIdx.x*blockDim.x+threadIdx.x,y=blockIdx.y*blockDim.y+threadIdx.y; if(x<w) out[y*w+x]=in[y*w+x]; }
extern "C" __global__ void k_oob_shared_neighbour(const float*in,float*out){ __shared__ float a[32]; __shared__ float b[32]; int t=threadIdx.x; a[t]=in[t]; b[t]=0; __syncthreads(); a[t+(int)(in[0]>-2)]=2; __syncthreads(); out[t]=a[t]+b[t]; }
extern "C" __global__ void k_oob_other_buffer(float*a,float*b,int d){ a[threadIdx.x+d]=1; b[threadIdx.x]=2; }
extern "C" __global__ void k_oob_dynamic_shared(float*o){ extern __shared__ float s[]; s[threadIdx.x]=1; __syncthreads(); o[threadIdx.x]=s[threadIdx.x]; }
extern "C" __global__ void k_oob_dynamic_split(float*o,int n){ extern __shared__ float s[]; float*b=s+n; b[threadIdx.x]=1; s[threadIdx.x]=2; __syncthreads(); o[threadIdx.x]=s[threadIdx.x]+b[threadIdx.x]; }
extern "C" __global__ void k_misaligned_double(char*p,double*o){ o[threadIdx.x]=*(double*)(p+4+8*threadIdx.x); }
extern "C" __global__ void k_misaligned_shared(float*o){ __shared__ float s[68]; s[threadIdx.x]=1; s[threadIdx.x+4]=2; __syncthreads(); float2 v=*(float2*)(s+1+2*(threadIdx.x/2)); o[threadIdx.x]=v.x+v.y; }
extern "C" __global__ void k_null_read(const float*a,float*o){ o[threadIdx.x]=a[threadIdx.x]; }
extern "C" __global__ void k_wild_host(long long a,float*o){ o[threadIdx.x]=((const float*)a)[threadIdx.x]; }
extern "C" __global__ void k_use_after_scope(float*o){ float*p; { float a[4]; for(int i=0;i<4;++i) a[i]=i+threadIdx.x; p=a; } o[threadIdx.x]=p[threadIdx.x&3]; }
extern "C" __global__ void k_shared_ptr_from_global(float*o){ __shared__ float s[32]; s[threadIdx.x]=threadIdx.x; __syncthreads(); float*p=&s[0]; o[threadIdx.x]=p[threadIdx.x+32*(o[0]==0)]; }
extern "C" __global__ void k_ok_union_cast(unsigned*o){ __shared__ unsigned char s[128]; for(int i=0;i<4;++i) s[threadIdx.x*4+i]=i; __syncthreads(); o[threadIdx.x]=((unsigned*)s)[threadIdx.x]; }
extern "C" __global__ void k_deadlock_spin(volatile int*f,float*o){ if(threadIdx.x==0){ while(f[0]==0); } o[threadIdx.x]=1; }
extern "C" __global__ void k_lock_forgotten(int*l,int*o){ while(atomicCAS(l,0,1)!=0); o[0]+=1; __threadfence(); }
extern "C" __global__ void k_ok_lock(int*l,int*o){ bool d=false; while(!d){ if(atomicCAS(l,0,1)==0){ volatile int*v=o; *v=*v+1; __threadfence(); atomicExch(l,0); d=true; } } }
extern "C" __global__ void k_ok_volatile_warp_old(const float*in,float*out){ __shared__ volatile float s[64]; int t=threadIdx.x; s[t]=in[t]; if(t+16<32){ } __syncwarp(); for(int d=16;d;d>>=1){ float v=s[t]+ (t<d? s[t+d]:0); __syncwarp(); s[t]=v; __syncwarp(); } out[t]=s[0]; }
extern "C" __global__ void k_ok_double_buffer(const float*in,float*out){ __shared__ float s[2][64]; float r=0; for(int i=0;i<4;++i){ s[i&1][threadIdx.x]=in[i*64+threadIdx.x]; __syncthreads(); r+=s[i&1][63-threadIdx.x]; } out[threadIdx.x]=r; }
extern "C" __global__ void k_race_double_buffer(const float*in,float*out){ __shared__ float s[2][64]; float r=0; s[0][threadIdx.x]=in[threadIdx.x]; for(int i=0;i<3;++i){ __syncthreads(); s[(i+1)&1][threadIdx.x]=in[(i+1)*64+threadIdx.x]; r+=s[(i+1)&1][63-threadIdx.x]; } out[threadIdx.x]=r; }
extern "C" __global__ void k_ok_transpose_tile(const float*in,float*out,int n){ __shared__ float t[32][33]; int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y; for(int j=0;j<32;j+=8) t[threadIdx.y+j][threadIdx.x]=in[(y+j)*n+x]; __syncthreads(); x=blockIdx.y*32+threadIdx.x;y=blockIdx.x*32+threadIdx.y; for(int j=0;j<32;j+=8) out[(y+j)*n+x]=t[threadIdx.x][threadIdx.y+j]; }
extern "C" __global__ void k_race_transpose_overlap(const float*in,float*out,int n){ int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*8+threadIdx.y; out[x*16+y]=in[y*n+x]; }
extern "C" __global__ void k_race_inplace_transpose(float*a,int n){ int x=blockIdx.x*16+threadIdx.x,y=blockIdx.y*16+threadIdx.y; float v=a[y*n+x]; a[x*n+y]=v; }
extern "C" __global__ void k_race_stencil_inplace_1block(float*a,int n){ int i=threadIdx.x; if(i>0&&i<n-1) a[i]=(a[i-1]+a[i+1])*0.5f; }
extern "C" __global__ void k_leak(int*o){ int*p=(int*)malloc(16); p[0]=threadIdx.x; o[threadIdx.x]=p[0]; }
extern "C" __global__ void k_double_free(int*o){ int*p=(int*)malloc(16); p[0]=threadIdx.x; o[threadIdx.x]=p[0]; free(p); free(p); }
extern "C" __global__ void k_use_after_free(int*o){ int*p=(int*)malloc(16); p[0]=threadIdx.x; free(p); o[threadIdx.x]=p[0]; }
extern "C" __global__ void k_oob_heap(int*o,int n){ int*p=(int*)malloc(16); for(int i=0;i<=n;++i) p[i]=i; o[threadIdx.x]=p[n&3]; free(p); }
extern "C" __global__ void k_const_write_input(const float*in,float*o){ ((float*)in)[threadIdx.x]=1; o[threadIdx.x]=in[threadIdx.x]; }
extern "C" __global__ void k_ok_named_count(const float*in,float*out){ __shared__ float s[128]; int t=threadIdx.x; if(t<64){ s[t]=in[t]; asm volatile("bar.sync 1, 64;":::"memory"); out[t]=s[63-t]; } else { s[t]=in[t]; asm volatile("bar.sync 2, 64;":::"memory"); out[t]=s[127-(t-64)]; } }
extern "C" __global__ void k_race_named_wrong_id(const float*in,float*out){ __shared__ float s[128]; int t=threadIdx.x; s[t]=in[t]; if(t<64){ asm volatile("bar.sync 1, 64;":::"memory"); } else { asm volatile("bar.sync 2, 64;":::"memory"); } out[t]=s[127-t]; }
extern "C" __global__ void k_ok_producer_consumer(const float*in,float*out){ __shared__ float s[32]; int t=threadIdx.x; if(t<32){ s[t]=in[t]; __threadfence_block(); asm volatile("bar.arrive 1, 64;":::"memory"); } else { asm volatile("bar.sync 1, 64;":::"memory"); out[t-32]=s[t-32]; } }
extern "C" __global__ void k_syncwarp_partial(const float*in,float*out){ __shared__ float s[32]; int t=threadIdx.x; s[t]=in[t]; if(t<16) { __syncwarp(0xffff); out[t]=s[15-t]; } else { __syncwarp(0xffff0000); out[t]=s[47-t]; } }
extern "C" __global__ void k_race_syncwarp_partial(const float*in,float*out){ __shared__ float s[32]; int t=threadIdx.x; s[t]=in[t]; if(t<16) { __syncwarp(0xffff); out[t]=s[31-t]; } else { __syncwarp(0xffff0000); out[t]=s[31-t]; } }
extern "C" __global__ void k_recursion_endless(int*o){ struct R{ static __device__ __noinline__ int f(int x){ volatile int a[16]; a[x&15]=x; return x<0?0:f(x+1)+a[3]; } }; o[0]=R::f(threadIdx.x); }
extern "C" __global__ void k_oob_const(float*o,int n){ o[threadIdx.x]=kTable[threadIdx.x+n]; }
extern "C" __global__ void k_oob_device_var(float*o,int n){ o[threadIdx.x]=dTable[threadIdx.x+n]; }
extern "C" __global__ void k_race_clear_by_blocks(int*hist,const unsigned*in){ if(threadIdx.x<16) hist[threadIdx.x]=0; __syncthreads(); atomicAdd(&hist[in[blockIdx.x*64+threadIdx.x]&15],1); }
extern "C" __global__ void k_ok_grid_stride(const float*in,float*out,int n){ for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x) out[i]=in[i]*2; }
extern "C" __global__ void k_ok_same_value_blocks(int*flag,const float*in){ if(in[blockIdx.x*64+threadIdx.x]>-1) *flag=1; }
extern "C" __global__ void k_race_byte_neighbours_ok(unsigned char*o){ o[blockIdx.x*3+threadIdx.x]=blockIdx.x; }
