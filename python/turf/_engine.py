"""The engine: libturf by cffi, with the declarations of turf.h itself.

cffi releases the GIL while the library works. Nothing outside this package should use `lib`: the
classes check what they pass on, so that no call from Python can crash the process."""
import ctypes.util
import os
import re

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))  # of the source tree, if the package is used there


class TurfError(ValueError):
    """What turf rejected, in its own words."""

    __module__ = "turf"  # where users find it


def _first(*paths):
    return next((path for path in paths if path and os.path.exists(path)), None)


def _declarations(header):
    """turf.h without what cffi does not read: the preprocessor and linkage for C++."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", header, flags=re.S)
    for name, value in re.findall(r"#define (TURF_\w+) \(?([\d *]+)\)?\n", header):
        number = 1
        for factor in value.split("*"):
            number *= int(factor)
        header = re.sub(rf"(?<!define )\b{name}\b", str(number), header)
    return re.sub(r"^#.*$", "", header, flags=re.M)


def _load():
    header = _first(os.path.join(HERE, "turf.h"), os.path.join(ROOT, "include", "turf.h"))
    library = _first(os.environ.get("TURF_LIBRARY"), os.path.join(HERE, "libturf.so"),
                     os.path.join(ROOT, "build", "libturf.so")) or ctypes.util.find_library("turf")
    if not header or not library:
        raise ImportError("libturf.so was not found: type './do build' in turf's folder, install "
                          "the package with 'pip install ./python', or set TURF_LIBRARY")
    interface = cffi.FFI()
    with open(header, encoding="utf-8") as file:
        interface.cdef(_declarations(file.read()) + "void free(void *);")
    return interface, interface.dlopen(library), interface.dlopen(None)


ffi, lib, libc = _load()


def text(value):
    """A C string as str; None if it is NULL."""
    return None if value == ffi.NULL else ffi.string(value).decode("utf-8", "replace")


def c_text(value, what):
    """A str for the library, or NULL for None."""
    if value is None:
        return ffi.NULL
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {type(value).__name__}")
    if "\0" in value:
        raise TurfError(f"{what} has a NUL character")
    return value.encode("utf-8", "surrogateescape")


def check(result, error):
    """Raises the error if a function of the library returned false or NULL."""
    if not result:
        raise TurfError(text(error.text))
    return result


def new_error():
    return ffi.new("TurfError *")
