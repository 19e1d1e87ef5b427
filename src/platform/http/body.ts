// Parses parameters, which may come as JSON, urlencoded with brackets, multipart or query string.

import { randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import qs from "qs";
import { BadRequest, TooLarge } from "../errors.ts";
import { says } from "../text/texts.ts";
import { CONNECTION_LIMITS } from "./connections.ts";
import { HttpError } from "./http-error.ts";
import { UploadedFile } from "./uploaded-file.ts";
import { markRepeated } from "./validate.ts";
import type { Server } from "./server.ts";

/** Maximum bytes of an ordinary request's body; inboxes and routes that take files set their own. */
export const BODY_LIMIT = 1024 * 1024;

const FIELD_LIMIT = 1000;
/** Maximum bytes of a picture. */
export const FILE_LIMIT = 16 * 1024 * 1024;
const MAX_FILES = 4;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Maximum bytes of a multipart body and of each file, on routes that take files; otherwise BODY_LIMIT holds. */
    upload?: { body: number; file: number };
  }
}

/** Options of a route that takes this many files. */
export const uploads = (files: number) => ({
  upload: { body: files * FILE_LIMIT + BODY_LIMIT, file: FILE_LIMIT },
});

/** Options of a route that takes several files, one of which may have `file` bytes. */
export const largeUploads = (files: number, file: number) => ({
  upload: { body: file + (files - 1) * FILE_LIMIT + BODY_LIMIT, file },
});

/** qs takes the first `]=` as the end of the name, even one within a value. */
const encodeBrackets = (value: string): string => value.replaceAll("]=", "%5D%3D");

const ELEMENT = /^(.*?)(?:\[|%5B)(?:\]|%5D)(?:\[|%5B)([^[\]%]+)(?:\]|%5D)$/i;

/**
 * `a[][b]=1&a[][c]=2&a[][b]=3` means two elements: a name that the current element already has begins the next one. qs
 * would make one element, so each element gets its index (`a[0][b]`).
 */
const numberElements = (text: string): string => {
  if (!/(?:\[|%5B)(?:\]|%5D)(?:\[|%5B)/i.test(text)) return text;
  const lists = new Map<string, { index: number; names: Set<string> }>();
  const number = (pair: string): string => {
    const end = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const [, list, name] = ELEMENT.exec(pair.slice(0, end)) ?? [];
    if (list === undefined || name === undefined) return pair;
    const last = lists.get(list) ?? { index: 0, names: new Set() };
    lists.set(list, last);
    if (last.names.has(name)) {
      last.index += 1;
      last.names.clear();
    }
    last.names.add(name);
    return `${list}[${last.index}][${name}]${pair.slice(end)}`;
  };
  return text.split("&", FIELD_LIMIT).map(number).join("&");
};

/** Parses `a[b]=1&c[]=2` to {a: {b: "1"}, c: ["2"]}; depth and number of parameters are limited. */
export const parseQuery = (text: string): Record<string, unknown> =>
  text === "" ? {} : readQuery(text);

const readQuery = (text: string): Record<string, unknown> => {
  const parsed = qs.parse(numberElements(text).replaceAll(/=[^&]*/g, encodeBrackets), {
    depth: 5,
    parameterLimit: FIELD_LIMIT,
    arrayLimit: 500,
    allowPrototypes: false,
  }) as Record<string, unknown>;
  markRepeated(parsed, text.split("&", FIELD_LIMIT));
  return parsed;
};

/**
 * Gives errors of the multipart parser a status: those of a missing boundary or a truncated body have none, and those
 * of its limits say little.
 */
const multipartFault = (error: unknown): unknown => {
  const { statusCode } = error as { statusCode?: number };
  if (error instanceof TooLarge) return error;
  if (statusCode === 413) return new TooLarge("The request has too many parts or files");
  return statusCode ? error : new BadRequest("The request body is not valid multipart/form-data");
};

/** Writes an uploaded file to the folder; returns null for an empty one. */
const receiveFile = async (folder: string, part: MultipartFile): Promise<UploadedFile | null> => {
  const path = join(folder, randomUUID());
  try {
    await pipeline(part.file, createWriteStream(path));
    if (part.file.truncated) throw new TooLarge("The file is too large");
    const { bytesRead: size } = part.file;
    if (size > 0) return new UploadedFile(part.filename, part.mimetype, path, size);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  await rm(path, { force: true });
  return null;
};

/** Received files by request, so that they are deleted when it ends. */
const received = new WeakMap<FastifyRequest, UploadedFile[]>();

/** Puts files in the place of the paths that stand for them. */
const placeFiles = (fields: Record<string, unknown>, files: Map<string, UploadedFile>): void => {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") fields[name] = files.get(value) ?? value;
    else placeFiles(value as Record<string, unknown>, files);
  }
};

const pairOf = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

/**
 * Reads all parts; empty file parts, which profile forms send, count as absent. A name without brackets has one file,
 * the last, even where a text has the same name.
 */
const readParts = async (
  request: FastifyRequest,
  folder: string,
): Promise<Record<string, unknown>> => {
  const pairs: string[] = [];
  const plain: Record<string, UploadedFile> = {};
  const all: UploadedFile[] = [];
  received.set(request, all);
  const fileSize = request.routeOptions.config.upload?.file ?? BODY_LIMIT;
  for await (const part of request.parts({ limits: { fileSize } })) {
    const { fieldname: name } = part;
    if (part.type !== "file") {
      pairs.push(pairOf(name, String(part.value)));
      continue;
    }
    const file = await receiveFile(folder, part);
    if (!file) continue;
    all.push(file);
    if (name.includes("[")) pairs.push(pairOf(name, file.path));
    else plain[name] = file;
  }
  const fields = parseQuery(pairs.join("&").replaceAll("%5B", "[").replaceAll("%5D", "]"));
  placeFiles(fields, new Map(all.map((file) => [file.path, file])));
  return { ...fields, ...plain };
};

/**
 * Deletes a request's files. One that arrived after its request had failed is deleted by age
 * (domain/base/media/retention.ts).
 */
const forgetFiles = (request: FastifyRequest): void => {
  for (const file of received.get(request) ?? []) {
    if (!file.isKept) void rm(file.path, { force: true }).catch(() => {});
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rejects when more bytes were received than the limit; the parser itself only limits each part. */
const beyond = (request: FastifyRequest, limit: number): Promise<never> => {
  const { promise, reject } = Promise.withResolvers<never>();
  let received = 0;
  request.raw.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received <= limit) return;
    request.raw.unpipe().pause();
    reject(new TooLarge());
  });
  return promise;
};

/** Reads a multipart body. One whose length exceeds the limit is refused unread, and the connection is closed. */
const readMultipart = async (
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
): Promise<Record<string, unknown>> => {
  const { upload } = request.routeOptions.config;
  const limit = request.isTokenInBody ? BODY_LIMIT : (upload?.body ?? BODY_LIMIT);
  try {
    if (Number(request.headers["content-length"] ?? 0) > limit) throw new TooLarge();
    return await Promise.race([readParts(request, folder), beyond(request, limit)]);
  } catch (error) {
    if (error instanceof TooLarge) reply.header("connection", "close");
    throw multipartFault(error);
  }
};

/** Names of files that libraries also send as the text of a `data:` address. */
const FILE_NAMES = ["avatar", "header", "file", "thumbnail"];
const DATA_URI = /^data:[-\w.+/]*(?:;[-\w.+=]+)*;base64,/i;

/** Turns `data:` addresses into files, on routes that take files; an empty one stays a text. */
const receiveTexts = async (
  request: FastifyRequest,
  fields: Record<string, unknown>,
  folder: string,
): Promise<void> => {
  for (const name of FILE_NAMES) {
    const text = fields[name];
    const [head] = typeof text === "string" ? (DATA_URI.exec(text) ?? []) : [];
    if (head === undefined) continue;
    const bytes = Buffer.from((text as string).slice(head.length), "base64");
    if (bytes.length === 0) continue;
    const path = join(folder, randomUUID());
    const file = new UploadedFile(
      "",
      head.slice("data:".length).split(";")[0]!,
      path,
      bytes.length,
    );
    received.set(request, [...(received.get(request) ?? []), file]);
    await writeFile(path, bytes);
    fields[name] = file;
  }
};

/** Merges query and body, where the body takes precedence. Body schemas see the merged object. */
const mergeQuery = async (request: FastifyRequest, reply: FastifyReply, folder: string) => {
  if (request.isMultipart()) request.body = await readMultipart(request, reply, folder);
  if (Buffer.isBuffer(request.body)) return;
  const query = request.query as Record<string, unknown>;
  if (isRecord(request.body)) request.body = { ...query, ...request.body };
  else if (request.body === undefined || request.body === null) request.body = { ...query };
  const { upload } = request.routeOptions.config;
  if (upload && isRecord(request.body)) await receiveTexts(request, request.body, folder);
};

const hasBody = ({ method }: FastifyRequest): boolean => method !== "GET" && method !== "HEAD";

type ParseJson = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/** Whether a GET has its parameters as JSON, as the library Mastodon.py sends lists of ids. */
const hasJsonQuery = ({ method, headers }: FastifyRequest): boolean =>
  method === "GET" &&
  Number(headers["content-length"] ?? 0) > 0 &&
  /^application\/json\b/i.test(headers["content-type"] ?? "");

const readText = async ({ headers, raw }: FastifyRequest): Promise<string> => {
  if (Number(headers["content-length"]) > BODY_LIMIT) throw new TooLarge();
  const chunks: Buffer[] = [];
  for await (const chunk of raw) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

const mergeJsonQuery = async (request: FastifyRequest, parse: ParseJson): Promise<void> => {
  const text = await readText(request);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  parse(request, text, (error, value) => (error ? reject(error) : resolve(value)));
  const value = await promise;
  if (isRecord(value)) request.query = { ...(request.query as Record<string, unknown>), ...value };
};

/** Milliseconds that a body may take to arrive: 99 MiB over a phone take minutes. */
type BodyTimes = {
  usual: number;
  upload: number;
  /** Milliseconds after which a body must have come at `bytesPerSecond` on average; checked at this interval. */
  pace: number;
  bytesPerSecond: number;
};

const BODY_TIMES: BodyTimes = {
  usual: CONNECTION_LIMITS.requestMs,
  upload: CONNECTION_LIMITS.uploadMs,
  // A phone at the edge of its network sends some KiB in a second, and then nothing for some seconds.
  pace: 20_000,
  bytesPerSecond: 1024,
};

/** Bytes that each connection had received before its present request. */
const receivedBefore = new WeakMap<Socket, number>();

/** Answers 408 and closes the connection when a body arrives too slowly. */
const limitTime = (request: FastifyRequest, reply: FastifyReply, times: BodyTimes): void => {
  const { headers, raw } = request;
  const { socket } = raw;
  // The first part of the body came together with the head.
  const before = receivedBefore.get(socket) ?? 0;
  receivedBefore.set(socket, socket.bytesRead);
  if (raw.complete || !(headers["content-length"] || headers["transfer-encoding"])) return;
  const longest = request.routeOptions.config.upload ? times.upload : times.usual;
  const start = performance.now();
  let timer: NodeJS.Timeout;
  const look = (): void => {
    if (raw.complete || reply.sent) return;
    const ms = performance.now() - start;
    const least = (ms / 1000) * times.bytesPerSecond;
    // Bytes are counted on the connection, because listening to the body would make it flow.
    if (ms < longest && socket.bytesRead - before >= least) return wait(ms);
    const said = says("fault.no_answer");
    const error = new HttpError(408, "The request took too long to arrive", { said });
    void reply.header("connection", "close").send(error);
  };
  const wait = (ms: number): void => {
    timer = setTimeout(look, Math.min(times.pace, Math.max(1, longest - ms))).unref();
  };
  wait(0);
  raw.once("close", () => {
    clearTimeout(timer);
    receivedBefore.set(socket, socket.bytesRead);
  });
};

/**
 * Clients such as Mastodon.py send ids as JSON numbers, and 64 bits are more than a double holds. This test finds
 * bodies that may have such a number; few do.
 */
const MAYBE_BIG = /[[:,]\s*-?\d{16}/;

type Source = { source?: string };

const exact = (_key: string, value: unknown, { source = "" }: Source): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;

/** Returns the JSON with large integers as strings; JSON that cannot be parsed is returned unchanged. */
const quoteBigIntegers = (text: string): string => {
  if (!MAYBE_BIG.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, exact as (key: string, value: unknown) => unknown));
  } catch {
    return text;
  }
};

/** `folder` gets uploaded files. */
export const registerBodyParsers = (
  server: Server,
  folder: string,
  times: BodyTimes = BODY_TIMES,
): void => {
  server.addHook("onRequest", (request, reply, done) => {
    limitTime(request, reply, times);
    done();
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const parseDefault = server.getDefaultJsonParser("remove", "remove");
  const parseJson: ParseJson = (request, text, done) => {
    if (text.length === 0) return done(null, {});
    return void parseDefault(request, quoteBigIntegers(text), (error, value) =>
      error ? done(new BadRequest("The request body is not valid JSON")) : done(null, value),
    );
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) =>
    parseJson(request, text as string, done),
  );
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, text, done) => done(null, parseQuery(text as string)),
  );
  server.register(multipart, {
    limits: { fields: FIELD_LIMIT, files: MAX_FILES, fileSize: FILE_LIMIT, fieldSize: BODY_LIMIT },
  });
  // Bodies of other types have no parameters; reading them up to the limit keeps the connection usable.
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) =>
    done(null, {}),
  );
  // A callback is used because a hook with a promise costs every request a turn of the event loop.
  server.addHook("preValidation", (request, reply, done) => {
    if (!hasBody(request) && !hasJsonQuery(request)) return done();
    if (Buffer.isBuffer(request.body)) return done();
    const merging = hasBody(request)
      ? mergeQuery(request, reply, folder)
      : mergeJsonQuery(request, parseJson);
    // oxlint-disable-next-line promise/no-callback-in-promise -- the hook is one with a callback
    return void merging.then(() => done(), done);
  });
  const forget = (request: FastifyRequest, done: () => void): void => {
    forgetFiles(request);
    done();
  };
  server.addHook("onResponse", (request, _reply, done) => forget(request, done));
  server.addHook("onRequestAbort", forget);
};
