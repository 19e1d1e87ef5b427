// A client of the streaming API for tests: real WebSockets, frames in order.

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { ClientOptions } from "ws";

export type Frame = {
  stream?: string[];
  event?: string;
  payload?: string;
  error?: string;
  status?: number;
};

const PATIENCE_MS = 5000;

/** Waits until `check` returns something other than undefined. */
export const until = async <T>(what: string, check: () => T | undefined): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = check();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(5);
  }
};

export class StreamClient {
  readonly socket: WebSocket;
  /** All frames that were received and not taken yet. */
  readonly frames: Frame[] = [];
  closeCode: number | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => this.frames.push(JSON.parse(String(data)) as Frame));
    socket.on("close", (code) => (this.closeCode = code));
    socket.on("error", () => undefined);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Takes the next frame, in order of arrival. */
  next(): Promise<Frame> {
    return until("a frame", () => this.frames.shift());
  }

  closed(): Promise<number> {
    return until("the socket to close", () => this.closeCode ?? undefined);
  }

  /** Sends a message and waits for its answer: earlier messages have been handled by then. */
  async settle(): Promise<void> {
    this.send({ type: "subscribe", stream: "no such stream" });
    await until("the answer", () => {
      const at = this.frames.findIndex((frame) => frame.status === 400);
      return at < 0 ? undefined : this.frames.splice(at, 1);
    });
  }
}

export type OpenOptions = {
  query?: Record<string, string>;
  protocols?: string[];
  headers?: Record<string, string>;
  path?: string;
  /** False to leave pings unanswered. */
  autoPong?: boolean;
};

/** Opens a socket; rejects with the status when the upgrade is refused. */
export const openStream = (url: string, options: OpenOptions): Promise<StreamClient> => {
  const { query = {}, protocols = [], headers = {}, path = "/api/v1/streaming" } = options;
  const address = new URL(path, url.replace("http", "ws"));
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const init: ClientOptions = { headers, autoPong: options.autoPong ?? true };
  const socket = new WebSocket(address, protocols, init);
  const client = new StreamClient(socket);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(client));
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      reject(new Error(`refused with ${response.statusCode}`));
    });
    socket.once("error", reject);
  });
};
