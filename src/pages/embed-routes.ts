// Serves /@name/ID/embed and /api/oembed.

import type { App } from "../platform/app.ts";
import { HttpError } from "../platform/http/http-error.ts";
import { anybody } from "../platform/http/auth.ts";
import { Type, withQuery } from "../platform/http/schema.ts";
import type { Server } from "../platform/http/server.ts";
import { oEmbed } from "./embed.ts";
import { loadBundle } from "./web/bundle.ts";
import {
  SHARED,
  asHttpError,
  documentHeaders,
  pageRequest,
  sendCompressed,
} from "./web/document.ts";
import { inEncodings } from "./web/encoding.ts";

const Query = Type.Object({
  url: Type.Optional(Type.String()),
  maxwidth: Type.Optional(Type.Unknown()),
  maxheight: Type.Optional(Type.Unknown()),
  format: Type.Optional(Type.String()),
});

const MAX_PIXELS = 4096;

/** Parses pixels from 1 on; anything else counts as absent. */
const pixels = (value: unknown): number | null => {
  const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : 0;
  return number > 0 ? Math.min(number, MAX_PIXELS) : null;
};

export const embedRoutes = (server: Server, app: App): void => {
  server.get("/@:name/:id/embed", async (request, reply) => {
    const bundle = await loadBundle();
    // The page is the same for everybody, signed in or not.
    const page = await pageRequest(app, server, request, { credentials: null });
    const html = await bundle.renderEmbed(page).catch((error: unknown) => {
      throw asHttpError(error);
    });
    return sendCompressed(reply, inEncodings(Buffer.from(html)), {
      ...documentHeaders(app, { isFramed: true }),
      "cache-control": SHARED,
      vary: "Accept, Accept-Language",
    });
  });

  server.get("/api/oembed", withQuery(anybody(), Query), async (request) => {
    const { url = "", maxwidth, maxheight, format = "json" } = request.query;
    // This format is not supported: https://oembed.com/#section2.3
    if (format !== "json" && format !== "")
      throw new HttpError(501, "Only the JSON format is supported");
    return oEmbed(app, { url, maxWidth: pixels(maxwidth), maxHeight: pixels(maxheight) });
  });
};
