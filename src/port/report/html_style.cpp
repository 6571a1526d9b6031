// SPDX-License-Identifier: MIT
#include "port/report/html_text.h"

namespace hipwright::port {

// Nothing is loaded from elsewhere: the report is read on machines without a network, too.
const std::string_view kReportStyle = R"(
:root { color-scheme: light dark; --page: #fff; --ink: #1d2430; --soft: #667080; --line: #d9dee6; --card: #f6f8fa;
  --link: #0b5cad; --out: #ffebe9; --out2: #ffc4bd; --in: #e6f6ea; --in2: #a9e2b8; --red: #c62828; --amber: #9a5b00; --green: #1b7f3b; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --ink: #dde3ea; --soft: #94a0ae; --line: #2b333e; --card: #1a2028;
  --link: #6cb2f5; --out: #3a1f22; --out2: #7a2f36; --in: #16301f; --in2: #22633a; --red: #ff7b72; --amber: #e3b341; --green: #56c271; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1600px; padding: 0 1.25rem 3rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } h4 { margin: .75rem 0 .25rem; }
nav { background: var(--page); border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 1.25rem; padding: .5rem 0; position: sticky; top: 0; z-index: 1; }
.cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); margin: 1rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; }
.card b { display: block; font-size: 1.6rem; line-height: 1.2; } .card span { color: var(--soft); font-size: .9rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem; text-align: left; vertical-align: top; }
.sum { width: 100%; max-width: 60rem; } .sum tr { border-bottom: 1px solid var(--line); } .sum .phase { background: var(--card); font-weight: 600; }
.n { font-variant-numeric: tabular-nums; text-align: right; } .soft { color: var(--soft); }
.error { color: var(--red); } .warning { color: var(--amber); } .good { color: var(--green); } .note { color: var(--soft); }
code, pre, .diff, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; }
pre { background: var(--card); border-radius: 6px; overflow-x: auto; padding: .6rem .8rem; }
.path { overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; overflow: clip; } details > div { overflow-x: auto; padding: .3rem .8rem .6rem; }
summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: .2rem .8rem; padding: .35rem .8rem; } summary:hover { background: var(--card); }
summary::before { color: var(--soft); content: "\25B8"; } details[open] > summary::before { content: "\25BE"; }
summary .path { flex: 1 1 16rem; } summary .tag { font-size: .85rem; white-space: nowrap; }
.said { list-style: none; margin: .3rem 0; padding: 0; } .said li { border-left: 3px solid currentColor; margin: .3rem 0; padding: .1rem .7rem; }
.said .why { color: var(--soft); display: block; font-size: .92em; }
.places { columns: 26rem; column-gap: 2rem; list-style: none; margin: .2rem 0; padding: 0; } .places li { break-inside: avoid; overflow-wrap: anywhere; }
.diff { border: 1px solid var(--line); line-height: 1.45; table-layout: fixed; width: 100%; }
.diff td { overflow-wrap: anywhere; padding: 0 .5rem; tab-size: 4; white-space: pre-wrap; }
.diff .no { color: var(--soft); font-size: .9em; padding: 0 .4rem; text-align: right; user-select: none; width: 4.2em; }
.diff .out { background: var(--out); } .diff .in { background: var(--in); } .diff b { border-radius: 2px; font-weight: inherit; }
.diff .out b { background: var(--out2); } .diff .in b { background: var(--in2); } .diff .none { background: var(--card); }
.diff .hunk td { background: var(--card); color: var(--soft); }
#filter { background: var(--card); border: 1px solid var(--line); border-radius: 6px; color: inherit; font: inherit; max-width: 30rem; padding: .35rem .7rem; width: 100%; }
footer { border-top: 1px solid var(--line); color: var(--soft); margin-top: 2rem; padding-top: .5rem; }
@media (max-width: 760px) { pre { white-space: pre-wrap; overflow-wrap: anywhere; } body { padding: 0 .75rem 2rem; } nav { gap: .9rem; } td, th { padding: .2rem .4rem; }
  .diff tr { display: grid; grid-template-columns: 3.2em 1fr; } .diff .hunk { display: block; } .diff .no { width: auto; }
  .diff .hunk td { display: block; } .diff .none, .diff .same td:nth-child(n+3) { display: none; } }
@media print { nav, #filter { display: none; } }
)";

// A link to a folded part unfolds it; the field shows the files whose names have its text.
const std::string_view kReportScript = R"(
const unfold = () => { let at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at) return; for (let each = at; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true; at.scrollIntoView(); };
addEventListener('hashchange', unfold); unfold();
const field = document.getElementById('filter');
if (field) field.addEventListener('input', () => { const wanted = field.value.toLowerCase();
  for (const file of document.querySelectorAll('#all > details')) file.hidden = !file.dataset.path.toLowerCase().includes(wanted); });
)";

}  // namespace hipwright::port
