#include "page.h"

#include "html.h"
#include "map_pictures.h"
#include "page_style.h"

namespace warpshop::report {

std::string page_start(std::string_view title, std::string_view summary, std::string_view facts) {
  std::string out =
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" xml:lang=\"en\">\n"
      "<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>\n"
      // A lab may come from anybody: nothing in its texts runs, or fetches anything.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\"/>\n<title>" +
      escaped(title) + " – Warpshop</title>\n<style>\n" + std::string(kPageStyle) +
      "</style>\n</head>\n<body>\n";
  out += picture_patterns();
  out += "<main>\n<header>\n<h1>" + escaped(title) + "</h1>\n";
  if (!summary.empty()) out += "<p>" + escaped(summary) + "</p>\n";
  return out + "<p class=\"quiet\">" + escaped(facts) + "</p>\n</header>\n";
}

std::string page_end() { return "</main>\n</body>\n</html>\n"; }

}  // namespace warpshop::report
