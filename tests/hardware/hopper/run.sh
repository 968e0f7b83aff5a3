#!/bin/bash
# Builds what is not there and prints everything. Needs a GPU of compute capability 9.0.
cd "$(dirname "$0")" || exit 1
python3 make_wgmma.py > /dev/null
NVCC=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1)
if [ -n "$NVCC" ] && [ ! -x clusters ]; then "$NVCC" -arch=sm_90a -std=c++17 -o clusters clusters.cu; fi
if [ ! -x truth ]; then
  if [ -n "$NVCC" ]; then "$NVCC" -std=c++17 -o truth truth.cc -ldl; else g++ -std=c++17 -I/usr/local/cuda/include -o truth truth.cc -ldl; fi
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
echo "== clusters"
timeout 20 ./clusters
for section in bulk edges tensor wgmma; do
  echo "== $section"
  next=0
  for attempt in $(seq 1 40); do
    timeout 30 ./truth $section $next > part.txt 2>&1
    code=$?
    grep -v '^next ' part.txt
    [ $code -eq 3 ] || { [ $code -eq 0 ] || echo "ended with $code"; break; }
    next=$(grep '^next ' part.txt | tail -1 | cut -d' ' -f2)
  done
done
rm -f part.txt
