"""warpshop.run: NumPy arrays and Python values as a kernel's arguments, and what comes back."""

import os
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(77)  # the test of the whole package has its own NumPy

import warpshop

SAXPY = """
__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""

# One element per thread, whatever its type.
TWICE = """
#include <cuda_fp16.h>
__global__ void twice(const TYPE* in, TYPE* out) { out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x]; }
"""

C_TYPES = {
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "uint16_t",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long long",
    "uint64": "size_t",
    "float16": "__half",
    "float32": "float",
    "float64": "double",
}


def saxpy(a, x, y, n, **options):
    return warpshop.run(SAXPY, "saxpy", grid=4, block=256, args=[a, x, y, n], **options)


class Arrays(unittest.TestCase):
    def test_outputs_are_copies_by_parameter(self):
        x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
        launch = saxpy(3, x, y, 1000)
        self.assertTrue(launch.ok, launch)
        self.assertEqual(list(launch.outputs), ["x", "y"])
        np.testing.assert_array_equal(launch["y"], 3 * x + 1)
        np.testing.assert_array_equal(launch["x"], x)
        np.testing.assert_array_equal(y, 1)
        with self.assertRaisesRegex(KeyError, "z: the kernel's arrays are x, y"):
            launch["z"]

    def test_in_place(self):
        x = np.arange(1000, dtype=np.float32)
        whole = np.ones((1000, 2), np.float32)
        saxpy(3, x, whole[:, 1], 1000, in_place=True)
        np.testing.assert_array_equal(whole[:, 1], 3 * x + 1)
        np.testing.assert_array_equal(whole[:, 0], 1)

    def test_in_place_leaves_read_only_inputs_alone(self):
        x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
        x.flags.writeable = False
        saxpy(3, x, y, 1000, in_place=True)
        np.testing.assert_array_equal(y, 3 * x + 1)

    def test_every_type(self):
        for name, c_type in C_TYPES.items():
            with self.subTest(name):
                x = np.arange(1, 33).astype(name)
                launch = warpshop.run(TWICE.replace("TYPE", c_type), grid=1, block=32, args=[x, np.zeros_like(x)])
                self.assertTrue(launch.ok, launch)
                self.assertEqual(launch["out"].dtype, x.dtype)
                np.testing.assert_array_equal(launch["out"], x + x)

    def test_truth_values(self):
        source = "__global__ void negate(bool* b) { b[threadIdx.x] = !b[threadIdx.x]; }"
        b = np.arange(32) % 3 == 0
        np.testing.assert_array_equal(warpshop.run(source, grid=1, block=32, args=[b])["b"], ~b)

    def test_shapes_strides_and_byte_orders(self):
        source = "__global__ void add(float* m) { m[threadIdx.x] += threadIdx.x; }"
        base = np.arange(4 * 24, dtype=np.float32).reshape(12, 8)
        for what, m in {
            "a transposed view": base[:8, :4].T,
            "every other row": base[::2, :],
            "backwards": base[::-1, ::-1],
            "Fortran's order": np.asfortranarray(base),
            "big-endian": base.astype(">f4"),
        }.items():
            with self.subTest(what):
                got = warpshop.run(source, grid=1, block=m.size, args=[m])["m"]
                self.assertEqual(got.shape, m.shape)
                np.testing.assert_array_equal(got, m + np.arange(m.size).reshape(m.shape))

    def test_complex_numbers_and_vectors(self):
        source = "__global__ void turn(float2* z) { float2 v = z[threadIdx.x]; z[threadIdx.x] = {-v.y, v.x}; }"
        z = (np.arange(32) + 2j).astype(np.complex64)
        np.testing.assert_array_equal(warpshop.run(source, grid=1, block=32, args=[z])["z"], 1j * z)
        pairs = np.stack([z.real, z.imag], axis=1)
        got = warpshop.run(source, grid=1, block=32, args=[pairs])["z"]
        np.testing.assert_array_equal(got, np.stack([-z.imag, z.real], axis=1))

    def test_an_output_that_nobody_has_written(self):
        x = np.arange(1000, dtype=np.float32)
        launch = saxpy(3, x, warpshop.uninitialised(1000), 1000)
        self.assertEqual([finding.kind for finding in launch.findings], ["uninitialised"])
        self.assertEqual(launch.findings[0].source_line.strip(), "if (i < n) y[i] = a * x[i] + y[i];")
        self.assertFalse(launch.ok)

    def test_large_arrays(self):
        source = "__global__ void last(unsigned char* b, size_t n) { b[n - 1] = 7; }"
        b = np.zeros(80 << 20, np.uint8)
        got = warpshop.run(source, grid=1, block=1, args=[b, b.size])["b"]
        self.assertEqual((got.shape, int(got[-1]), int(got[:-1].max())), (b.shape, 7, 0))


class Values(unittest.TestCase):
    def test_by_value(self):
        source = """
        struct Pair { int n; const float* from; };
        __global__ void values(double* out, float f, unsigned char c, long long l, bool b, float3 v, Pair p, int* none) {
          out[0] = f; out[1] = c; out[2] = l; out[3] = b; out[4] = v.x + v.y * v.z; out[5] = p.n + p.from[1];
          out[6] = none == nullptr;
        }"""
        pair = (np.int32(5), np.array([0.25, 0.5], np.float32))
        args = [np.zeros(7), 0.1, 255, -(2**40), True, (1, 2, 3), pair, None]
        launch = warpshop.run(source, grid=1, block=1, args=args)
        self.assertTrue(launch.ok, launch)
        np.testing.assert_array_equal(launch["out"], [np.float32(0.1), 255, -(2**40), 1, 7, 5.5, 1])

    def test_floats_arrive_exactly(self):
        source = "__global__ void keep(double* out, double a, double b, double c) { out[0] = a; out[1] = b; out[2] = c; }"
        values = [5e-324, 1 / 3, -np.inf]
        got = warpshop.run(source, grid=1, block=1, args=[np.zeros(3), *values])["out"]
        np.testing.assert_array_equal(got, values)

    def test_what_does_not_fit_is_named(self):
        x, y = np.zeros(1024, np.float32), np.zeros(1024, np.float32)
        cases = [
            ([2, x.astype(float), y, 9], TypeError, r"argument 2 \(const float\* x\): .*float32, got float64"),
            ([2, x, y, 1.5], TypeError, r"argument 4 \(int n\): expected a whole number, got 1.5"),
            ([2, x, y, 2**31], OverflowError, r"argument 4 \(int n\): 2147483648 is not between"),
            ([2, x, y], TypeError, r"takes 4 arguments \(float a, .*\), 3 were given"),
            ([2, x, 3, 9], TypeError, r"argument 3 \(float\* y\): expected an array, got the number 3"),
            ([x, x, y, 9], TypeError, r"argument 1 \(float a\): expected a number, got an array"),
            (["2", x, y, 9], TypeError, r"argument 1 \(float a\): expected a number, .* got str"),
            ([2, x, [1, 2], 9], TypeError, r"argument 3 \(float\* y\): expected an array, got list"),
            ([2, x, x[:8], 9], ValueError, r"argument 3 \(float\* y\): shares memory with x"),
            ([2, x[:0], y, 9], ValueError, r"argument 2 .*: the array has no elements"),
            ([2, np.array(["a"]), y, 9], TypeError, r"argument 2 .*: no kernel takes an array of <U1"),
        ]
        for args, error, message in cases:
            with self.subTest(message), self.assertRaisesRegex(error, message):
                saxpy(*args) if len(args) == 4 else warpshop.run(SAXPY, grid=1, block=1, args=args)

    def test_arrays_that_are_only_read_may_be_the_same(self):
        source = "__global__ void dot(const float* a, const float* b, float* sum) { atomicAdd(sum, a[threadIdx.x] * b[threadIdx.x]); }"
        a = np.arange(32, dtype=np.float32)
        self.assertEqual(warpshop.run(source, grid=1, block=32, args=[a, a, np.zeros(1, np.float32)])["sum"], a @ a)

    def test_a_value_of_unknown_size_needs_numpy(self):
        source = "template <typename T> __global__ void put(T* out, T value) { *out = value; }"
        out = np.zeros(1)
        self.assertEqual(warpshop.run(source, "put<double>", grid=1, block=1, args=[out, 2.5])["out"], 2.5)
        own = "typedef double Real;\n__global__ void put(Real* out, Real value) { *out = value; }"
        with self.assertRaisesRegex(TypeError, r"argument 2 \(Real value\): its size is not known .* numpy.int32\(2\)"):
            warpshop.run(own, grid=1, block=1, args=[out, 2])
        self.assertEqual(warpshop.run(own, grid=1, block=1, args=[out, np.float64(2.5)])["out"], 2.5)


class Sources(unittest.TestCase):
    def test_compile_errors_have_their_place(self):
        with self.assertRaises(warpshop.CompileError) as caught:
            warpshop.run(SAXPY.replace("a * x", "b * x"), grid=1, block=1, args=[2, *np.zeros((2, 8), np.float32), 8])
        (message,) = caught.exception.diagnostics
        self.assertEqual((message.file, message.line, message.column), ("kernel.cu", 4, 21))
        self.assertIn('kernel.cu:4:21: error: identifier "b" is undefined\n  4 |   if (i < n)', str(caught.exception))

    def test_the_kernel_is_chosen_or_asked_for(self):
        two = SAXPY + "__global__ void other() {}"
        with self.assertRaisesRegex(ValueError, "which one\\? The source has saxpy, other"):
            warpshop.run(two, grid=1, block=1)
        self.assertTrue(warpshop.run(two, "other", grid=1, block=1).ok)
        with self.assertRaisesRegex(ValueError, "no __global__ function"):
            warpshop.run("int x;", grid=1, block=1)
        with self.assertRaisesRegex(warpshop.WarpshopError, "there is no kernel 'third'.*"):
            warpshop.run(two, "third", grid=1, block=1)

    def test_launches_that_no_gpu_takes(self):
        with self.assertRaisesRegex(warpshop.WarpshopError, "at most 1024 are possible"):
            warpshop.run("__global__ void k() {}", grid=1, block=2048)
        with self.assertRaisesRegex(TypeError, "grid: expected one to three whole numbers"):
            warpshop.run("__global__ void k() {}", grid=1.5, block=1)
        with self.assertRaisesRegex(warpshop.WarpshopError, "h2000"):
            warpshop.run("__global__ void k() {}", grid=1, block=1, gpu="h2000")

    def test_headers_of_the_current_folder(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.chdir(folder)
                with open("mine.h", "w") as file:
                    file.write("constexpr int kMine = 41;\n")
                source = '#include "mine.h"\n__global__ void k(int* p) { *p = kMine + 1; }'
                self.assertEqual(warpshop.run(source, grid=1, block=1, args=[np.zeros(1, np.int32)])["p"], 42)
                self.assertEqual(os.listdir("."), ["mine.h"])
            finally:
                os.chdir(here)

    def test_a_whole_program_and_its_output(self):
        source = '#include <iostream>\n__global__ void hi() { printf("hi %d\\n", threadIdx.x); }\nint main() { hi<<<1, 2>>>(); }'
        self.assertEqual(warpshop.run(source, grid=1, block=2).printed, "hi 0\nhi 1\n")

    def test_counters_and_predicted_time(self):
        x, y = np.zeros((2, 1024), np.float32)
        launch = saxpy(2, x, y, 1024, predict=True)
        # 32 warps read 128 bytes twice and write them once.
        self.assertEqual(launch.counters["global_load_sectors"], 32 * 2 * 4)
        self.assertEqual(launch.counters["global_store_sectors"], 32 * 4)
        self.assertGreater(launch.predicted_us, 0)
        self.assertIsNone(saxpy(2, x, y, 1024).predicted_us)


if __name__ == "__main__":
    unittest.main()
