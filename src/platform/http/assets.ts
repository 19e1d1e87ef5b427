// Serves what comes with the server: scripts of its pages, and images (default avatar and header, and others that an
// upload can replace).

import { createHash } from "node:crypto";
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

/** A script whose path contains its hash, so that browsers may cache it for ever. */
export const scriptOf = (name: string, script: string) => {
  const digest = createHash("sha256").update(script).digest("base64url").slice(0, 12);
  const path = `/assets/${name}-${digest}.js`;
  const route = (server: Server): void => {
    server.get(path, UNCOUNTED, async (_request, reply) =>
      reply
        .header("content-type", "text/javascript; charset=utf-8")
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(script),
    );
  };
  return { path, route };
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
