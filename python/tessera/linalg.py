"""Linear algebra on stacks of matrices: the extension `linalg` of the standard.

Factorisations are those of LAPACK, of each matrix on one device. A matrix that they cannot be done with is a
`LinAlgError`, which is a ValueError: at once for small arrays, else where a result is looked at.
"""

from collections import namedtuple

from . import _core
from ._core import LinAlgError
from ._products import cross, matmul, tensordot, vecdot
from ._products import trace as _trace
from ._shape import matrix_transpose

SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
QRResult = namedtuple("QRResult", "Q R")
EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
EigResult = namedtuple("EigResult", "eigenvalues eigenvectors")
SVDResult = namedtuple("SVDResult", "U S Vh")


def cholesky(x, /, *, upper=False):
    """L, lower, with x = L L^H, or U, upper, with x = U^H U."""
    return _core.cholesky(x, upper)


def det(x, /):
    """Determinants."""
    return _core.det(x)


def slogdet(x, /):
    """Determinants as sign * exp(logabsdet)."""
    return SlogdetResult(*_core.slogdet(x))


def inv(x, /):
    """Inverses."""
    return _core.inv(x)


def solve(x1, x2, /):
    """y with x1 y = x2, which is one vector or stacks of columns."""
    return _core.solve(x1, x2)


def qr(x, /, *, mode="reduced"):
    """Q, of orthogonal columns, and R, upper, with x = Q R."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode={mode!r}; it is 'reduced' or 'complete'")
    return QRResult(*_core.qr(x, mode == "complete"))


def eigh(x, /):
    """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices."""
    return EighResult(*_core.eigh(x))


def eigvalsh(x, /):
    """Eigenvalues of symmetric or Hermitian matrices, ascending."""
    return _core.eigvalsh(x)


def eig(x, /):
    """Eigenvalues and eigenvectors of square matrices; complex numbers always."""
    return EigResult(*_core.eig(x))


def eigvals(x, /):
    """Eigenvalues of square matrices; complex numbers always."""
    return _core.eigvals(x)


def svd(x, /, *, full_matrices=True):
    """U, the singular values S, descending, and Vh with x = U S Vh."""
    return SVDResult(*_core.svd(x, full_matrices))


def svdvals(x, /):
    """Singular values, descending."""
    return _core.svdvals(x)


def pinv(x, /, *, rtol=None):
    """Pseudoinverses; singular values at most `rtol` times the largest count as 0."""
    return _core.pinv(x, rtol)


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are greater than `rtol` times the largest."""
    return _core.matrix_rank(x, rtol)


def matrix_power(x, n, /):
    """Products of n factors; of -n inverses if n is negative."""
    return _core.matrix_power(x, n)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norms of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf or -inf."""
    return _core.matrix_norm(x, keepdims, ord)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """(sum of |x|^ord)^(1/ord) along axes; inf: the largest magnitude, -inf: the least, 0: how many are not 0."""
    return _core.vector_norm(x, axis, keepdims, ord)


def norm(x, /, ord=None, axis=None, *, keepdims=False):
    """As NumPy's: of a vector, or of matrices in two axes."""
    if axis is None and ord is None:
        return vector_norm(x, keepdims=keepdims)
    along = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if len(along) == 1:
        return vector_norm(x, axis=along, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(along) != 2:
        raise ValueError(f"norm along {len(along)} axes: one, or two for matrices")
    made = matrix_norm(_core.moveaxis(x, along, (-2, -1)), keepdims=keepdims, ord="fro" if ord is None else ord)
    return _core.moveaxis(made, (-2, -1), along) if keepdims else made


def outer(x1, x2, /):
    """All products of elements of two vectors."""
    return _core.outer(x1, x2)


def diagonal(x, /, *, offset=0):
    """Elements of a diagonal of the last two axes; a view."""
    if x.ndim < 2:
        raise ValueError(f"diagonal of an array with {x.ndim} axes: two are needed")
    return _core.diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of a diagonal of the last two axes; of integers with 64 bits."""
    return _trace(x, offset, dtype=dtype)


__all__ = ["LinAlgError", "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul",
           "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "norm", "outer", "pinv", "qr", "slogdet", "solve",
           "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]
