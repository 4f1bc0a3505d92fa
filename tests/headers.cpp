// Carries the precompiled headers of the tests (CMakeLists.txt here).
