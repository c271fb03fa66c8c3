# The commands of the README. Each installs what is missing, builds with CMake presets under build/ and runs.

JOBS ?= $(shell nproc)
N ?= 5000
SEED ?= 1

.PHONY: help demo test test-long test-nd test-gpu bench bench-ranks bench-skepu-gpu bench-nd-gpu bench-algo-gpu bench-paper-gpu fuzz format tidy check clean

help:
	@echo 'make demo                 run the HotSpot simulation on all devices found'
	@echo 'make test                 build and run all tests, $(N) fuzz programs and the source checks'
	@echo 'make test-long            also the long tests, and 50000 fuzz programs with half of the memory they use'
	@echo 'make test-nd N=100000     the tests of arrays, also the long ones, and N random programs on arrays, one in 50 compiled'
	@echo 'make test-gpu             the tests, examples and $(N) fuzz programs on the GPUs of this machine'
	@echo 'make bench                measure against the rivals; writes build/bench.json'
	@echo 'make bench-PART           the benchmarks of one part (gpu: against CUDA by hand); writes build/bench-PART.json'
	@echo 'make bench-skepu-gpu      the evaluation of SkePU on GPUs; writes build/bench-skepu-gpu.json'
	@echo 'make bench-nd-gpu         arrays against CUDA and CUB; writes build/bench-nd-gpu.json'
	@echo 'make bench-algo-gpu       containers and skeletons against them; writes build/bench-algo-gpu.json'
	@echo 'make bench-paper-gpu      the programs of the Lightning paper against CUDA by hand; writes build/bench-paper-gpu.json'
	@echo 'make fuzz N=... SEED=...  run N random programs against the sequential interpreter'
	@echo 'make check                the source checks: layers, citations and names of files, format'
	@echo 'make format               lay out all sources with clang-format'
	@echo 'make tidy                 build under clang-tidy: naming and bug checks as errors'
	@echo 'make clean                remove build/'

demo:
	@tools/install_dependencies
	@tools/build release tessera_demo $(JOBS)
	@build/release/examples/tessera_demo

test:
	@tools/install_dependencies
	@tools/python_environment
	@tools/build dev all $(JOBS)
	@tools/run_tests $(N) $(SEED)

test-long: N = 50000
test-long:
	@tools/install_dependencies
	@tools/python_environment
	@tools/build dev all $(JOBS)
	@tools/run_tests --long $(N) $(SEED)

test-nd: N = 100000
test-nd:
	@tools/install_dependencies
	@tools/build dev tests_nd $(JOBS)
	@tools/run_tests --nd $(N) $(SEED)

test-gpu:
	@tools/install_dependencies
	@tools/build dev all $(JOBS)
	@tools/run_gpu_tests $(N) $(SEED)

bench:
	@tools/install_dependencies --with bench
	@tools/build bench all $(JOBS)
	@build/bench/benchmarks/tessera_bench --json build/bench.json
	@tools/bench_ranks build/bench

bench-ranks:
	@tools/install_dependencies --with bench
	@tools/build bench all $(JOBS)
	@tools/bench_ranks build/bench

bench-skepu-gpu:
	@tools/install_dependencies
	@tools/build bench tessera_bench_skepu $(JOBS)
	@build/bench/benchmarks/tessera_bench_skepu --devices cuda --json build/bench-skepu-gpu.json

bench-nd-gpu bench-algo-gpu bench-paper-gpu: bench-%-gpu:
	@tools/install_dependencies
	@tools/build bench tessera_bench_$*_gpu $(JOBS)
	@build/bench/benchmarks/tessera_bench_$*_gpu --json build/bench-$*-gpu.json

bench-%:
	@tools/install_dependencies --with bench
	@tools/build bench tessera_bench_$* $(JOBS)
	@build/bench/benchmarks/tessera_bench_$* --json build/bench-$*.json

fuzz:
	@tools/install_dependencies
	@tools/build dev tessera_fuzz $(JOBS)
	@build/dev/tests/fuzz/tessera_fuzz --programs $(N) --seed $(SEED)

tidy:
	@tools/install_dependencies --with lint
	@tools/build tidy all $(JOBS)

format:
	@tools/check_format --fix

check:
	@tools/check_layers
	@tools/check_rules
	@tools/check_format

clean:
	@rm -rf build
