// NVRTC under another version: everything else is the real library's, which this one needs, so that
// the loader finds its functions through it.
extern "C" int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 99;
  return 0;
}
