# Read by CTest before the tests: the environment of all of them. Arrays of tests and examples are tiny, and their
# launches are to be shared all the same.
if(NOT DEFINED ENV{TESSERA_SMALL})
  set(ENV{TESSERA_SMALL} 0)
endif()
