#include "html.h"

#include <md4c-html.h>

#include <algorithm>
#include <utility>

#include "core/ascii.h"
#include "core/base64.h"
#include "core/beneath.h"
#include "core/utf8.h"
#include "lab/markdown.h"
#include "lab/picture_files.h"
#include "lab/png.h"
#include "mathml.h"

namespace warpshop::report {
namespace {

namespace fs = std::filesystem;

// Shifts a text's headings below the page's own: <h1> becomes <hTOP>.
std::string with_lower_headings(std::string_view html, int top) {
  std::string out;
  for (size_t at = 0; at < html.size(); ++at) {
    out += html[at];
    // A "<" is always a tag: md4c writes &lt; in text.
    if (html[at] != '<') continue;
    if (at + 1 < html.size() && html[at + 1] == '/') out += html[++at];
    const bool heading = at + 3 < html.size() && html[at + 1] == 'h' && html[at + 2] >= '1' &&
                         html[at + 2] <= '6' && html[at + 3] == '>';
    if (!heading) continue;
    const int level = std::min(6, html[at + 2] - '1' + top);
    out += "h" + std::to_string(level);
    at += 2;
  }
  return out;
}

std::string_view media_type(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".svg") return "image/svg+xml";
  if (extension == ".jpg" || extension == ".jpeg") return "image/jpeg";
  return "image/png";
}

// Embeds the pictures of <img src="NAME" …>; one that cannot be read or is outside the folder is
// replaced by its description.
std::string with_pictures(std::string html, const std::filesystem::path& folder) {
  constexpr std::string_view kImage = "<img src=\"";
  for (size_t at = html.find(kImage); at != std::string::npos; at = html.find(kImage, at + 1)) {
    const size_t name_at = at + kImage.size();
    const size_t name_end = html.find('"', name_at);
    const size_t end = html.find('>', name_end);
    if (name_end == std::string::npos || end == std::string::npos) break;
    const std::filesystem::path name = html.substr(name_at, name_end - name_at);
    const Result<std::string> bytes =
        lab::is_in_folder(name.string()) ? read_file_beneath(folder, name)
                                         : Result<std::string>(Diagnostics{make_error("file", "")});
    if (bytes.ok()) {
      const auto data = [&](const std::string& of) {
        return "data:" + std::string(media_type(name)) + ";base64," + base64(of) + "\"";
      };
      std::string image = std::string(kImage) + data(*bytes);
      if (const Result<lab::PngParts> parts = lab::take_png_apart(*bytes); parts.ok()) {
        image += " width=\"" + std::to_string(parts->width / lab::kPicturePixels) + "\"";
      }
      image += html.substr(name_end + 1, end - name_end);
      if (const Result<std::string> dark_bytes =
              read_file_beneath(folder, lab::for_dark_ground(name));
          dark_bytes.ok()) {
        image = "<picture><source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"" +
                data(*dark_bytes) + "/>" + image + "</picture>";
      }
      html.replace(at, end + 1 - at, image);
      at += image.size() - 1;
      continue;
    }
    const size_t alt = html.find("alt=\"", name_end);
    std::string words;
    if (alt != std::string::npos && alt < end) {
      words = html.substr(alt + 5, html.find('"', alt + 5) - alt - 5);
    }
    html.replace(at, end + 1 - at, "<em>[" + words + "]</em>");
  }
  return html;
}

// Links to steps and lines only work in the window: keep just their text.
std::string without_inner_links(std::string html) {
  for (size_t at = html.find("<a href=\""); at != std::string::npos;
       at = html.find("<a href=\"", at)) {
    const std::string_view target = std::string_view(html).substr(at + 9, 8);
    if (target.starts_with("http://") || target.starts_with("https://")) {
      ++at;
      continue;
    }
    const size_t close = html.find("</a>", at);
    if (close != std::string::npos) html.erase(close, 4);
    html.erase(at, html.find('>', at) + 1 - at);
  }
  return html;
}

// Undoes the escaping of md4c's renderer.
std::string unescaped(std::string_view html) {
  constexpr std::pair<std::string_view, char> kNames[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
  std::string out;
  for (size_t at = 0; at < html.size();) {
    size_t length = 1;
    char c = html[at];
    for (const auto& [name, meant] : kNames) {
      if (!html.substr(at).starts_with(name)) continue;
      c = meant;
      length = name.size();
    }
    out += c;
    at += length;
  }
  return out;
}

// Converts md4c's <x-equation>TeX</x-equation> to MathML.
std::string with_formulas(std::string html) {
  constexpr std::string_view kOpen = "<x-equation", kClose = "</x-equation>";
  for (size_t at = html.find(kOpen); at != std::string::npos; at = html.find(kOpen, at + 1)) {
    const size_t from = html.find('>', at) + 1, to = html.find(kClose, from);
    if (to == std::string::npos) break;
    const bool display =
        std::string_view(html).substr(at, from - at).find("display") != std::string_view::npos;
    const std::string tex = unescaped(std::string_view(html).substr(from, to - from));
    html.replace(at, to + kClose.size() - at, mathml(tex, display));
  }
  return html;
}

std::string without_first_heading(std::string_view markdown, std::string_view title) {
  const size_t start = markdown.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || !markdown.substr(start).starts_with("# ")) {
    return std::string(markdown);
  }
  const size_t end = std::min(markdown.find('\n', start), markdown.size());
  std::string_view heading = markdown.substr(start + 2, end - start - 2);
  while (!heading.empty() && is_white_space(heading.back())) {
    heading.remove_suffix(1);
  }
  return std::string(heading == title ? markdown.substr(end) : markdown);
}

}  // namespace

std::string html_of_markdown(std::string_view markdown, std::string_view title, int top_heading,
                             const std::filesystem::path& folder) {
  const std::string text = without_first_heading(valid_utf8(markdown), title);
  std::string html;
  const auto append = [](const MD_CHAR* part, MD_SIZE size, void* into) {
    static_cast<std::string*>(into)->append(part, size);
  };
  md_html(text.data(), static_cast<MD_SIZE>(text.size()), append, &html, lab::kMarkdownFlags,
          MD_HTML_FLAG_XHTML);
  return without_inner_links(
      with_pictures(with_formulas(with_lower_headings(html, top_heading)), folder));
}

std::string html_of(const Table& table) {
  const auto is_number = [&](size_t column) {
    return std::find(table.numbers.begin(), table.numbers.end(), column) != table.numbers.end();
  };
  std::string out = "<table>\n<caption>" + escaped(table.caption) + "</caption>\n<thead><tr>";
  for (size_t i = 0; i < table.header.size(); ++i) {
    out += std::string("<th scope=\"col\"") + (is_number(i) ? " class=\"number\"" : "") + ">" +
           escaped(table.header[i]) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string open = i == 0 ? "<th scope=\"row\"" : "<td";
      out += open + (is_number(i) ? " class=\"number\">" : ">") + row[i] +
             (i == 0 ? "</th>" : "</td>");
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace warpshop::report
