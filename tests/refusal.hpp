#pragma once

#include <concepts>
#include <string>

#include "support/error.hpp"

/// What is said of bad input where it is read; "accepted" if nothing is.
template <std::invocable F>
std::string refusal(F read) {
  try {
    read();
    return "accepted";
  } catch (const gossamer::InputError& error) {
    return error.what();
  }
}
