"""`pip install .` builds a package that runs:  install.py SOURCE_FOLDER BUILD_FOLDER"""

import pathlib
import subprocess
import sys

source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "python_install"
python = work / "bin/python"
if not python.exists():
    subprocess.run([sys.executable, "-m", "venv", work], check=True)
subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", source], check=True)
program = """
import tessera as ts
x = ts.linspace(0, 1, 10_000).reshape(100, 100)
print(float(((x - x.mean(0)) ** 2).sum()) > 0, ts.__file__, ts.__version__)
ts.show_config()
"""
said = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True, cwd=work, env={"PATH": "/usr/bin:/bin"}).stdout
print(said)
assert said.startswith("True") and str(work) in said
folder = pathlib.Path(said.split()[1]).parent
assert (folder / "__init__.pyi").exists() or (folder / "_core.pyi").exists()
assert (folder / "py.typed").exists()
