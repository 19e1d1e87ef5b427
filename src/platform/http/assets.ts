// Serves the images that come with the server: default avatar and header, and others that an upload can replace.

import { readFileSync } from "node:fs";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";

/** Maps paths to files in assets/. The paths must not change: other servers and clients cache them. */
const FILES: Record<string, string> = {
  "/avatars/missing.png": "avatar.png",
  "/headers/missing.png": "header.png",
};

const FOLDER = new URL("../../../assets/", import.meta.url);

type Image = { type: string; data: Buffer };

/** Images in memory, 40 KB in all, so each is read once. */
const images = new Map<string, Image>();

export const builtInImage = (name: string): Image => {
  const known = images.get(name);
  if (known) return known;
  const type = name.endsWith(".ico") ? "image/x-icon" : "image/png";
  const image = { type, data: readFileSync(new URL(name, FOLDER)) };
  images.set(name, image);
  return image;
};

export const assetRoutes = (server: Server): void => {
  for (const [path, name] of Object.entries(FILES)) {
    const { type, data } = builtInImage(name);
    server.get(path, UNCOUNTED, async (_request, reply) =>
      reply
        .headers({
          "content-type": type,
          "cache-control": "public, max-age=604800, stale-while-revalidate=86400",
          // Web clients load avatars with the `crossorigin` attribute.
          "access-control-allow-origin": "*",
        })
        .send(data),
    );
  }
};
