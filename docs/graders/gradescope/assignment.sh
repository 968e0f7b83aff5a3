# What the assignment asks for, and what it is worth: warpshop grade --help.
options=(
  --exercise coalescing/stride
  --exercise coalescing/offset
  --points coalescing/stride=12
  --points coalescing/offset=passed:8
)
