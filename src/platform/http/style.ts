// Styles of the pages whose body the server draws, beside those of the client (web/src/styles). They are served at a
// path with their hash, so that browsers may cache them for ever.

import { createHash } from "node:crypto";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";

const FORMS = `
.field { margin: 0 0 1.1rem; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
input[type=text], input[type=email], input[type=password], input[type=date], textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid color-mix(in srgb, var(--soft) 70%, transparent); border-radius: .55rem;
  padding: .6rem .75rem;
}
textarea { min-height: 5rem; resize: vertical; }
input[aria-invalid=true], textarea[aria-invalid=true] { border-color: var(--bad); }
.rules { margin: 0 0 1.1rem; padding-left: 1.4rem; }
.rules li + li { margin-top: .4rem; }
.rules span { display: block; color: var(--soft); font-size: .9rem; }
.suffixed { display: flex; align-items: center; gap: .4rem; }
.suffixed input { flex: 1; min-width: 0; }
.suffixed span { color: var(--soft); max-width: 50%; }
.hint { color: var(--soft); font-size: .88rem; margin: .3rem 0 0; }
.fault { color: var(--bad); font-size: .9rem; font-weight: 600; margin: .3rem 0 0; }
.check { display: flex; gap: .6rem; align-items: start; }
.choices { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; }
.choices legend { font-weight: 600; padding: 0; margin-bottom: .6rem; }
.choices .check label span { display: block; color: var(--soft); font-size: .9rem; }
.check label { font-weight: 400; margin: 0; }
input[type=file] { width: 100%; font: inherit; }
progress { width: 100%; height: .8rem; accent-color: var(--accent); }
.check input { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; accent-color: var(--accent); }
&.panel .buttons, &.card .buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
&.panel .buttons form, &.panel .buttons > .button, &.card .buttons form, &.card .buttons > .button { flex: 1 1 9rem; width: auto; margin: 0; }
.button {
  display: inline-block; width: 100%; font: inherit; font-weight: 650; text-align: center;
  text-decoration: none; cursor: pointer; border-radius: .55rem; padding: .65rem 1.1rem;
  border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink);
}
.button:hover { background: var(--hover); border-color: var(--hover); color: var(--accent-ink); }
.button.plain { background: transparent; color: var(--ink); border-color: var(--line); }
.button.plain:hover { background: var(--accent-soft); color: var(--ink); }
.button.bad { background: var(--bad); border-color: var(--bad); }
.button.bad:hover { filter: brightness(.92); }
.button.inline { width: auto; }
.link-button {
  font: inherit; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer;
  text-decoration: underline; text-underline-offset: .15em;
}
.notice { border-radius: .6rem; padding: .75rem 1rem; margin: 0 0 1.1rem; background: var(--accent-soft); }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
.notice.good { background: var(--good-soft); color: var(--good); }
`;

const PARTS = `
.below { text-align: center; margin-top: 1rem; }
.below a { padding-block: .25rem; }
.avatar { width: 3rem; height: 3rem; border-radius: .7rem; background: var(--accent-soft); object-fit: cover; flex: none; }
.emoji { width: 1.25em; height: 1.25em; vertical-align: -.25em; object-fit: contain; margin: 0; }
.who { display: flex; gap: .8rem; align-items: center; margin: 0 0 1.25rem; }
.who strong, .who span { display: block; }
.who span { color: var(--soft); font-size: .92rem; }
.rows { list-style: none; margin: 0 0 1.25rem; padding: 0; border: 1px solid var(--line); border-radius: .6rem; }
.rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding: .7rem .9rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows .what { flex: 1 1 12rem; min-width: 0; }
.rows strong, .rows .what span { display: block; }
.rows .what span { color: var(--soft); font-size: .9rem; }
.rows form { margin: 0; }
&.panel .rows .buttons { gap: .5rem 1rem; }
&.panel .rows .buttons form, &.panel .rows .buttons .button { flex: none; }
.rows .button { width: auto; padding: .35rem .8rem; font-size: .92rem; }
.rows a.to { display: block; flex: 1; margin: -.7rem -.9rem; padding: .7rem .9rem; text-decoration: none; color: inherit; border-radius: .6rem; }
.rows a.to:hover { background: var(--accent-soft); }
.rows a.to strong { color: var(--accent); }
.rows a.to span { color: var(--soft); font-size: .9rem; }
.rows .what .badge { display: inline-block; font-size: .8rem; color: var(--ink); }
.badge.mild { background: var(--accent-soft); color: var(--ink); }
.rows .what .badge.bad { background: var(--bad-soft); color: var(--bad); }
.rows .what .badge.good { background: var(--good-soft); color: var(--good); }
.qr { display: block; width: 13rem; max-width: 100%; margin: 0 auto 1.1rem; padding: .6rem; border-radius: .6rem; background: #fff; }
.qr svg { display: block; width: 100%; height: auto; }
.codes { list-style: none; margin: 0 0 1.1rem; padding: .8rem 1rem; border-radius: .6rem; background: var(--accent-soft); columns: 2; }
.codes code { font-size: 1rem; user-select: all; }
.rows .secret { font-weight: 400; }
.secret.grouped { word-break: normal; }
@media (max-width: 24rem) { .codes { columns: 1; } }
.or { display: flex; gap: .8rem; align-items: center; color: var(--soft); margin: 1.1rem 0; font-size: .9rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
&.card { font-size: 1rem;
  max-width: 29rem; margin: clamp(.5rem, 6vh, 3.5rem) auto 1rem; padding: 1.5rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .9rem; box-shadow: 0 8px 24px rgb(0 0 0 / 8%);
}
&.card > h1 { font-size: 1.55rem; letter-spacing: -.01em; margin: 0 0 .6em; }
&.card form + p { margin-top: 1.1rem; }
&.card .decision {
  position: sticky; bottom: 0; margin: 0 -1.5rem; padding: .9rem 1.5rem;
  background: var(--card); border-top: 1px solid var(--line);
}
&.card .decision .buttons > .button { flex-basis: 6rem; }
@media (max-width: 30rem) {
  &.card { padding: 1.15rem; }
  &.card .decision { margin: 0 -1.15rem; padding: .9rem 1.15rem; }
}
@media (max-height: 46rem) {
  &.card { margin-top: 0; padding-top: 1.1rem; }
  &.card .who { margin-bottom: .8rem; }
}
.secret {
  display: block; padding: .8rem 1rem; border-radius: .6rem; background: var(--accent-soft);
  font-size: 1.05rem; user-select: all; word-break: break-all;
}
`;

const framed = `.servers-page { --hover: light-dark(#4a31a8, #bfb0ff); --good-soft: light-dark(#e6f5ec, #1b3327);
h2 { margin: 0 0 .6em; } form + h2, .rows + h2 { margin-top: 1.6rem; } form + p { margin-top: .8rem; } p { margin: 0 0 1em; } p:last-child, ul:last-child, form:last-child { margin-bottom: 0; }
a { text-decoration: underline; text-underline-offset: .15em; } a.button, a.to { text-decoration: none; }
${FORMS}${PARTS}}`;

/** The logo, a rook, as an SVG path that takes its colour from the context. */
const BIRD =
  "M21 6.2c-1-.9-2.3-1.4-3.6-1.4-2.3 0-4.2 1.3-5.1 3.3L2 15.6l4.6-.5-1.9 3 4.2-1.5c1.1.6 2.3.9 3.6.9h.2l-.7 3.3h1.5l.8-3.6 1.2 3.6h1.5l-1.4-4.2c2.6-1.4 4.2-4 4.2-7V9l2.2-1.2z";

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#5b3fc4"/><path fill="#fff" transform="translate(3 3) scale(.75)" d="${BIRD}"/></svg>`;

const digest = (style: string): string =>
  createHash("sha256").update(style).digest("base64url").slice(0, 12);

export const FRAMED_STYLE_PATH = `/assets/framed-${digest(framed)}.css`;
/** Paths of the icons, which pages/site-pictures.ts serves, because an upload can replace them. */
export const ICON_PATH = "/assets/icon.svg";
export const LOGO_PATH = "/assets/logo.svg";

export const styleRoutes = (server: Server): void => {
  server.get(FRAMED_STYLE_PATH, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/css; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(framed),
  );
};
