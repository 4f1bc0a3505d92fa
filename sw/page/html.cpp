#include "page/html.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "page_assets.hpp"

namespace gossamer {
namespace {

/// A script's text ends at "</script>", so it must not contain "<".
std::string script_json(const nlohmann::ordered_json& data) {
  std::string text;
  for (const char c : data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string html_page(std::string_view title, const nlohmann::ordered_json& data,
                      std::string_view pictures) {
  const std::string shown_title = html_text(title), json = script_json(data);
  const std::array<std::pair<std::string_view, std::string_view>, 5> parts = {
      {{"{{title}}", shown_title},
       {"{{style}}", assets::page_css},
       {"{{pictures}}", pictures},
       {"{{data}}", json},
       {"{{script}}", assets::page_js}}};
  // One pass through the template, so that inserted text is not searched.
  std::string page;
  std::string_view rest = assets::page_html;
  while (!rest.empty()) {
    std::size_t at = rest.size(), length = 0;
    std::string_view value;
    for (const auto& [name, text] : parts) {
      const std::size_t found = rest.find(name);
      if (found < at) {
        at = found;
        length = name.size();
        value = text;
      }
    }
    page.append(rest.substr(0, at)).append(value);
    rest.remove_prefix(at + length);
  }
  return page;
}

}  // namespace gossamer
