// Reads the body of a response up to a limit; the connection is closed once it exceeds the limit.

import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { isTooFragmented } from "../http/connections.ts";
import { FetchFailed } from "./errors.ts";

type Body = Dispatcher.ResponseData["body"];

/** Bytes kept of an error response. A large error page is cut, so that its status is still returned. */
const ERROR_BODY_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

type BodyLimit = { maxBytes: number; cut: boolean };

/**
 * Reads the whole body. One longer than `maxBytes` is cut, or ends the connection and throws FetchFailed `too_large`.
 * The body of an error response is always cut, at 64 KiB.
 */
export const readBody = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxBytes, cut }: BodyLimit,
  method: string,
): Promise<Buffer> => {
  if (headers["content-length"] === "0") {
    body.resume();
    return NOTHING;
  }
  const success = statusCode >= 200 && statusCode < 300;
  if (!success) return (await collect(body, Math.min(maxBytes, ERROR_BODY_BYTES))).bytes;
  const announced = method === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
  if (announced > maxBytes && !cut) return overCap(body, maxBytes);
  const { bytes, isLonger } = await collect(body, maxBytes);
  return isLonger && !cut ? overCap(body, maxBytes) : bytes;
};

/** Counts the bytes that arrive; throws where they come in too many tiny pieces. */
const counter = () => {
  let [pieces, size] = [0, 0];
  return (chunk: Buffer): number => {
    pieces += 1;
    size += chunk.length;
    if (isTooFragmented(pieces, size)) throw tooFragmented();
    return size;
  };
};

const collect = async (
  body: Body,
  limit: number,
): Promise<{ bytes: Buffer; isLonger: boolean }> => {
  const chunks: Buffer[] = [];
  const count = counter();
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size = count(chunk);
    chunks.push(chunk);
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isLonger: size > limit };
};

const isTooLong = ({ headers }: Dispatcher.ResponseData, maxBytes: number): boolean =>
  Number(headers["content-length"] ?? 0) > maxBytes;

/**
 * Writes the body of a successful response into a file. A longer body leaves part of it there and throws, or is cut.
 */
export const writeBody = async (
  answer: Dispatcher.ResponseData,
  { maxBytes, cut }: BodyLimit,
  path: string,
): Promise<void> => {
  const { body } = answer;
  if (!cut && isTooLong(answer, maxBytes)) overCap(body, maxBytes);
  const count = counter();
  await pipeline(
    body as AsyncIterable<Buffer>,
    async function* (chunks) {
      for await (const chunk of chunks) {
        const size = count(chunk);
        if (size > maxBytes && !cut) overCap(body, maxBytes);
        yield chunk;
        // Leaving the loop ends the connection.
        if (size > maxBytes) return;
      }
    },
    createWriteStream(path),
  );
};

/**
 * Returns the body as it arrives; the stream fails once it is longer than `maxBytes` or takes longer than `timeMs`.
 * `named` turns its errors into ours.
 */
export const boundBody = (
  answer: Dispatcher.ResponseData,
  maxBytes: number,
  timeMs: number,
  named: (error: unknown) => Error,
): Readable => {
  const { body } = answer;
  if (isTooLong(answer, maxBytes)) overCap(body, maxBytes);
  const count = counter();
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(count(chunk) > maxBytes ? tooLong(maxBytes) : null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const late = new FetchFailed("timeout", `The answer took longer than ${timeMs} ms`);
  const timer = setTimeout(() => counted.destroy(late), timeMs).unref();
  counted.once("close", () => {
    clearTimeout(timer);
    body.destroy();
  });
  body.once("error", (error) => counted.destroy(named(error)));
  return body.pipe(counted);
};

const tooLong = (maxBytes: number): FetchFailed =>
  new FetchFailed("too_large", `The answer is longer than ${maxBytes} bytes`);

const tooFragmented = (): FetchFailed =>
  new FetchFailed("too_large", "The answer comes in too many tiny pieces");

const overCap = (body: Body, maxBytes: number): never => {
  // destroy() emits an error, which would be unhandled without a listener.
  body.on("error", () => {}).destroy();
  throw tooLong(maxBytes);
};
