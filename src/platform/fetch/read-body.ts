// Passes on the body of an answer as a stream up to a limit; the connection is closed once it exceeds the limit.

import { createWriteStream } from "node:fs";
import { Transform, finished } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FetchFailed, named } from "./errors.ts";
import { counter, tooLong } from "./exchange.ts";
import type { Head, Receiving } from "./exchange.ts";

/** An answer whose body arrives as a stream. */
type Streamed = Head & { stream: Readable };

const isTooLong = ({ headers }: Head, maxBytes: number): boolean =>
  Number(headers["content-length"] ?? 0) > maxBytes;

/**
 * Writes the body of a successful response into a file. A longer body leaves part of it there and throws, or is cut.
 */
export const writeBody = async (
  answer: Streamed,
  { maxBytes, cut }: Receiving,
  path: string,
): Promise<void> => {
  const { stream } = answer;
  if (!cut && isTooLong(answer, maxBytes)) overCap(stream, maxBytes);
  const count = counter();
  const bounded = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      const size = count(chunk);
      if (size > maxBytes && !cut) throw tooLong(maxBytes);
      yield chunk;
      // Leaving the loop ends the connection.
      if (size > maxBytes) return;
    }
  };
  await pipeline(stream, bounded, createWriteStream(path)).catch((error: unknown) => {
    throw named(error);
  });
};

/**
 * Returns the body as it arrives; the stream fails once it is longer than `maxBytes` or takes longer than `timeMs`.
 */
export const boundBody = (answer: Streamed, maxBytes: number, timeMs: number): Readable => {
  const { stream } = answer;
  if (isTooLong(answer, maxBytes)) overCap(stream, maxBytes);
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
    stream.destroy();
  });
  finished(stream, (error) => error && counted.destroy(named(error)));
  return stream.pipe(counted);
};

const overCap = (stream: Readable, maxBytes: number): never => {
  stream.destroy();
  throw tooLong(maxBytes);
};
