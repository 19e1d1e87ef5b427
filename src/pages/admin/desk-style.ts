// Styles of the staff's queues: lists of accounts, boxes to tick, reports, keys. They apply within `.staff-page`.

export const deskStyle = `
.tick { width: 24px; height: 24px; margin: 0; flex: none; accent-color: var(--accent); }
.ticked { display: flex; gap: .9rem; align-items: center; margin-bottom: .8rem; }
.ticked .who { margin: 0; }
.several { margin: 0 0 1.25rem; align-items: center; border-top: 1px solid var(--line); }
.several .check { margin: 0; }
.several .field { margin: 0; flex: 1 1 14rem; }
.several .hint { margin-bottom: 0; }
.accounts-box { container-type: inline-size; }
.accounts [aria-sort=descending] a::after { content: " ↓"; }
.accounts [aria-sort=ascending] a::after { content: " ↑"; }
.accounts { width: 100%; margin: 0 0 1.25rem; border-collapse: separate; border-spacing: 0; font-size: .84rem; overflow-wrap: normal; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; }
.accounts th, .accounts td { padding: .5rem .3rem; text-align: start; vertical-align: middle; border-bottom: 1px solid var(--line); }
.accounts tbody tr:last-child td { border-bottom: 0; }
.accounts th { font-weight: 650; vertical-align: bottom; }
.accounts th a { text-decoration: none; }
.accounts th a:hover { text-decoration: underline; }
.accounts .who, .accounts td:nth-child(4) { overflow-wrap: anywhere; }
.accounts td:first-child { padding-inline-start: .8rem; width: 1%; }
.accounts td:last-child { padding-inline-end: .8rem; }
.accounts td:nth-child(4) { min-width: 7.4rem; }
.accounts time { white-space: nowrap; }
.accounts .badge { display: inline-block; margin: .1rem 0; }
.accounts .badge + .badge { margin-left: 0; }
.accounts td:last-child .badge { display: block; width: max-content; }
.accounts .who { margin: 0; gap: .5rem; color: inherit; text-decoration: none; min-width: 9.2rem; }
.accounts .who .avatar { width: 32px; height: 32px; }
.accounts .who strong, .accounts .who span { display: block; }
.accounts .who:hover strong { text-decoration: underline; }
.here { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .5rem; }
.rows.held li { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: flex-start; }
.rows.held .what { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
.rows strong > .badge:first-child { margin-inline-start: 0; }
.rows .to > span { display: block; }
.queue-links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .3rem 1.2rem; }
.panel > p:first-child { margin-top: 0; }
.panel > .edit { margin-top: .8rem; }
.reported { margin: 0 0 1rem; scroll-margin-block: 1rem; }
.reported .judged { margin-bottom: 0; }
.context { margin: 0 0 .6rem; padding-inline-start: .8rem; border-inline-start: 3px solid var(--line); }
.context > summary { cursor: pointer; color: var(--soft); font-size: .92rem; padding-block: .2rem; }
.context .judged { font-size: .95rem; }
.keys .check { margin-top: 1rem; }
.keys > p { margin-bottom: 0; }
@media (max-width: 860px) {
  .several { position: static; }
  form[role=search] .filters { grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); }
}
@container (max-width: 740px) {
  .accounts { background: none; border: 0; }
  .accounts, .accounts tbody { display: block; }
  .accounts thead { display: none; }
  .accounts tr { display: grid; grid-template-columns: 1fr 1fr; gap: .35rem 1rem; margin: 0 0 .8rem; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; position: relative; }
  .accounts td { display: block; padding: 0; border: 0; min-width: 0; }
  .accounts td:first-child { position: absolute; inset-block-start: .9rem; inset-inline-end: 1rem; width: auto; padding: 0; }
  .accounts td:nth-child(2), .accounts td:nth-child(3), .accounts td:nth-child(4) { grid-column: 1 / -1; }
  .accounts td:nth-child(2) { padding-inline-end: 2.5rem; }
  .accounts td:last-child .badge { display: inline-block; }
  .accounts td:nth-child(n+4)::before { content: attr(data-label) " "; color: var(--soft); margin-inline-end: .35rem; }
}
`;
