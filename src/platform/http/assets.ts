// The images that come with the server: default avatar and header, preview, icons.

import { readFileSync } from "node:fs";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";

/** Path → file in assets/. The paths must not change: other servers and clients cache them. */
const FILES: Record<string, string> = {
  "/avatars/missing.png": "avatar.png",
  "/headers/missing.png": "header.png",
  "/preview.png": "preview.png",
  "/favicon.ico": "favicon.ico",
  "/icons/48.png": "icon-48.png",
  "/icons/96.png": "icon-96.png",
  "/icons/192.png": "icon-192.png",
  "/icons/512.png": "icon-512.png",
  "/icons/maskable.png": "icon-maskable.png",
};

const FOLDER = new URL("../../../assets/", import.meta.url);

export const assetRoutes = (server: Server): void => {
  for (const [path, name] of Object.entries(FILES)) {
    // 40 KB in all: read once, at the start.
    const data = readFileSync(new URL(name, FOLDER));
    const type = name.endsWith(".ico") ? "image/x-icon" : "image/png";
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
