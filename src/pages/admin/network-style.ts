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
