// With MEDIA_CACHE_GB=0, files of other servers are passed on and not stored. A small picture is fetched once for all
// who look while it is being fetched; what is larger goes to each as it arrives, the part of it that is asked for.

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { takeFetch } from "../../../platform/fetch/budget.ts";
import type { OpenAnswer } from "../../../platform/fetch/index.ts";
import { askedRange, fileHeaders, OutOfRange } from "../../../platform/http/media.ts";
import type { AskedRange } from "../../../platform/http/media.ts";
import { addressKey } from "../../../platform/http/rate-limit.ts";
import { HEAD_BYTES, kindOfBytes } from "../../../platform/pictures/kinds.ts";
import type { FileKind } from "../../../platform/pictures/kinds.ts";
import {
  ACCEPTED,
  checkStatus,
  hashOf,
  isMade,
  isOnlyMade,
  isPlayed,
  Later,
  makePicture,
  maxBytesOf,
  PICTURE_MS,
  remember,
  servedAs,
  Useless,
} from "./fetch.ts";
import type { Wanted, Whole } from "./fetch.ts";
import { flyOnce, takePlace, takeSeat } from "./flights.ts";

/** A picture up to this is in memory while it is fetched. */
const SHARED_BYTES = 1024 * 1024;
/** A player that is cut off goes on where it was. */
const BODY_MS = 10 * 60_000;

/** What is being sent as it arrives. */
type Part = {
  type: string;
  /** Of the whole file: null where its server did not say. */
  length: string | null;
  /** `Content-Range`; null: all of it. */
  range: string | null;
  body: Readable;
};

/** A part is for one alone: the first who takes it. */
type Found = Whole | { take(): Part | null };

const isWhole = (found: Found | Part): found is Whole => "bytes" in found;

/** Strangers must not make this server ask another one without end. */
const takeCounted = (app: App, { file: { url } }: Wanted) => {
  if (takeFetch(app, "file", url)) return takePlace(app, url);
  throw new Unavailable("Too many files of this server are wanted. Please try again", 5);
};

const open = async (app: App, wanted: Wanted, range: string | null): Promise<OpenAnswer> => {
  const leave = await takeCounted(app, wanted);
  try {
    const answer = await app.fetch.open(wanted.file.url, {
      headers: { ...ACCEPTED, ...(range !== null && { range }) },
      maxBytes: maxBytesOf(wanted),
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

/** At least so many bytes, or all. */
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

/** Those that were read, and then the others. */
const again = (body: Readable, beginning: Beginning): Readable =>
  Readable.from(join(beginning), { objectMode: false }).once("close", () => body.destroy());

const kindOf = ({ chunks }: Beginning): FileKind | null =>
  kindOfBytes(Buffer.concat(chunks).subarray(0, HEAD_BYTES));

/** Its bytes say what it is, and not its server. */
const typeOf = (found: FileKind | null): string => {
  const type = servedAs(found);
  if (type === null) throw new Useless("no media");
  return type;
};

const makeInPlace = async (app: App, wanted: Wanted): Promise<Whole | null> => {
  const leave = await takeCounted(app, wanted);
  return makePicture(app, wanted).finally(leave);
};

const openPicture = async (app: App, wanted: Wanted): Promise<Found | null> => {
  const { status, headers, body } = await open(app, wanted, null);
  try {
    checkStatus(status, [200]);
    const beginning = await readBeginning(body, SHARED_BYTES);
    const kind = kindOf(beginning);
    if (isOnlyMade(kind)) {
      body.destroy();
      return await makeInPlace(app, wanted);
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

/** Whether what is asked for shows what the file is. */
const showsType = (asked: AskedRange | null): boolean =>
  asked === null ||
  (asked.first !== "" &&
    Number(asked.first) === 0 &&
    (asked.last === "" || Number(asked.last) >= HEAD_BYTES - 1));

const typeByHead = async (app: App, wanted: Wanted): Promise<string> => {
  const { status, body } = await open(app, wanted, `bytes=0-${HEAD_BYTES - 1}`);
  try {
    checkStatus(status, [200, 206]);
    return typeOf(kindOf(await readBeginning(body, HEAD_BYTES)));
  } finally {
    body.destroy();
  }
};

/** `Content-Range` of an answer, if it is one. */
const rangeIn = (headers: Record<string, string>): { range: string; length: string } => {
  const said = headers["content-range"] ?? "";
  const [range, start, end] = /^bytes (\d{1,15})-(\d{1,15})\/(?:\d{1,15}|\*)$/.exec(said) ?? [];
  const length = Number(end) - Number(start) + 1;
  if (range === undefined || !(length > 0)) throw new Later("a part without its place");
  return { range, length: String(length) };
};

const openPlayed = async (app: App, wanted: Wanted, asked: AskedRange | null): Promise<Part> => {
  const known = showsType(asked) ? null : await typeByHead(app, wanted);
  const range = asked && `bytes=${asked.first}-${asked.last}`;
  const { status, headers, body } = await open(app, wanted, range);
  try {
    if (status === 416 && asked) {
      throw new OutOfRange(/\/(\d{1,15})$/.exec(headers["content-range"] ?? "")?.[1] ?? "*");
    }
    checkStatus(status, asked ? [200, 206] : [200]);
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

/** A small one is the same for all who look now; of a larger one everybody has their own. */
const openShared = async (app: App, wanted: Wanted): Promise<Whole | Part | null> => {
  const found = await flyOnce<Found | null>(app, hashOf(wanted).toString("hex"), () =>
    isMade(wanted) ? makeInPlace(app, wanted) : openPicture(app, wanted),
  );
  if (found === null || isWhole(found)) return found;
  const own = found.take() ?? (await openPicture(app, wanted));
  return own === null || "body" in own || isWhole(own) ? own : own.take();
};

/** null: it cannot be had, which is remembered for a while. */
const find = async (
  app: App,
  request: FastifyRequest,
  wanted: Wanted,
): Promise<Whole | Part | null> => {
  try {
    return await (isPlayed(wanted.file) && !isMade(wanted)
      ? openPlayed(app, wanted, askedRange(request))
      : openShared(app, wanted));
  } catch (error) {
    if (error instanceof OutOfRange) throw error;
    await remember(app, wanted, error);
    return null;
  }
};

const send = (request: FastifyRequest, reply: FastifyReply, found: Whole | Part): FastifyReply => {
  reply.headers(fileHeaders(found.type));
  const isHead = request.method === "HEAD";
  if (isWhole(found)) {
    reply.header("content-length", String(found.bytes.length));
    return reply.send(isHead ? undefined : found.bytes);
  }
  const { body, length, range } = found;
  reply.header("accept-ranges", "bytes");
  if (range !== null) reply.code(206).header("content-range", range);
  if (length !== null) reply.header("content-length", length);
  if (!isHead) return reply.send(body);
  body.destroy();
  return reply.send();
};

/** Answers with the file when it is called; null: it cannot be had. */
export const passOn = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Wanted,
): Promise<(() => FastifyReply) | null> => {
  const leave = await takeSeat(app, addressKey(request.ip));
  reply.raw.once("close", leave);
  if (reply.raw.closed) leave();
  const found = await find(app, request, wanted);
  return found && (() => send(request, reply, found));
};
