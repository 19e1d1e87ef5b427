// Reads the body of a response up to a limit; the connection is closed once it exceeds the limit.

import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { FetchFailed } from "./errors.ts";

type Body = Dispatcher.ResponseData["body"];

/** Enough of an error's text; a large error page is cut, so that its status is still returned. */
const ERROR_BODY_BYTES = 64 * 1024;

export type BodyLimit = { maxBytes: number; cut: boolean };

/**
 * The whole body, at most `maxBytes` long; a longer one ends the connection and throws FetchFailed
 * `too_large`, or is cut there. The body of an error response is always cut, at 64 KiB.
 */
export const readBody = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxBytes, cut }: BodyLimit,
  method: string,
): Promise<Buffer> => {
  const success = statusCode >= 200 && statusCode < 300;
  if (!success) return (await collect(body, Math.min(maxBytes, ERROR_BODY_BYTES))).bytes;
  const announced = method === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
  if (announced > maxBytes && !cut) return overCap(body, maxBytes);
  const { bytes, isLonger } = await collect(body, maxBytes);
  return isLonger && !cut ? overCap(body, maxBytes) : bytes;
};

const collect = async (
  body: Body,
  limit: number,
): Promise<{ bytes: Buffer; isLonger: boolean }> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isLonger: size > limit };
};

/** The body of a successful response, into a file; a longer one leaves part of it there and throws. */
export const writeBody = async (
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  path: string,
): Promise<void> => {
  if (Number(headers["content-length"] ?? 0) > maxBytes) overCap(body, maxBytes);
  let size = 0;
  await pipeline(
    body as AsyncIterable<Buffer>,
    async function* (chunks) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > maxBytes) overCap(body, maxBytes);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
};

const overCap = (body: Body, maxBytes: number): never => {
  // destroy() emits an error, which would be unhandled without a listener.
  body.on("error", () => {}).destroy();
  throw new FetchFailed("too_large", `The answer is longer than ${maxBytes} bytes`);
};
