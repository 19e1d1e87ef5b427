// Parses parameters, which may come as JSON, urlencoded with brackets, multipart or query string.

import multipart from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import qs from "qs";
import { BadRequest, TooLarge } from "../errors.ts";
import type { Server } from "./server.ts";

/** The largest body of an ordinary request, in bytes; inboxes and routes that take files set their own. */
export const BODY_LIMIT = 1024 * 1024;

const FIELD_LIMIT = 1000;
const FILE_LIMIT = 16 * 1024 * 1024;
const MAX_FILES = 4;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The largest multipart body in bytes, for routes that take files; otherwise BODY_LIMIT. */
    uploadLimit?: number;
  }
}

/** For a route that takes this many files. */
export const uploads = (files: number) => ({ uploadLimit: files * FILE_LIMIT + BODY_LIMIT });

/** qs takes the first `]=` as the end of the name, even one within a value. */
const encodeBrackets = (value: string): string => value.replaceAll("]=", "%5D%3D");

const ELEMENT = /^(.*?)(?:\[|%5B)(?:\]|%5D)(?:\[|%5B)([^[\]%]+)(?:\]|%5D)$/i;

/**
 * `a[][b]=1&a[][c]=2&a[][b]=3` means two elements: a name that the current element already has begins
 * the next one. qs would make one element of them, so each gets its index (`a[0][b]`).
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

/** `a[b]=1&c[]=2` → {a: {b: "1"}, c: ["2"]}; depth and number are limited. */
export const parseQuery = (text: string): Record<string, unknown> =>
  text === "" ? {} : readQuery(text);

const readQuery = (text: string): Record<string, unknown> =>
  qs.parse(numberElements(text).replaceAll(/=[^&]*/g, encodeBrackets), {
    depth: 5,
    parameterLimit: FIELD_LIMIT,
    arrayLimit: 500,
    allowPrototypes: false,
  }) as Record<string, unknown>;

/** An uploaded file that was not empty. */
export class UploadedFile {
  filename: string;
  claimedType: string;
  data: Buffer;
  constructor(filename: string, claimedType: string, data: Buffer) {
    this.filename = filename;
    this.claimedType = claimedType;
    this.data = data;
  }
}

/** Errors of the multipart parser (no boundary, a truncated body) have no status. */
const multipartFault = (error: unknown): unknown =>
  error instanceof TooLarge || (error as { statusCode?: number }).statusCode
    ? error
    : new BadRequest("The request body is not valid multipart/form-data");

/** Reads all parts; empty file parts (profile forms send them) count as absent. */
const readParts = async (request: FastifyRequest): Promise<Record<string, unknown>> => {
  const pairs: string[] = [];
  const files: Record<string, UploadedFile> = {};
  for await (const part of request.parts()) {
    if (part.type === "file") {
      const data = await part.toBuffer();
      if (data.length > 0)
        files[part.fieldname] = new UploadedFile(part.filename, part.mimetype, data);
    } else {
      pairs.push(`${encodeURIComponent(part.fieldname)}=${encodeURIComponent(String(part.value))}`);
    }
  }
  return { ...parseQuery(pairs.join("&").replaceAll("%5B", "[").replaceAll("%5D", "]")), ...files };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rejects when more was received than the limit; the parser itself only bounds each part. */
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

/** A body that says that it is too long is refused unread. The connection ends with the answer. */
const readMultipart = async (
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown>> => {
  const limit = request.routeOptions.config.uploadLimit ?? BODY_LIMIT;
  try {
    if (Number(request.headers["content-length"] ?? 0) > limit) throw new TooLarge();
    return await Promise.race([readParts(request), beyond(request, limit)]);
  } catch (error) {
    if (error instanceof TooLarge) reply.header("connection", "close");
    throw multipartFault(error);
  }
};

/** Merges query and body; the body's parameters take precedence. Body schemas see the merged object. */
const mergeQuery = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  if (request.isMultipart()) request.body = await readMultipart(request, reply);
  if (Buffer.isBuffer(request.body)) return;
  const query = request.query as Record<string, unknown>;
  if (isRecord(request.body)) request.body = { ...query, ...request.body };
  else if (request.body === undefined || request.body === null) request.body = { ...query };
};

const hasBody = ({ method }: FastifyRequest): boolean => method !== "GET" && method !== "HEAD";

export const registerBodyParsers = (server: Server): void => {
  const parseJson = server.getDefaultJsonParser("remove", "remove");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text.length === 0) return done(null, {});
    return parseJson(request, text as string, (error, value) =>
      error ? done(new BadRequest("The request body is not valid JSON")) : done(null, value),
    );
  });
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, text, done) => done(null, parseQuery(text as string)),
  );
  server.register(multipart, {
    limits: { fields: FIELD_LIMIT, files: MAX_FILES, fileSize: FILE_LIMIT, fieldSize: BODY_LIMIT },
  });
  // Any other type has no parameters; reading it up to the limit keeps the connection usable.
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) =>
    done(null, {}),
  );
  // With a callback: a hook with a promise costs every request a turn of the event loop.
  server.addHook("preValidation", (request, reply, done) => {
    if (!hasBody(request) || Buffer.isBuffer(request.body)) return done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- the hook is one with a callback
    return void mergeQuery(request, reply).then(() => done(), done);
  });
};
