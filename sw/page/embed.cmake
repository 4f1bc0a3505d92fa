# Writes the page's template, style and scripts into a header: cmake -DASSETS=DIR -DHEADER=FILE -P embed.cmake
set(scripts model.js picture.js fabric.js space_time.js knowledge.js failure.js tables.js page.js)

# Compilers need not accept literals of more than 64 KB, so the text is split into
# several.
function(literal variable files)
  set(text "")
  foreach(file IN LISTS files)
    file(READ "${ASSETS}/${file}" part)
    string(FIND "${part}" ")~~~" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${file}: `)~~~` ends the literal that it is put into")
    endif()
    string(APPEND text "R\"~~~(${part})~~~\"\n")
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

literal(html page.html)
literal(css page.css)
literal(js "${scripts}")
file(WRITE "${HEADER}" "// Generated from sw/page/assets; do not edit.
#pragma once

#include <string_view>

namespace gossamer::assets {

inline constexpr std::string_view page_html = ${html};
inline constexpr std::string_view page_css = ${css};
inline constexpr std::string_view page_js = ${js};

}  // namespace gossamer::assets
")
