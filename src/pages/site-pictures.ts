// Serves the icon, logo and banner of the server at fixed paths, uploaded or built-in, and the stylesheet with its
// colour.

import { buffer } from "node:stream/consumers";
import type { FastifyReply } from "fastify";
import type { App } from "../platform/app.ts";
import { NotFound } from "../platform/errors.ts";
import { builtInImage } from "../platform/http/assets.ts";
import { UNCOUNTED } from "../platform/http/request-rates.ts";
import type { Server } from "../platform/http/server.ts";
import { ICON_PATH, ICON_SVG, LOGO_PATH } from "../platform/http/icons.ts";
import { typeOfKey } from "../platform/storage/index.ts";
import { accentStyle, isColour } from "../domain/base/settings/colours.ts";
import { ICON_SIZES, pictureOf } from "../domain/base/settings/pictures.ts";
import { allSettings } from "../domain/base/settings/settings.ts";
import type { PictureKind } from "../domain/base/settings/settings.ts";

/** Cache-Control, short enough that a new picture is seen soon; apps get addresses that change with it. */
const CACHED = "public, max-age=600, stale-while-revalidate=86400";

type Place = { kinds: readonly PictureKind[]; place: number; builtIn: string };

/** Says which file of which picture is at which path: the first kind that was uploaded. */
const PATHS: Record<string, Place> = {
  "/preview.png": { kinds: ["banner"], place: 0, builtIn: "preview.png" },
  "/favicon.ico": { kinds: ["icon"], place: 0, builtIn: "favicon.ico" },
  "/icons/maskable.png": { kinds: ["icon"], place: 3, builtIn: "icon-maskable.png" },
  ...Object.fromEntries(
    ICON_SIZES.map((side, place) => [
      `/icons/${side}.png`,
      { kinds: ["icon"], place, builtIn: `icon-${side}.png` } satisfies Place,
    ]),
  ),
};

/** Returns the key of a file of the first of these pictures that was uploaded. */
const keyOf = async (app: App, kinds: readonly PictureKind[], place: number) => {
  const set = await allSettings(app);
  const picture = kinds.map((kind) => pictureOf(set, kind)).find((picture) => picture !== null);
  return (picture?.files[place] ?? picture?.files.at(-1))?.key ?? null;
};

const readStored = async (app: App, key: string | null): Promise<Buffer | null> => {
  const file = key === null ? null : await app.storage.open(key);
  return file && buffer(file.stream);
};

const send = (reply: FastifyReply, type: string, data: Buffer | string) =>
  reply
    .headers({
      "content-type": type,
      "cache-control": CACHED,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    })
    .send(data);

/** Wraps a picture in an SVG, so that pages need not know which it is. */
const wrapped = (png: Buffer): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><image width="96" height="96" href="data:image/png;base64,${png.toString("base64")}"/></svg>`;

const accentRoute = (server: Server): void => {
  server.get<{ Params: { name: string } }>(
    "/assets/accent/:name",
    UNCOUNTED,
    async (request, reply) => {
      const colour = `#${request.params.name.replace(/\.css$/, "")}`;
      if (!isColour(colour)) throw new NotFound();
      return reply
        .header("content-type", "text/css; charset=utf-8")
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(accentStyle(colour));
    },
  );
};

export const sitePictureRoutes = (server: Server, app: App): void => {
  for (const [path, { kinds, place, builtIn }] of Object.entries(PATHS)) {
    server.get(path, UNCOUNTED, async (_request, reply) => {
      const key = await keyOf(app, kinds, place);
      const stored = await readStored(app, key);
      if (stored) return send(reply, typeOfKey(key!) ?? "image/png", stored);
      const { type, data } = builtInImage(builtIn);
      return send(reply, type, data);
    });
  }
  for (const [path, kinds] of [
    [ICON_PATH, ["icon"]],
    [LOGO_PATH, ["logo", "icon"]],
  ] as const) {
    server.get(path, UNCOUNTED, async (_request, reply) => {
      const stored = await readStored(app, await keyOf(app, kinds, 1));
      return send(reply, "image/svg+xml", stored ? wrapped(stored) : ICON_SVG);
    });
  }
  accentRoute(server);
};
