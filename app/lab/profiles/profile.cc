#include "lab/profile.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "core/files.h"
#include "core/utf8.h"
#include "profiles/csv.h"
#include "profiles/figures.h"
#include "profiles/number.h"

namespace warpshop::lab {
namespace {

constexpr size_t kNoColumn = static_cast<size_t>(-1);
constexpr size_t kMostProblems = 3;
constexpr size_t kMostQuoted = 60;  // characters of a file that a message repeats

Sentence how_to_export() {
  return sentence(
      "export it with ncu --csv --page raw --log-file profile.csv PROGRAM, or a report with ncu "
      "--import FILE.ncu-rep --csv --page raw > profile.csv");
}

Sentence how_to_collect() {
  return sentence("profile with --set full, or --metrics {metrics}, and export with --page raw",
                  {{"metrics", profile_metrics()}});
}

// A piece of the file for a message.
std::string excerpt(std::string_view text) {
  std::string out = valid_utf8(text.substr(0, kMostQuoted));
  return text.size() > kMostQuoted ? out + "…" : out;
}

struct ProfileHeader {
  int line = 0;
  size_t after = 0;  // the text's offset of the row that follows
  char separator = ',';
  std::vector<std::string> columns;
  bool is_quoted = false;

  size_t find(std::string_view name) const {
    const auto at = std::find(columns.begin(), columns.end(), name);
    return at == columns.end() ? kNoColumn : static_cast<size_t>(at - columns.begin());
  }
};

class ProfileReader {
 public:
  ProfileReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<Profile> read();

 private:
  // A figure's value as it stands in the file.
  struct Raw {
    size_t launch = 0;
    const FigureMetric* known = nullptr;
    std::string metric, unit, value;
    int line = 0;
  };

  Diagnostic error(int line, Sentence message, Sentence help = {}) const {
    return make_error_at({file_, line, 0, 0}, "import", std::move(message), std::move(help));
  }
  Diagnostic wrong_width(const CsvRow& row) const;
  Status check_text();
  Status find_header();
  Status read_rows();
  Status read_raw_row(const CsvRow& row);
  Status read_details_row(const CsvRow& row);
  Result<size_t> add_launch(const CsvRow& row);
  Result<std::optional<Dim3>> dim(const CsvRow& row, size_t column, std::string_view prefix) const;
  void keep(size_t launch, const FigureMetric* known, const std::string& metric,
            const std::string& unit, const std::string& value, int line);
  void note_mark(std::string_view value, int line);
  Status take_values();

  std::string_view text_;
  const std::string& file_;
  ProfileHeader header_;
  size_t id_ = kNoColumn, process_ = kNoColumn, kernel_ = kNoColumn, block_ = kNoColumn,
         grid_ = kNoColumn;
  size_t device_ = kNoColumn, capability_ = kNoColumn, gpu_name_ = kNoColumn;
  size_t metric_ = kNoColumn, unit_ = kNoColumn, value_ = kNoColumn;   // of the page details
  std::vector<std::pair<size_t, const FigureMetric*>> known_columns_;  // of the page raw
  std::vector<std::string> units_;                                     // of the page raw
  std::vector<Raw> raw_;
  // Lines that show which notation the file's numbers use; 0: none.
  int point_line_ = 0, comma_line_ = 0;
  std::string point_value_, comma_value_;
  Profile profile_;
  std::map<std::pair<std::string, std::string>, size_t> launch_of_;  // by id and process
};

Status ProfileReader::check_text() {
  if (text_.empty()) return error(1, sentence("the file is empty"), how_to_export());
  // Reports of Nsight Compute start with "NVR"; text has no zero bytes.
  if (text_.starts_with("NVR") || file_.ends_with(".ncu-rep") ||
      file_.ends_with(".nsight-cuprof-report")) {
    return error(1, sentence("this is a report of Nsight Compute in its binary format, not CSV"),
                 sentence("export it: ncu --import {file} --csv --page raw > profile.csv",
                          {{"file", file_}}));
  }
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) {
    return error(1, sentence("the text is UTF-16, as PowerShell writes it; expected UTF-8"),
                 sentence("write the file with --log-file profile.csv of ncu instead of >"));
  }
  const size_t zero = text_.find('\0');
  if (zero == std::string_view::npos) return success();
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(zero), '\n');
  return error(static_cast<int>(line) + 1, sentence("this is not a text file"), how_to_export());
}

// The lines before the table are the program's output and ncu's messages.
Status ProfileReader::find_header() {
  CsvReader lines(text_, text_.starts_with("\xef\xbb\xbf") ? 3 : 0, 1, ',');
  std::pair<int, std::string> said;  // ncu's first error, else its first warning
  bool is_error = false;
  for (; !lines.at_end(); lines.skip_line()) {
    const std::string_view line = lines.peek();
    if (line.starts_with("==ERROR==") && !is_error) {
      said = {lines.line(), std::string(line.substr(9))};
      is_error = true;
    }
    if (line.starts_with("==WARNING==") && said.first == 0)
      said = {lines.line(), std::string(line.substr(11))};
    if (line.find("Kernel Name") == std::string_view::npos) continue;
    for (const char separator : {',', ';', '\t'}) {
      CsvReader reader(line, 0, lines.line(), separator);
      CsvRow row;
      if (!reader.next(row)) continue;
      ProfileHeader header{.line = lines.line(),
                           .separator = separator,
                           .columns = std::move(row.fields),
                           .is_quoted = line.starts_with('"')};
      const bool details = header.find("Metric Name") != kNoColumn;
      if (header.find("Kernel Name") == kNoColumn || (header.find("ID") == kNoColumn && !details))
        continue;
      if (details && header.find("Metric Value") == kNoColumn) {
        return error(
            lines.line(),
            sentence("this is a summary of several launches: it has no column \"Metric Value\""),
            sentence("export it without --print-summary"));
      }
      const auto offset = static_cast<size_t>(line.data() - text_.data());
      const size_t end = text_.find('\n', offset);
      header.after = end == std::string_view::npos ? text_.size() : end + 1;
      header_ = std::move(header);
      return success();
    }
  }
  if (said.first > 0) {
    std::string words = said.second;
    words.erase(0, words.find_first_not_of(' '));
    return error(said.first, sentence("Nsight Compute says: {words}", {{"words", excerpt(words)}}),
                 words.find("ERR_NVGPUCTRPERM") != std::string::npos
                     ? sentence("an administrator can allow it, see "
                                "https://developer.nvidia.com/ERR_NVGPUCTRPERM")
                     : Sentence());
  }
  // Other pages and formats of ncu.
  if (text_.find("Section: ") != std::string_view::npos &&
      text_.find("  ---") != std::string_view::npos)
    return error(1, sentence("this is Nsight Compute's text output, not CSV"), how_to_export());
  return error(1,
               sentence("not a profile of Nsight Compute: there is no header with the columns "
                        "\"ID\" and \"Kernel Name\""),
               how_to_export());
}

// The launch of a row, which is new or, on the page details, known.
Result<size_t> ProfileReader::add_launch(const CsvRow& row) {
  const auto text = [&](size_t column) {
    return column < row.fields.size() ? valid_utf8(row.fields[column]) : std::string();
  };
  const auto [at, is_new] =
      launch_of_.try_emplace({text(id_), text(process_)}, profile_.launches.size());
  // The page raw has a row per launch, whatever its number.
  if (!is_new && metric_ != kNoColumn) return at->second;
  ProfiledLaunch launch;
  launch.id = text(id_);
  launch.kernel = text(kernel_);
  launch.line = row.line;
  launch.gpu = text(gpu_name_);
  if (const std::string device = text(device_);
      launch.gpu.empty() && device.find_first_not_of("0123456789") != std::string::npos) {
    launch.gpu = device;
  }
  const std::string capability = text(capability_);
  models::ComputeCapability cc;
  const char* const end = capability.data() + capability.size();
  const auto [dot, no_major] = std::from_chars(capability.data(), end, cc.major);
  if (no_major == std::errc() && dot != end && (*dot == '.' || *dot == ',')) {
    const auto [rest, no_minor] = std::from_chars(dot + 1, end, cc.minor);
    if (no_minor == std::errc() && rest == end) launch.capability = cc;
  }
  Result<std::optional<Dim3>> block = dim(row, block_, "launch__block_dim_");
  if (!block.ok()) return block.errors();
  Result<std::optional<Dim3>> grid = dim(row, grid_, "launch__grid_dim_");
  if (!grid.ok()) return grid.errors();
  launch.block = *block;
  launch.grid = *grid;
  profile_.launches.push_back(std::move(launch));
  return profile_.launches.size() - 1;
}

// From "(32, 8, 1)" or, in files without that column, from three metrics of the page raw.
Result<std::optional<Dim3>> ProfileReader::dim(const CsvRow& row, size_t column,
                                               std::string_view prefix) const {
  std::string text;
  if (column != kNoColumn) {
    if (column < row.fields.size()) text = row.fields[column];
  } else {
    for (const char axis : {'x', 'y', 'z'}) {
      const size_t at = header_.find(std::string(prefix) + axis);
      if (at == kNoColumn || at >= row.fields.size()) return std::optional<Dim3>();
      std::string number = row.fields[at];
      std::erase_if(number, [](char c) { return c == ',' || c == '.'; });
      text += (text.empty() ? "" : ", ") + number;
    }
  }
  std::vector<uint32_t> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = true;
  while (good && at != end) {
    if (*at == '(' || *at == ')' || *at == ' ' || *at == ',' || *at == 'x') {
      ++at;
      continue;
    }
    uint32_t size = 0;
    const auto [rest, problem] = std::from_chars(at, end, size);
    good = problem == std::errc() && size > 0;
    sizes.push_back(size);
    at = rest;
  }
  if (text.empty()) return std::optional<Dim3>();
  if (!good || sizes.empty() || sizes.size() > 3) {
    return error(row.line, sentence("{column} is \"{text}\"; expected a size as in (32, 8, 1)",
                                    {{"column", column == kNoColumn ? std::string(prefix) + "x"
                                                                    : header_.columns[column]},
                                     {"text", excerpt(text)}}));
  }
  sizes.resize(3, 1);
  return std::optional(Dim3{sizes[0], sizes[1], sizes[2]});
}

void ProfileReader::note_mark(std::string_view value, int line) {
  const std::optional<DecimalMark> mark = decimal_mark_of(value);
  if (!mark) return;
  const bool point = *mark == DecimalMark::kPoint;
  int& at = point ? point_line_ : comma_line_;
  if (at != 0) return;
  at = line;
  (point ? point_value_ : comma_value_) = value;
}

void ProfileReader::keep(size_t launch, const FigureMetric* known, const std::string& metric,
                         const std::string& unit, const std::string& value, int line) {
  note_mark(value, line);
  if (known != nullptr) raw_.push_back({launch, known, metric, unit, value, line});
}

Diagnostic ProfileReader::wrong_width(const CsvRow& row) const {
  return error(
      row.line,
      sentence(
          "the row has {got} columns; the header in line {line} has {wanted}",
          {{"got", row.fields.size()}, {"line", header_.line}, {"wanted", header_.columns.size()}}),
      sentence("is the file complete?"));
}

Status ProfileReader::read_raw_row(const CsvRow& row) {
  if (row.fields.size() != header_.columns.size()) return wrong_width(row);
  // The row of units, which has no kernel.
  if (row.fields[kernel_].empty() && (id_ == kNoColumn || row.fields[id_].empty())) {
    units_ = row.fields;
    return success();
  }
  const Result<size_t> launch = add_launch(row);
  if (!launch.ok()) return launch.errors();
  for (const auto& [column, known] : known_columns_) {
    keep(*launch, known, header_.columns[column], units_.empty() ? "" : units_[column],
         row.fields[column], row.line);
  }
  return success();
}

Status ProfileReader::read_details_row(const CsvRow& row) {
  const size_t least = std::max({kernel_, metric_, value_, unit_ == kNoColumn ? 0 : unit_}) + 1;
  if (row.fields.size() < least || row.fields.size() > header_.columns.size())
    return wrong_width(row);
  const Result<size_t> launch = add_launch(row);
  if (!launch.ok()) return launch.errors();
  // Rows of rules have no metric.
  if (row.fields[metric_].empty()) return success();
  keep(*launch, figure_of(row.fields[metric_]), row.fields[metric_],
       unit_ == kNoColumn ? "" : row.fields[unit_], row.fields[value_], row.line);
  return success();
}

Status ProfileReader::read_rows() {
  id_ = header_.find("ID");
  process_ = header_.find("Process ID");
  kernel_ = header_.find("Kernel Name");
  block_ = header_.find("Block Size");
  grid_ = header_.find("Grid Size");
  device_ = header_.find("Device");
  capability_ = header_.find("CC");
  gpu_name_ = header_.find("device__attribute_display_name");
  metric_ = header_.find("Metric Name");
  unit_ = header_.find("Metric Unit");
  value_ = header_.find("Metric Value");
  for (size_t column = 0; metric_ == kNoColumn && column < header_.columns.size(); ++column) {
    if (const FigureMetric* known = figure_of(header_.columns[column]))
      known_columns_.emplace_back(column, known);
  }
  CsvReader reader(text_, header_.after, header_.line + 1, header_.separator);
  CsvRow row;
  while (!reader.at_end()) {
    const std::string_view line = reader.peek();
    // The program's output and ncu's messages can stand between the rows as well.
    if (line.empty() || line.starts_with("==") || (header_.is_quoted && line.front() != '"')) {
      reader.skip_line();
      continue;
    }
    if (!reader.next(row)) {
      return error(row.line, sentence("the file ends inside a quoted field of this row"),
                   sentence("is the file complete?"));
    }
    const Status done = metric_ == kNoColumn ? read_raw_row(row) : read_details_row(row);
    if (!done.ok()) return done;
  }
  if (profile_.launches.empty()) {
    return error(
        header_.line, sentence("the profile has no launch of a kernel"),
        sentence("did the program launch a kernel, and does --kernel-name of ncu name it?"));
  }
  return success();
}

// "n/a", "(!) n/a", "nan", "inf" and nothing at all.
bool is_no_value(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view no_value : {"", "n/a", "nan", "-nan", "inf", "-inf", "no data"}) {
    if (lower == no_value) return true;
  }
  return false;
}

Status ProfileReader::take_values() {
  if (point_line_ > 0 && comma_line_ > 0) {
    return error(
        point_line_,
        sentence(
            "\"{one}\" has a decimal point, but \"{other}\" in line {line} has a decimal comma",
            {{"one", excerpt(point_value_)},
             {"other", excerpt(comma_value_)},
             {"line", comma_line_}}),
        sentence("export the whole profile on one machine, best with LC_ALL=C"));
  }
  const DecimalMark mark = comma_line_ > 0 ? DecimalMark::kComma : DecimalMark::kPoint;
  bool any = false;
  Diagnostics problems;
  for (const Raw& raw : raw_) {
    std::string_view text = raw.value;
    if (text.starts_with("(!) ")) text.remove_prefix(4);
    // "12 (3; 4; 5)": with the values of its instances.
    if (const size_t instances = text.find(" (");
        instances != std::string_view::npos && instances > 0)
      text = text.substr(0, instances);
    ProfiledFigure figure{.name = std::string(raw.known->figure),
                          .metric = raw.metric,
                          .near = raw.known->near,
                          .line = raw.line,
                          .missing = {}};
    const std::optional<double> scale = scale_of(raw.unit, raw.known->unit);
    if (is_no_value(text)) {
      figure.missing = text.empty()
                           ? sentence("no value in the profile")
                           : sentence("{text} in the profile", {{"text", std::string(text)}});
    } else if (const std::optional<double> value = read_grouped_number(text, mark);
               !value || *value < 0) {
      return error(raw.line, sentence("{metric} is \"{text}\"; expected a number, 0 or more",
                                      {{"metric", raw.metric}, {"text", excerpt(raw.value)}}));
    } else if (!scale) {
      figure.missing =
          sentence("unknown unit in the profile: {unit}", {{"unit", excerpt(raw.unit)}});
    } else {
      figure.value = *value * *scale;
    }
    any |= figure.missing.empty();
    if (!figure.missing.empty() && problems.size() < kMostProblems) {
      problems.push_back(error(raw.line, sentence("{metric}: {why}", {{"metric", raw.metric},
                                                                      {"why", figure.missing}})));
    }
    std::vector<ProfiledFigure>& figures = profile_.launches[raw.launch].figures;
    const auto same =
        std::find_if(figures.begin(), figures.end(),
                     [&](const ProfiledFigure& other) { return other.name == figure.name; });
    if (same == figures.end()) {
      figures.push_back(std::move(figure));
    } else if (figure.missing.empty() &&
               (!same->missing.empty() || raw.known->rank < figure_of(same->metric)->rank)) {
      *same = std::move(figure);
    }
  }
  if (any) return success();
  Diagnostics out = {error(header_.line,
                           sentence("the profile has none of the figures that can be compared"),
                           how_to_collect())};
  out.insert(out.end(), problems.begin(), problems.end());
  return out;
}

Result<Profile> ProfileReader::read() {
  profile_.file = file_;
  for (const auto step : {&ProfileReader::check_text, &ProfileReader::find_header,
                          &ProfileReader::read_rows, &ProfileReader::take_values}) {
    if (const Status done = (this->*step)(); !done.ok()) return done.errors();
  }
  return std::move(profile_);
}

}  // namespace

const ProfiledFigure* ProfiledLaunch::find(std::string_view name) const {
  const auto at = std::find_if(figures.begin(), figures.end(),
                               [&](const ProfiledFigure& figure) { return figure.name == name; });
  return at == figures.end() ? nullptr : &*at;
}

std::string gpu_text(const ProfiledLaunch& launch) {
  std::string out = launch.gpu;
  if (launch.capability) {
    const std::string capability =
        std::to_string(launch.capability->major) + "." + std::to_string(launch.capability->minor);
    out += out.empty() ? "compute capability " + capability : " (" + capability + ")";
  }
  return out.empty() ? "?" : out;
}

Result<Profile> read_profile(std::string_view text, const std::string& file) {
  return ProfileReader(text, file).read();
}

Result<Profile> load_profile(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path);
  if (text.ok()) return read_profile(*text, path.filename().string());
  Diagnostics errors = text.errors();
  if (errors.front().help.empty()) {
    errors.front().help =
        sentence("a profile of one kernel is enough: ncu --kernel-name NAME --launch-count 1 …");
  }
  return errors;
}

}  // namespace warpshop::lab
