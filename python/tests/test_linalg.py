"""Products, `ts.linalg` and `ts.einsum` against NumPy."""

import itertools

import numpy as np
import pytest
from rows import IS_QUICK

import tessera as ts

FLOATS = ("float32", "float64", "complex64", "complex128")
NUMBERS = ("bool", "int8", "uint16", "int32", "int64", "uint64", *FLOATS)
SQUARES = [(3, 3), (1, 1), (0, 0), (2, 4, 4), (2, 1, 3, 3), (0, 3, 3), (2, 0, 0)]
OBLONGS = [(3, 5), (5, 3), (4, 4), (2, 3, 2), (0, 3), (3, 0), (2, 0, 3), (0, 2, 3)]
TYPES = ("float64", "complex64") if IS_QUICK else FLOATS


def matrices(shape, dtype="float64", seed=7):
    """Well-conditioned ones: numbers of a seed, and the largest on the diagonal."""
    g = np.random.default_rng(seed)
    a = g.uniform(-1, 1, shape) + (1j * g.uniform(-1, 1, shape) if np.dtype(dtype).kind == "c" else 0)
    n = min(shape[-2:])
    a[..., range(n), range(n)] += 3
    return a.astype(dtype)


def hermitian(shape, dtype="float64"):
    a = matrices(shape, dtype)
    return (a + np.conj(np.swapaxes(a, -1, -2))).astype(dtype)


def near(actual, desired, type_like=None):
    """Equal shapes and types, and elements close by the type's precision."""
    desired = np.asarray(desired)
    assert actual.shape == desired.shape
    assert actual.dtype == (type_like or desired.dtype)
    eps = np.finfo(desired.dtype).eps if desired.dtype.kind in "fc" else 0
    scale = np.abs(desired).max(initial=1.0, where=np.isfinite(desired))
    np.testing.assert_allclose(actual.numpy(), desired, rtol=400 * eps, atol=400 * eps * scale)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
                                    ((2, 3), (5, 3, 2)), ((4, 1, 2, 3), (5, 3, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 3)),
                                    ((0,), (0,)), ((0, 2, 3), (3, 1))], ids=str)
def test_products_of_matrices_are_those_of_numpy(shapes, dtype):
    a, b = (np.resize(np.arange(11) - 4, s).astype(dtype) for s in shapes)
    x, y = ts.asarray(a), ts.asarray(b)
    for made in (ts.matmul(x, y), x @ y, ts.linalg.matmul(x, y), a @ y, x @ b):
        near(made, a @ b)


def test_products_in_place_keep_array_and_shape():
    a = matrices((2, 3, 3))
    x = y = ts.asarray(a)
    x @= y
    assert x is y
    near(x, a @ a)
    z = ts.ones((2, 3))
    with pytest.raises(ValueError, match="shape"):
        z @= ts.ones(3)
    with pytest.raises(ValueError, match="row"):
        x @ ts.ones((2, 3))
    for other in (2, 1.5, "a", None):
        with pytest.raises(TypeError):
            x @ other
        with pytest.raises(TypeError):
            other @ x
    with pytest.raises(ValueError):
        x @ ts.asarray(2.0)


@pytest.mark.parametrize("first, second", [p for k, p in enumerate(itertools.product(NUMBERS, NUMBERS)) if not IS_QUICK or k % 11 == 3])
def test_products_have_the_types_of_numpy(first, second):
    a, b = np.ones((2, 3), first), np.ones((3, 2), second)
    x, y = ts.asarray(a), ts.asarray(b)
    near(x @ y, a @ b)
    near(ts.tensordot(x, y, axes=1), np.tensordot(a, b, axes=1))
    near(ts.vecdot(x[0], y[:, 0]), np.vecdot(a[0], b[:, 0]))


def test_sums_over_axes_are_those_of_numpy():
    a, b = matrices((2, 3, 4)), matrices((4, 3, 5))
    x, y = ts.asarray(a), ts.asarray(b)
    for axes in (0, 1, ((1, 2), (1, 0)), ((2,), (0,)), ((-1, -2), (0, 1)), ((), ())):
        near(ts.tensordot(x, y, axes=axes), np.tensordot(a, b, axes=axes))
    near(ts.tensordot(y, ts.moveaxis(y, 0, 2)), np.tensordot(b, np.moveaxis(b, 0, 2)))
    c = matrices((2, 3, 4), "complex128")
    z = ts.asarray(c)
    for axis in (-1, -2):
        near(ts.vecdot(z, z * 2, axis=axis), np.vecdot(c, c * 2, axis=axis))
    near(ts.dot(x, y[:, 0]), np.dot(a, b[:, 0]))
    near(ts.dot(x, ts.asarray(b[0, 0, 0])), np.dot(a, b[0, 0, 0]))
    near(ts.dot(x, ts.moveaxis(y, 0, 1)), np.dot(a, np.moveaxis(b, 0, 1)))
    near(ts.inner(x, x), np.inner(a, a))
    near(ts.vdot(z, z), np.vdot(c, c))
    near(ts.outer(x[0, 0], y[0, 0]), np.outer(a[0, 0], b[0, 0]))
    near(ts.cross(x[..., :3], x[:, :1, 1:]), np.cross(a[..., :3], a[:, :1, 1:]))
    near(ts.linalg.cross(x, x[:1], axis=-2), np.linalg.cross(a, a[:1], axis=-2))
    for offset in (-1, 0, 2, 9):
        near(ts.linalg.diagonal(x, offset=offset), np.linalg.diagonal(a, offset=offset))
        near(ts.linalg.trace(x, offset=offset), np.linalg.trace(a, offset=offset))
    assert ts.linalg.trace(ts.ones((2, 2), dtype=ts.int8)).dtype == ts.int64
    assert ts.linalg.trace(ts.ones((2, 2), dtype=ts.int8), dtype=ts.float32).dtype == ts.float32
    with pytest.raises(ValueError):
        ts.tensordot(x, y, axes=4)
    with pytest.raises(ValueError):
        ts.vecdot(x, y)
    with pytest.raises(ValueError):
        ts.linalg.diagonal(x[0, 0])


EINSUMS = [("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,jk->ki", (2, 3), (3, 4)), ("ij->ji", (2, 3)), ("ij->", (2, 3)),
           ("ij->j", (0, 3)), ("ii", (3, 3)), ("ii->i", (3, 3)), ("iij->ji", (3, 3, 2)), ("i,i", (4,), (4,)), ("i,j->ij", (2,), (3,)),
           ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)), ("bij,bij->b", (2, 3, 4), (2, 3, 4)), ("...ij,...jk->...ik", (5, 1, 2, 3), (4, 3, 2)),
           ("...i,i...", (2, 3), (3, 2)), ("i...->...", (2, 3, 4)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)), ("ijk,jl,kl->il", (2, 3, 4), (3, 5), (4, 5)),
           ("abcd,cb->ad", (2, 3, 4, 2), (4, 3)), (" i j , j k -> i k ", (2, 3), (3, 4)), ("ij,i,j", (2, 3), (2,), (3,)), ("i,->i", (3,), ()),
           ("ij,jk->ik", (2, 0), (0, 3)), ("bi,bi->bi", (2, 3), (2, 3)), ("ij,kj->ik", (2, 1), (4, 3)), ("zB,BA", (2, 3), (3, 2))]


@pytest.mark.parametrize("dtype", ("float64", "int8") if IS_QUICK else ("bool", "int8", "int64", "float32", "float64", "complex128"))
@pytest.mark.parametrize("text, shapes", [(e[0], e[1:]) for e in EINSUMS], ids=str)
def test_einstein_sums_are_those_of_numpy(text, shapes, dtype):
    arrays = [np.resize(np.arange(11 + k) - 4, s).astype(dtype) for k, s in enumerate(shapes)]
    near(ts.einsum(text, *map(ts.asarray, arrays)), np.einsum(text, *arrays))


def test_einstein_sums_in_the_type_where_operands_meet():
    a = np.full((2, 300), 100, "int8")
    near(ts.einsum("ij,ij->i", ts.asarray(a), ts.asarray(a)), np.einsum("ij,ij->i", a, a))
    near(ts.einsum("ij->i", ts.asarray(a)), np.einsum("ij->i", a))
    assert ts.einsum("i,i", ts.ones(3, dtype=ts.float32), ts.ones(3, dtype=ts.complex64)).dtype == ts.complex64
    for text in ("ij,jk->ik", "i->j", "i->ii", "i1", "ii", ""):
        with pytest.raises(ValueError, match="einsum"):
            ts.einsum(text, ts.ones(3))
    with pytest.raises(TypeError):
        ts.einsum("i", [1.0])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SQUARES, ids=str)
def test_square_matrices_are_solved_as_by_numpy(shape, dtype):
    a, s = matrices(shape, dtype), hermitian(shape, dtype)
    x, h = ts.asarray(a), ts.asarray(s)
    near(ts.linalg.det(x), np.linalg.det(a))
    near(ts.linalg.inv(x), np.linalg.inv(a))
    own, other = ts.linalg.slogdet(x), np.linalg.slogdet(a)
    assert own._fields == other._fields
    near(own.sign, other.sign)
    near(own.logabsdet, other.logabsdet)
    b = np.ones(shape[:-1] + (2,), dtype)
    near(ts.linalg.solve(x, ts.asarray(b)), np.linalg.solve(a, b))
    near(ts.linalg.solve(x, ts.ones(shape[-1:], dtype=dtype)), np.linalg.solve(a, np.ones(shape[-1:], dtype)))
    for n in (0, 1, 3, -2):
        near(ts.linalg.matrix_power(x, n), np.linalg.matrix_power(a, n))
    near(ts.linalg.eigvalsh(h), np.linalg.eigvalsh(s))
    values, vectors = ts.linalg.eigh(h)
    near(values, np.linalg.eigvalsh(s))
    near(h @ vectors, (vectors * values[..., None, :]).numpy())
    near(ts.matrix_transpose(ts.conj(vectors)) @ vectors, np.broadcast_to(np.eye(shape[-1], dtype=dtype), shape))
    positive = np.conj(np.swapaxes(a, -1, -2)) @ a
    lower = np.linalg.cholesky(positive)
    near(ts.linalg.cholesky(ts.asarray(positive)), lower)
    near(ts.linalg.cholesky(ts.asarray(positive), upper=True), np.conj(np.swapaxes(lower, -1, -2)))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SQUARES, ids=str)
def test_eigenvalues_of_any_matrix_are_complex(shape, dtype):
    x = ts.asarray(matrices(shape, dtype))
    field = "complex64" if dtype in ("float32", "complex64") else "complex128"
    found = ts.linalg.eig(x)
    assert found._fields == ("eigenvalues", "eigenvectors")
    values, vectors = found
    assert (values.shape, vectors.shape) == (shape[:-1], shape) and values.dtype == field == vectors.dtype
    near(ts.astype(x, field) @ vectors, (vectors * values[..., None, :]).numpy())
    only = ts.linalg.eigvals(x)
    assert only.dtype == field
    near(ts.sum(only, axis=-1), np.linalg.trace(matrices(shape, dtype)).astype(field))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", OBLONGS, ids=str)
def test_matrices_are_factorised_as_by_numpy(shape, dtype):
    a = matrices(shape, dtype)
    x = ts.asarray(a)
    h = lambda m: ts.matrix_transpose(ts.conj(m))  # noqa: E731
    for mode in ("reduced", "complete"):
        own, other = ts.linalg.qr(x, mode=mode), np.linalg.qr(a, mode=mode)
        assert own._fields == other._fields == ("Q", "R")
        assert (own.Q.shape, own.R.shape) == (other.Q.shape, other.R.shape) and own.Q.dtype == dtype
        near(own.Q @ own.R, a)
        near(h(own.Q) @ own.Q, np.broadcast_to(np.eye(own.Q.shape[-1], dtype=dtype), (*shape[:-2],) + own.Q.shape[-1:] * 2))
        near(own.R, np.triu(own.R.numpy()))
    for full in (True, False):
        own, other = ts.linalg.svd(x, full_matrices=full), np.linalg.svd(a, full_matrices=full)
        assert own._fields == other._fields == ("U", "S", "Vh")
        assert [m.shape for m in own] == [m.shape for m in other] and [m.dtype for m in own] == [m.dtype for m in other]
        k = own.S.shape[-1]
        near((own.U[..., :k] * own.S[..., None, :]) @ own.Vh[..., :k, :], a)
        near(own.S, other.S)
    near(ts.linalg.svdvals(x), np.linalg.svdvals(a))
    near(ts.linalg.pinv(x), np.linalg.pinv(a))
    if 0 not in shape[-2:]:
        near(ts.linalg.matrix_rank(x), np.linalg.matrix_rank(a))
        near(ts.linalg.matrix_rank(x, rtol=0.9), np.linalg.matrix_rank(a, rtol=0.9))
        near(ts.linalg.pinv(x, rtol=0.5), np.linalg.pinv(a, rtol=0.5))
        each = np.full(shape[:-2], 0.5)
        near(ts.linalg.matrix_rank(x, rtol=ts.asarray(each)), np.linalg.matrix_rank(a, rtol=each))
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        if 0 in shape[-2:] and order != "fro":
            continue
        for keepdims in (False, True):
            near(ts.linalg.matrix_norm(x, ord=order, keepdims=keepdims), np.linalg.matrix_norm(a, ord=order, keepdims=keepdims))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", [2, 1, 0, 3, 0.5, -1, float("inf"), float("-inf")])
def test_norms_of_vectors_are_those_of_numpy(order, dtype):
    a = matrices((2, 3, 4), dtype)
    x = ts.asarray(a)
    for axis, keepdims in itertools.product((None, 0, -1, (0, 2)), (False, True)):
        near(ts.linalg.vector_norm(x, axis=axis, ord=order, keepdims=keepdims),
             np.linalg.vector_norm(a, axis=axis, ord=order, keepdims=keepdims))
    near(ts.linalg.norm(x[0, 0], order), np.linalg.norm(a[0, 0], order))


def test_norms_by_numpys_name():
    a = matrices((2, 3, 4))
    x = ts.asarray(a)
    near(ts.linalg.norm(x), np.linalg.norm(a))
    near(ts.linalg.norm(x, axis=(0, 2), keepdims=True), np.linalg.norm(a, axis=(0, 2), keepdims=True))
    near(ts.linalg.norm(x, 1, (2, 0)), np.linalg.norm(a, 1, (2, 0)))
    with pytest.raises(ValueError):
        ts.linalg.norm(x, 2)


def test_integers_are_factorised_as_floats():
    x = ts.asarray([[4, 1], [1, 3]])
    assert ts.linalg.inv(x).dtype == ts.float64 and ts.linalg.det(x).dtype == ts.float64
    assert float(ts.linalg.det(x)) == pytest.approx(11)


def test_matrices_that_cannot_be_solved_are_a_linalg_error():
    singular = ts.asarray([[1.0, 2.0], [2.0, 4.0]])
    for attempt in (lambda: ts.linalg.inv(singular), lambda: ts.linalg.solve(singular, ts.ones(2)),
                    lambda: ts.linalg.cholesky(ts.asarray([[1.0, 2.0], [2.0, 1.0]])),
                    lambda: ts.linalg.matrix_power(singular, -1)):
        with pytest.raises(ts.LinAlgError) as caught:
            attempt().tolist()
        assert isinstance(caught.value, ValueError) and isinstance(caught.value, ts.linalg.LinAlgError)
    assert float(ts.linalg.det(singular)) == 0 and float(ts.linalg.slogdet(singular).logabsdet) == -np.inf
    assert ((ts.ones((2, 2)) @ ts.ones((2, 2))) + 1).tolist() == [[3, 3], [3, 3]]  # the context works afterwards


def test_mistakes_in_linear_algebra_are_value_errors():
    for attempt in (lambda: ts.linalg.inv(ts.ones((2, 3))), lambda: ts.linalg.det(ts.ones(3)),
                    lambda: ts.linalg.solve(ts.ones((2, 2)), ts.ones(3)), lambda: ts.linalg.qr(ts.ones((2, 2)), mode="half"),
                    lambda: ts.linalg.matrix_norm(ts.ones((2, 2)), ord=7), lambda: ts.linalg.matrix_norm(ts.ones((2, 2)), ord="all"),
                    lambda: ts.linalg.matrix_norm(ts.ones(2)), lambda: ts.linalg.cholesky(ts.ones((2, 3))),
                    lambda: ts.linalg.eigh(ts.ones((2, 3)))):
        with pytest.raises(ValueError):
            attempt()
    with pytest.raises(TypeError):
        ts.linalg.inv([[1.0]])
