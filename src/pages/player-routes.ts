// Serves /@name/ID/player: the player that the page of a post's link names, alone. The client frames it once somebody
// presses it. Only the policy of this page allows a frame of another server, and only of that one.

import { hash } from "node:crypto";
import type { App } from "../platform/app.ts";
import { NotFound } from "../platform/errors.ts";
import type { Server } from "../platform/http/server.ts";
import { html, raw } from "../platform/text/html.ts";
import { NOBODY } from "../platform/viewer.ts";
import { playerOf } from "../domain/posts/cards/oembed.ts";
import { postOf } from "./post-of.ts";
import { SHARED } from "./web/document.ts";

const STYLE =
  "html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;background:#000}";
const STYLE_HASH = hash("sha256", STYLE, "base64");

const policyFor = (origin: string): string =>
  `default-src 'none'; frame-src ${origin}; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'self'";

type Path = { Params: { name: string; id: string } };

export const playerRoutes = (server: Server, app: App): void => {
  server.get<Path>("/@:name/:id/player", async (request, reply) => {
    // A card is shown only of what everybody may see, and is the same for all.
    const { card } = await postOf(app, request.params, NOBODY);
    const player = card && playerOf(card);
    if (!player) throw new NotFound();
    const page = html`<!doctype html>
      <html lang="${card.language ?? ""}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${card.title}</title>
          ${raw(`<style>${STYLE}</style>`)}
        </head>
        <body>
          ${raw(player.frame)}
        </body>
      </html>`;
    return reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policyFor(player.origin),
        "cache-control": SHARED,
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
      })
      .send(String(page));
  });
};
