"""What needs a process of its own: memory, signals, forks, threads, the end of the work."""

import os
import resource
import shutil
import subprocess
import sys
import textwrap

import pytest
from rows import IS_LONG

import tessera as ts


def run(program, **environment):
    """A program in a process of its own."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


@pytest.mark.process
def test_memory_stays_flat_over_many_operations():
    x, big = ts.arange(5.0), ts.ones((100, 100))

    def rounds(n):
        y = x
        for k in range(n):
            y = y * 0.5 + 1
            y[0] = 2
            y[::-1].sum()
            try:
                y[7]
            except IndexError:
                pass
            if k % 100 == 0:
                float((big + k).sum())

    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * resource.getpagesize()

    rounds(4000)
    before = resident()
    rounds(12_000)
    assert resident() - before < 4 << 20


@pytest.mark.process
def test_ctrl_c_ends_a_wait_within_a_tenth_of_a_second_and_the_context_works_afterwards():
    done = run("""
        import signal, threading, time, os
        import tessera as ts
        x = ts.ones((3000, 3000))
        def heavy(x):
            return ts.sin(ts.exp(ts.cos(x))).sum()
        float(heavy(x))
        for _ in range(5):
            sent = []
            def interrupt():
                time.sleep(0.2)
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)
            sender = threading.Thread(target=interrupt)
            sender.start()
            try:
                while True:
                    float(heavy(x))
            except KeyboardInterrupt:
                print(time.monotonic() - sent[0])
            sender.join()
        print(float((ts.ones((500, 500)) + 1).sum()))
    """, TESSERA_DEVICES="cpu")
    assert done.returncode == 0, done.stderr
    *times, total = map(float, done.stdout.split())
    assert total == 500_000
    assert min(times) < 0.1 and len(times) == 5  # the least: others may use the machine


@pytest.mark.process
def test_ctrl_c_ends_the_wait_for_a_compiler_and_the_kernel_is_there_later(tmp_path):
    slow = tmp_path / "slow_compiler"
    slow.write_text(f"#!/bin/sh\nsleep 1.5\nexec {shutil.which(os.environ.get('TESSERA_CXX', 'g++'))} \"$@\"\n")
    slow.chmod(0o755)
    done = run("""
        import os, signal, threading, time
        import tessera as ts
        x = ts.ones((300, 300))
        ts.eval(x)
        sent = []
        def interrupt():
            time.sleep(0.5)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        with ts.fast_math():                      # nothing runs in place of the compiled kernel
            y = x * 3 + 0.25
        try:
            float(y[7, 7])
            print("not interrupted")
        except KeyboardInterrupt:
            print(time.monotonic() - sent[0])
        print(float(y[7, 7]), float((x + 1).sum()))
    """, TESSERA_DEVICES="cpu", TESSERA_CXX=str(slow), TESSERA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    waited, values = done.stdout.splitlines()
    assert float(waited) < 0.1 and values == "3.25 180000.0", done.stdout


@pytest.mark.process
@pytest.mark.skipif(not IS_LONG, reason="a long test")
def test_four_threads_finish_ten_thousand_short_runs():
    done = run("""
        import threading
        import tessera as ts
        failures, counts = [], [0] * 4
        shared = ts.ones((100, 100))
        def work(k):
            try:
                for n in range(2500):
                    small = ts.asarray([1.0, 2.0, 3.0]) * k
                    assert float(small.sum()) == 6 * k
                    if n % 10 == k:
                        assert float((shared * k).sum()) == 10_000 * k
                    counts[k] += 1
            except BaseException as e:
                failures.append(e)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for each in threads: each.start()
        for each in threads: each.join()
        print(failures, sum(counts))
    """, TESSERA_DEVICES="cpu*2")
    assert done.stdout.strip() == "[] 10000", done.stdout + done.stderr


@pytest.mark.process
@pytest.mark.skipif(not IS_LONG, reason="a long test")
def test_a_million_operations_leave_memory_and_files_as_they_were():
    done = run("""
        import gc, os, resource
        import tessera as ts
        x, big = ts.arange(5.0), ts.ones((100, 100))
        def rounds(n):
            y = x
            for k in range(n):
                y = y * 0.5 + 1
                y[0] = 2
                y[::-1].sum()
                if k % 500 == 0:
                    float((big + k).sum())
        def used():
            gc.collect()
            with open("/proc/self/statm") as f:
                return int(f.read().split()[1]) * resource.getpagesize(), len(os.listdir("/proc/self/fd"))
        rounds(20_000)
        before = used()
        rounds(200_000)
        after = used()
        print(after[0] - before[0], after[1] - before[1])
    """, TESSERA_DEVICES="cpu")
    grown, files = map(int, done.stdout.split())
    assert grown < 8 << 20 and files == 0, done.stdout + done.stderr


@pytest.mark.process
def test_a_forked_process_says_that_it_cannot_use_arrays():
    done = run("""
        import os
        import tessera as ts
        x = ts.ones((100, 100)) + 1
        float(x.sum())
        child = os.fork()
        if child == 0:
            try:
                x + 1
            except RuntimeError as e:
                print(e, flush=True)
            del x
            os._exit(0)
        print(os.waitpid(child, 0)[1], float(x.sum()))
    """)
    assert "forked" in done.stdout and "0 20000.0" in done.stdout, done.stdout + done.stderr


@pytest.mark.process
def test_after_finalize_every_use_of_arrays_says_so():
    done = run("""
        import tessera as ts
        x = ts.ones((300, 300)) + 1
        total = float(x.sum())
        y = x * 3
        ts.finalize()
        ts.finalize()
        said = set()
        for attempt in (lambda: x + 1, lambda: float(y.sum()), lambda: ts.zeros(3), lambda: print(x), lambda: ts.init(devices="cpu"),
                        lambda: ts.use_device("cpu"), lambda: ts.linalg.inv(x), lambda: x[0], lambda: ts.stats()):
            try:
                attempt()
            except RuntimeError as e:
                said.add(str(e))
            else:
                said.add("nothing")
        print(total, x.shape, said)
    """)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "180000.0 (300, 300) {'the work with arrays has ended: tessera.finalize() was called before'}\n", done.stdout


@pytest.mark.process
def test_a_handler_that_uses_arrays_while_a_call_waits_is_refused():
    done = run("""
        import signal
        import tessera as ts
        said = []
        def handle(*_):
            try:
                ts.zeros(3) + 1
            except RuntimeError as e:
                said.append(str(e))
        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.05)
        x = ts.ones((3000, 3000))
        for k in range(200):
            float(ts.sin(ts.exp(x)).sum())
            if said:
                break
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(said[0], float((ts.zeros(3) + 1).sum()))
    """, TESSERA_DEVICES="cpu")
    assert "while a call of this thread waits" in done.stdout and "3.0" in done.stdout, done.stdout + done.stderr


@pytest.mark.process
def test_the_package_works_without_numpy():
    done = run("""
        import sys
        sys.modules["numpy"] = None
        import tessera as ts
        x = ts.asarray([[1, 2], [3, 4]]) * 0.5
        print(x.sum().tolist(), x, ts.sort(x, axis=0).tolist(), x[x > 1].tolist())
    """)
    assert done.returncode == 0 and done.stdout.startswith("5.0"), done.stderr
