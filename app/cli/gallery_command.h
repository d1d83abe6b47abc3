// `sinew gallery`: a library as a web page.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct GalleryOptions {
  std::string out;                 // a folder
  std::vector<std::string> words;  // presets; all unless given
  std::string library;             // the folder of a person's own presets
  std::string title;
  bool own_only = false;  // without what comes with the program
  bool json = false;
};
int run_gallery(const GalleryOptions& options);

}  // namespace sinew::cli
