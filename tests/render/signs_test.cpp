// Letters and the signs made of them: whatever the words and the size of the picture, nothing is
// cut off at its border, and labels do not lie over one another.
#include "render/signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/render/shapes.h"

namespace sinew::render::test {
namespace {

const std::string long_words(1000, 'W');
const std::string broken_words = "\xC3\x28 ab\xFF\xFE \xE2\x82 \xF0\x9F\x98 \x80\x80 end\xE2";

TEST(Letters, WidthsAddUp) {
  const Letters letters(20);
  EXPECT_EQ(letters.width(""), 0);
  EXPECT_GT(letters.width("a"), 3);
  EXPECT_GT(letters.width("W"), letters.width("i"));
  // Nothing is kerned with spaces between.
  EXPECT_NEAR(letters.width("a b"), letters.width("a") + letters.width(" ") + letters.width("b"),
              1e-3);
  EXPECT_NEAR(letters.width("AV"),
              letters.width("A") + letters.width("V") + letters.kerning('A', 'V'), 1e-3);
}

TEST(Letters, SizesArePixels) {
  for (const float pixels : {6.0f, 16.0f, 40.0f, 41.0f, 200.0f}) {
    const Letters letters(pixels);
    EXPECT_NEAR(letters.line_height(), pixels, 0.2f * pixels);
    EXPECT_GT(letters.ascent(), 0.6f * pixels);
    EXPECT_LT(letters.ascent(), letters.line_height());
    EXPECT_LE(letters.atlas_height(), 16384);
    EXPECT_EQ(letters.atlas().size(),
              static_cast<std::size_t>(letters.atlas_width()) * letters.atlas_height());
  }
  EXPECT_EQ(Letters(1).line_height(), Letters(6).line_height());
  EXPECT_EQ(Letters(9999).line_height(), Letters(200).line_height());
}

TEST(Letters, EachIsCutOutOfItsOwnPlace) {
  const Letters letters(24);
  const auto w = static_cast<float>(letters.atlas_width()),
             h = static_cast<float>(letters.atlas_height());
  for (uint32_t code = 0x21; code < 0x7F; ++code) {
    const Letters::Letter& l = letters.letter(code);
    ASSERT_GT(l.width, 0) << code;
    EXPECT_GT(l.advance, 0) << code;
    EXPECT_NEAR((l.u1 - l.u0) * w, l.width, 1e-2) << code;
    EXPECT_NEAR((l.v1 - l.v0) * h, l.height, 1e-2) << code;
    int ink = 0;
    for (int y = static_cast<int>(std::lround(l.v0 * h)); y < std::lround(l.v1 * h); ++y)
      for (int x = static_cast<int>(std::lround(l.u0 * w)); x < std::lround(l.u1 * w); ++x)
        ink += letters.atlas()[static_cast<std::size_t>(y) * letters.atlas_width() + x] > 128;
    EXPECT_GT(ink, 3) << "letter " << code << " is empty";
  }
}

TEST(Letters, HasTheSignsOfUnitsAndOfLanguages) {
  const Letters letters(16);
  for (const char* sign : {"\u00B5", "\u00B0", "\u00B2", "\u00B3", "\u00E9", "\u00FC", "\u0142",
                           "\u03B1", "\u2212", "\u2026", "\u221E"}) {
    std::string_view text = sign;
    const uint32_t code = next_code(text);
    EXPECT_TRUE(text.empty());
    EXPECT_NE(&letters.letter(code), &letters.letter('?')) << sign;
  }
}

TEST(Letters, WhatIsUnknownIsAQuestionMark) {
  const Letters letters(16);
  for (const uint32_t code : {0u, 7u, 0x4E2Du, 0x1F600u, 0x10FFFFu, 0xFFFFFFFFu})
    EXPECT_EQ(&letters.letter(code), &letters.letter('?')) << code;
  EXPECT_NEAR(letters.width("\u4E2D"), letters.width("?"), 1e-3);
}

std::vector<uint32_t> codes_of(std::string_view text) {
  std::vector<uint32_t> codes;
  while (!text.empty()) codes.push_back(next_code(text));
  return codes;
}

TEST(Letters, ReadsUtf8AndMendsWhatIsBroken) {
  using Codes = std::vector<uint32_t>;
  EXPECT_EQ(codes_of("a\u00E9\u20AC\U0001F600z"), (Codes{'a', 0xE9, 0x20AC, 0x1F600, 'z'}));
  EXPECT_EQ(codes_of("\xC3"), (Codes{'?'})) << "cut off";
  EXPECT_EQ(codes_of("\xC3(x"), (Codes{'?', '(', 'x'})) << "what follows is kept";
  EXPECT_EQ(codes_of("\x80\xBFy"), (Codes{'?', '?', 'y'})) << "only the rest of a sign";
  const Letters letters(12);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string noise(random() % 40, ' ');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_LE(codes_of(noise).size(), noise.size());
    EXPECT_TRUE(std::isfinite(letters.width(noise)));
  }
}

TEST(Ticks, AreRoundAndWithinTheRange) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> power(-8, 8), part(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const float size = std::pow(10.0f, power(random));
    const float low = size * part(random), high = low + size * (0.05f + std::abs(part(random)));
    const std::vector<float> ticks = round_ticks(low, high, 5);
    ASSERT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.size(), 7u);
    const double step = static_cast<double>(ticks[1]) - ticks[0];
    const double lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-4));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-2 || std::abs(lead - 2) < 1e-2 || std::abs(lead - 5) < 1e-2)
        << low << " .. " << high << " has steps of " << step;
    for (const float t : ticks) {
      EXPECT_GE(t, low - 1e-3 * step);
      EXPECT_LE(t, high + 1e-3 * step);
      EXPECT_NEAR(t / step, std::round(t / step), 1e-2);
    }
  }
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<float>{0, 0.2f, 0.4f, 0.6f, 0.8f, 1}));
  EXPECT_EQ(round_ticks(-1, 1, 2), (std::vector<float>{-1, 0, 1}));
}

TEST(Ticks, OfRangesThatAreNoneEndSoon) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [low, high] : {std::pair{1.0f, 1.0f}, {2.0f, 1.0f}, {none, 1.0f}, {0.0f, none}})
    EXPECT_EQ(round_ticks(low, high, 5).size(), 1u);
  EXPECT_EQ(round_ticks(0, 1, 0).size(), 1u);
  // Steps smaller than the distance between neighbouring floats.
  EXPECT_LE(round_ticks(1e9f, std::nextafter(1e9f, 2e9f), 5).size(), 50u);
  EXPECT_LE(round_ticks(-3e38f, 3e38f, 5).size(), 50u);
}

TEST(Ticks, HaveAsManyDigitsAsTheyNeed) {
  EXPECT_EQ(tick_text(0.2f, 0.2f), "0.2");
  EXPECT_EQ(tick_text(0.25f, 0.05f), "0.25");
  EXPECT_EQ(tick_text(1, 0.2f), "1.0");
  EXPECT_EQ(tick_text(20, 10), "20");
  EXPECT_EQ(tick_text(-0.0f, 1), "0");
  EXPECT_EQ(tick_text(-1e-9f, 1), "0");
  EXPECT_EQ(tick_text(-0.5f, 0.5f), "-0.5");
  EXPECT_EQ(tick_text(2e6f, 1e6f), "2e+06");
  EXPECT_EQ(tick_text(2e-6f, 1e-6f), "2e-06");
  EXPECT_EQ(tick_text(1.5e6f, 5e5f), "1.5e+06");
  EXPECT_EQ(tick_text(123456.2f, 0.2f), "123456.2");
  // Neighbouring ticks never read alike.
  std::mt19937 random(3);
  std::uniform_real_distribution<float> power(-7, 7), part(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    // Also far from zero, where the numbers share their first digits.
    const float size = std::pow(10.0f, power(random));
    const float low = size * part(random) * (i % 2 == 0 ? 1.0f : 1e4f);
    const std::vector<float> ticks = round_ticks(low, low + size, 5);
    for (std::size_t k = 0; k + 1 < ticks.size(); ++k)
      EXPECT_NE(tick_text(ticks[k], ticks[1] - ticks[0]),
                tick_text(ticks[k + 1], ticks[1] - ticks[0]))
          << ticks[k] << " and " << ticks[k + 1];
  }
}

class SignsTest : public testing::Test {
 protected:
  static constexpr std::pair<int, int> sizes[] = {
      {64, 64}, {200, 100}, {320, 240}, {1280, 720}, {4000, 200}, {200, 4000}, {3840, 2160}};

  Sheet write(int width, int height) {
    Sheet sheet;
    const Letters letters(std::round(16 * sign_scale(width, height)));
    write_signs(scales_, labels_, camera_, look_, width, height, letters, sheet);
    return sheet;
  }
  void add_label(const Point& at, const std::string& text) {
    draw::Label label;
    label.at = at;
    label.text = text;
    labels_.push_back(label);
  }
  void add_scale(const std::string& title, const std::string& unit, float low, float high) {
    scales_.push_back({draw::ColourMap::strain, low, high, title, unit});
  }

  std::vector<draw::ColourScale> scales_;
  std::vector<draw::Label> labels_;
  Camera camera_;
  Look look_;
};

void expect_inside(const Sheet& sheet, int width, int height) {
  for (const SheetVertex& v : sheet.vertices()) {
    ASSERT_TRUE(v.x >= 0 && v.x <= static_cast<float>(width) && v.y >= 0 &&
                v.y <= static_cast<float>(height))
        << "(" << v.x << ", " << v.y << ") in a picture of " << width << " x " << height;
  }
}

TEST_F(SignsTest, NothingIsCutOffAtTheBorder) {
  std::mt19937 random(4);
  add_scale("Layers", "m", 0, 1);
  add_scale(long_words, long_words, -1e-7f, 1e-7f);
  add_scale(broken_words, "\xFF", 123456, 123457);
  add_scale("", "", -3e30f, 3e30f);
  look_.overlays = ~0u;
  look_.caption = broken_words + long_words;
  for (int i = 0; i < 200; ++i)
    add_label(2 * random_point(random), i % 3 == 0   ? long_words
                                        : i % 3 == 1 ? broken_words
                                                     : "tip");
  for (const auto& [width, height] : sizes) {
    const Sheet sheet = write(width, height);
    expect_inside(sheet, width, height);
    EXPECT_FALSE(sheet.vertices().empty()) << width << " x " << height;
  }
}

TEST_F(SignsTest, ALegendShowsItsMapWhereThereIsRoom) {
  add_scale("Strain", "", -0.5f, 0.5f);
  const auto maps_on = [&](int width, int height) {
    const Sheet sheet = write(width, height);
    return std::count_if(sheet.vertices().begin(), sheet.vertices().end(),
                         [](const SheetVertex& v) { return v.kind == 2; }) /
           6;
  };
  EXPECT_EQ(maps_on(1280, 720), 1);
  add_scale("Layers", "", 0, 1);
  EXPECT_EQ(maps_on(1280, 720), 2);
  look_.set(Overlay::legend, false);
  EXPECT_EQ(maps_on(1280, 720), 0);
}

TEST_F(SignsTest, ScalesThatAreNoneDoNoHarm) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  add_scale("one value", "", 2, 2);
  add_scale("turned", "", 2, 1);
  add_scale("no number", "", none, none);
  for (const auto& [width, height] : sizes) expect_inside(write(width, height), width, height);
}

// The box of a label's letters; labels are told apart by their colours.
Box box_of_colour(const Sheet& sheet, uint32_t abgr) {
  Box box;
  for (const SheetVertex& v : sheet.vertices())
    if (v.kind == 1 && v.abgr == abgr) box.extend(Point(v.x, v.y, 0));
  return box;
}

TEST_F(SignsTest, LabelsDoNotLieOverOneAnother) {
  std::mt19937 random(5);
  for (const float spread : {0.0f, 0.05f, 0.5f}) {
    labels_.clear();
    for (uint32_t i = 0; i < 40; ++i) {
      add_label(spread * random_point(random), "label " + std::to_string(i));
      labels_.back().colour = {static_cast<float>(i) / 255, 0, 0, 1};
    }
    const Sheet sheet = write(1280, 720);
    std::vector<Box> boxes;
    for (uint32_t i = 0; i < 40; ++i) {
      const Box box = box_of_colour(sheet, 0xFF000000u | i);
      if (!box.isEmpty()) boxes.push_back(box);
    }
    EXPECT_GE(boxes.size(), 5u) << "most had no room";
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Point overlap =
            boxes[a].max().cwiseMin(boxes[b].max()) - boxes[a].min().cwiseMax(boxes[b].min());
        EXPECT_FALSE(overlap.x() > 1 && overlap.y() > 1);
      }
  }
}

TEST_F(SignsTest, LabelsStandBesideTheirPlace) {
  const Point place(0.2f, 0.1f, 0);
  add_label(place, "tip");
  labels_.back().colour = {1, 0, 0, 1};
  const Box box = box_of_colour(write(1280, 720), 0xFF0000FFu);
  ASSERT_FALSE(box.isEmpty());
  const auto at = camera_.place_of(place, 1280.0f / 720);
  EXPECT_GT(box.min().x(), at->x() * 1280);
  EXPECT_LT(box.min().x(), at->x() * 1280 + 20);
  EXPECT_LT(std::abs(box.center().y() - at->y() * 720), 12);
}

TEST_F(SignsTest, WordsWithoutAPlaceAreLeftOut) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  add_label(Point(none, 0, 0), "nowhere");
  add_label(camera_.eye() + camera_.back(), "behind the eye");
  add_label(camera_.target + 100 * camera_.right(), "outside");
  add_label(Point(0, 0, 0), "");
  EXPECT_TRUE(write(1280, 720).vertices().empty());
}

TEST_F(SignsTest, SignsGrowWithThePicture) {
  EXPECT_EQ(sign_scale(1280, 720), 1);
  EXPECT_EQ(sign_scale(2560, 1440), 2);
  EXPECT_EQ(sign_scale(720, 1280), 1);
  EXPECT_GT(sign_scale(1, 1), 0.5f);
  EXPECT_LE(sign_scale(16384, 16384), 12);
}

}  // namespace
}  // namespace sinew::render::test
