# How every target of this project is compiled.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

find_program(HIPWRIGHT_CCACHE ccache)
if(HIPWRIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER sh ${PROJECT_SOURCE_DIR}/cmake/ccache.sh ${HIPWRIGHT_CCACHE}
    ${PROJECT_SOURCE_DIR})
  # Lets ccache's own preprocessing use the precompiled header too.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  # The same precompiled header in every checkout, whenever its sources were written.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# The release build optimises with -O1, which compiles fastest. What runs long on
# users' sources, kernels and results gets -O2: these units, and these folders of others.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
set(hot_units syntax lint soft)
set(hot_folders verify/numeric runtime/pool trace/read perf/statistics graph/ir graph/ops)
set(hot $<$<CONFIG:Release>:-O2>)

add_library(hipwright_flags INTERFACE)
target_compile_options(hipwright_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor;-Wold-style-cast;-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(hipwright_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-designated-field-initializers;-Wno-deprecated-declarations;-Wno-bitwise-instead-of-logical>)
else()
  # Designated initialisers that name only what differs from the default are how options are written.
  # The others: g++ 12 sees overlaps, overflows and unset values inside std::string and
  # std::optional that are not there; the clang and sanitizer presets look for the real ones.
  target_compile_options(hipwright_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers;-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>)
endif()
if(HIPWRIGHT_SANITIZE)
  set(_sanitize -fsanitize=${HIPWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(hipwright_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${_sanitize}>)
  target_link_options(hipwright_flags INTERFACE -fsanitize=${HIPWRIGHT_SANITIZE})
  if(HIPWRIGHT_FUZZ)
    target_compile_options(hipwright_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endif()

# hipwright_unit(name [USES unit…] [LINKS target…] [EXCLUDE regex]): the folder src/<name> as one
# OBJECT library, less the sources that match EXCLUDE.
function(hipwright_unit name)
  cmake_parse_arguments(arg "" "EXCLUDE" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCLUDE}")
  endif()
  foreach(folder IN LISTS hot_folders)
    set(hot_sources ${sources})
    list(FILTER hot_sources INCLUDE REGEX "/src/${folder}/")
    set_property(SOURCE ${hot_sources} APPEND PROPERTY COMPILE_OPTIONS ${hot})
    set_property(SOURCE ${hot_sources} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
  add_library(hipwright_${name} OBJECT ${sources})
  target_include_directories(hipwright_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(hipwright_${name} PRIVATE HIPWRIGHT_VERSION="${PROJECT_VERSION}")
  target_link_libraries(hipwright_${name} PRIVATE hipwright_flags PUBLIC ${arg_LINKS})
  foreach(used IN LISTS arg_USES)
    target_link_libraries(hipwright_${name} PUBLIC hipwright_${used})
  endforeach()
  hipwright_precompiled(${name})
  set_property(GLOBAL APPEND PROPERTY HIPWRIGHT_LAYERS "${name}:${arg_USES}")
endfunction()

# hipwright_precompiled(name): gives hipwright_<name> its level of optimisation and the precompiled
# header of that level, which the first such target makes: g++ crashes on one of another level.
function(hipwright_precompiled name)
  set(owner HIPWRIGHT_PRECOMPILED)
  if(name IN_LIST hot_units)
    set(owner HIPWRIGHT_PRECOMPILED_HOT)
    target_compile_options(hipwright_${name} PRIVATE ${hot})
  endif()
  get_property(made GLOBAL PROPERTY ${owner})
  if(made)
    target_precompile_headers(hipwright_${name} REUSE_FROM ${made})
  else()
    target_precompile_headers(hipwright_${name} PRIVATE <base/pch.h>)
    set_property(GLOBAL PROPERTY ${owner} hipwright_${name})
  endif()
endfunction()

# hipwright_library(name UNITS …): the one archive a C++ user links, made of all units' objects.
function(hipwright_library name)
  cmake_parse_arguments(arg "" "" "UNITS" ${ARGN})
  add_library(${name} STATIC)
  add_library(hipwright::${name} ALIAS ${name})
  foreach(unit IN LISTS arg_UNITS)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:hipwright_${unit}>)
    get_target_property(links hipwright_${unit} INTERFACE_LINK_LIBRARIES)
    list(FILTER links EXCLUDE REGEX "hipwright_")
    target_link_libraries(${name} PRIVATE ${links})
  endforeach()
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:hipwright_flags>)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
endfunction()
