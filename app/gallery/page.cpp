#include "app/gallery/page.h"

#include <string_view>

#include "graph/plain_text.h"

#ifndef SINEW_GALLERY_FOLDER
#error "the build names the folder of the page"
#endif

// The page's files, put into the program by the assembler.
#define SINEW_FILE(name, file)                                                 \
  asm(".section .rodata\n"                                                     \
      "sinew_gallery_" name "_begin: .incbin \"" SINEW_GALLERY_FOLDER "/" file \
      "\"\n"                                                                   \
      "sinew_gallery_" name                                                    \
      "_end: .byte 0\n"                                                        \
      ".previous\n")
SINEW_FILE("html", "page.html");
SINEW_FILE("style", "page.css");
SINEW_FILE("model", "model.js");
SINEW_FILE("viewer", "viewer.js");
SINEW_FILE("script", "page.js");
#define SINEW_BYTES(name)                                                                     \
  extern "C" const char sinew_gallery_##name##_begin[] __attribute__((visibility("hidden"))); \
  extern "C" const char sinew_gallery_##name##_end[] __attribute__((visibility("hidden")))
SINEW_BYTES(html);
SINEW_BYTES(style);
SINEW_BYTES(model);
SINEW_BYTES(viewer);
SINEW_BYTES(script);

namespace sinew::gallery {

namespace {

std::string text_of(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

void replace(std::string& text, std::string_view what, const std::string& by) {
  if (const std::size_t at = text.find(what); at != std::string::npos)
    text.replace(at, what.size(), by);
}

// Inside of a script, where only "</" and "<!" mean something.
std::string for_script(std::string json) {
  std::string safe;
  for (const char c : json)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace

std::string page(const Json& library,
                 const std::vector<std::pair<std::string, std::string>>& models) {
  std::string html = text_of(sinew_gallery_html_begin, sinew_gallery_html_end);
  replace(html, "/*SINEW-STYLE*/", text_of(sinew_gallery_style_begin, sinew_gallery_style_end));
  replace(html, "/*SINEW-SCRIPT*/",
          text_of(sinew_gallery_model_begin, sinew_gallery_model_end) +
              text_of(sinew_gallery_viewer_begin, sinew_gallery_viewer_end) +
              text_of(sinew_gallery_script_begin, sinew_gallery_script_end));
  std::string data =
      "<script type=\"application/json\" id=\"library\">" +
      for_script(plain_tree(library).dump(-1, ' ', false, Json::error_handler_t::replace)) +
      "</script>\n";
  for (const auto& [id, blob] : models)
    data += "<script type=\"text/plain\" id=\"" + id + "\">" + blob + "</script>\n";
  replace(html, "<!--SINEW-DATA-->", data);
  return html;
}

}  // namespace sinew::gallery
