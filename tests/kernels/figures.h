// What a test saw, beside whether it passed: --gtest_output=xml:figures.xml shows it.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace sinew::test {

inline void record(const std::string& name, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  testing::Test::RecordProperty(name, text);
}

}  // namespace sinew::test
