// Passes files of other servers on without storing them, where MEDIA_CACHE_GB=0. A small picture is fetched once for
// all who look at that moment; a larger file is streamed to each, from the range that is requested.

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { Unavailable } from "../../../../platform/errors.ts";
import { takeFetch } from "../../../../platform/fetch/budget.ts";
import type { OpenAnswer } from "../../../../platform/fetch/index.ts";
import { askedRange, fileHeaders, OutOfRange } from "../../../../platform/http/media.ts";
import type { AskedRange } from "../../../../platform/http/media.ts";
import { addressKey } from "../../../../platform/http/rate-limit.ts";
import { HEAD_BYTES, kindOfBytes } from "../../../../platform/pictures/kinds.ts";
import type { FileKind } from "../../../../platform/pictures/kinds.ts";
import {
  ACCEPTED,
  checkStatus,
  hashOf,
  isMade,
  isOnlyMade,
  isPlayed,
  TemporarilyUnavailable,
  makePicture,
  maxBytesOf,
  PICTURE_MS,
  remember,
  servedAs,
  UnusableFile,
} from "./fetch.ts";
import type { CopyRequest, Whole } from "./fetch.ts";
import { joinFetch, takeFetchPlace, takeViewerPlace } from "./fetch-limits.ts";

/** Bytes up to which a picture is kept in memory while it is fetched. */
const SHARED_BYTES = 1024 * 1024;
/** Milliseconds that a transfer may take; a player continues with a new request. */
const BODY_MS = 10 * 60_000;

/** An answer that is sent as it arrives. */
type Part = {
  type: string;
  /** Length of the whole file; null where its server did not say. */
  length: string | null;
  /** `Content-Range` header; null for the whole file. */
  range: string | null;
  body: Readable;
};

/** A part can be taken only once, by the first who asks. */
type CopyAnswer = Whole | { take(): Part | null };

const isWhole = (answer: CopyAnswer | Part): answer is Whole => "bytes" in answer;

/** Counts fetches, so that strangers cannot make this server send endless requests to another. */
const takeCounted = (app: App, { file: { url } }: CopyRequest) => {
  if (takeFetch(app, "file", url)) return takeFetchPlace(app, url);
  throw new Unavailable("Too many files of this server are wanted. Please try again", 5);
};

const open = async (app: App, copy: CopyRequest, range: string | null): Promise<OpenAnswer> => {
  const leave = await takeCounted(app, copy);
  try {
    const answer = await app.fetch.open(copy.file.url, {
      headers: { ...ACCEPTED, ...(range !== null && { range }) },
      maxBytes: maxBytesOf(copy),
      timeoutMs: PICTURE_MS,
      bodyMs: BODY_MS,
    });
    answer.body.once("close", leave).on("error", () => {});
    return answer;
  } catch (error) {
    leave();
    throw error;
  }
};

type Beginning = { chunks: Buffer[]; isAll: boolean; rest: AsyncIterator<Buffer> };

/** Reads at least so many bytes, or all. */
const readBeginning = async (body: Readable, bytes: number): Promise<Beginning> => {
  const rest: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  for (let size = 0; size < bytes;) {
    const next = await rest.next();
    if (next.done) return { chunks, isAll: true, rest };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { chunks, isAll: false, rest };
};

async function* join({ chunks, rest }: Beginning): AsyncGenerator<Buffer> {
  yield* chunks;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Returns a stream of the bytes that were read, followed by the rest. */
const again = (body: Readable, beginning: Beginning): Readable =>
  Readable.from(join(beginning), { objectMode: false }).once("close", () => body.destroy());

const kindOf = ({ chunks }: Beginning): FileKind | null =>
  kindOfBytes(Buffer.concat(chunks).subarray(0, HEAD_BYTES));

/** Judges the type by the bytes of the file, not by what its server says. */
const typeOf = (kind: FileKind | null): string => {
  const type = servedAs(kind);
  if (type === null) throw new UnusableFile("no media");
  return type;
};

const makeInPlace = async (app: App, copy: CopyRequest): Promise<Whole | null> => {
  const leave = await takeCounted(app, copy);
  return makePicture(app, copy).finally(leave);
};

const openPicture = async (app: App, copy: CopyRequest): Promise<CopyAnswer | null> => {
  const { status, headers, body } = await open(app, copy, null);
  try {
    checkStatus(status, [200]);
    const beginning = await readBeginning(body, SHARED_BYTES);
    const kind = kindOf(beginning);
    if (isOnlyMade(kind)) {
      body.destroy();
      return await makeInPlace(app, copy);
    }
    const type = typeOf(kind);
    if (beginning.isAll) return { type, bytes: Buffer.concat(beginning.chunks) };
    const length = headers["content-length"] ?? null;
    let part: Part | null = { type, length, range: null, body: again(body, beginning) };
    const take = (): Part | null => {
      const taken = part;
      part = null;
      return taken;
    };
    return { take };
  } catch (error) {
    body.destroy();
    throw error;
  }
};

/** Returns whether the requested range shows the type of the file. */
const showsType = (range: AskedRange | null): boolean =>
  range === null ||
  (range.first !== "" &&
    Number(range.first) === 0 &&
    (range.last === "" || Number(range.last) >= HEAD_BYTES - 1));

const typeByHead = async (app: App, copy: CopyRequest): Promise<string> => {
  const { status, body } = await open(app, copy, `bytes=0-${HEAD_BYTES - 1}`);
  try {
    checkStatus(status, [200, 206]);
    return typeOf(kindOf(await readBeginning(body, HEAD_BYTES)));
  } finally {
    body.destroy();
  }
};

/** Reads `Content-Range` of an answer; throws where it is malformed. */
const rangeIn = (headers: Record<string, string>): { range: string; length: string } => {
  const said = headers["content-range"] ?? "";
  const [range, start, end] = /^bytes (\d{1,15})-(\d{1,15})\/(?:\d{1,15}|\*)$/.exec(said) ?? [];
  const length = Number(end) - Number(start) + 1;
  if (range === undefined || !(length > 0))
    throw new TemporarilyUnavailable("a part without its place");
  return { range, length: String(length) };
};

const openPlayed = async (
  app: App,
  copy: CopyRequest,
  askedRange: AskedRange | null,
): Promise<Part> => {
  const known = showsType(askedRange) ? null : await typeByHead(app, copy);
  const range = askedRange && `bytes=${askedRange.first}-${askedRange.last}`;
  const { status, headers, body } = await open(app, copy, range);
  try {
    if (status === 416 && askedRange) {
      throw new OutOfRange(/\/(\d{1,15})$/.exec(headers["content-range"] ?? "")?.[1] ?? "*");
    }
    checkStatus(status, askedRange ? [200, 206] : [200]);
    const beginning = await readBeginning(body, known === null ? HEAD_BYTES : 0);
    const type = known ?? typeOf(kindOf(beginning));
    const whole = { range: null, length: headers["content-length"] ?? null };
    const place = status === 206 ? rangeIn(headers) : whole;
    return { type, ...place, body: again(body, beginning) };
  } catch (error) {
    body.destroy();
    throw error;
  }
};

/** Shares a small file with all who ask now; a larger one is fetched for each. */
const openShared = async (app: App, copy: CopyRequest): Promise<Whole | Part | null> => {
  const answer = await joinFetch<CopyAnswer | null>(app, hashOf(copy).toString("hex"), () =>
    isMade(copy) ? makeInPlace(app, copy) : openPicture(app, copy),
  );
  if (answer === null || isWhole(answer)) return answer;
  const own = answer.take() ?? (await openPicture(app, copy));
  return own === null || "body" in own || isWhole(own) ? own : own.take();
};

/** Returns null where the file is unavailable, which is remembered for a while. */
const find = async (
  app: App,
  request: FastifyRequest,
  copy: CopyRequest,
): Promise<Whole | Part | null> => {
  try {
    return await (isPlayed(copy.file) && !isMade(copy)
      ? openPlayed(app, copy, askedRange(request))
      : openShared(app, copy));
  } catch (error) {
    if (error instanceof OutOfRange) throw error;
    await remember(app, copy, error);
    return null;
  }
};

const send = (request: FastifyRequest, reply: FastifyReply, answer: Whole | Part): FastifyReply => {
  reply.headers(fileHeaders(answer.type));
  const isHead = request.method === "HEAD";
  if (isWhole(answer)) {
    reply.header("content-length", String(answer.bytes.length));
    return reply.send(isHead ? undefined : answer.bytes);
  }
  const { body, length, range } = answer;
  reply.header("accept-ranges", "bytes");
  if (range !== null) reply.code(206).header("content-range", range);
  if (length !== null) reply.header("content-length", length);
  if (!isHead) return reply.send(body);
  body.destroy();
  return reply.send();
};

/** Returns a function that answers with the file; null where it is unavailable. */
export const transfer = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  copy: CopyRequest,
): Promise<(() => FastifyReply) | null> => {
  const leave = await takeViewerPlace(app, addressKey(request.ip));
  reply.raw.once("close", leave);
  if (reply.raw.closed) leave();
  const answer = await find(app, request, copy);
  return answer && (() => send(request, reply, answer));
};
