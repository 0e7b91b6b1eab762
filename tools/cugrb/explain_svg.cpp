// The distribution of lengths as a picture: a point for each length that occurs, both axes logarithmic.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "tools/cugrb/explain.h"

namespace cugrb::command {

namespace {

using nlohmann::json;

constexpr double width = 720, height = 480, left = 80, right = 20, top = 50, bottom = 60;

/// Decades 10^0 .. 10^decades of one axis over a stretch of the picture.
struct Axis {
  double decades, from, to;
  double at(double value) const { return from + (to - from) * std::log10(std::max(value, 1.0)) / decades; }
};

Axis axis(double largest, double from, double to) {
  return {std::max(1.0, std::ceil(std::log10(std::max(largest, 1.0)))), from, to};
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(text));
}

std::string power_of_ten(int exponent) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent < 4) return std::to_string(static_cast<int>(std::lround(std::pow(10, exponent))));
  std::string text = "10";
  for (const char digit : std::to_string(exponent)) text += raised[digit - '0'];
  return text;
}

std::string grid(const Axis& x, const Axis& y) {
  std::string svg = "<g stroke=\"#ddd\">\n";
  for (int n = 0; n <= static_cast<int>(x.decades); ++n) {
    const double place = x.at(std::pow(10, n));
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", place, y.from,
                       y.to);
  }
  for (int n = 0; n <= static_cast<int>(y.decades); ++n) {
    const double place = y.at(std::pow(10, n));
    svg += fmt::format("<line x1=\"{1:.1f}\" y1=\"{0:.1f}\" x2=\"{2:.1f}\" y2=\"{0:.1f}\"/>\n", place, x.from,
                       x.to);
  }
  svg += "</g>\n";
  for (int n = 0; n <= static_cast<int>(x.decades); ++n)
    svg += text_at(x.at(std::pow(10, n)), y.from + 18, "middle", power_of_ten(n));
  for (int n = 0; n <= static_cast<int>(y.decades); ++n)
    svg += text_at(x.from - 8, y.at(std::pow(10, n)) + 4, "end", power_of_ten(n));
  return svg;
}

std::string points(const json& lengths, const Axis& x, const Axis& y, const char* colour) {
  std::string svg = fmt::format("<g fill=\"{}\" fill-opacity=\"0.7\">\n", colour);
  for (const json& bin : lengths["histogram"]) {
    if (bin[0] == 0) continue;  // has no place on a logarithmic axis; the legend counts it
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", x.at(bin[0].get<double>()),
                       y.at(bin[1].get<double>()));
  }
  return svg + "</g>\n";
}

/// A dashed line at E(X).
std::string mean_line(const json& lengths, const Axis& x, const Axis& y, const char* colour) {
  const double mean = lengths["mean"].get<double>();
  if (mean < 1) return "";
  return fmt::format(
      "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
      "stroke-dasharray=\"4 3\"/>\n",
      x.at(mean), y.from, y.to, colour);
}

std::string legend(const json& lengths, const std::string& what, double line, const char* colour) {
  const double y = top + 16 + 18 * line, x = width - right - 12;
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y - 4, colour) +
         text_at(x - 10, y, "end",
                 fmt::format("{}: E(X) {:.2f}, sigma {:.2f}, {} empty", what, lengths["mean"].get<double>(),
                             lengths["deviation"].get<double>(), lengths["empty"].get<uint64_t>()));
}

double most_rows(const json& lengths) {
  double most = 1;
  for (const json& bin : lengths["histogram"]) {
    if (bin[0] != 0) most = std::max(most, bin[1].get<double>());
  }
  return most;
}

}  // namespace

std::string lengths_svg(const json& report) {
  constexpr const char* row_colour = "#1f6fb4";
  constexpr const char* column_colour = "#d9730d";
  const json &rows = report["lengths"]["rows"], &columns = report["lengths"]["columns"];
  const bool same = rows["histogram"] == columns["histogram"];
  const double longest = std::max(rows["longest"].get<double>(), columns["longest"].get<double>());
  const Axis x = axis(longest, left, width - right);
  const Axis y = axis(std::max(most_rows(rows), most_rows(columns)), height - bottom, top);
  const json& graph = report["graph"];
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  svg += text_at(width / 2, 26, "middle",
                 fmt::format("{}: {} x {}, {} entries", short_name(report), graph["rows"].get<uint64_t>(),
                             graph["columns"].get<uint64_t>(), graph["entries"].get<uint64_t>()),
                 " font-size=\"15\"");
  svg += grid(x, y);
  if (!same) svg += points(columns, x, y, column_colour) + mean_line(columns, x, y, column_colour);
  svg += points(rows, x, y, row_colour) + mean_line(rows, x, y, row_colour);
  svg += legend(rows, same ? "rows and columns" : "rows", 0, row_colour);
  if (!same) svg += legend(columns, "columns", 1, column_colour);
  svg += text_at((x.from + x.to) / 2, height - 16, "middle", "length (entries)");
  svg += text_at(20, (y.from + y.to) / 2, "middle",
                 same ? "rows of this length" : "rows or columns of this length",
                 fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", (y.from + y.to) / 2).c_str());
  return svg + "</svg>\n";
}

}  // namespace cugrb::command
