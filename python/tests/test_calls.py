"""How calls are made: errors, lines, threads, signals, processes, memory."""

import gc
import inspect
import threading
import time
import weakref

import pytest

import tessera as ts


def test_every_error_of_the_package_is_a_builtin_too():
    for mistake, builtin in ((lambda: ts.zeros(3) + ts.zeros(4), ValueError), (lambda: ts.zeros(3)[3], IndexError),
                             (lambda: ts.bitwise_and(ts.zeros(3), 1), TypeError),
                             (lambda: ts.ones(3, dtype=ts.int8) + 1000, OverflowError)):
        with pytest.raises(builtin) as caught:
            mistake()
        assert isinstance(caught.value, ts.Error)


def test_errors_of_a_call_do_not_repeat_its_line():
    with pytest.raises(ValueError) as caught:
        ts.zeros((100, 100)) + ts.zeros((7, 7))
    assert "test_calls.py" not in str(caught.value)


def test_shapes_in_messages_are_those_of_python():
    for mistake, said in ((lambda: ts.zeros((2, 3)) + ts.zeros(4), "(2, 3) and (4,)"), (lambda: ts.zeros((2, 3)) @ ts.zeros((2, 3)), "(2, 3)"),
                          (lambda: ts.zeros((2, 3)).reshape(7), "(7,)"), (lambda: ts.zeros(()) @ ts.zeros(3), "without axes"),
                          (lambda: ts.zeros((2, 0)).max(axis=1), "(2, 0)"), (lambda: ts.broadcast_to(ts.zeros((2, 3)), ()), "()")):
        with pytest.raises(ValueError) as caught:
            mistake()
        assert said in str(caught.value) and "{" not in str(caught.value), str(caught.value)


def test_errors_that_appear_later_name_the_line_that_recorded_the_operation():
    places = ts.arange(10_000) * 2
    x = ts.zeros(10_000)
    line = inspect.currentframe().f_lineno + 1
    taken = ts.take(x, places)
    with pytest.raises(IndexError, match=rf"test_calls.py:{line}: index 19998 is beyond axis 0"):
        taken.tolist()


def test_explain_and_stats_name_lines_of_the_program():
    line = inspect.currentframe().f_lineno + 1
    x = ts.ones((300, 300)) * 2 + 1
    assert f"test_calls.py:{line}" in ts.explain(x)
    float(x.sum())
    assert any("test_calls.py" in each for each in ts.stats()["recent"])


def test_products_and_sums_are_rounded_together_where_the_program_allows_it():
    eps = 2.0**-30
    with open("/proc/cpuinfo") as f:
        can_fuse = " fma " in f.read() or "cuda" in ts.default_device().name
    a, b = ts.full(20_000, 1 + eps), ts.full(20_000, 1 - eps)
    ts.eval(a, b)
    assert float((a * b - 1).min()) == 0
    with ts.fast_math():
        assert float((a * b - 1).min()) == (-eps * eps if can_fuse else 0)
    with pytest.raises(ValueError), ts.fast_math():
        raise ValueError
    assert float((a * b - 1).min()) == 0


def test_results_of_several_are_fetched_at_once():
    x = ts.ones((200, 200))
    a, b = ts.fetch(x.sum(), x.mean())
    assert float(a) == 40_000 and float(b) == 1
    ts.eval(x + 1)
    with pytest.raises(TypeError):
        ts.fetch(1.0)


@pytest.mark.one_rank
def test_threads_take_turns():
    failures = []

    def work(seed):
        try:
            for k in range(30):
                x = ts.full((50, 50), float(seed)) + k
                small = ts.asarray([1.0, 2.0]) * seed
                assert float((x * 2).sum()) == 2500 * 2 * (seed + k)
                assert small.tolist() == [seed, 2 * seed]
                x[k] = 0
                assert float(x[k].sum()) == 0
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert not failures and not any(each.is_alive() for each in threads)


def test_the_gil_is_free_while_a_call_waits():
    """Another thread goes on while this one waits for results."""
    steps, is_over = [0], []

    def count():
        while not is_over:
            steps[0] += 1
            time.sleep(0.0005)

    other = threading.Thread(target=count)
    other.start()
    before = steps[0]
    x = ts.ones((1500, 1500))
    for k in range(10):
        float((ts.sin(x) + k).sum())
    is_over.append(True)
    other.join()
    assert steps[0] - before >= 3


def test_objects_in_cycles_are_collected():
    gc.collect()

    class Holder:
        pass

    ended = []
    for _ in range(5):
        holder = Holder()
        holder.x, holder.me = ts.ones((100, 100)) + 1, holder
        del holder
    holder = Holder()
    holder.me, holder.x = holder, ts.zeros(3)
    weakref.finalize(holder, ended.append, True)
    del holder
    gc.collect()
    assert ended == [True]
