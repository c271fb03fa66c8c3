"""Ranks that make different calls are told both lines:  divergence.py MPIRUN"""

import os
import subprocess
import sys

PROGRAM = """
import tessera as ts
x = ts.ones((100, 100))
if ts.default_device().rank == 0:
    float((x + 1).sum())
else:
    float((x * 2 - 1).sum() + x.max())
float(x.sum())
"""

with open("diverging_program.py", "w") as f:
    f.write(PROGRAM)
try:
    done = subprocess.run([sys.argv[1], "--allow-run-as-root", "--oversubscribe", "-n", "2", sys.executable,
                           "diverging_program.py"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "TESSERA_DEVICES": "cpu", "TESSERA_SMALL": "0"})
finally:
    os.remove("diverging_program.py")
said = done.stdout + done.stderr
assert done.returncode != 0, said
assert "diverging_program.py:5" in said and "diverging_program.py:7" in said, said
