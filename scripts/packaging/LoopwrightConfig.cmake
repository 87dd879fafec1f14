# The CMake package: the plugin for targets of a project that clang 22 or flang 22 compiles.
#
#   find_package(Loopwright REQUIRED)
#   loopwright_optimize(solver)                                  its loops, on one core; on all where the target has -fopenmp
#   loopwright_optimize(solver PARALLEL)                         on all cores, without the program's own OpenMP pragmas
#   loopwright_optimize(solver OPTIONS tile=64 fuse=max)         with options of the plugin
#
# It does something at -O2 and -O3, so in configurations such as Release and RelWithDebInfo. Also set: Loopwright_PLUGIN, Loopwright_EXECUTABLE.

get_filename_component(_loopwright_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Loopwright_PLUGIN "${_loopwright_prefix}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}loopwright${CMAKE_SHARED_LIBRARY_SUFFIX}")
set(Loopwright_EXECUTABLE "${_loopwright_prefix}/bin/loopwright")
set(Loopwright_LLVM_VERSION_MAJOR 22)
unset(_loopwright_prefix)

if(NOT EXISTS "${Loopwright_PLUGIN}")
  set(Loopwright_FOUND FALSE)
  set(Loopwright_NOT_FOUND_MESSAGE "the plugin ${Loopwright_PLUGIN} is not there")
  return()
endif()

# Which compiler ids take the plugin, for each language.
set(_Loopwright_ID_C Clang)
set(_Loopwright_ID_CXX Clang)
set(_Loopwright_ID_Fortran LLVMFlang)

function(loopwright_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 asked "PARALLEL;NO_PARALLEL" "" "OPTIONS")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "loopwright_optimize: '${target}' is no target")
  endif()
  if(asked_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "loopwright_optimize(${target}): unknown '${asked_UNPARSED_ARGUMENTS}'; there are PARALLEL, NO_PARALLEL and OPTIONS WORDS...")
  endif()
  if(asked_PARALLEL AND asked_NO_PARALLEL)
    message(FATAL_ERROR "loopwright_optimize(${target}): PARALLEL and NO_PARALLEL exclude each other")
  endif()
  get_target_property(kind "${target}" TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY" OR kind STREQUAL "UTILITY")
    message(FATAL_ERROR "loopwright_optimize(${target}): nothing is compiled for it (${kind})")
  endif()

  set(words ${asked_OPTIONS})
  if(asked_PARALLEL)
    list(APPEND words parallel)
  elseif(asked_NO_PARALLEL)
    list(APPEND words no-parallel)
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(usable FALSE)
  foreach(language IN ITEMS C CXX Fortran)
    if(NOT language IN_LIST languages)
      continue()
    endif()
    set(found "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
    if(NOT CMAKE_${language}_COMPILER_ID STREQUAL _Loopwright_ID_${language}
       OR NOT CMAKE_${language}_COMPILER_VERSION MATCHES "^${Loopwright_LLVM_VERSION_MAJOR}\\.")
      message(WARNING "loopwright_optimize(${target}): files in ${language} stay as they are: the compiler is ${found}; "
                      "the plugin needs ${_Loopwright_ID_${language}} ${Loopwright_LLVM_VERSION_MAJOR}")
      continue()
    endif()
    set(usable TRUE)
    # SHELL: keeps pairs of words together, which CMake would take for repetitions.
    set(options "SHELL:-fpass-plugin=\"${Loopwright_PLUGIN}\"")
    foreach(word IN LISTS words)
      # A name in a word may have spaces.
      string(REPLACE "\\" "\\\\" word "${word}")
      string(REPLACE "\"" "\\\"" word "${word}")
      list(APPEND options "SHELL:-mllvm \"-loopwright-${word}\"")
    endforeach()
    foreach(option IN LISTS options)
      target_compile_options("${target}" PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${option}>")
    endforeach()
  endforeach()
  if(NOT usable)
    message(FATAL_ERROR "loopwright_optimize(${target}): no language of this project has a compiler that takes the plugin; "
                        "configure with clang ${Loopwright_LLVM_VERSION_MAJOR} (CC=clang-${Loopwright_LLVM_VERSION_MAJOR} CXX=clang++-${Loopwright_LLVM_VERSION_MAJOR} FC=flang-${Loopwright_LLVM_VERSION_MAJOR})")
  endif()
  if("parallel" IN_LIST words)
    # Whoever links a static library with parallel loops needs OpenMP's runtime as well.
    if(kind STREQUAL "STATIC_LIBRARY" OR kind STREQUAL "OBJECT_LIBRARY")
      target_link_libraries("${target}" INTERFACE omp)
    endif()
    target_link_libraries("${target}" PRIVATE omp)
  endif()
  set_property(TARGET "${target}" APPEND PROPERTY LINK_DEPENDS "${Loopwright_PLUGIN}")
endfunction()
