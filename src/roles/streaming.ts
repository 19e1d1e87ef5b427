// The streaming role: WebSockets and event streams on the HTTP server of its process.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import type { App } from "../platform/app.ts";
import type { Rate } from "../platform/buckets.ts";
import { isKnown, statusOf } from "../platform/http/http-error.ts";
import type { Authenticate } from "../platform/http/credentials.ts";
import { addressReader, withoutDoubleSlashes } from "../platform/http/incoming.ts";
import { STATUS_CODES } from "../platform/http/node-http.ts";
import { addressKey } from "../platform/http/rate-limit.ts";
import { countFailures } from "../platform/http/request-rates.ts";
import type { Server } from "../platform/http/server.ts";
import { NO_ACCESS } from "../platform/http/overload.ts";
import type { Refusals } from "../platform/http/overload.ts";
import { createHub, LIMITS } from "../domain/reading/streaming/hub.ts";
import type { Hub, Limits } from "../domain/reading/streaming/hub.ts";
import { streamingRoutes } from "../domain/reading/streaming/routes.ts";
import { MAX_MESSAGE, prepareSocket, serveSocket } from "../domain/reading/streaming/socket.ts";

const PATHS = new Set(["/api/v1/streaming", "/api/v1/streaming/"]);

/** Sockets without a valid token that an address may request. */
export const REFUSED_SOCKETS: Rate = { burst: 300, perMinute: 300 };

const addressOf = (request: IncomingMessage): URL | null =>
  URL.parse(withoutDoubleSlashes(request), "http://streaming.invalid");

/**
 * Returns the token from `Authorization`, the query, or the first offered subprotocol (the header that browsers can
 * set).
 */
const tokenOf = (request: IncomingMessage, address: URL): string | null => {
  const header = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const offered = request.headers["sec-websocket-protocol"]?.split(",", 1)[0]?.trim();
  return header || address.searchParams.get("access_token") || offered || null;
};

/** Refuses a socket and closes it, since the client might never close its side. */
const refuse = (socket: Duplex, status: number, message: string): void => {
  socket.once("finish", () => socket.destroy());
  const body = JSON.stringify({ error: message });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
};

/** Returns the stream that the URL subscribes to, in the form of a first message. */
const firstStream = ({ searchParams }: URL) => ({
  stream: searchParams.get("stream") ?? undefined,
  tag: searchParams.get("tag") ?? undefined,
  list: searchParams.get("list") ?? undefined,
});

type Upgrade = { request: IncomingMessage; socket: Duplex; head: Buffer };

/** Says which addresses are refused, and how the address of a request is found. */
type Gate = { refusals: Refusals; addressOf: (request: IncomingMessage) => string };

type Parts = { hub: Hub; sockets: WebSocketServer; gate: Gate };

const upgrade = async ({ hub, sockets, gate }: Parts, offer: Upgrade): Promise<void> => {
  const { request, socket, head } = offer;
  socket.on("error", () => socket.destroy());
  const from = gate.addressOf(request);
  if (gate.refusals.isRefused?.(from)) return refuse(socket, 403, NO_ACCESS);
  const address = addressOf(request);
  if (!address || !PATHS.has(address.pathname)) return refuse(socket, 404, "Not Found");
  try {
    const who = addressKey(from);
    const listening = await countFailures(hub.app, "refused sockets", REFUSED_SOCKETS, who, () =>
      hub.identify(tokenOf(request, address)),
    );
    const connection = await prepareSocket(hub, listening, firstStream(address));
    let isOpen = false;
    sockets.handleUpgrade(request, socket, head, (ws) => {
      isOpen = true;
      sockets.emit("connection", ws, request);
      serveSocket(connection, ws);
    });
    // The handshake was faulty, or the client has gone.
    if (!isOpen) hub.drop(connection.session);
  } catch (error) {
    if (isKnown(error)) return refuse(socket, statusOf(error), error.message);
    hub.app.log.error({ err: error }, "a stream could not be opened");
    refuse(socket, 500, "Something went wrong on our end");
  }
};

/** Pings every socket, and closes one that did not answer the last ping. */
const keepAlive = (sockets: WebSocketServer, seconds: number): NodeJS.Timeout => {
  const answered = new WeakSet<WebSocket>();
  sockets.on("connection", (socket) => {
    answered.add(socket);
    socket.on("pong", () => answered.add(socket));
  });
  return setInterval(() => {
    for (const socket of sockets.clients) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, seconds * 1000);
};

/** Serves /api/v1/streaming on this server; call it before the server listens. Streams end when the server closes. */
export const attachStreaming = (
  app: App,
  server: Server,
  authenticate: Authenticate,
  limits: Partial<Limits> = {},
): void => {
  const hub = createHub(app, authenticate, { ...LIMITS, ...limits });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    autoPong: false,
    perMessageDeflate: false,
  });
  const addressOf = addressReader(app.config.http.trustedProxies);
  const gate = { refusals: server.refusals, addressOf };
  const pings = keepAlive(sockets, hub.limits.pingSeconds);
  server.server.on("upgrade", (request, socket, head) => {
    void upgrade({ hub, sockets, gate }, { request, socket, head });
  });
  streamingRoutes(server, hub);
  server.addHook("preClose", async () => {
    clearInterval(pings);
    await hub.stop();
  });
};
