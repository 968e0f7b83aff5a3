#include "page.h"

#include "html.h"
#include "map_pictures.h"
#include "page_style.h"

namespace warpshop::report {
namespace {

std::string page_style() {
  return ":root { color-scheme: light dark; --waste: url(#waste); " + std::string(kLightColors) +
         " }\n@media screen and (prefers-color-scheme: dark) { :root { " +
         std::string(kDarkColors) + " } }" + std::string(kFrameStyle) + std::string(kContentStyle);
}

}  // namespace

std::string page_start(std::string_view title, std::string_view summary, std::string_view facts) {
  std::string out =
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" xml:lang=\"en\">\n"
      "<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>\n"
      // A lab may come from anybody: nothing in its texts runs, or fetches anything.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\"/>\n<title>" +
      escaped(title) + " – Warpshop</title>\n<style>\n" + page_style() +
      "</style>\n</head>\n<body>\n";
  out += picture_patterns("waste");
  out += "<main>\n<header>\n<h1>" + escaped(title) + "</h1>\n";
  if (!summary.empty()) out += "<p>" + escaped(summary) + "</p>\n";
  return out + "<p class=\"quiet\">" + escaped(facts) + "</p>\n</header>\n";
}

std::string page_end() { return "</main>\n</body>\n</html>\n"; }

}  // namespace warpshop::report
