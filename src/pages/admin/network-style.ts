// Styles of the staff's figures: tables, charts, findings. They apply within `.staff-page`.

export const networkStyle = `
.data-table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); margin: 0 0 1.25rem; font-size: .95rem; }
.data-table th, .data-table td { padding: .5rem .7rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
.data-table thead th { border-top: 0; font-size: .88rem; color: var(--soft); vertical-align: bottom; }
.data-table thead a { color: inherit; }
.data-table [aria-sort]:not([aria-sort=none]) a { color: var(--ink); font-weight: 700; }
.data-table [aria-sort=descending] a::after { content: " ↓"; }
.data-table [aria-sort=ascending] a::after { content: " ↑"; }
.data-table .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.data-table tbody :is(th, [role=rowheader]) { font-weight: 600; overflow-wrap: anywhere; }
.data-table thead th, .data-table thead .number { white-space: normal; overflow-wrap: normal; }
.stacked tbody [role=rowheader] { min-width: 12rem; }
.stacked td:last-child { min-width: 9rem; }
.data-table .soft { display: block; font-size: .88rem; font-weight: 400; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); margin: 0 0 1rem; align-items: start; }
.charts > .panel { margin: 0; min-width: 0; }
.figure h3 { margin: 0; font-size: 1rem; }
.figure .total { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .6rem; margin: .1rem 0 .5rem; min-height: 2rem; }
.figure .total strong { font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figure .total .soft { font-size: .88rem; }
.chart { display: block; width: 100%; height: auto; }
.chart text { fill: var(--soft); font-size: 11px; }
.chart .grid line { stroke: var(--line); stroke-width: 1; }
.chart .columns rect { fill: var(--accent); }
.as-table { margin-top: .5rem; }
.as-table > summary { cursor: pointer; color: var(--accent); font-size: .92rem; width: max-content; }
.as-table .data-table { margin: .5rem 0 0; }
.shares { border: 0; margin: .5rem 0 0; }
.shares th, .shares td { padding-inline: 0; }
.shares .bar { display: block; width: 100%; height: .45rem; margin-top: .25rem; border-radius: .2rem; background: var(--accent-soft); }
.shares .bar rect { fill: var(--accent); }
.shares td.number { padding-inline-start: 1rem; width: 1%; }
.scrolled { overflow-x: auto; }
.scrolled > .data-table { margin: 0; }
.cohorts th, .cohorts td { padding: .35rem .5rem; white-space: nowrap; }
${Array.from({ length: 10 }, (_, n) => `.heat-${n} { background: color-mix(in srgb, var(--accent) ${n * 4 + 2}%, var(--card)); }`).join("\n")}
.preview h3 { margin: 1rem 0 .2rem; font-size: 1rem; }
.preview form { margin-top: 1.25rem; }
.health dd .badge { margin-inline-end: .35rem; }
@media (max-width: 680px) {
  .data-table.stacked, .data-table.stacked tbody, .data-table.stacked tr, .data-table.stacked tbody [role=rowheader] { display: block; }
  .data-table.stacked thead { display: none; }
  .data-table.stacked tbody tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  .data-table.stacked tbody tr:first-child { border-top: 0; }
  .data-table.stacked tbody [role=rowheader], .data-table.stacked td { border: 0; padding: .1rem .8rem; text-align: start; min-width: 0; }
  .data-table.stacked td { display: inline-block; padding-inline-end: 0; white-space: normal; }
  .data-table.stacked .badge { white-space: nowrap; }
  .data-table.stacked td::before { content: attr(data-label) ": "; color: var(--soft); }
  .data-table.stacked td .soft { display: inline; }
}
`.trim();
