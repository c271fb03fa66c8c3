"""Products of matrices and vectors."""

from . import _core


def matmul(x1, x2, /):
    """Products of the matrices in the last two axes, of which those before them are stacks: `x1 @ x2`."""
    return _core.matmul(x1, x2)


def tensordot(x1, x2, /, axes=2):
    """Sums of products over the last axes of x1 and the first of x2, or over a pair of lists of axes."""
    if isinstance(axes, int):
        return _core.tensordot(x1, x2, axes)
    return _core.tensordot_over(x1, x2, *axes)


def vecdot(x1, x2, /, *, axis=-1):
    """Sums along an axis of the conjugates of x1 times x2."""
    return _core.vecdot(x1, x2, axis)


def dot(x1, x2, /):
    """As NumPy's: over the last axis of x1 and the last but one of x2."""
    if x1.ndim == 0 or x2.ndim == 0:
        return _core.multiply(x1, x2)
    return _core.tensordot_over(x1, x2, -1, -1 if x2.ndim == 1 else -2)


def inner(x1, x2, /):
    """As NumPy's: over the last axes."""
    return _core.multiply(x1, x2) if x1.ndim == 0 or x2.ndim == 0 else _core.tensordot_over(x1, x2, -1, -1)


def vdot(x1, x2, /):
    """The sum of the conjugates of x1 times x2, of all elements."""
    return _core.vecdot(_core.reshape(x1, (-1,)), _core.reshape(x2, (-1,)), -1)


def outer(x1, x2, /):
    """All products of elements of two vectors; of other arrays, of their elements as lines."""
    return _core.outer(_core.reshape(x1, (-1,)), _core.reshape(x2, (-1,)))


def cross(x1, x2, /, *, axis=-1):
    """Products of vectors of three elements."""
    return _core.cross(x1, x2, axis)


def einsum(subscripts, /, *operands, optimize=True):
    """Sums of products by Einstein's convention, "ij,jk->ik". The order is chosen always, whatever `optimize` says."""
    return _core.einsum(subscripts, operands)


def trace(x, /, offset=0, *, dtype=None):
    """The sum of a diagonal of the last two axes; of integers with 64 bits."""
    if dtype is not None:
        x = _core.astype(x, dtype, False)
    made = _core.trace(x, offset)
    return made if dtype is None else _core.astype(made, dtype, False)


__all__ = ["matmul", "tensordot", "vecdot", "dot", "einsum", "inner", "vdot", "outer", "cross", "trace"]
