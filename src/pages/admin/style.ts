// The stylesheet of the pages for the staff, which adds to that of all pages.

import { createHash } from "node:crypto";
import { UNCOUNTED } from "../../platform/http/request-rates.ts";
import type { Server } from "../../platform/http/server.ts";
import { deskStyle } from "./desk-style.ts";
import { networkStyle } from "./network-style.ts";

const stylesheet = `
.frame:has(.staff-menu) { grid-template-columns: 226px minmax(0, 1fr) 190px; max-width: 1440px; }
.staff-menu { font-size: .95rem; gap: 4px; }
.staff-menu a { display: flex; justify-content: space-between; align-items: center; gap: .5rem; padding-block: 4px; }
.staff-folded { display: none; }
.staff-page {
.badge + .badge { margin-left: .35rem; }
.badge.mild { background: var(--accent-soft); color: var(--ink); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.badge.good { background: var(--good-soft); color: var(--good); }
h2 { margin-top: 1.6rem; font-size: 1.1rem; }
> h2:first-child, .panel > h2:first-child { margin-top: 0; }
.panel > :last-child { margin-bottom: 0; }
.rows .badge, .rows .what .badge { display: inline-block; margin-left: .35rem; font-size: .8rem; color: var(--ink); }
.rows .what .said { white-space: pre-line; color: var(--ink); }
.rows .what .badge.bad, .rows .badge.bad { color: var(--bad); }
.rows .what .badge.good, .rows .badge.good { color: var(--good); }
.rows .who { margin: 0; }
.tabs { flex-wrap: wrap; mask: none; }
.tabs a { text-decoration: none; }
.rows { background: var(--card); }
.rows .what span strong { display: inline; }
.tiles { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); margin: 0 0 1.5rem; padding: 0; list-style: none; }
.tiles > li { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .9rem 1rem; }
.tiles strong { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: .9rem; display: block; }
.tiles a { color: inherit; text-decoration: none; display: block; margin: -.9rem -1rem; padding: .9rem 1rem; border-radius: .8rem; }
.tiles a:hover { background: var(--accent-soft); }
.tiles li.wants { border-color: var(--accent); }
.filters { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); align-items: end; margin: 0 0 1.25rem; }
.filters .field { margin: 0; }
.filters .button { width: auto; justify-self: start; }
.pair { display: grid; gap: 0 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
.details-list { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .35rem 1.25rem; margin: 0 0 1.25rem; }
.panel > .details-list:last-child { margin-bottom: 0; }
.details-list dt { color: var(--soft); }
.details-list dd { margin: 0; }
.quote { margin: 0 0 1rem; padding: .7rem 1rem; border-left: 3px solid var(--line); background: var(--paper); border-radius: 0 .5rem .5rem 0; }
.quote p:last-child { margin: 0; }
.emoji-rows { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); overflow: hidden; }
.emoji-rows > li, .emoji-rows > li + li { border: 0; border-bottom: 1px solid var(--line); margin-bottom: -1px; padding: .5rem .9rem; }
.emoji-rows .check { align-items: center; width: 100%; } .emoji-rows .check input { margin: 0; } .emoji-rows label { display: flex; gap: .7rem; align-items: center; flex: 1; min-width: 0; }
.bulk { display: flex; flex-wrap: wrap; gap: .6rem 2rem; align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .8rem 1.1rem; margin: 0 0 1.25rem; }
.bulk strong { flex-basis: 100%; } .bulk .buttons { align-items: center; } .bulk input[type=text] { width: 14rem; max-width: 100%; padding: .35rem .7rem; } .bulk label { margin: 0; }
.count-line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .3rem 1rem; margin: 0 0 .6rem; }
.emoji.large { width: 2.2rem; height: 2.2rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.buttons .button, .rows .buttons .button { width: auto; padding: .4rem .9rem; font-size: .95rem; }
.buttons form { margin: 0; }
.button.bad { background: transparent; border-color: var(--line); color: var(--bad); }
.button.bad:hover { background: var(--bad-soft); filter: none; }
.question .button.bad { background: var(--bad); border-color: var(--bad); color: var(--accent-ink); }
.question .button.bad:hover { filter: brightness(.92); }
.question > ul { margin: 0 0 1.25rem; padding-inline-start: 1.25rem; }
.question .field { max-width: 24rem; }
.choices { border: 0; margin: 0 0 1.1rem; padding: 0; min-width: 0; display: grid; gap: .3rem; }
.choices.wide { grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); }
.choices legend { font-weight: 600; padding: 0; margin-bottom: .4rem; }
.choices .check label span { display: block; color: var(--soft); font-size: .88rem; }
.add { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .8rem 1.1rem; margin: 0 0 1.25rem; }
.add > summary { cursor: pointer; font-weight: 650; color: var(--accent); }
.add[open] > summary { margin-bottom: 1rem; }
.edit { flex-basis: 100%; }
.edit > summary { cursor: pointer; color: var(--accent); font-size: .92rem; width: max-content; }
.edit[open] > summary { margin-bottom: .8rem; }
.edit form { max-width: 46rem; }
.site-picture { display: block; max-width: 100%; margin: 0 0 1rem; border-radius: .6rem; background: var(--paper); border: 1px solid var(--line); }
.site-picture.banner { width: 100%; max-width: 36rem; aspect-ratio: 1200 / 630; object-fit: contain; } .site-picture.icon, .site-picture.logo { width: 96px; height: 96px; object-fit: contain; }
.panel form + .buttons { margin-top: .8rem; }
input[type=color] { width: 4.5rem; height: 2.6rem; padding: .2rem; border: 1px solid color-mix(in srgb, var(--soft) 70%, transparent); border-radius: .55rem; background: var(--paper); }
.setting { margin: 0 0 1.4rem; } .setting > .field, .setting > .choices { margin: 0; }
.setting .origin { color: var(--soft); font-size: .85rem; margin: .2rem 0 0; } .setting .hint { margin: .15rem 0 0; }
.setting .check { min-height: 0; margin: 0; } .setting .check + .hint, .setting .check ~ .origin { padding-inline-start: 1.75rem; }
.pager { display: flex; justify-content: space-between; gap: 1rem; }
.steps { list-style: none; margin: 0 0 1.25rem; padding: 0; display: grid; gap: .6rem; }
.steps li { display: grid; grid-template-columns: 2rem 1fr; gap: .2rem .7rem; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .9rem 1.1rem; }
.steps .mark { width: 1.7rem; height: 1.7rem; border-radius: 50%; display: grid; place-items: center; border: 2px solid var(--line); font-weight: 700; color: var(--soft); grid-row: span 2; }
.steps .done .mark { background: var(--good-soft); border-color: var(--good); color: var(--good); }
.steps p { margin: 0; }
.swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: 50%; background: var(--line); vertical-align: -.05rem; margin-right: .3rem; }
input[type=search], input[type=number], input[type=date], input[type=datetime-local], input[type=url], input[type=file] {
  width: 100%; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid color-mix(in srgb, var(--soft) 70%, transparent); border-radius: .55rem; padding: .6rem .75rem;
}
.judged { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); overflow: hidden; }
.judged .post { border: 0; }
.judged > p { margin: 0; padding: 0 16px 10px; }
.judged a:not(.button) { text-decoration: none; }
${networkStyle}
${deskStyle}
@media (max-width: 680px) {
  padding-inline: 12px;
  .panel { border-inline: 1px solid var(--line); border-radius: var(--radius); }
  .details-list { grid-template-columns: 1fr; gap: 0; }
  .details-list dd { margin-bottom: .5rem; }
}
}
@media (max-width: 1179px) {
  .frame:has(.staff-menu) { grid-template-columns: 230px minmax(0, 1fr); }
  .staff-folded {
    display: block; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card);
    summary { padding: .6rem 1rem; font-weight: 650; cursor: pointer; }
    .staff-menu { grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); padding: 0 .5rem .8rem; }
    .staff-menu a { padding-block: .5rem; text-decoration: none; }
  }
}
@media (max-width: 899px) {
  .frame:has(.staff-menu) { grid-template-columns: 60px minmax(0, 1fr); }
}
`.trim();

const digest = createHash("sha256").update(stylesheet).digest("base64url").slice(0, 12);

export const ADMIN_STYLE_PATH = `/assets/admin-${digest}.css`;

export const adminStyleRoutes = (server: Server): void => {
  server.get(ADMIN_STYLE_PATH, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/css; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(stylesheet),
  );
};
