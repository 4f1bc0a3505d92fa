// The main function of every test program under Catch2 2; Catch2 3 has its own.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"
