# Writes the C++ header of the constants that hardware and software share, from the SystemVerilog
# package that defines them:
#
#   cmake -DPACKAGE=gossamer_pkg.sv -DHEADER=gossamer_constants.hpp -P constants_from_rtl.cmake
#
# It understands four forms, one a line:
#
#     localparam int NAME = 123;  // comment    (or int unsigned)
#     typedef enum logic [N:0] {
#       NAME = 4'd3,  // comment
#     } name_e;
#     typedef struct packed {
#       logic field;               // comment
#       logic [N:0] field;         // comment
#       logic [NAME-1:0] field;    // comment    (NAME is a constant above; unused_... gets no name in C++)
#     } name_t;
#
# Comments and blank lines are skipped outside of enums and structs. Any other line with `localparam`, `enum` or
# `struct` in it, and any other line inside an enum or a struct, is an error: a constant must not be lost in silence.
cmake_minimum_required(VERSION 3.25)

foreach(argument IN ITEMS PACKAGE HEADER)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "constants_from_rtl.cmake needs -D${argument}=FILE")
  endif()
endforeach()

# A CMake list would take these characters for its own.
file(READ ${PACKAGE} text)
string(REPLACE "\\" "<bslash>" text "${text}")
string(REPLACE ";" "<semi>" text "${text}")
string(REPLACE "[" "<open>" text "${text}")
string(REPLACE "]" "<close>" text "${text}")
string(REPLACE "\n" ";" lines "${text}")

# Sets `out` to `text` with those characters back in their places.
function(restore out text)
  string(REPLACE "<bslash>" "\\" text "${text}")
  string(REPLACE "<semi>" ";" text "${text}")
  string(REPLACE "<open>" "[" text "${text}")
  string(REPLACE "<close>" "]" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Sets `out` to the comment as the inside of a C++ string literal.
function(as_string out comment)
  restore(text "${comment}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Stops at the current line. NOTICE prints the text as it is, FATAL_ERROR would wrap it.
function(refuse reason)
  restore(text "${line}")
  message(NOTICE "${PACKAGE}:${number}: ${reason}\n${text}")
  message(FATAL_ERROR "no header was written")
endfunction()

set(name "[A-Z][A-Z0-9_]*")
set(comment "( *// *(.*))?")
set(constants "")
set(enums "")
set(structs "")
set(names "")
set(in_enum FALSE)
set(in_struct FALSE)
set(number 0)

foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(in_enum AND line MATCHES "^ *} ([a-z][a-z0-9_]*_e)<semi>${comment}$")
    string(APPEND enums "\nenum class ${CMAKE_MATCH_1} : unsigned {\n${members}};\n")
    string(APPEND enums "inline constexpr NamedValue ${CMAKE_MATCH_1}_table[] = {\n${rows}};\n")
    set(in_enum FALSE)
  elseif(in_enum AND line MATCHES "^ *(${name}) = ([0-9]+)'d([0-9]+),?${comment}$")
    set(member ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_3})
    as_string(meaning "${CMAKE_MATCH_5}")
    math(EXPR limit "1 << ${width}")
    if(NOT CMAKE_MATCH_2 EQUAL width)
      refuse("the enum is ${width} bits wide, this value ${CMAKE_MATCH_2}")
    elseif(NOT value LESS limit)
      refuse("${value} does not fit into ${width} bits")
    elseif(value IN_LIST values OR member IN_LIST names)
      refuse("the name or its value is there twice")
    endif()
    list(APPEND values ${value})
    list(APPEND names ${member})
    string(APPEND members "  ${member} = ${value},\n")
    string(APPEND rows "    {${value}, \"${member}\", \"${meaning}\"},\n")
  elseif(in_enum)
    refuse("expected `NAME = ${width}'dVALUE,  // comment` or the end of the enum")
  elseif(in_struct AND line MATCHES "^ *} ([a-z][a-z0-9_]*_t)<semi>${comment}$")
    set(struct ${CMAKE_MATCH_1})
    set(lsb 0)  # the last field of a packed struct is the lowest
    set(members "")
    set(named "")
    list(REVERSE fields)
    foreach(field width IN ZIP_LISTS fields widths)
      if(NOT field MATCHES "^unused_")
        string(APPEND members "  static constexpr BitField ${field}{${lsb}, ${width}, \"${field}\"};\n")
        list(APPEND named ${field})
      endif()
      math(EXPR lsb "${lsb} + ${width}")
    endforeach()
    list(JOIN named ", " named)
    string(APPEND structs "\nstruct ${struct} {\n${members}  static constexpr BitField fields[] = {${named}};\n"
                          "  static constexpr unsigned bits = ${lsb};\n};\n")
    set(in_struct FALSE)
  elseif(in_struct AND line MATCHES "^ *logic( +<open>(${name}-1|[0-9]+):0<close>)? +([a-z][a-z0-9_]*)<semi>${comment}$")
    set(upper "${CMAKE_MATCH_2}")
    set(field ${CMAKE_MATCH_3})
    if(field IN_LIST fields)
      refuse("the field is there twice")
    endif()
    if(upper STREQUAL "")
      set(width 1)
    elseif(upper MATCHES "^(${name})-1$")
      set(width "${value_of_${CMAKE_MATCH_1}}")
      if(width STREQUAL "")
        refuse("no constant above has this name")
      endif()
    else()
      math(EXPR width "${upper} + 1")
    endif()
    list(APPEND fields ${field})
    list(PREPEND widths ${width})
  elseif(in_struct)
    refuse("expected `logic [N:0] field;  // comment` or the end of the struct")
  elseif(line MATCHES "^ *(//.*)?$")
    continue()
  elseif(line MATCHES "^ *localparam int( unsigned)? (${name}) = ([0-9]+)<semi>${comment}$")
    set(constant ${CMAKE_MATCH_2})
    set(value ${CMAKE_MATCH_3})
    if(value GREATER 2147483647)
      refuse("${value} does not fit into an int")
    elseif(constant IN_LIST names)
      refuse("the name is there twice")
    endif()
    list(APPEND names ${constant})
    set(value_of_${constant} ${value})
    string(APPEND constants "inline constexpr unsigned ${constant} = ${value};\n")
  elseif(line MATCHES "^ *typedef enum logic <open>([0-9]+):0<close> {$")
    math(EXPR width "${CMAKE_MATCH_1} + 1")
    set(in_enum TRUE)
    set(members "")
    set(rows "")
    set(values "")
  elseif(line MATCHES "^ *typedef struct packed {$")
    set(in_struct TRUE)
    set(fields "")
    set(widths "")
  elseif(line MATCHES "localparam|enum|struct")
    refuse("expected `localparam int NAME = 123;  // comment`, `typedef enum logic [N:0] {` or `typedef struct packed {`")
  endif()
endforeach()

if(in_enum OR in_struct)
  refuse("the file ends inside an enum or a struct")
elseif(NOT names)
  refuse("the file defines no constant")
endif()

# Packages without an enum need no type for its members.
set(named_value "")
if(enums)
  set(named_value "
/// One member of an enum: its value, its name in the RTL and the comment beside it.
struct NamedValue {
  unsigned value;
  const char* name;
  const char* text;
};
")
endif()

# Nor do those without a struct need one for its fields.
set(bit_field "")
if(structs)
  set(bit_field "
/// A field of a packed struct: its lowest bit, its width and its name.
struct BitField {
  unsigned lsb, width;
  const char* name;
};
")
endif()

get_filename_component(source ${PACKAGE} NAME)
file(WRITE ${HEADER} "// Generated from ${source}; edit that file instead.
#pragma once

namespace gossamer::rtl {

${constants}${named_value}${enums}${bit_field}${structs}
}  // namespace gossamer::rtl
")
