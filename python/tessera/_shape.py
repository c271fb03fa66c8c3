"""Other shapes of the same elements, and arrays made of several."""

import math

from . import _core
from ._core import ndarray


def reshape(x, /, shape, *, copy=None):
    """The elements in their order with another shape; one extent may be -1."""
    if copy:
        return _core.reshape(_core.copy(x), shape)
    return _core.reshape(x, shape)


def ravel(x, /):
    """All elements on one axis."""
    return _core.reshape(x, (-1,))


def permute_dims(x, /, axes):
    """Axis k of the result is axis axes[k]."""
    return _core.permute_dims(x, axes)


def transpose(x, /, axes=None):
    """The axes in the opposite order, or in the order given."""
    return _core.permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else axes)


def matrix_transpose(x, /):
    """The last two axes exchanged."""
    return _core.matrix_transpose(x)


def swapaxes(x, axis1, axis2, /):
    """Two axes exchanged."""
    return _core.moveaxis(x, (axis1, axis2), (axis2, axis1))


def moveaxis(x, source, destination, /):
    """Axes moved to other places; the others stay in their order."""
    return _core.moveaxis(x, source, destination)


def squeeze(x, /, axis=None):
    """Without axes of one element."""
    return _core.squeeze(x, axis)


def expand_dims(x, /, axis=0):
    """With new axes of one element."""
    return _core.expand_dims(x, axis)


def flip(x, /, *, axis=None):
    """In the opposite order along axes."""
    return _core.flip(x, axis)


def rot90(x, /, k=1, *, axes=(0, 1)):
    """Turned by k times 90 degrees."""
    return _core.rot90(x, k, axes)


def diagonal(x, /, offset=0, axis1=0, axis2=1):
    """The elements of a diagonal of two axes, on a last axis."""
    return _core.diagonal(x, offset, axis1, axis2)


def broadcast_to(x, /, shape):
    """Axes of one element repeated."""
    return _core.broadcast_to(x, shape)


def broadcast_arrays(*arrays):
    """Each repeated to the shape in which all meet."""
    return _core.broadcast_arrays(arrays) if arrays else ()


def broadcast_shapes(*shapes):
    """The shape in which shapes meet."""
    met = ()
    for each in shapes:
        met = _core.broadcast_shape(met, (each,) if isinstance(each, int) else tuple(each))
    return met


def atleast_1d(x, /):
    """With one axis at least."""
    return _core.reshape(x, (1,)) if x.ndim == 0 else x


def atleast_2d(x, /):
    """With two axes at least, new ones in front."""
    return _core.reshape(x, (1,) * (2 - x.ndim) + x.shape) if x.ndim < 2 else x


def concat(arrays, /, *, axis=0):
    """Arrays one behind the other along an axis; without one, as lines."""
    if axis is None:
        return _core.concat([_core.reshape(each, (-1,)) for each in arrays], 0)
    return _core.concat(arrays, axis)


def concatenate(arrays, /, axis=0):
    """As `concat`."""
    return concat(arrays, axis=axis)


def stack(arrays, /, *, axis=0):
    """Arrays of one shape along a new axis."""
    return _core.stack(arrays, axis)


def hstack(arrays, /):
    """Along the second axis, or the only one."""
    arrays = [atleast_1d(each) for each in arrays]
    return _core.concat(arrays, 0 if arrays and arrays[0].ndim == 1 else 1)


def vstack(arrays, /):
    """Along the first axis; vectors are rows."""
    return _core.concat([atleast_2d(each) for each in arrays], 0)


def column_stack(arrays, /):
    """Vectors as the columns of a matrix."""
    return _core.concat([_core.reshape(each, (-1, 1)) if each.ndim < 2 else each for each in arrays], 1)


def unstack(x, /, *, axis=0):
    """What lies at each place of an axis."""
    return _core.unstack(x, axis)


def split(x, parts, /, axis=0):
    """Equal parts along an axis, or those between places."""
    return list(_core.split_evenly(x, parts, axis) if isinstance(parts, int) else _core.split_at(x, list(parts), axis))


def array_split(x, parts, /, axis=0):
    """Parts along an axis, of which the first ones may have an element more."""
    return list(_core.array_split(x, parts, axis) if isinstance(parts, int) else _core.split_at(x, list(parts), axis))


def tile(x, repetitions, /):
    """The whole array several times along each axis."""
    return _core.tile(x, repetitions)


def repeat(x, repeats, /, *, axis=None):
    """Each element several times; `repeats` may be an array with a number for each."""
    if isinstance(repeats, int):
        return _core.repeat(x, repeats, axis)
    if axis is None:
        x, axis = ravel(x), 0
    counts = repeats if isinstance(repeats, ndarray) else _core.from_list(repeats, None, None, None)
    counts = _core.broadcast_to(counts, (x.shape[axis],))
    ends = _core.cumulative_sum(counts, 0, False)
    total = int(ends[-1]) if counts.size else 0
    places = _core.searchsorted(ends, _core.arange_of_integers(0, total, 1, None, None), True)
    return _core.take(x, places, axis)


def roll(x, /, shift, *, axis=None):
    """Elements moved along axes; those that leave at one end come in at the other."""
    return _core.roll(x, shift, axis)


def pad(x, /, pad_width, mode="constant", *, constant_values=0):
    """With elements around it: a number, or those at the edge."""
    if mode not in ("constant", "edge"):
        raise ValueError(f"pad: mode={mode!r}; it is 'constant' or 'edge'")
    if isinstance(pad_width, int):
        pad_width = [(pad_width, pad_width)]
    elif isinstance(pad_width[0], int):
        pad_width = [tuple(pad_width)]
    return _core.pad(x, [tuple(each) for each in pad_width], mode == "edge", constant_values)


def size(x, /):
    """The number of elements."""
    return math.prod(x.shape)


__all__ = ["reshape", "ravel", "permute_dims", "transpose", "matrix_transpose", "swapaxes", "moveaxis", "squeeze",
           "expand_dims", "flip", "rot90", "diagonal", "broadcast_to", "broadcast_arrays", "broadcast_shapes", "atleast_1d",
           "atleast_2d", "concat", "concatenate", "stack", "hstack", "vstack", "column_stack", "unstack", "split",
           "array_split", "tile", "repeat", "roll", "pad"]
