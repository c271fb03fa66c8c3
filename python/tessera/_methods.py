"""Methods of arrays: those of the standard and of NumPy, by the functions of the same names."""

from collections import namedtuple

from . import _core, _creation, _elementwise, _interop, _order, _printing, _products, _reduction, _shape
from ._core import ndarray


def _shape_of(arguments):
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments


def _reshape(self, *shape):
    """The elements in their order with another shape."""
    return _core.reshape(self, _shape_of(shape))


def _transpose(self, *axes):
    """The axes in the opposite order, or in the order given."""
    return _shape.transpose(self, _shape_of(axes) if axes and axes != (None,) else None)


def _astype(self, dtype, *, copy=True):
    """Elements converted to another type."""
    return _creation.astype(self, dtype, copy=copy)


def _item(self, *place):
    """One element as a number of Python; waits for it."""
    chosen = self[_shape_of(place)] if place else self
    if chosen.size != 1:
        raise ValueError(f"item() of an array with {chosen.size} elements: one is needed")
    return _core.reshape(chosen, ()).tolist()


def _fill(self, value):
    """Writes a number to all elements."""
    self[...] = value


def _iterate(self):
    if self.ndim == 0:
        raise TypeError("an array without axes has no elements to go through")
    return iter([self[k] for k in range(self.shape[0])])


def _contains(self, value):
    return bool(_core.any(self == value, None, False))


def _namespace(self, /, *, api_version=None):
    """The package, for programs that work with arrays of any library."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"__array_namespace__: version {api_version!r} of the standard is not known; 2025.12 is")
    import tessera
    return tessera


def _to_device(self, device, /, *, stream=None):
    """The array in another context, by a copy."""
    if stream is not None:
        raise ValueError("to_device: there are no streams; leave stream out")
    return _core.to_device(self, device)


def _reduce(self):
    return _unpickle, (bytes(memoryview(_interop._host_copy(self)).cast("B")) if self.dtype != _core.bfloat16
                       else self.astype(_core.float32).tolist(), self.shape, self.dtype.name)


def _unpickle(elements, shape, name):
    kind = getattr(_core, name)
    if not isinstance(elements, bytes):
        return _core.reshape(_core.from_list(elements, kind, None, None), shape)
    return _core.from_bytes(elements, shape, kind)


def _lshape(self):
    """The shape of what rests on this rank, if it is one part."""
    boxes = _core.own_boxes(self)
    shapes = [tuple(hi - lo for lo, hi in zip(*each)) for each in boxes]
    return shapes[0] if len(shapes) == 1 else tuple(shapes)


LocalPart = namedtuple("LocalPart", "offset elements")


def _local(self):
    """What rests on this rank: for each part the place of its first element, and its elements as a buffer, copied."""
    return [LocalPart(*each) for each in _core.own_parts(self)]


def _by(function):
    def method(self, *arguments, **options):
        return function(self, *arguments, **options)
    method.__name__, method.__doc__ = function.__name__, function.__doc__
    return method


METHODS = {
    **{name: _by(getattr(_reduction, name)) for name in
       ("var", "std", "ptp", "cumsum", "cumprod")},
    **{name: _by(getattr(_shape, name)) for name in ("ravel", "squeeze", "swapaxes", "diagonal")},
    **{name: _by(getattr(_products, name)) for name in ("dot", "trace")},
    **{name: _by(getattr(_order, name)) for name in ("take", "nonzero", "argsort", "searchsorted")},
    "flatten": lambda self: _core.copy(_core.reshape(self, (-1,))),
    "repeat": lambda self, repeats, axis=None: _shape.repeat(self, repeats, axis=axis),
    "clip": lambda self, min=None, max=None: _core.clip(self, min, max),
    "round": lambda self, decimals=0: _elementwise.around(self, decimals),
    "conj": lambda self: _core.conj(self),
    "copy": lambda self: _core.copy(self),
    "resplit": lambda self, split: _core.resplit(self, split),
    "balance": lambda self: _core.balance(self),
    "reshape": _reshape, "transpose": _transpose, "astype": _astype, "item": _item, "fill": _fill,
    "numpy": lambda self: _interop.to_numpy(self),
    "to_device": _to_device,
    "__iter__": _iterate, "__contains__": _contains, "__array_namespace__": _namespace, "__reduce__": _reduce,
    "__copy__": lambda self: _core.copy(self), "__deepcopy__": lambda self, memo: _core.copy(self),
    "__array__": _interop.to_numpy, "__dlpack__": _interop.to_dlpack, "__dlpack_device__": _interop.dlpack_device,
    "__array_ufunc__": _interop.array_ufunc, "__array_function__": _interop.array_function,
    "__repr__": _printing.to_repr, "__str__": _printing.to_str,
    "__format__": lambda self, form: format(self.item(), form) if self.ndim == 0 and form else str(self),
}
PROPERTIES = {
    "real": lambda self: _core.real(self),
    "imag": lambda self: _core.imag(self),
    "itemsize": lambda self: self.dtype.itemsize,
    "nbytes": lambda self: self.size * self.dtype.itemsize,
    "lshape": _lshape,
    "__partitioned__": _interop.to_partitioned,
    "local": _local,
}
for _name, _method in METHODS.items():
    setattr(ndarray, _name, _method)
for _name, _getter in PROPERTIES.items():
    setattr(ndarray, _name, property(_getter))
