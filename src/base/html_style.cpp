// SPDX-License-Identifier: MIT
#include "base/html_style.h"

namespace hipwright {

const std::string_view kHtmlStyle = R"(
:root { color-scheme: light dark; --page: #fff; --ink: #1d2430; --soft: #5b6572; --line: #d9dee6; --card: #f6f8fa;
  --link: #0b5cad; --out: #ffebe9; --out2: #ffc4bd; --in: #e6f6ea; --in2: #a9e2b8; --bad: #c62828; --open: #8a5200; --good: #1b7f3b; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --ink: #dde3ea; --soft: #94a0ae; --line: #2b333e; --card: #1a2028;
  --link: #6cb2f5; --out: #3a1f22; --out2: #7a2f36; --in: #16301f; --in2: #22633a; --bad: #ff7b72; --open: #e3b341; --good: #56c271; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1600px; padding: 0 1.25rem 3rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3, h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
nav { background: var(--page); border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .5rem 0; position: sticky; top: 0; z-index: 1; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); } .soft { color: var(--soft); }
.answers { border: 1px solid var(--line); border-radius: 8px; display: grid; gap: .5rem 1.25rem; grid-template-columns: max-content 1fr; margin: 1rem 0; padding: .9rem 1.1rem; }
.answers dt { font-weight: 600; } .answers dd { margin: 0; overflow-wrap: anywhere; } .answers ul { margin: .2rem 0 0; padding-left: 1.1rem; } .answers p { margin: 0 0 .3rem; }
.cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); list-style: none; margin: 1rem 0; padding: 0; }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; }
.cards b { display: block; font-size: 1.6rem; line-height: 1.2; } .cards span { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; } td, th { padding: .25rem .7rem; text-align: left; vertical-align: top; }
.rows { width: 100%; } .rows tr { border-bottom: 1px solid var(--line); } .rows th { color: var(--soft); font-weight: 600; } .rows .group { background: var(--card); font-weight: 600; }
.rows .n { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
code, pre, .diff, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; } code { overflow-wrap: anywhere; }
pre { background: var(--card); border-radius: 6px; margin: .3rem 0; overflow-wrap: anywhere; padding: .6rem .8rem; white-space: pre-wrap; }
.path { overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; overflow: clip; } details > div { overflow-x: auto; padding: .3rem .8rem .6rem; }
summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: .2rem .8rem; padding: .35rem .8rem; } summary:hover { background: var(--card); }
summary::before { color: var(--soft); content: "\25B8"; } details[open] > summary::before { content: "\25BE"; } summary .path { flex: 1 1 16rem; }
.badge { font-size: .85rem; white-space: nowrap; }
.said { list-style: none; margin: .3rem 0; padding: 0; } .said li { border-left: 3px solid currentColor; margin: .3rem 0; padding: .1rem .7rem; }
.said .why { color: var(--soft); display: block; font-size: .92em; }
.places { list-style: none; margin: .2rem 0; padding: 0; } .places li { overflow-wrap: anywhere; padding: .1rem 0; } .wide { column-gap: 2rem; columns: 26rem; } .wide li { break-inside: avoid; }
.diff { border: 1px solid var(--line); line-height: 1.45; margin: .5rem 0; table-layout: fixed; width: 100%; } .diff col.no { width: 4.2em; }
.diff td { overflow-wrap: anywhere; padding: 0 .5rem; tab-size: 4; white-space: pre-wrap; }
.diff .no { color: var(--soft); font-size: .9em; padding: 0 .4rem; text-align: right; user-select: none; }
.diff .out { background: var(--out); } .diff .in { background: var(--in); } .diff b { border-radius: 2px; font-weight: inherit; }
.diff .out b { background: var(--out2); } .diff .in b { background: var(--in2); } .diff .none { background: var(--card); }
.diff .hunk td { background: var(--card); color: var(--soft); } .diff .file td { background: var(--card); font-weight: 600; padding: .2rem .5rem; }
.filter { background: var(--card); border: 1px solid var(--line); border-radius: 6px; color: inherit; font: inherit; max-width: 30rem; padding: .35rem .7rem; width: 100%; }
footer { border-top: 1px solid var(--line); color: var(--soft); margin-top: 2rem; padding-top: .5rem; }
@media (max-width: 760px) { body { padding: 0 .75rem 2rem; } td, th { padding: .2rem .4rem; } .answers { grid-template-columns: 1fr; gap: .1rem; } .answers dd { margin-bottom: .5rem; }
  .diff tr { display: grid; grid-template-columns: 3.2em 1fr; } .diff .hunk, .diff .file { display: block; }
  .diff .hunk td, .diff .file td { display: block; } .diff .none, .diff .same td:nth-child(n+3) { display: none; } }
@media print { nav, .filter, footer { display: none; } body { max-width: none; padding: 0; } details, tr, .answers, .cards li { break-inside: avoid-page; } .scroll, details > div { overflow: visible; } }
)";

// A link to a folded part unfolds it; a filter shows the parts whose names have its text; paper
// gets all but the differences of the files.
const std::string_view kHtmlScript = R"(
const unfold = () => { const id = location.hash.slice(1); const at = document.getElementById(id) ?? document.getElementById(decodeURIComponent(id));
  if (!at) return; for (let each = at; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true; at.scrollIntoView(); };
addEventListener('hashchange', unfold); unfold();
for (const field of document.querySelectorAll('.filter')) field.addEventListener('input', () => { const wanted = field.value.toLowerCase();
  for (const part of document.querySelectorAll(`#${field.dataset.for} [data-name]`)) part.hidden = !part.dataset.name.toLowerCase().includes(wanted); });
addEventListener('beforeprint', () => { for (const part of document.querySelectorAll('details:not([data-name])')) part.open = true; });
)";

}  // namespace hipwright
