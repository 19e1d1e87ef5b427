// Serves the files of the web client: their names have hashes, so that browsers keep them for ever. They were
// compressed when they were built.

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { UNCOUNTED } from "../../platform/http/request-rates.ts";
import type { Server } from "../../platform/http/server.ts";
import { DIST, built } from "./bundle.ts";
import { encodingHeaders, encodingOf } from "./encoding.ts";
import type { Encoding } from "./encoding.ts";

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

type File = { type: string; data: (encoding: Encoding) => Buffer };

/** What no browser asks for is not kept: files take 2.7 MB as they are, and 1.5 MB in both encodings. */
const readFile = (path: string): File => {
  const read = (ending: string): Buffer => readFileSync(built(`client/${path}${ending}`));
  const [br, gzip] = [read(".br"), read(".gz")];
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)]!;
  const data = { br: () => br, gzip: () => gzip, identity: () => gunzipSync(gzip) };
  return { type, data: (encoding) => data[encoding]() };
};

const files = new Map<string, File>();

/** Returns a file of the client, read once: a build does not change while a process runs. */
const fileOf = (path: string): File => {
  const file = files.get(path) ?? readFile(path);
  files.set(path, file);
  return file;
};

const serve = (server: Server, path: string, name: string, headers: Record<string, string>) => {
  const { type, data } = fileOf(name);
  server.get(path, UNCOUNTED, async (request, reply) => {
    const encoding = encodingOf(request.headers["accept-encoding"]);
    const own = { "content-type": type, ...encodingHeaders(encoding), ...headers };
    return reply
      .headers({ ...own, vary: "Accept-Encoding", "x-content-type-options": "nosniff" })
      .send(data(encoding));
  });
};

/** Reads the files once in a process. */
export const clientFileRoutes = (server: Server): void => {
  // The service worker has no hash in its name: browsers compare it with theirs, and so find a new version.
  serve(server, "/sw.js", "sw.js", {
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; connect-src 'self'",
  });
  const folder = fileURLToPath(new URL("client/", DIST));
  for (const path of globSync("assets/*.{js,css,svg,woff2}", { cwd: folder }))
    serve(server, `/web/${path}`, path, { "cache-control": "public, max-age=31536000, immutable" });
};
