"""NumPy arrays and Python values as the arguments of a kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

# NumPy's name of an element: the program's. ml_dtypes brings bfloat16.
_ELEMENTS = {
    "bool": "bool",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}
_COMPLEX = {"complex64": "float32", "complex128": "float64"}  # two elements each, as float2 and double2

# C's and CUDA's names for an element. Vectors such as float4 have theirs in _VECTOR.
_C_TYPES = {
    "bool": "bool",
    "char": "i8",
    "signed char": "i8",
    "unsigned char": "u8",
    "uchar": "u8",
    "short": "i16",
    "unsigned short": "u16",
    "ushort": "u16",
    "int": "i32",
    "signed": "i32",
    "unsigned": "u32",
    "unsigned int": "u32",
    "uint": "u32",
    "long": "i64",
    "long long": "i64",
    "unsigned long": "u64",
    "unsigned long long": "u64",
    "size_t": "u64",
    "float": "f32",
    "double": "f64",
    "half": "f16",
    "__half": "f16",
    "__nv_bfloat16": "bf16",
    "int8_t": "i8",
    "uint8_t": "u8",
    "int16_t": "i16",
    "uint16_t": "u16",
    "int32_t": "i32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
    "ptrdiff_t": "i64",
    "intptr_t": "i64",
    "uintptr_t": "u64",
}
_VECTOR = re.compile(r"(u?char|u?short|u?int|u?long|u?longlong|float|double)([1-4])")
_VECTOR_ELEMENTS = {
    "char": "i8",
    "uchar": "u8",
    "short": "i16",
    "ushort": "u16",
    "int": "i32",
    "uint": "u32",
    "long": "i64",
    "ulong": "u64",
    "longlong": "i64",
    "ulonglong": "u64",
    "float": "f32",
    "double": "f64",
}
_QUALIFIERS = re.compile(r"\b(const|volatile|__restrict__|__restrict|__grid_constant__|struct|std::)\b|std::")


@dataclass(frozen=True)
class Uninitialised:
    """An array that nobody has written: a kernel that reads from it has a finding."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def uninitialised(shape: int | tuple[int, ...], dtype: Any = np.float32) -> Uninitialised:
    """Return an argument for an output: memory as `cudaMalloc` leaves it."""
    return Uninitialised((shape,) if isinstance(shape, int) else tuple(shape), np.dtype(dtype))


@dataclass(frozen=True)
class Parameter:
    """A kernel's parameter, as far as its source says what it is."""

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return "*" in self.type or self.type.endswith("]")

    @property
    def is_const(self) -> bool:
        return "const" in self.type.split("*")[0].split()

    @property
    def element(self) -> tuple[str, int] | None:
        """The element's type and how many make up a vector; None for types of the file's own."""
        plain = " ".join(_QUALIFIERS.sub(" ", self.type.split("*")[0].split("[")[0]).split())
        if plain in _C_TYPES:
            return _C_TYPES[plain], 1
        vector = _VECTOR.fullmatch(plain)
        return (_VECTOR_ELEMENTS[vector[1]], int(vector[2])) if vector else None


@dataclass(frozen=True)
class Buffer:
    """An array among the arguments, and where its bytes are."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    source: np.ndarray[Any, Any] | None  # None: Uninitialised
    written: bool = True  # False: the kernel's parameter is a pointer to const

    def read(self, file: Path) -> np.ndarray[Any, Any]:
        """Return what the kernel left in it."""
        return np.fromfile(file, dtype=self.dtype).reshape(self.shape)


class ArgumentWriter:
    """Writes arguments for the command line, and arrays as files in a folder."""

    def __init__(self, folder: Path, parameters: list[Parameter] | None) -> None:
        self.folder = folder
        self.parameters = parameters  # None: unknown
        self.buffers: list[Buffer] = []

    def words(self, values: list[Any]) -> list[str]:
        """Return the value of --arg for each. Error: TypeError or ValueError that names the argument."""
        if self.parameters is not None and len(values) != len(self.parameters):
            names = ", ".join(f"{p.type} {p.name}".strip() for p in self.parameters)
            raise TypeError(f"the kernel takes {len(self.parameters)} arguments ({names}), {len(values)} were given")
        out = []
        for place, value in enumerate(values):
            parameter = self.parameters[place] if self.parameters is not None else None
            out.append(self._word(value, parameter, f"argument {place + 1}", f"arg{place}"))
        return out

    def _word(self, value: Any, parameter: Parameter | None, what: str, name: str) -> str:
        if parameter is not None and parameter.name:
            what, name = f"{what} ({parameter.type} {parameter.name})", parameter.name
        if value is None:
            return "ptr=0"
        if isinstance(value, Uninitialised) or (isinstance(value, np.ndarray) and value.ndim > 0):
            return self._array(value, parameter, what, name)
        if isinstance(value, (tuple, list)):
            return self._several(value, parameter, what, name)
        return _scalar(value, parameter, what)

    def _array(
        self, value: np.ndarray[Any, Any] | Uninitialised, parameter: Parameter | None, what: str, name: str
    ) -> str:
        dtype = np.dtype(value.dtype)
        element = _ELEMENTS.get(_COMPLEX.get(dtype.name, dtype.name))
        if element is None:
            raise TypeError(f"{what}: no kernel takes an array of {dtype}; the types are {', '.join(_ELEMENTS)}")
        count = int(np.prod(value.shape, dtype=np.int64)) * (2 if dtype.name in _COMPLEX else 1)
        if count == 0:
            raise ValueError(f"{what}: the array has no elements")
        if parameter is not None:
            _expect_array(parameter, element, count, dtype, what)
        number = len(self.buffers)
        if isinstance(value, Uninitialised):
            self.buffers.append(Buffer(name, value.shape, dtype, None))
            return f"{element}[{count}]=none"
        written = parameter is None or not parameter.is_const
        for other in self.buffers:
            if (written or other.written) and other.source is not None and _overlap(other.source, value):
                raise ValueError(f"{what}: shares memory with {other.name}, but each argument gets its own copy")
        self.buffers.append(Buffer(name, value.shape, dtype.newbyteorder("="), value, written))
        # In C's order, whatever the strides are, and in the machine's byte order.
        np.ascontiguousarray(value, dtype=dtype.newbyteorder("=")).tofile(self.folder / f"{number}.bin")
        return f"{element}[{count}]=file={number}.bin"

    def _several(self, values: tuple[Any, ...] | list[Any], parameter: Parameter | None, what: str, name: str) -> str:
        """Return a vector such as float4, or a struct by value with a field for each."""
        if parameter is not None and not parameter.is_pointer and parameter.element and parameter.element[1] > 1:
            element, width = parameter.element
            if len(values) != width:
                raise TypeError(f"{what}: expected {width} numbers, got {len(values)}")
            numbers = [_scalar(value, Parameter(_C_NAME[element], ""), what).partition("=")[2] for value in values]
            return " ".join(_QUALIFIERS.sub(" ", parameter.type).split()) + "=" + ",".join(numbers)
        if parameter is not None and parameter.is_pointer:
            raise TypeError(f"{what}: expected an array, got {type(values).__name__}; numpy.array(…, dtype) makes one")
        fields = [self._word(value, None, f"{what}, field {n + 1}", f"{name}_{n}") for n, value in enumerate(values)]
        return "{" + "; ".join(fields) + "}"


_C_NAME = {element: name for name, element in reversed(list(_C_TYPES.items()))}


def _overlap(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    try:
        return np.shares_memory(one, other, max_work=10_000)  # type: ignore[arg-type]
    except RuntimeError:  # too hard to tell: strides in many dimensions
        return True


def _expect_array(parameter: Parameter, element: str, count: int, dtype: np.dtype[Any], what: str) -> None:
    if not parameter.is_pointer:
        if parameter.element:
            raise TypeError(f"{what}: expected a number, got an array of {dtype}")
        return
    if parameter.element is None or parameter.type.count("*") > 1:
        return  # a type of the file's own, or void
    wanted, width = parameter.element
    if element != wanted:
        names = [name for name, ours in _ELEMENTS.items() if ours == wanted]
        raise TypeError(f"{what}: expected an array of {names[0]}, got {dtype}; x.astype({names[0]!r}) converts it")
    if count % width:
        raise TypeError(f"{what}: {count} elements do not fill whole vectors of {width}")


def _scalar(value: Any, parameter: Parameter | None, what: str) -> str:
    kind = _kind_of(value)
    if kind is None:
        raise TypeError(f"{what}: expected a number, an array, a tuple or None, got {type(value).__name__}")
    if parameter is not None and parameter.is_pointer:
        raise TypeError(f"{what}: expected an array, got the number {value}")
    known = parameter.element if parameter is not None else None
    if known is None or known[1] > 1:
        # Python's numbers have no size; NumPy's do.
        element = _ELEMENTS.get(np.asarray(value).dtype.name) if isinstance(value, (np.generic, np.ndarray)) else None
        if element is None:
            raise TypeError(f"{what}: its size is not known from the source: write numpy.int32({value}), for example")
    else:
        element = known[0]
    if element.startswith(("i", "u", "bool")) and kind == "float":
        raise TypeError(f"{what}: expected a whole number, got {value!r}")
    if element.startswith(("f", "bf")):
        return f"{element}={_float_text(float(value))}"
    number = int(value)
    bits = 1 if element == "bool" else int(element[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if element.startswith("i") else (0, (1 << bits) - 1)
    if not low <= number <= high:
        raise OverflowError(f"{what}: {number} is not between {low} and {high}")
    return f"{element}={number}"


def _kind_of(value: Any) -> str | None:
    dtype = np.asarray(value).dtype
    if dtype.kind in "iub":
        return "int"
    return "float" if dtype.kind == "f" or dtype.name == "bfloat16" else None


def _float_text(value: float) -> str:
    return repr(value)  # the shortest decimal text that reads back as the same number; inf and nan as they are
