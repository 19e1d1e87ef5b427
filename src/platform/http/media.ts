// Serves stored files at /media/…: as unchanging, in parts where asked, and never as anything that a browser runs.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { NotFound, orNotFound } from "../errors.ts";
import { HttpError } from "./http-error.ts";
import { isPrivateKey, typeOfKey } from "../storage/index.ts";
import type { OpenFile, Range, StoredFile } from "../storage/index.ts";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";
import { isUnchanged } from "./unchanged.ts";

/** Content-Security-Policy of a file that is opened by itself: the browser's page for it loads it, and has styles. */
const POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Returns the headers of every file that somebody else made. */
export const fileHeaders = (type: string): Record<string, string> => ({
  "content-type": type,
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
});

/** Thrown when a file does not have the requested bytes. */
export class OutOfRange extends HttpError {
  constructor(size: number | string) {
    const headers = { "content-range": `bytes */${size}`, "cache-control": "no-store" };
    super(416, "The file does not have this range of bytes", { headers });
  }
}

/** The first and last byte as requested; each is empty where it is left out. */
export type AskedRange = { first: string; last: string };

/** Parses a single range; requests for several, or in another unit, get the whole file (RFC 9110, 14.2). */
export const askedRange = ({ headers }: FastifyRequest): AskedRange | null => {
  const header = headers.range?.trim() ?? "";
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  return first !== "" && last !== "" && Number(last) < Number(first) ? null : { first, last };
};

const rangeOf = (range: AskedRange | null, size: number): Range | null => {
  if (!range) return null;
  const { first, last } = range;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end) throw new OutOfRange(size);
  return { start, end };
};

/** Returns the range, unless `If-Range` asks for it of another version only. */
const wantedRange = (request: FastifyRequest, { etag, size }: StoredFile): Range | null => {
  const only = request.headers["if-range"];
  return only === undefined || only === etag ? rangeOf(askedRange(request), size) : null;
};

const sendPart = (reply: FastifyReply, { stream, size }: OpenFile, range: Range | null) => {
  if (range) {
    reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${size}`);
  }
  const length = range ? range.end - range.start + 1 : size;
  return reply.header("content-length", String(length)).send(stream);
};

/** Sends a stored file or the requested part of it; `headers` are added to the answer. */
export const sendStored = async (
  { storage }: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, headers }: { key: string; headers: Record<string, string> },
): Promise<FastifyReply> => {
  const facts = orNotFound(await storage.stat(key));
  const { etag, size } = facts;
  const range = wantedRange(request, facts);
  reply.headers({ ...headers, etag, "accept-ranges": "bytes" });
  if (isUnchanged(request, etag)) return reply.code(304).send();
  if (request.method === "HEAD") return reply.header("content-length", String(size)).send();
  const file = orNotFound(await storage.open(key, range ?? undefined));
  return sendPart(reply, file, range);
};

/** Answers with the stored file. */
export const sendFile = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<FastifyReply> => {
  const type = typeOfKey(key);
  if (type === null || isPrivateKey(key)) throw new NotFound();
  const internal = app.storage.internalPath(key);
  if (internal !== null) {
    // The 404 is ours, so that it is not cached: a proxy that finds no file would let its own be cached for ever.
    if (!(await app.storage.stat(key))) throw new NotFound();
    const name = app.config.storage.sendfile ? "x-sendfile" : "x-accel-redirect";
    return reply.headers({ ...fileHeaders(type), [name]: internal }).send();
  }
  return sendStored(app, request, reply, { key, headers: fileHeaders(type) });
};

export const mediaRoutes = (server: Server, app: App): void => {
  server.get<{ Params: { "*": string } }>("/media/*", UNCOUNTED, (request, reply) =>
    sendFile(app, request, reply, request.params["*"]),
  );
};
