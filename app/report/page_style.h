// The style of pages and of fragments inside others' pages. Text contrast is at least 4.5 in both
// themes.
#pragma once

#include <string_view>

namespace warpshop::report {

// Declarations for the element that holds everything. --waste is the pattern of picture_patterns().
inline constexpr std::string_view kLightColors =
    R"css(--window: #f3f5f8; --panel: #ffffff; --raised: #e9edf2;
  --line: #cfd6df; --text: #161b22; --quiet: #566274; --accent: #0b63ce; --good: #0a5cbd;
  --poor: #a34a08; --right: #8fbbe8; --waste-line: #e0924f;)css";
inline constexpr std::string_view kDarkColors =
    R"css(--window: #14171c; --panel: #1b1f26; --raised: #242a33;
  --line: #303845; --text: #e6eaf0; --quiet: #93a0b2; --accent: #5aa9ff; --good: #4db6ff;
  --poor: #f29a4a; --right: #2b5d8a; --waste-line: #b8733a;)css";

// A page's frame: light or dark by the reader's system settings, black on white when printed.
inline constexpr std::string_view kFrameStyle = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--window); color: var(--text);
  font: 1rem/1.55 Roboto, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
section { background: var(--panel); border-radius: 8px; padding: 1rem 1.5rem; margin: 1.5rem 0; }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .3rem; }
h2 { font-size: 1.5rem; margin: .3rem 0 .8rem; }
h3 { font-size: 1.15rem; margin: 1.6rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p, ul, ol { margin: .5rem 0; }
.questions ul { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; list-style: none; padding: 0; }
img { display: block; max-width: 100%; height: auto; margin: .8rem auto; }
math { font-size: 1.08em; }
math[display=block] { margin: .9rem 0; }
@media print { body { background: none; font-size: 10pt; } section { padding: 0; } }
)css";

// What a page and a fragment have in common.
inline constexpr std::string_view kContentStyle = R"css(
a { color: var(--accent); }
code, pre { font: .9em/1.45 Inconsolata, Consolas, "DejaVu Sans Mono", Menlo, monospace; }
pre { background: var(--raised); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; }
small, .quiet { color: var(--quiet); }
.good { color: var(--good); }
.poor { color: var(--poor); font-weight: 600; }
.good, .poor, .open { white-space: nowrap; }
.verdict { font-weight: 600; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .92rem; }
caption { text-align: left; color: var(--quiet); padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0;
  border-bottom: 1px solid var(--line); font-weight: normal; overflow-wrap: break-word; }
td code { overflow-wrap: anywhere; }
thead th { color: var(--quiet); overflow-wrap: normal; }
th.number, td.number { overflow-wrap: normal; text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.listing th, .listing td { border: 0; padding: 0 .7rem 0 0; line-height: 1.4; }
.listing th[scope=row] { color: var(--quiet); }
.listing code { white-space: pre-wrap; }
.listing td:nth-child(2) { width: 75%; }
.listing .poor { white-space: normal; }
.listing tr:target { background: var(--raised); outline: 2px solid var(--accent); }
figure { margin: 1rem 0 1.6rem; }
figcaption { margin-bottom: .5rem; }
figure svg { width: 100%; height: auto; }
svg.patterns { position: absolute; }
svg text { font-family: Roboto, "Segoe UI", Arial, sans-serif; font-size: 11px; }
svg .quiet { fill: var(--quiet); }
svg .digit { font-size: 9px; }
svg .idle, svg .untouched { fill: var(--raised); }
svg .right { fill: var(--right); }
svg .waste { fill: var(--waste); }
svg .waste-ground { fill: var(--panel); }
svg .waste-line { fill: var(--waste-line); }
svg .moved { fill: none; stroke: var(--text); stroke-width: 1; }
summary { cursor: pointer; color: var(--accent); }
@media print { figure, tr { break-inside: avoid; } details { display: none; } }
)css";

}  // namespace warpshop::report
