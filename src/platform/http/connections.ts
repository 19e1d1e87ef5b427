// Limits what one connection may cost. Node starts every request of a chunk that was read, a hundred or more, and keeps
// the responses until the client reads them. Here a connection has one request in progress: the next one begins when
// the response to it has been sent, and a client that sends many without reading is disconnected.

import type { RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createServer, IncomingMessage } from "./node-http.ts";

type ConnectionLimits = {
  /** Milliseconds within which the headers of a request have to arrive; for its body, see body.ts. */
  requestMs: number;
  /** Milliseconds between checks for connections that exceed a limit; Node's own 30 s add to it. */
  lookMs: number;
  /** Milliseconds that any request may take to arrive. */
  uploadMs: number;
  /** Milliseconds that a connection stays open between two requests. */
  keepAliveMs: number;
  /** Milliseconds without a byte sent, or read by the client, after which a connection is closed. */
  silentMs: number;
  /** Requests that may wait for the one in progress (pipelining, which browsers and proxies do not use). */
  waiting: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestMs: 60_000,
  lookMs: 2000,
  uploadMs: 900_000,
  keepAliveMs: 72_000,
  silentMs: 60_000,
  waiting: 8,
};

type Request = [IncomingMessage, ServerResponse];

/** The request in progress on a connection, and those that wait for it. */
type Line = { current: ServerResponse; waiting: Request[] };

/** Handles the requests of each connection one after the other. */
const inLine = (handle: RequestListener, { waiting: max }: ConnectionLimits): RequestListener => {
  const lines = new WeakMap<Socket, Line>();

  const next = (line: Line, socket: Socket): void => {
    const request = socket.destroyed ? undefined : line.waiting.shift();
    if (!request) return void line.waiting.splice(0);
    start(line, socket, request);
  };

  const start = (line: Line, socket: Socket, [request, response]: Request): void => {
    line.current = response;
    handle(request as never, response as never);
    if (line.waiting.length > 0) response.once("close", () => next(line, socket));
  };

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, { current: response, waiting: [] });
      return handle(request, response);
    }
    if (socket.destroyed) return;
    if (line.current.closed && line.waiting.length === 0) {
      line.current = response;
      return handle(request, response);
    }
    if (line.waiting.length >= max) return void socket.destroy();
    const { current } = line;
    if (line.waiting.push([request, response]) === 1) {
      current.once("close", () => next(line, socket));
    }
  };
};

/** Number of pieces that may have any length. */
const ANY_LENGTH = 10_000;
/** Bytes that further pieces must have on average; the shortest that networks and proxies make have some hundred. */
const LEAST_AVERAGE = 32;

/**
 * Whether a body came in too many pieces for its bytes so far, so that it is refused. Each piece costs some hundred
 * bytes and a microsecond or more, however short it is: a megabyte in pieces of one byte would take hundreds of
 * megabytes until it is complete.
 */
export const isTooFragmented = (pieces: number, bytes: number): boolean =>
  pieces > ANY_LENGTH && bytes < pieces * LEAST_AVERAGE;

/** A message whose connection ends when its body comes in too many tiny pieces; `push` gets each piece. */
class BoundedMessage extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;

  override push(piece: Buffer | null): boolean {
    this.#pieces += 1;
    this.#bytes += piece?.length ?? 0;
    if (!isTooFragmented(this.#pieces, this.#bytes)) return super.push(piece);
    this.socket.destroy();
    return false;
  }
}

/** Creates an HTTP server whose connections have limits. */
export const createHttpServer = (
  handle: RequestListener,
  options: ServerOptions,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Server => {
  const server = createServer(
    { ...options, IncomingMessage: BoundedMessage, connectionsCheckingInterval: limits.lookMs },
    inLine(handle, limits),
  );
  server.headersTimeout = limits.requestMs;
  server.requestTimeout = limits.uploadMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  // A client that reads, however slowly, keeps the connection active; streams write every few seconds.
  server.setTimeout(limits.silentMs);
  return server;
};
