// The part of the stylesheet of the staff for figures: tables, charts, findings. It stands within `.staff-page`.

export const networkStyle = `
.figures { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); margin: 0 0 1.25rem; font-size: .95rem; }
.figures th, .figures td { padding: .5rem .7rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
.figures thead th { border-top: 0; font-size: .88rem; color: var(--soft); vertical-align: bottom; }
.figures thead a { color: inherit; }
.figures [aria-sort]:not([aria-sort=none]) a { color: var(--ink); font-weight: 700; }
.figures [aria-sort=descending] a::after { content: " ↓"; }
.figures [aria-sort=ascending] a::after { content: " ↑"; }
.figures .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.figures tbody th { font-weight: 600; overflow-wrap: anywhere; }
.figures .soft { display: block; font-size: .88rem; font-weight: 400; }
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
.as-table .figures { margin: .5rem 0 0; }
.shares { border: 0; margin: .5rem 0 0; }
.shares th, .shares td { padding-inline: 0; }
.shares .bar { display: block; width: 100%; height: .45rem; margin-top: .25rem; border-radius: .2rem; background: var(--accent-soft); }
.shares .bar rect { fill: var(--accent); }
.shares td.number { padding-inline-start: 1rem; width: 1%; }
.scrolled { overflow-x: auto; }
.scrolled > .figures { margin: 0; }
.cohorts th, .cohorts td { padding: .35rem .5rem; white-space: nowrap; }
${Array.from({ length: 10 }, (_, n) => `.heat-${n} { background: color-mix(in srgb, var(--accent) ${n * 4 + 2}%, var(--card)); }`).join("\n")}
.health dd .badge { margin-inline-end: .35rem; }
@media (max-width: 680px) {
  .figures.stacked, .figures.stacked tbody, .figures.stacked tr, .figures.stacked tbody th, .figures.stacked td { display: block; }
  .figures.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .figures.stacked tbody tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  .figures.stacked tbody tr:first-child { border-top: 0; }
  .figures.stacked tbody th, .figures.stacked td { border: 0; padding: .15rem .8rem; text-align: start; }
  .figures.stacked td::before { content: attr(data-label) ": "; color: var(--soft); }
  .figures.stacked td .soft { display: inline; }
}
`.trim();
