#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gossamer {

/// One file that shows `data` in any browser, without network: it contains data, scripts and
/// styles. `pictures` are our own SVGs, which are inserted unchanged; all other text is escaped.
std::string html_page(std::string_view title, const nlohmann::ordered_json& data,
                      std::string_view pictures);

/// Text between tags or in an attribute.
std::string html_text(std::string_view text);

}  // namespace gossamer
