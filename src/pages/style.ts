// What the public pages add to the stylesheet of every page: profiles, posts, threads.

import { createHash } from "node:crypto";
import { UNCOUNTED } from "../platform/http/request-rates.ts";
import type { Server } from "../platform/http/server.ts";

/** Tenths of width and height, from the left and the top: the Content-Security-Policy allows no style attributes. */
const focusRules = (): string =>
  ["x", "y"]
    .flatMap((side) =>
      Array.from({ length: 11 }, (_, n) => `.focus-${side}${n} { --focus-${side}: ${n * 10}%; }`),
    )
    .join("\n");

const POSTS = `
.feed { list-style: none; margin: 0; padding: 0; }
.post {
  background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
  padding: 1.1rem 1.25rem; margin: 0 0 .85rem;
}
.post-head { display: flex; gap: .75rem; align-items: center; margin: 0 0 .75rem; }
.post-head .avatar { width: 2.9rem; height: 2.9rem; }
.post-names { min-width: 0; flex: 1; line-height: 1.3; }
.post-names a { color: inherit; text-decoration: none; }
.post-names a:hover strong { text-decoration: underline; }
.post-names strong, .handle { display: block; overflow: hidden; text-overflow: ellipsis; }
.handle { color: var(--soft); font-size: .92rem; }
.post-time { color: var(--soft); font-size: .88rem; text-decoration: none; text-align: right; }
.post-time:hover { text-decoration: underline; }
.line-above { color: var(--soft); font-size: .88rem; font-weight: 600; margin: 0 0 .6rem; }
.line-above a { color: inherit; }
.text { font-size: 1.03rem; }
.text p { margin: 0 0 .8em; }
.text p:last-child { margin-bottom: 0; }
.text pre { overflow-x: auto; padding: .75rem; border-radius: .5rem; background: var(--paper); }
.text blockquote { margin: 0 0 .8em; padding-left: .9rem; border-left: 3px solid var(--line); }
.text a { text-decoration: none; }
.text a:hover { text-decoration: underline; }
.invisible { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.ellipsis::after { content: "…"; }
.emoji { width: 1.25em; height: 1.25em; vertical-align: -.25em; object-fit: contain; margin: 0; }
.warning > summary {
  cursor: pointer; padding: .6rem .85rem; border-radius: .6rem; background: var(--accent-soft);
  font-weight: 600;
}
.warning[open] > summary { margin-bottom: .85rem; }
.text + .warning { margin-top: .6rem; }
.tabs { display: flex; align-items: baseline; gap: 1rem; }
.media { display: grid; gap: .4rem; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); margin: .85rem 0 0; }
.media img, .media video {
  display: block; width: 100%; height: auto; max-height: 32rem; object-fit: cover; border-radius: .6rem;
  background: var(--paper);
}
.media img { object-position: var(--focus-x, 50%) var(--focus-y, 50%); }
${focusRules()}
.media audio { width: 100%; }
.sound img { margin-bottom: .4rem; }
.gallery { grid-template-columns: 1fr 1fr; }
.gallery img, .gallery video { height: 100%; max-height: none; aspect-ratio: 4 / 3; }
.gallery > :first-child:nth-last-child(odd) { grid-column: span 2; }
.gallery > :first-child:nth-last-child(odd) img { aspect-ratio: 16 / 9; }
.card-link {
  display: block; margin: .85rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .6rem;
  color: inherit; text-decoration: none; overflow-wrap: anywhere;
}
.card-link img {
  display: block; width: calc(100% + 2rem); max-width: none; height: auto; max-height: 22rem; object-fit: cover;
  margin: -.8rem -1rem .7rem; border-radius: .55rem .55rem 0 0; background: var(--paper);
}
.card-link:hover { background: var(--paper); }
.card-link:hover strong { text-decoration: underline; }
.card-link strong, .card-source, .card-text { display: block; }
.card-source, .card-text { color: var(--soft); font-size: .88rem; }
.poll { list-style: none; margin: .85rem 0 0; padding: 0; display: grid; gap: .7rem; }
.poll p { display: flex; justify-content: space-between; gap: 1rem; margin: 0 0 .25rem; }
.poll strong { flex: none; }
.bar { display: block; width: 100%; height: .5rem; border-radius: .25rem; background: var(--line); }
.bar rect { fill: var(--accent); }
.counts { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .9rem 0 0; color: var(--soft); font-size: .88rem; }
.reactions { display: flex; flex-wrap: wrap; gap: .35rem; margin: .7rem 0 0; padding: 0; list-style: none; font-size: .92rem; }
.reactions li { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .6rem; overflow-wrap: anywhere; }
.post.main { border-color: var(--accent); box-shadow: var(--shadow); padding: 1.35rem 1.4rem; }
.post.main .text { font-size: 1.14rem; }
.answers { margin-top: 1.6rem; }
.interaction { margin: 1rem 0; }
.interaction p { margin: 0 0 .6rem; }
.interaction form { margin: 0 0 .6rem; }
.interaction .button { background: var(--card); }
.interaction .button:not(.plain) { background: var(--accent); min-width: 11rem; }
.interaction .button.on { background: var(--accent-soft); border-color: var(--accent); }
.interaction .button:hover { background: var(--accent-soft); }
.interaction .button:not(.plain):hover { background: var(--hover); }
.pager { display: flex; justify-content: center; margin: 1.25rem 0 0; }
.embed { min-height: 0; background: none; }
.embed main { max-width: none; padding: .5rem; }
.embed .post { margin: 0; box-shadow: none; }
.embed-site { margin: .45rem .3rem 0; font-size: .88rem; }
.embed-site a { color: var(--soft); text-decoration: none; }
.embed-site a:hover { text-decoration: underline; }
.empty { text-align: center; color: var(--soft); padding: 2rem 1rem; }
`;

const PROFILE = `
.profile { padding: 0; overflow: hidden; }
.profile-header {
  display: block; width: 100%; height: clamp(7rem, 26vw, 13rem); object-fit: cover;
  background: var(--accent-soft);
}
.profile-body { padding: 0 1.5rem 1.5rem; }
.profile-avatar {
  display: block; width: 6.5rem; height: 6.5rem; margin-top: -3.25rem; border-radius: 1.2rem; object-fit: cover;
  border: 4px solid var(--card); background: var(--accent-soft); position: relative;
}
.profile h1 { margin: .7rem 0 .1rem; }
.profile p.handle { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .4rem; }
.badge {
  display: inline-block; font-size: .78rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem;
  background: var(--accent-soft); color: var(--ink);
}
.bio { margin: 1rem 0; }
.bio:empty { display: none; }
.fields { margin: 1rem 0; border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; }
.fields div { display: grid; grid-template-columns: minmax(6rem, 30%) 1fr; }
.fields div + div { border-top: 1px solid var(--line); }
.fields dt, .fields dd { margin: 0; padding: .55rem .85rem; min-width: 0; }
.fields dt { font-weight: 600; background: var(--paper); }
.fields .verified { background: var(--good-soft); color: var(--good); }
.fields .verified a { color: inherit; }
.figures { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; margin: 1rem 0 0; padding: 0; list-style: none; color: var(--soft); }
.figures strong { color: var(--ink); }
.section { margin: 1.75rem 0 .8rem; }
.welcome h1 { font-size: clamp(1.6rem, 5vw, 2.15rem); margin-bottom: .35em; }
.welcome .lead { font-size: 1.1rem; color: var(--soft); }
.welcome .actions { margin-top: 1.25rem; }
.welcome .actions .button { flex: 0 1 auto; width: auto; min-width: min(12rem, 100%); }
.prose h2 { margin-top: 1.6em; }
.prose h1 + h2 { margin-top: .4em; }
.who a { text-decoration: none; }
.who a:hover strong { text-decoration: underline; }
@media (max-width: 30rem) {
  .post { padding: .95rem 1rem; }
  .post-head { flex-wrap: wrap; row-gap: .4rem; }
  .post-names { flex: 1 1 60%; }
  .post-time { flex-basis: 100%; text-align: left; }
  .profile-body { padding: 0 1.1rem 1.15rem; }
  .fields div { grid-template-columns: 1fr; }
  .fields dd { padding-top: .35rem; }
}
`;

const stylesheet = `${POSTS}${PROFILE}`.trim();
const digest = createHash("sha256").update(stylesheet).digest("base64url").slice(0, 12);

export const PUBLIC_STYLE_PATH = `/assets/public-${digest}.css`;

export const publicStyleRoutes = (server: Server): void => {
  server.get(PUBLIC_STYLE_PATH, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/css; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(stylesheet),
  );
};
