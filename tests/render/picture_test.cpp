// Pictures between the renderer and files: PNG there and back, also of hostile bytes; scaling;
// sheets; and whether the comparison sees what it should.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "render/compare.h"
#include "render/contact_sheet.h"
#include "render/picture.h"
#include "render/png_file.h"

namespace sinew::render {
namespace {

Picture random_picture(int width, int height, bool opaque, unsigned seed) {
  std::mt19937 random(seed);
  Picture picture = filled(width, height, {});
  for (size_t i = 0; i < picture.rgba.size(); ++i)
    picture.rgba[i] = i % 4 == 3 && opaque ? 255 : static_cast<uint8_t>(random());
  return picture;
}

// Something with edges, tones and empty parts, as a render has.
Picture scene(int width, int height, double shift = 0) {
  Picture picture = filled(width, height, {230, 232, 235, 255});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double u = (x - shift) / width - 0.5, v = static_cast<double>(y) / height - 0.5;
      if (u * u + v * v > 0.1) continue;
      const double light = 0.5 + 0.4 * std::sin(40 * u) * std::cos(30 * v);
      uint8_t* p = picture.pixel(x, y);
      p[0] = static_cast<uint8_t>(220 * light);
      p[1] = static_cast<uint8_t>(160 * light);
      p[2] = static_cast<uint8_t>(120 * light);
    }
  }
  return picture;
}

TEST(Png, ComesBackAsItWas) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 50}, {50, 1}, {63, 41}}) {
    for (const bool opaque : {true, false}) {
      const Picture picture = random_picture(width, height, opaque, 7);
      const EncodedPng png = encode_png(picture);
      ASSERT_TRUE(png) << png.error;
      EXPECT_EQ(png_size(png.bytes), (Size{width, height}));
      EXPECT_TRUE(png.bytes.ends_with(png_tail));
      EXPECT_NE(png.bytes.find("sRGB"), std::string::npos);
      EXPECT_EQ(png.bytes[25], opaque ? 2 : 6) << "RGB or RGBA";
      EXPECT_EQ(encode_png(picture).bytes, png.bytes);
      const DecodedPng back = decode_png(png.bytes);
      ASSERT_TRUE(back) << back.error;
      EXPECT_EQ(back.picture, picture);
    }
  }
}

TEST(Png, RefusesPicturesThatAreNone) {
  for (const Picture& picture : {Picture{}, Picture{2, 2, std::vector<uint8_t>(15)},
                                 Picture{-1, 4, {}}, Picture{max_picture_side + 1, 1, {}}}) {
    const EncodedPng png = encode_png(picture);
    EXPECT_FALSE(png);
    EXPECT_TRUE(png.bytes.empty());
  }
}

TEST(Png, EveryCutIsAnErrorOrThePicture) {
  const Picture picture = random_picture(9, 7, false, 3);
  const std::string bytes = encode_png(picture).bytes;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const DecodedPng back = decode_png(std::string_view(bytes).substr(0, size));
    // The pixels may be complete before the file is.
    EXPECT_TRUE(!back || back.picture == picture);
    EXPECT_EQ(back.picture.empty(), !back);
  }
}

TEST(Png, HostileBytesDoNoHarm) {
  const std::string bytes = encode_png(scene(40, 30)).bytes;
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string bad = bytes;
    for (unsigned k = 0; k <= random() % 4; ++k)
      bad[random() % bad.size()] = static_cast<char>(random());
    const DecodedPng back = decode_png(bad);
    EXPECT_TRUE(!back || is_whole(back.picture));
  }
  for (const char* text : {"", "PNG", "GIF89a and so on, longer than any head of a PNG file is"})
    EXPECT_EQ(decode_png(text).error, "it is not a PNG file");
}

TEST(Png, SizesAreBoundedBeforeAnythingIsAllocated) {
  std::string bytes = encode_png(scene(40, 30)).bytes;
  EXPECT_FALSE(decode_png(bytes, 39));
  EXPECT_TRUE(decode_png(bytes, 40));
  // A gibibyte promised by a few hundred bytes.
  bytes.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));
  EXPECT_EQ(png_size(bytes), (Size{16384, 16384}));
  EXPECT_EQ(decode_png(bytes).error, "the PNG file is cut short");
  bytes.replace(16, 4, std::string("\x7F\xFF\xFF\xFF", 4));
  EXPECT_NE(decode_png(bytes).error.find("too large"), std::string::npos);
  bytes.replace(16, 4, std::string("\xFF\xFF\xFF\xFF", 4));
  EXPECT_FALSE(png_size(bytes));
}

TEST(Png, TheLargestSidesWork) {
  const Picture wide = filled(max_picture_side, 3, {10, 20, 30, 255});
  const DecodedPng back = decode_png(encode_png(wide).bytes);
  ASSERT_TRUE(back) << back.error;
  EXPECT_EQ(back.picture, wide);
}

TEST(Light, StoredValuesComeBack) {
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(stored_light(linear_light(static_cast<uint8_t>(i))), static_cast<uint8_t>(i));
  EXPECT_EQ(stored_light(-1), 0);
  EXPECT_EQ(stored_light(7), 255);
  EXPECT_EQ(stored_light(std::nanf("")), 0);
  EXPECT_NEAR(linear_light(188), 0.5, 0.005);
}

TEST(Scaled, KeepsOneColour) {
  for (const Pixel& colour : {Pixel{200, 100, 50, 255}, Pixel{1, 254, 128, 77}}) {
    const Picture picture = filled(37, 23, colour);
    for (const auto& [width, height] : {std::pair{1, 1}, {10, 7}, {36, 24}, {80, 61}})
      EXPECT_EQ(scaled(picture, width, height), filled(width, height, colour));
  }
}

TEST(Scaled, AveragesLightAndNotStoredValues) {
  Picture chequered = filled(64, 64, {0, 0, 0, 255});
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      if ((x + y) % 2 == 0) std::fill_n(chequered.pixel(x, y), 3, uint8_t{255});
  EXPECT_EQ(scaled(chequered, 32, 32), filled(32, 32, {188, 188, 188, 255}));
}

TEST(Scaled, KeepsTheAmountOfLight) {
  const Picture picture = random_picture(61, 47, true, 5);
  const auto light = [](const Picture& p) {
    double sum = 0;
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x) sum += linear_light(p.pixel(x, y)[1]);
    return sum / static_cast<double>(p.pixels());
  };
  for (const auto& [width, height] : {std::pair{20, 13}, {7, 40}, {100, 90}})
    EXPECT_NEAR(light(scaled(picture, width, height)), light(picture), 0.002);
}

TEST(Scaled, TransparentPixelsLendNoColour) {
  Picture picture = filled(2, 1, {255, 0, 0, 255});
  const Pixel hidden{0, 255, 0, 0};
  std::copy(hidden.begin(), hidden.end(), picture.pixel(1, 0));
  EXPECT_EQ(scaled(picture, 1, 1), filled(1, 1, {255, 0, 0, 128}));
  EXPECT_TRUE(scaled(picture, 0, 5).empty());
  EXPECT_TRUE(scaled(Picture{}, 5, 5).empty());
}

TEST(Sheet, LaysPicturesOutInReadingOrder) {
  const SheetLayout layout{3, 2, 20, 10, 4, {9, 8, 7, 255}};
  EXPECT_EQ(layout.size(), (Size{3 * 24 + 4, 2 * 14 + 4}));
  std::vector<Picture> pictures;
  for (uint8_t i = 0; i < 5; ++i)
    pictures.push_back(filled(40, 20, {static_cast<uint8_t>(50 * i), 0, 0, 255}));
  const Picture sheet = contact_sheet(pictures, layout);
  for (int cell = 0; cell < 6; ++cell) {
    const int left = 4 + 24 * (cell % 3), top = 4 + 14 * (cell / 3);
    for (const auto& [x, y] : {std::pair{left, top}, {left + 19, top + 9}})
      EXPECT_EQ(sheet.pixel(x, y)[0], cell < 5 ? 50 * cell : 9) << cell;
    EXPECT_EQ(sheet.pixel(left - 1, top)[0], 9) << "the gap";
    EXPECT_EQ(sheet.pixel(left + 20, top)[0], 9) << "the gap";
  }
  pictures.resize(9, pictures[0]);
  EXPECT_EQ(contact_sheet(pictures, layout).width, sheet.width) << "more pictures than cells";
}

TEST(Sheet, PicturesOfAnotherShapeStandInTheMiddle) {
  const SheetLayout layout{1, 1, 30, 10, 0, {0, 0, 0, 255}};
  const Picture sheet = contact_sheet(std::vector{filled(50, 50, {255, 255, 255, 255})}, layout);
  EXPECT_EQ(sheet.pixel(9, 5)[0], 0);
  EXPECT_EQ(sheet.pixel(10, 0)[0], 255);
  EXPECT_EQ(sheet.pixel(19, 9)[0], 255);
  EXPECT_EQ(sheet.pixel(20, 5)[0], 0);
}

TEST(Sheet, RefusesWhatIsNoSheet) {
  for (const SheetLayout& layout :
       {SheetLayout{0, 1}, SheetLayout{1, 1, 20000, 10},
        SheetLayout{16384, 16384, 16384, 16384, 16384}, SheetLayout{2, 2, 10, 10, -1}}) {
    EXPECT_FALSE(is_possible(layout));
    EXPECT_TRUE(contact_sheet(std::vector{filled(5, 5, {})}, layout).empty());
  }
}

TEST(DrawOver, MixesByAlphaAndStaysInside) {
  Picture under = filled(4, 4, {0, 0, 0, 255});
  draw_over(under, filled(10, 10, {255, 255, 255, 128}), 2, -3);
  EXPECT_EQ(under.pixel(1, 0)[0], 0);
  EXPECT_EQ(under.pixel(2, 0)[0], stored_light(128 / 255.0f));
  EXPECT_EQ(under.pixel(3, 3)[3], 255);
  draw_over(under, filled(2, 2, {255, 255, 255, 255}), 40, 40);
}

TEST(Compare, TheSameIsOne) {
  for (const Picture& picture :
       {scene(200, 150), random_picture(70, 33, false, 1), filled(5, 3, {0, 0, 0, 255})}) {
    const Comparison c = compare(picture, picture);
    EXPECT_TRUE(c.same_size);
    EXPECT_EQ(c.similarity, 1);
    EXPECT_EQ(c.worst_block, 1);
    EXPECT_EQ(c.differing, 0);
    EXPECT_EQ(c.largest_mean_difference(), 0);
    EXPECT_EQ(c.histogram_distance, 0);
  }
}

TEST(Compare, DifferentSizesAreTheWorst) {
  const Comparison c = compare(scene(20, 20), scene(21, 20));
  EXPECT_FALSE(c.same_size);
  EXPECT_EQ(c.similarity, -1);
  EXPECT_EQ(c.differing, 1);
}

TEST(Compare, FaintNoiseIsLittle) {
  const Picture picture = scene(200, 150);
  Picture noisy = picture;
  std::mt19937 random(2);
  for (size_t i = 0; i < noisy.rgba.size(); ++i)
    if (i % 4 != 3 && noisy.rgba[i] > 2) noisy.rgba[i] -= static_cast<uint8_t>(random() % 3);
  const Comparison c = compare(picture, noisy);
  EXPECT_GT(c.similarity, 0.95);
  EXPECT_LT(c.similarity, 1);
  EXPECT_EQ(c.differing, 0);
  EXPECT_NEAR(c.mean_difference[0], 1, 0.1);
  EXPECT_LT(c.histogram_distance, 0.01);
}

TEST(Compare, AShiftMovesStructureAndKeepsTones) {
  const Comparison near = compare(scene(200, 150), scene(200, 150, 1));
  const Comparison far = compare(scene(200, 150), scene(200, 150, 8));
  EXPECT_GT(near.similarity, far.similarity);
  EXPECT_LT(far.worst_block, 0.5);
  EXPECT_LT(far.histogram_distance, 0.01);
  EXPECT_GT(far.differing, 0.05);
}

TEST(Compare, InvertedIsOpposite) {
  const Picture picture = random_picture(96, 64, true, 9);
  Picture inverted = picture;
  for (size_t i = 0; i < inverted.rgba.size(); ++i)
    if (i % 4 != 3) inverted.rgba[i] = static_cast<uint8_t>(255 - inverted.rgba[i]);
  const Comparison c = compare(picture, inverted);
  EXPECT_LT(c.similarity, -0.5);
  const Comparison ends =
      compare(filled(40, 40, {0, 0, 0, 255}), filled(40, 40, {255, 255, 255, 255}));
  EXPECT_NEAR(ends.histogram_distance, 1, 1e-9);
  EXPECT_EQ(ends.mean_difference[1], 255);
  EXPECT_EQ(ends.mean_difference[3], 0);
}

TEST(Compare, FindsTheBlockThatIsWrong) {
  const Picture picture = scene(256, 256);
  Picture hurt = picture;
  for (int y = 100; y < 124; ++y)
    for (int x = 130; x < 154; ++x) std::fill_n(hurt.pixel(x, y), 3, uint8_t{0});
  const Comparison c = compare(picture, hurt);
  EXPECT_GT(c.similarity, 0.95) << "hardly seen in the mean";
  EXPECT_LT(c.worst_block, 0.5);
  EXPECT_EQ(c.worst_x, 128);
  EXPECT_EQ(c.worst_y, 96);
}

TEST(Statistics, OfKnownPictures) {
  Picture picture = filled(2, 1, {10, 20, 30, 255});
  picture.pixel(1, 0)[0] = 30;
  const auto s = statistics(picture);
  EXPECT_DOUBLE_EQ(s[0].mean, 20);
  EXPECT_DOUBLE_EQ(s[0].deviation, 10);
  EXPECT_DOUBLE_EQ(s[1].mean, 20);
  EXPECT_DOUBLE_EQ(s[1].deviation, 0);
  EXPECT_DOUBLE_EQ(s[3].mean, 255);
}

}  // namespace
}  // namespace sinew::render
