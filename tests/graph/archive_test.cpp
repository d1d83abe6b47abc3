#include "graph/archive.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/graph/tar_maker.h"

namespace sinew {
namespace {

using testing::compressed;
using testing::decompressed;
using testing::with_header;

std::string refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
  const Result<std::vector<ArchiveFile>> files = unpack_archive(bytes, limits);
  EXPECT_FALSE(files);
  if (files) return "";
  EXPECT_EQ(files.error().find('\n'), std::string::npos);
  return files.error();
}

TEST(Archive, FilesComeBack) {
  std::string large(100000, 'x');
  large += std::string("\0\xff\n", 3);
  const std::vector<ArchiveFile> files = {{"a/b/c.bin", large},
                                          {"empty", ""},
                                          {"preset.json", "{}"},
                                          {"sp ace", std::string(512, 'y')}};
  const Result<std::string> packed = pack_archive(files);
  ASSERT_TRUE(packed) << packed.error();
  const Result<std::vector<ArchiveFile>> back = unpack_archive(*packed);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, files);
  // In any order, the same bytes.
  EXPECT_EQ(*pack_archive({files.rbegin(), files.rend()}), *packed);
  EXPECT_TRUE(unpack_archive(*pack_archive({}))->empty());
}

TEST(Archive, NamesThatLeadElsewhereAreRefused) {
  for (const char* name : {"/etc/passwd", "../up", "a/../../b", "a/..", "..", ".", "a//b", "a/./b",
                           "a\\b", "c:evil", "a/", "", "tab\there", "\x7f"}) {
    EXPECT_NE(flaw_of_inner_name(name), "") << name;
    EXPECT_FALSE(pack_archive({{name, ""}})) << name;
    const std::string bytes = with_header([&](std::string& tar) {
      std::fill(tar.begin(), tar.begin() + 100, '\0');
      tar.replace(0, std::string(name).size(), name);
    });
    EXPECT_NE(refusal(bytes), "") << name;
  }
  EXPECT_EQ(flaw_of_inner_name("meshes/heart.obj"), "");
  EXPECT_EQ(flaw_of_inner_name("..a/b..c"), "");
  // A prefix is a part of the name.
  EXPECT_NE(
      refusal(with_header([](std::string& tar) { tar.replace(345, 2, ".."); })).find("leads out"),
      std::string::npos);
}

TEST(Archive, OnlyPlainFiles) {
  for (const char kind : {'1', '2', '3', '4', '5', '6', '7', 'x', 'g', 'L', 'K', '\xff'}) {
    const std::string error = refusal(with_header([&](std::string& tar) { tar[156] = kind; }));
    EXPECT_NE(error.find("only plain files"), std::string::npos) << error;
  }
}

TEST(Archive, BombsStopAtTheLimit) {
  // Gigabytes of nothing in a few hundred bytes.
  const std::string bomb = compressed(std::string(std::size_t{64} << 20, '\0'));
  EXPECT_LT(bomb.size(), 10000u);
  EXPECT_NE(refusal(bomb, {1 << 20, 10}).find("more than 1 MB"), std::string::npos);
  const std::string large = *pack_archive({{"a", std::string(3 << 20, 'x')}});
  EXPECT_NE(refusal(large, {1 << 20, 10}).find("more than 1 MB"), std::string::npos);
  std::vector<ArchiveFile> many;
  for (int i = 0; i < 50; ++i) many.push_back({"f" + std::to_string(i), ""});
  EXPECT_NE(refusal(*pack_archive(many), {1 << 20, 10}).find("more than 10 files"),
            std::string::npos);
  // A header that says more than there is.
  EXPECT_NE(refusal(with_header([](std::string& tar) { tar.replace(124, 11, "77777777777"); })),
            "");
  EXPECT_NE(refusal(with_header([](std::string& tar) {
              tar.replace(124, 11, "00000100000");
            })).find("cut short"),
            std::string::npos);
  EXPECT_NE(refusal(with_header([](std::string& tar) { tar.replace(124, 11, "-0000000001"); })),
            "");
}

TEST(Archive, WhatIsDamagedIsRefused) {
  const std::string packed =
      *pack_archive({{"a.json", std::string(3000, 'a')}, {"b.bin", "hello"}});
  for (std::size_t length = 0; length < packed.size(); ++length)
    EXPECT_FALSE(unpack_archive(packed.substr(0, length))) << length;
  EXPECT_FALSE(unpack_archive(packed + "x"));
  EXPECT_FALSE(unpack_archive(packed + packed));
  EXPECT_FALSE(unpack_archive("PK\x03\x04 a zip"));
  std::string tar = decompressed(packed);
  // Twice the same name; something behind the end.
  EXPECT_NE(refusal(compressed(tar.substr(0, 512 + 3072) + tar)).find("there twice"),
            std::string::npos);
  EXPECT_NE(refusal(compressed(tar + std::string(512, 'z'))), "");
  tar[3] ^= 1;
  EXPECT_NE(refusal(compressed(tar)).find("damaged"), std::string::npos);
  // Any byte may be anything: refused or unpacked, never more.
  std::mt19937 engine(4);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bent = trial % 2 ? packed : decompressed(packed);
    for (int k = 0; k < 3; ++k) bent[engine() % bent.size()] = static_cast<char>(engine());
    (void)unpack_archive(trial % 2 ? bent : compressed(bent), {1 << 20, 100});
  }
}

}  // namespace
}  // namespace sinew
