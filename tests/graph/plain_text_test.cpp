// Texts that are shown: what steers whoever shows them is taken out, and nothing else.
#include "graph/plain_text.h"

#include <gtest/gtest.h>

#include "graph/canonical_writer.h"
#include "graph/json_reader.h"

namespace sinew {
namespace {

std::string utf8(uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800)
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  if (code < 0x10000)
    return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  return {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
          static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

// As Unicode has them: categories Cc, Zl, Zp, and what UAX 9 calls explicit formatting and marks.
bool steers(uint32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return true;
  for (const uint32_t one : {0x61Cu, 0x200Eu, 0x200Fu, 0x2028u, 0x2029u, 0x202Au, 0x202Bu, 0x202Cu,
                             0x202Du, 0x202Eu, 0x2066u, 0x2067u, 0x2068u, 0x2069u})
    if (c == one) return true;
  return false;
}

TEST(PlainText, EveryCharacterOfUnicode) {
  for (uint32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;  // surrogates are no characters
    const std::string text = "a" + utf8(code) + "b";
    const bool bad = steers(code), stays = code == '\n' || code == '\t';
    ASSERT_EQ(is_plain(text), !bad) << std::hex << code;
    ASSERT_EQ(is_plain(text, true), !bad || stays) << std::hex << code;
    ASSERT_EQ(plain_line(text), bad ? "a b" : text) << std::hex << code;
    ASSERT_EQ(plain_lines(text), bad && !stays ? "a b" : text) << std::hex << code;
    // What the writer writes is plain, and reads back as the same text.
    CanonicalWriter writer;
    writer.string(text);
    const std::string written = writer.finish();
    ASSERT_TRUE(is_plain(written, true)) << std::hex << code;
    if (bad) {
      ASSERT_EQ(*read_json(written), Json(text)) << std::hex << code;
    }
  }
}

TEST(PlainText, BytesThatAreNoText) {
  for (const char* text : {"\x9b", "a\xff", "\xc2", "\xe2\x80", "\xed\xa0\x80", "\xc0\x9b",
                           "\xf4\x90\x80\x80", "\xf0\x9f\x98"}) {
    EXPECT_FALSE(is_plain(text)) << text;
    EXPECT_TRUE(is_plain(plain_line(text))) << text;
  }
}

TEST(PlainText, TreesAreCleanedToTheirKeys) {
  const Json tree = {{"k\x1b", {1, true, nullptr, "v\x7f", {{"in\xC2\x9B", "side\xE2\x80\xAE"}}}}};
  EXPECT_EQ(plain_tree(tree).dump(), R"({"k ":[1,true,null,"v ",{"in ":"side "}]})");
}

}  // namespace
}  // namespace sinew
