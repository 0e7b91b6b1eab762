# The emulator under sanitizers. It announces its fibers to them itself, and is never instrumented for TSan: its own
# bookkeeping is shared by all fibers on purpose, and only the kernels' accesses are to be judged.
file(GLOB emulator_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/emulated/*.cpp)
if(CUGRB_SANITIZE MATCHES "thread")
  set_source_files_properties(${emulator_sources} PROPERTIES
    COMPILE_OPTIONS "-fno-sanitize=thread" COMPILE_DEFINITIONS "CUGRB_EMULATED_TSAN=1")
elseif(CUGRB_SANITIZE MATCHES "address")
  set_source_files_properties(${emulator_sources} PROPERTIES COMPILE_DEFINITIONS "CUGRB_EMULATED_ASAN=1")
endif()
