// Serves a WebSocket of the streaming API: messages in, frames out.

import type { WebSocket } from "ws";
import { workFor } from "../../../platform/db/each-asker.ts";
import { DomainError } from "../../../platform/errors.ts";
import { accountKey } from "../../../platform/http/asking.ts";
import { statusOf } from "../../../platform/http/http-error.ts";
import { socketFrame } from "./frames.ts";
import type { Hub } from "./hub.ts";
import { resolveStream } from "./names.ts";
import type { Listening, Subscription, WantedStream } from "./names.ts";
import { proveOwnList } from "./own-lists.ts";
import type { Session, Sink } from "./session.ts";

/** Bytes of a client's longest message. */
export const MAX_MESSAGE = 8 * 1024;

// Codes of RFC 6455, section 7.4.1; 1012 is registered as "service restart", which means to connect again.
const CLOSE_CODES = {
  revoked: 1008,
  slow: 1008,
  flooding: 1008,
  failed: 1011,
  stopping: 1012,
} as const;

/** Milliseconds in which a client may answer a close before the connection is cut. */
const CLOSE_TIMEOUT_MS = 2000;

/** `socket` is null until it is open. */
type Connection = { hub: Hub; session: Session; socket: WebSocket | null };

const closeSocket = (socket: WebSocket, reason: keyof typeof CLOSE_CODES): void => {
  // A close frame would wait behind everything that a slow client has not read, and its answer behind everything that a
  // flooding client sends.
  if (reason === "slow" || reason === "flooding") return socket.terminate();
  socket.close(CLOSE_CODES[reason]);
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
};

/** Writes to the socket; ends the stream where its client does not read. */
const write = (connection: Connection, writing: (socket: WebSocket) => void): void => {
  const { hub, session, socket } = connection;
  if (socket!.bufferedAmount > hub.limits.maxBuffered) session.end("slow");
  else writing(socket!);
};

const sinkOf = (connection: Connection): Sink => ({
  send: (label, event) =>
    write(connection, (socket) => socket.send(socketFrame(label, event), { binary: false })),
  end: (reason) => closeSocket(connection.socket!, reason),
});

type Message = WantedStream & { type?: unknown };

const parse = (text: string): Message | null => {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : null;
  } catch {
    return null;
  }
};

const act = (session: Session, message: Message): Subscription | null => {
  if (message.type !== "subscribe" && message.type !== "unsubscribe") return null;
  const subscription = resolveStream(session.listening, message);
  if (message.type === "subscribe") session.subscribe(subscription);
  else session.unsubscribe(subscription.key);
  return message.type === "subscribe" ? subscription : null;
};

/** Reports an error in a frame; the socket stays open. */
const sendError = (connection: Connection, error: unknown): void => {
  const { hub, session } = connection;
  if (!(error instanceof DomainError)) {
    hub.app.log.error({ err: error }, "a message to a stream failed");
    return session.end("failed");
  }
  const text = JSON.stringify({ error: error.message, status: statusOf(error) });
  void session.answer(() => write(connection, (socket) => socket.send(text)));
};

/** Unsubscribes from a list that belongs to somebody else. */
const checkOwn = async (connection: Connection, subscription: Subscription): Promise<void> => {
  const { hub, session } = connection;
  try {
    await proveOwnList(hub.app, session.listening, subscription);
  } catch (error) {
    session.unsubscribe(subscription.key);
    sendError(connection, error);
  }
};

/** Runs a message immediately; errors are reported in a frame and leave the socket open. */
const handle = (connection: Connection, message: Message): void => {
  const { accountId } = connection.session.listening.viewer;
  const asker = { who: accountKey(accountId), limitMs: null, isAnswered: false };
  try {
    const begun = act(connection.session, message);
    if (begun?.listId !== undefined) void workFor(asker, () => checkOwn(connection, begun));
  } catch (error) {
    sendError(connection, error);
  }
};

/** Subscribes to what the URL names; resolves when that is in force and the socket may be opened. */
export const prepareSocket = async (
  hub: Hub,
  listening: Listening,
  first: WantedStream,
): Promise<Connection> => {
  const connection: Connection = { hub, session: hub.open(listening), socket: null };
  if (first.stream !== undefined) handle(connection, { ...first, type: "subscribe" });
  await connection.session.inForce();
  return connection;
};

/** Serves an open socket until it closes. A pong confirms that earlier subscriptions are in force. */
export const serveSocket = (connection: Connection, socket: WebSocket): void => {
  const { hub, session } = connection;
  connection.socket = socket;
  socket.on("error", () => socket.terminate());
  socket.on("close", () => hub.drop(session));
  /** Messages that were received together with the excessive one still arrive here. */
  const isTooMuch = () => session.isClosed || !hub.countMessage(session);
  socket.on("message", (data, isBinary) => {
    if (isTooMuch()) return;
    const message = isBinary ? null : parse(data.toString());
    if (message) handle(connection, message);
  });
  const pong = (data: Buffer) => write(connection, () => socket.pong(data));
  socket.on("ping", (data) => {
    if (!isTooMuch()) void session.answer(() => pong(data));
  });
  session.begin(sinkOf(connection));
};
