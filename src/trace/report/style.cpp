// SPDX-License-Identifier: MIT
#include "trace/report/html.h"

namespace hipwright::trace {

const std::string_view kReportStyle = R"(
.stack { border-radius: 6px; display: flex; height: 2.2rem; margin: .8rem 0 .6rem; overflow: hidden; }
.stack i { display: block; min-width: 1px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; margin: 0 0 .8rem; padding: 0; }
.legend i { border-radius: 3px; display: inline-block; height: .8rem; margin-right: .4rem; vertical-align: -1px; width: .8rem; }
.legend b { font-variant-numeric: tabular-nums; font-weight: 600; }
.timeline { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; position: relative; }
.timeline canvas { display: block; touch-action: pan-y; width: 100%; }
.timeline canvas:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
.tip { background: var(--page); border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 2px 10px #0003; display: none; font-size: .87rem;
  left: 0; max-width: min(32rem, 92%); overflow-wrap: anywhere; padding: .4rem .6rem; pointer-events: none; position: absolute; top: 0; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0; align-items: center; }
.tools button { background: var(--card); border: 1px solid var(--line); border-radius: 6px; color: inherit; cursor: pointer; font: inherit; min-width: 2.4rem; padding: .25rem .7rem; }
.tools button:hover { border-color: var(--link); }
table.sortable { table-layout: auto; } table.sortable th { cursor: pointer; user-select: none; white-space: nowrap; }
table.sortable th:hover { color: var(--link); } th[aria-sort=ascending]::after { content: " \25B2"; } th[aria-sort=descending]::after { content: " \25BC"; }
#kernel-table td:first-child, #op-table td:first-child, #pair-table td:first-child { min-width: min(24rem, 46vw); overflow-wrap: anywhere; }
.advice { counter-reset: advice; list-style: none; margin: 0; padding: 0; }
.advice > li { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: 6px; margin: .6rem 0; padding: .6rem .9rem; }
.advice h3 { margin: 0 0 .2rem; } .advice p { margin: .2rem 0; } .advice ul { margin: .2rem 0; padding-left: 1.2rem; }
.roof { height: auto; max-width: 52rem; width: 100%; } .roof text { fill: var(--soft); font-size: 13px; } .roof .axis { stroke: var(--line); }
.roof .line { fill: none; stroke: var(--open); stroke-width: 2; } .roof circle { fill-opacity: .75; stroke: var(--page); }
.meter { background: var(--line); border-radius: 3px; display: inline-block; height: .6rem; overflow: hidden; vertical-align: 1px; width: 5rem; }
.meter i { background: var(--link); display: block; height: 100%; }
)";

const std::string_view kTableScript = R"(
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      heads.forEach(each => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const value = row => { const text = row.cells[column].textContent; const number = parseFloat(text); return head.classList.contains('n') ? (isNaN(number) ? -1 : number) : text; };
      const rows = [...table.tBodies[0].rows].map(row => [value(row), row]);
      rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1));
      table.tBodies[0].append(...rows.map(pair => pair[1]));
    };
    head.addEventListener('click', sort);
    head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
  });
}
for (const field of document.querySelectorAll('input[data-table]')) field.addEventListener('input', () => {
  const wanted = field.value.toLowerCase();
  for (const row of document.querySelector('#' + field.dataset.table + ' tbody').rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
)";

const std::string_view kTimelineScript = R"(
(() => {
  const data = JSON.parse(document.getElementById('timeline-data').textContent);
  const box = document.getElementById('timeline'), canvas = box.querySelector('canvas'), tip = box.querySelector('.tip');
  const context = canvas.getContext('2d'), bar = 18, gap = 12, label = 17, ruler = 24;
  // Numbers in fives: begin after the one before, duration, name, category, depth.
  let top = ruler;
  for (const row of data.rows) {
    const count = row.events.length / 5; row.begin = new Float64Array(count); row.end = new Float64Array(count); row.depth = 1; let at = 0;
    for (let i = 0; i < count; i++) { at += row.events[5 * i]; row.begin[i] = at; row.end[i] = at + row.events[5 * i + 1]; row.depth = Math.max(row.depth, row.events[5 * i + 4] + 1); }
    row.top = top + label; top = row.top + row.depth * bar + gap;
  }
  const height = top; let from = 0, to = data.span, width = 0, hot = null;
  const text = ns => ns >= 1e9 ? (ns / 1e9).toFixed(3) + ' s' : ns >= 1e6 ? (ns / 1e6).toFixed(3) + ' ms' : ns >= 1e3 ? (ns / 1e3).toFixed(2) + ' µs' : Math.round(ns) + ' ns';
  const x = time => (time - from) / (to - from) * width;
  const first = row => { // nested events: begins are in order, ends are not
    let low = 0, high = row.begin.length; const start = from - row.longest;
    while (low < high) { const middle = (low + high) >> 1; if (row.begin[middle] < start) low = middle + 1; else high = middle; } return low; };
  for (const row of data.rows) { row.longest = 0; for (let i = 0; i < row.begin.length; i++) row.longest = Math.max(row.longest, row.end[i] - row.begin[i]); }
  const draw = () => {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--ink'), soft = style.getPropertyValue('--soft'), line = style.getPropertyValue('--line');
    const ratio = devicePixelRatio || 1; width = box.clientWidth;
    canvas.width = width * ratio; canvas.height = height * ratio; canvas.style.height = height + 'px';
    context.setTransform(ratio, 0, 0, ratio, 0, 0); context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif'; context.textBaseline = 'middle';
    const wanted = (to - from) / Math.max(2, width / 110), power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= wanted);
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      context.fillStyle = line; context.fillRect(x(time), 0, 1, height); context.fillStyle = soft; context.fillText(text(time), x(time) + 4, ruler / 2);
    }
    for (const row of data.rows) {
      context.fillStyle = soft; context.fillText(row.title, 6, row.top - label / 2);
      const painted = new Float64Array(row.depth).fill(-1);
      for (let i = first(row); i < row.begin.length && row.begin[i] <= to; i++) {
        if (row.end[i] < from) continue;
        const depth = row.events[5 * i + 4], left = Math.max(x(row.begin[i]), -1), right = Math.min(x(row.end[i]), width + 1);
        if (right < painted[depth] + .4) continue; // nothing of it would be seen
        const size = Math.max(right - left, .7); painted[depth] = left + size;
        context.fillStyle = data.colours[row.events[5 * i + 3]]; context.fillRect(left, row.top + depth * bar, size, bar - 2);
        if (hot && hot.row === row && hot.i === i) { context.strokeStyle = ink; context.lineWidth = 2; context.strokeRect(left, row.top + depth * bar, size, bar - 2); }
        if (size > 34) {
          context.save(); context.beginPath(); context.rect(left, row.top + depth * bar, size - 3, bar); context.clip();
          context.fillStyle = '#fff'; context.fillText(data.names[row.events[5 * i + 2]], Math.max(left, 0) + 4, row.top + depth * bar + bar / 2 - 1); context.restore();
        }
      }
    }
  };
  let waiting = false; const redraw = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } };
  const set = (low, high) => { const size = Math.min(Math.max(high - low, 50), data.span * 1.02); from = Math.min(Math.max(low, -.01 * data.span), 1.01 * data.span - size); to = from + size; redraw(); };
  const zoom = (factor, at = .5) => { const middle = from + (to - from) * at; set(middle - (middle - from) * factor, middle + (to - middle) * factor); };
  canvas.addEventListener('wheel', event => {
    if (event.ctrlKey || event.metaKey) { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : .8, event.offsetX / width); }
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) { event.preventDefault(); const by = event.deltaX / width * (to - from); set(from + by, to + by); }
  }, { passive: false });
  const find = event => {
    const area = canvas.getBoundingClientRect(), px = event.clientX - area.left, py = event.clientY - area.top, time = from + px / width * (to - from), slack = 2 / width * (to - from);
    for (const row of data.rows) {
      const depth = Math.floor((py - row.top) / bar); if (py < row.top || depth >= row.depth) continue;
      let best = null;
      for (let i = first(row); i < row.begin.length && row.begin[i] <= time + slack; i++) if (row.events[5 * i + 4] === depth && row.end[i] >= time - slack) best = i;
      return best === null ? null : { row, i: best, px, py };
    }
    return null; };
  const show = event => {
    hot = find(event); tip.style.display = hot ? 'block' : 'none'; if (hot) {
      const { row, i } = hot; tip.textContent = data.names[row.events[5 * i + 2]] + ' · ' + text(row.end[i] - row.begin[i]) + ' at ' + text(row.begin[i]) + ' · ' + data.titles[row.events[5 * i + 3]];
      const space = box.clientWidth - tip.offsetWidth - 4; tip.style.left = Math.max(0, Math.min(hot.px + 12, space)) + 'px'; tip.style.top = Math.min(hot.py + 16, height - tip.offsetHeight) + 'px'; }
    redraw(); };
  const pointers = new Map();
  canvas.addEventListener('pointerdown', event => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event.offsetX); show(event); });
  canvas.addEventListener('pointermove', event => {
    if (!pointers.has(event.pointerId)) return show(event);
    const before = [...pointers.values()]; pointers.set(event.pointerId, event.offsetX); const after = [...pointers.values()];
    if (after.length === 1) { const by = (before[0] - after[0]) / width * (to - from); set(from + by, to + by); }
    else { const was = Math.abs(before[0] - before[1]), is = Math.abs(after[0] - after[1]); if (was > 5 && is > 5) zoom(was / is, (after[0] + after[1]) / 2 / width); } });
  for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, event => pointers.delete(event.pointerId));
  canvas.addEventListener('pointerleave', () => { hot = null; tip.style.display = 'none'; redraw(); });
  canvas.addEventListener('dblclick', event => zoom(.4, event.offsetX / width));
  canvas.addEventListener('keydown', event => {
    const by = (to - from) / 5, moves = { ArrowLeft: () => set(from - by, to - by), ArrowRight: () => set(from + by, to + by), '+': () => zoom(.7), '-': () => zoom(1.4), '0': () => set(0, data.span) };
    if (moves[event.key]) { event.preventDefault(); moves[event.key](); } });
  for (const button of document.querySelectorAll('[data-zoom]')) button.addEventListener('click', () => button.dataset.zoom === '0' ? set(0, data.span) : zoom(+button.dataset.zoom));
  addEventListener('resize', redraw); matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw); draw();
})();
)";

}  // namespace hipwright::trace
