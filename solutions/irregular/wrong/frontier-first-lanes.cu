// One step of a breadth-first search. Vertex v has four neighbours: neighbours[4 v] to
// neighbours[4 v + 3]. `visited` and `frontier` are bitmaps: bit v % 32 of word v / 32 belongs to
// vertex v. A vertex that is not visited and has a neighbour in the frontier is reached in this
// step. It gets level `depth`, and its number goes to the queue, in any order.

// Is vertex v reached in this step?
__device__ bool reached(const int* neighbours, const unsigned* frontier, const unsigned* visited,
                        int v, int vertices) {
  if (v >= vertices || visited[v / 32] >> v % 32 & 1u) return false;
  int4 u = reinterpret_cast<const int4*>(neighbours)[v];
  return (frontier[u.x / 32] >> u.x % 32 | frontier[u.y / 32] >> u.y % 32 |
          frontier[u.z / 32] >> u.z % 32 | frontier[u.w / 32] >> u.w % 32) & 1u;
}

// Gives v its level and puts it into place `place` of the queue, which is a ring of as many places
// as there are vertices.
__device__ void put(int* queue, int* level, int depth, int vertices, int place, int v) {
  level[v] = depth;
  queue[place % vertices] = v;
}

__global__ void step(const int* neighbours, const unsigned* frontier, const unsigned* visited,
                     int* level, int* queue, int* count, int depth, int vertices) {
  int v = blockIdx.x * 256 + threadIdx.x;
  bool found = reached(neighbours, frontier, visited, v, vertices);
  __shared__ int places[8];  // the place of each warp's first entry
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned votes = __ballot_sync(0xffffffffu, found);
  if (lane == 0) places[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    int entries = 0;
    for (int w = 0; w < 8; ++w) entries += places[w];
    int place = atomicAdd(count, entries);  // the block's only atomic
    for (int w = 0; w < 8; ++w) {
      int next = place + places[w];
      places[w] = place;
      place = next;
    }
  }
  __syncthreads();
  int place = places[warp] + lane;
  if (lane < __popc(votes)) put(queue, level, depth, vertices, place, v);
}

__host__ __device__ Launch launch(int vertices) {
  return {dim3((vertices + 255) / 256), dim3(256)};
}
