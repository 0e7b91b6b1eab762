# Compile options and the two helpers that every folder uses.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(CUGRB_CCACHE ccache)
if(CUGRB_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CUGRB_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CUGRB_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CUGRB_CCACHE})
endif()
# scripts/test builds a fresh folder so: in batches of eight sources to a compilation (CMake's unity build), which parses
# what they include once. Under sanitizers everything; elsewhere only the tests, as it is there that each source and each
# header of the library is shown to compile alone.
option(CUGRB_BATCHES "Compile sources in batches where nothing is lost by it" OFF)
if(CUGRB_BATCHES AND CUGRB_SANITIZE)
  set(CMAKE_UNITY_BUILD ON)
endif()
find_package(Threads REQUIRED)

add_library(cugrb_options INTERFACE)
target_include_directories(cugrb_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(cugrb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter>)
target_link_libraries(cugrb_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
if(CMAKE_UNITY_BUILD)
  # In a batch a source is an included file, whose types with anonymous members could be another's; they are not.
  target_compile_options(cugrb_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
if(CUGRB_SANITIZE)
  # -Og: with UBSan's checks g++ takes half the time of -O1 and the tests run 13 % longer, by their processor time. (For
  # ThreadSanitizer, whose checks are calls, it saves a fifth: -O1.) -g1: lines for the reports.
  set(optimisation -O1)
  if(CUGRB_SANITIZE MATCHES "undefined")
    set(optimisation -Og)
  endif()
  target_compile_options(cugrb_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CUGRB_SANITIZE} -fno-omit-frame-pointer ${optimisation} -g1>)
  target_link_options(cugrb_options INTERFACE -fsanitize=${CUGRB_SANITIZE})
  target_compile_definitions(cugrb_options INTERFACE CUGRB_SANITIZE="${CUGRB_SANITIZE}")
endif()

# cugrb_module(name SOURCES ... DEPENDS ...): a layer as a static library cugrb_<name>.
function(cugrb_module name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPENDS" ${ARGN})
  if(M_SOURCES)
    add_library(cugrb_${name} STATIC ${M_SOURCES})
    target_link_libraries(cugrb_${name} PUBLIC cugrb_options)
    set(scope PUBLIC)
  else()
    add_library(cugrb_${name} INTERFACE)
    target_link_libraries(cugrb_${name} INTERFACE cugrb_options)
    set(scope INTERFACE)
  endif()
  foreach(d IN LISTS M_DEPENDS)
    target_link_libraries(cugrb_${name} ${scope} cugrb_${d})
  endforeach()
endfunction()

# cugrb_test(name SOURCES ... DEPENDS ... [LINK ...] [KERNELS] [NO_GPU] [COST n]): a Catch2 program
# test_<name>, one ctest entry.
# KERNELS: it runs kernels on the emulated device, so it runs again under the sanitizers (target kernel_tests). It draws
#   one specialisation a structure (docs/emulated_device.md), in the release build with CUGRB_ALL_SPECIALISATIONS all.
# NO_GPU: it has no meaning on a GPU machine (scripts/gpu_test leaves it out).
# COST: about how many seconds it takes; the longest start first.
option(CUGRB_ALL_SPECIALISATIONS "Kernels' tests draw every specialisation, which takes ctest half as long again" OFF)
add_custom_target(kernel_tests)
function(cugrb_test name)
  cmake_parse_arguments(T "KERNELS;NO_GPU" "TIMEOUT;COST" "SOURCES;DEPENDS;LINK;ENVIRONMENT" ${ARGN})
  add_executable(test_${name} ${T_SOURCES})
  # Assertions and slow references: at -O3 g++ takes half as long again over them, for nothing.
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(test_${name} PRIVATE cugrb_options cugrb_catch ${T_LINK})
  foreach(d IN LISTS T_DEPENDS)
    target_link_libraries(test_${name} PRIVATE cugrb_${d})
  endforeach()
  target_compile_definitions(test_${name} PRIVATE
    CUGRB_SOURCE_ROOT="${PROJECT_SOURCE_DIR}" CUGRB_BUILD_ROOT="${PROJECT_BINARY_DIR}")
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND test_${name})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  set(labels)
  # Every process under ThreadSanitizer would wait a second at its end for reports of threads; here none is left by then.
  list(APPEND T_ENVIRONMENT TSAN_OPTIONS=atexit_sleep_ms=0)
  if(T_KERNELS)
    list(APPEND labels kernels)
    add_dependencies(kernel_tests test_${name})
    if(CUGRB_SANITIZE OR NOT CUGRB_ALL_SPECIALISATIONS)
      list(APPEND T_ENVIRONMENT CUGRB_TEST_STRUCTURES=1)
    endif()
  endif()
  if(NOT T_COST)
    set(T_COST 0)
  endif()
  if(NOT T_NO_GPU)
    list(APPEND labels gpu)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} COST ${T_COST} LABELS "${labels}"
    ENVIRONMENT "CUGRB_DEVICE=emulated;CUGRB_CACHE=${PROJECT_BINARY_DIR}/kernel_cache;CUGRB_KERNEL_PACK=off;UBSAN_OPTIONS=halt_on_error=1;${T_ENVIRONMENT}")
endfunction()
