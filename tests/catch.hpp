#pragma once

// Catch2 2 and 3 differ in the name of the header that holds everything.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
