// The page's style: light or dark by the reader's system settings, black on white when printed.
// Text contrast is at least 4.5 in both themes.
#pragma once

#include <string_view>

namespace warpshop::report {

inline constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --window: #f3f5f8; --panel: #ffffff; --raised: #e9edf2;
  --line: #cfd6df; --text: #161b22; --quiet: #566274; --accent: #0b63ce; --good: #0a5cbd;
  --poor: #a34a08; }
@media screen and (prefers-color-scheme: dark) { :root { --window: #14171c; --panel: #1b1f26; --raised: #242a33;
  --line: #303845; --text: #e6eaf0; --quiet: #93a0b2; --accent: #5aa9ff; --good: #4db6ff;
  --poor: #f29a4a; } }
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
.questions ul { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; list-style: none; padding: 0; }
th.number, td.number { overflow-wrap: normal; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.listing th, .listing td { border: 0; padding: 0 .7rem 0 0; line-height: 1.4; }
.listing th[scope=row] { color: var(--quiet); }
.listing code { white-space: pre-wrap; }
.listing td:nth-child(2) { width: 75%; }
.listing .poor { white-space: normal; }
.listing tr:target { background: var(--raised); outline: 2px solid var(--accent); }
img { display: block; max-width: 100%; height: auto; margin: .8rem auto; }
math { font-size: 1.08em; }
math[display=block] { margin: .9rem 0; }
figure { margin: 1rem 0 1.6rem; }
figcaption { margin-bottom: .5rem; }
figure svg { width: 100%; height: auto; }
svg.patterns { position: absolute; }
svg text { font-family: Roboto, "Segoe UI", Arial, sans-serif; font-size: 11px; }
svg .quiet { fill: #566274; }
svg .digit { font-size: 9px; }
svg .idle, svg .untouched { fill: #e9edf2; }
svg .right { fill: #8fbbe8; }
svg .waste { fill: url(#waste); }
svg .waste-ground { fill: #ffffff; }
svg .waste-line { fill: #e0924f; }
svg .moved { fill: none; stroke: #161b22; stroke-width: 1; }
@media screen and (prefers-color-scheme: dark) { svg .quiet { fill: #93a0b2; }
  svg .idle, svg .untouched { fill: #242a33; } svg .right { fill: #2b5d8a; }
  svg .waste-ground { fill: #1b1f26; } svg .waste-line { fill: #b8733a; }
  svg .moved { stroke: #e6eaf0; } }
summary { cursor: pointer; color: var(--accent); }
img { max-width: 100%; }
@media print { body { background: none; font-size: 10pt; } section { padding: 0; }
  figure, tr { break-inside: avoid; } details { display: none; } }
)css";

}  // namespace warpshop::report
