# What users run links the older versions of some functions of glibc and libstdc++: src/support/older_glibc.cpp.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  foreach(target cugrb cugrb_dropin cugrb_command)
    if(TARGET ${target})
      target_link_options(${target} PRIVATE
        -Wl,--wrap=hypot,--wrap=hypotf,--wrap=_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)
    endif()
  endforeach()
endif()
