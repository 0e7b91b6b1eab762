# What users run links the older versions of two functions of glibc: src/support/older_glibc.cpp.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  foreach(target cugrb cugrb_dropin cugrb_command)
    if(TARGET ${target})
      target_link_options(${target} PRIVATE -Wl,--wrap=hypot,--wrap=hypotf)
    endif()
  endforeach()
endif()
