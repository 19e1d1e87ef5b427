// Sends one request and receives its answer. A body is collected as it arrives unless the caller wants a stream: for
// each answer undici's own `request` makes a stream with its listeners, which cost as much as sending the request.

import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { isTooFragmented } from "../http/connections.ts";
import { FetchFailed, named } from "./errors.ts";

/** Ends a request early: `reason` says why it is over, and `stop` is then called where it was sent. */
export type Limit = { reason: FetchFailed | null; stop: ((reason: FetchFailed) => void) | null };

export type Head = { status: number; headers: Record<string, string> };

/** `stream` is null where the body was collected. */
export type Answer = Head & { body: Buffer; stream: Readable | null };

/** A body over `maxBytes` is cut or refused; that of an error response is always cut, at 64 KiB. */
export type Receiving = {
  maxBytes: number;
  cut: boolean;
  /** Whether the caller reads the body of this answer from a stream, and limits it. */
  isStreamed: (head: Head) => boolean;
};

/** Bytes kept of an error response. A large error page is cut, so that its status is still returned. */
const ERROR_BODY_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export const tooLong = (maxBytes: number): FetchFailed =>
  new FetchFailed("too_large", `The answer is longer than ${maxBytes} bytes`);

/** Counts the bytes that arrive; throws where they come in too many tiny pieces. */
export const counter = () => {
  let [pieces, size] = [0, 0];
  return (chunk: Buffer): number => {
    pieces += 1;
    size += chunk.length;
    if (isTooFragmented(pieces, size))
      throw new FetchFailed("too_large", "The answer comes in too many tiny pieces");
    return size;
  };
};

/** Returns the head with each header as one text; throws where the body is compressed. */
const headOf = (status: number, received: Record<string, string | string[] | undefined>): Head => {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(received)) {
    const value = received[name]!;
    headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (status >= 300 || coding === "" || coding === "identity") return { status, headers };
  throw new FetchFailed("encoding", `The answer is packed as ${coding}, which was not offered`);
};

/** Errors before somebody reads the stream are not lost: it then fails at once. */
const streamOf = (controller: Dispatcher.DispatchController): Readable =>
  new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      controller.abort(error ?? new Error("The body is not wanted"));
      done(error);
    },
  }).on("error", () => {});

/** Sends a request. What its handlers throw ends it and closes the connection. */
export const exchange = (
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  { maxBytes, cut, isStreamed }: Receiving,
  limit: Limit,
): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Buffer[] = [];
  const count = counter();
  let [head, stream]: [Head | null, Readable | null] = [null, null];
  let [most, isCut] = [maxBytes, cut];
  const finish = (): void => {
    const body = chunks.length === 0 ? NOTHING : Buffer.concat(chunks).subarray(0, most);
    resolve({ ...head!, body, stream });
  };
  agent.dispatch(request, {
    // A request that is over before there is a connection is not sent.
    onRequestStart(controller) {
      if (limit.reason) controller.abort(limit.reason);
      else limit.stop = (reason) => controller.abort(reason);
    },
    onResponseStart(controller, status, received) {
      if (status < 200) return;
      head = headOf(status, received);
      if (isStreamed(head)) {
        stream = streamOf(controller);
        return finish();
      }
      if (status >= 300) [most, isCut] = [Math.min(maxBytes, ERROR_BODY_BYTES), true];
      const announced = request.method === "HEAD" ? 0 : Number(head.headers["content-length"] ?? 0);
      if (announced > most && !isCut) throw tooLong(most);
    },
    onResponseData(controller, chunk) {
      if (stream) return stream.push(chunk) ? undefined : controller.pause();
      chunks.push(chunk);
      if (count(chunk) <= most) return;
      if (isCut) finish();
      throw tooLong(most);
    },
    onResponseEnd: () => (stream ? void stream.push(null) : finish()),
    onResponseError(_controller, error) {
      stream?.destroy(named(error));
      reject(named(error));
    },
  });
  return promise;
};
