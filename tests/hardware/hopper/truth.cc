// Runs the kernels of forms.ptx on a GPU and prints what came out:
//   truth bulk|tensor|edges|wgmma [FIRST]
// One line per case: name, hash of the result, its first words. Ends with 3 if a case has broken
// the context; start again after that one.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bulk_forms.h"
#include "tensor_cases.h"
#include "truth_data.h"
#include "wgmma_cases.h"

namespace {

void* library = nullptr;
template <typename F>
F* entry(const char* name) {
  void* p = dlsym(library, name);
  if (p == nullptr) {
    std::printf("no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<F*>(p);
}
#define CALL(name) entry<decltype(name)>(#name)

void check(CUresult r, const char* what) {
  if (r == CUDA_SUCCESS) return;
  std::printf("%s: error %d\n", what, static_cast<int>(r));
  std::exit(1);
}

CUmodule module_;
CUdeviceptr first, second;

void print(const std::string& name, const std::vector<uint8_t>& bytes) {
  std::printf("%s\t%016llx\t", name.c_str(),
              static_cast<unsigned long long>(truth::hash_of(bytes)));
  for (size_t n = 0; n < 64 && n < bytes.size(); ++n) std::printf("%02x", bytes[n]);
  std::printf("\n");
  std::fflush(stdout);
}

// False: the context is broken.
bool finish(const std::string& name) {
  const CUresult r = CALL(cuCtxSynchronize)();
  if (r == CUDA_SUCCESS) return true;
  std::printf("%s\terror %d\n", name.c_str(), static_cast<int>(r));
  return false;
}

void put(CUdeviceptr to, const std::vector<uint8_t>& bytes) {
  check(entry<decltype(cuMemcpyHtoD_v2)>("cuMemcpyHtoD_v2")(to, bytes.data(), bytes.size()), "to");
}
std::vector<uint8_t> get(CUdeviceptr from, size_t bytes) {
  std::vector<uint8_t> out(bytes);
  check(entry<decltype(cuMemcpyDtoH_v2)>("cuMemcpyDtoH_v2")(out.data(), from, bytes), "from");
  return out;
}

CUfunction function_of(const std::string& name) {
  CUfunction f = nullptr;
  check(CALL(cuModuleGetFunction)(&f, module_, name.c_str()), name.c_str());
  return f;
}

int bulk(size_t from) {
  const size_t count = sizeof kBulkForms / sizeof kBulkForms[0];
  for (size_t n = from; n < count; ++n) {
    const BulkForm& form = kBulkForms[n];
    const std::string type = truth::type_of_name(form.name);
    put(first, truth::elements(type, form.bytes, 1));
    put(second, truth::elements(type, form.bytes, 2));
    void* args[] = {&first, &second};
    const std::string name = form.name;
    const unsigned blocks = name.rfind("global", 0) == 0      ? 1
                            : name.rfind("multicast", 0) == 0 ? 4
                                                              : 2;
    check(
        CALL(cuLaunchKernel)(function_of(name), blocks, 1, 1, 128, 1, 1, 0, nullptr, args, nullptr),
        form.name);
    if (!finish(name)) {
      std::printf("next %zu\n", n + 1);
      return 3;
    }
    print(name, get(second, form.bytes));
  }
  return 0;
}

CUresult encode(const TensorCase& c, CUdeviceptr base, CUtensorMap& map) {
  cuuint64_t dims[6], strides[6];
  cuuint32_t box[6], elements[6];
  for (int d = 0; d < 6; ++d) {
    dims[d] = d < 5 ? c.dims[d] : 1;
    strides[d] = d < 4 ? c.strides[d] : 128;
    box[d] = d < 5 ? c.box[d] : 1;
    elements[d] = d < 5 ? c.element_strides[d] : 1;
  }
  return CALL(cuTensorMapEncodeTiled)(
      &map, static_cast<CUtensorMapDataType>(c.type), static_cast<cuuint32_t>(c.rank),
      reinterpret_cast<void*>(base), dims, strides, box, elements, CU_TENSOR_MAP_INTERLEAVE_NONE,
      static_cast<CUtensorMapSwizzle>(c.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
      static_cast<CUtensorMapFloatOOBfill>(c.fill));
}

int tensor(size_t from) {
  const size_t count = sizeof kTensorCases / sizeof kTensorCases[0];
  for (size_t n = from; n < count; ++n) {
    TensorCase c = kTensorCases[n];
    const std::string name = std::string(c.name) + " " + c.kernel;
    const bool loads = std::string(c.kernel).rfind("load", 0) == 0;
    put(first, truth::elements(truth::type_name(c.type), truth::kTensorBytes, 1));
    put(second, truth::elements(truth::type_name(c.type), truth::kSharedBytes, 2));
    alignas(64) CUtensorMap map;
    const CUresult encoded = encode(c, first, map);
    if (encoded != CUDA_SUCCESS) {
      std::printf("%s\tencode %d\n", name.c_str(), static_cast<int>(encoded));
      continue;
    }
    void* args[] = {&map,
                    &second,
                    &c.coordinates[0],
                    &c.coordinates[1],
                    &c.coordinates[2],
                    &c.coordinates[3],
                    &c.coordinates[4],
                    &c.bytes,
                    &c.offset};
    check(
        CALL(cuLaunchKernel)(function_of(c.kernel), 1, 1, 1, 128, 1, 1, 0, nullptr, args, nullptr),
        c.name);
    if (!finish(name)) {
      std::printf("next %zu\n", n + 1);
      return 3;
    }
    print(name, loads ? get(second, truth::kSharedBytes) : get(first, truth::kTensorBytes));
  }
  return 0;
}

// Every output word of the smallest products goes to wgmma.raw, to find the rules of the sums.
int wgmma() {
  std::ofstream raw("wgmma.raw", std::ios::binary);
  for (size_t n = 0; n < sizeof kWgmmaCases / sizeof kWgmmaCases[0]; ++n) {
    const WgmmaCase& c = kWgmmaCases[n];
    const WgmmaForm& form = kWgmmaForms[c.form];
    const std::string name = std::to_string(n) + " " + form.name;
    put(first, truth::wgmma_input(form));
    const size_t bytes = truth::kWgmmaRounds * form.sums * 512;
    put(second, std::vector<uint8_t>(bytes, 0xcd));
    uint64_t a = c.a, b = c.b;
    uint32_t keep = c.keep;
    void* args[] = {&first, &second, &a, &b, &keep};
    check(CALL(cuLaunchKernel)(function_of(form.name), truth::kWgmmaRounds, 1, 1, 128, 1, 1, 0,
                               nullptr, args, nullptr),
          form.name);
    if (!finish(name)) return 1;
    const std::vector<uint8_t> out = get(second, bytes);
    print(name, out);
    if (form.sums <= 4)
      raw.write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(bytes));
  }
  return 0;
}

int edges() {
  for (const TensorCase& c : kTensorEdges) {
    alignas(64) CUtensorMap map;
    std::printf("%s\tencode %d\n", c.name, static_cast<int>(encode(c, first + c.offset, map)));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const size_t from = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) {
    std::printf("no libcuda.so.1\n");
    return 1;
  }
  check(CALL(cuInit)(0), "cuInit");
  CUdevice device;
  CUcontext context;
  check(CALL(cuDeviceGet)(&device, 0), "device");
  check(CALL(cuDevicePrimaryCtxRetain)(&context, device), "context");
  check(CALL(cuCtxSetCurrent)(context), "context");
  std::ifstream file(what == "wgmma" ? "wgmma.ptx" : "forms.ptx");
  std::stringstream text;
  text << file.rdbuf();
  check(CALL(cuModuleLoadData)(&module_, text.str().c_str()), "PTX");
  check(entry<decltype(cuMemAlloc_v2)>("cuMemAlloc_v2")(&first, 1 << 20), "memory");
  check(entry<decltype(cuMemAlloc_v2)>("cuMemAlloc_v2")(&second, 1 << 20), "memory");
  if (what == "bulk") return bulk(from);
  if (what == "tensor") return tensor(from);
  if (what == "edges") return edges();
  if (what == "wgmma") return wgmma();
  std::printf("bulk, tensor, edges or wgmma?\n");
  return 1;
}
