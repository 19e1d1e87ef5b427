// /@name/ID/embed and /api/oembed.

import type { App } from "../platform/app.ts";
import { HttpError, NotFound } from "../platform/errors.ts";
import { anybody } from "../platform/http/auth.ts";
import { sendPage } from "../platform/http/page.ts";
import { Type } from "../platform/http/schema.ts";
import type { Server } from "../platform/http/server.ts";
import { embedPage, embeddable, oEmbed } from "./embed.ts";
import { postOf } from "./post-of.ts";

const Query = Type.Object({
  url: Type.Optional(Type.String()),
  maxwidth: Type.Optional(Type.Unknown()),
  maxheight: Type.Optional(Type.Unknown()),
  format: Type.Optional(Type.String()),
});

const MAX_PIXELS = 4096;

/** Pixels from 1 on; anything else is as if it were not given. */
const pixels = (value: unknown): number | null => {
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : 0;
  return number > 0 ? Math.min(number, MAX_PIXELS) : null;
};

/** Short: what was deleted or hidden must not be shown for long by caches between. */
const SHARED = "max-age=15, public, stale-while-revalidate=30";

export const embedRoutes = (server: Server, app: App): void => {
  server.get<{ Params: { name: string; id: string } }>(
    "/@:name/:id/embed",
    async (request, reply) => {
      const view = await postOf(app, request.params.name, request.params.id);
      if (!embeddable(view)) throw new NotFound();
      const document = await embedPage(app, view);
      return sendPage(reply, document, { media: "any", cacheControl: SHARED, framed: true });
    },
  );

  server.get(
    "/api/oembed",
    { config: anybody(), schema: { querystring: Query } },
    async (request) => {
      const { url = "", maxwidth, maxheight, format = "json" } = request.query;
      // https://oembed.com/#section2.3: a format that there is not.
      if (format !== "json" && format !== "")
        throw new HttpError(501, "Only the JSON format is supported");
      return oEmbed(app, { url, maxWidth: pixels(maxwidth), maxHeight: pixels(maxheight) });
    },
  );
};
