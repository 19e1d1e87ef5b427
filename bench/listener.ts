// Opens many WebSockets that only count frames, with as little work per frame as possible.

import { connect } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";

const HEAD_END = Buffer.from("\r\n\r\n");
const [TEXT, PING] = [1, 9];
/** A pong masked with zeros and without data, since the server's pings have none. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Splits what a server sends into frames (RFC 6455, 5.2; never masked), passes on texts and reports pings. */
class Frames {
  #rest: Buffer = Buffer.alloc(0);
  #onText: (payload: Buffer) => void;
  #onPing: () => void;

  constructor(onText: (payload: Buffer) => void, onPing: () => void) {
    this.#onText = onText;
    this.#onPing = onPing;
  }

  take(chunk: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const end = this.#first(data);
      if (end === 0) break;
      data = data.subarray(end);
    }
    this.#rest = data;
  }

  /** Returns where the first whole frame ends; 0 when there is none. */
  #first(data: Buffer): number {
    if (data.length < 2) return 0;
    const short = data[1]! & 127;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (data.length < start) return 0;
    const length =
      short === 126
        ? data.readUInt16BE(2)
        : short === 127
          ? Number(data.readBigUInt64BE(2))
          : short;
    if (data.length < start + length) return 0;
    const kind = data[0]! & 15;
    if (kind === TEXT) this.#onText(data.subarray(start, start + length));
    if (kind === PING) this.#onPing();
    return start + length;
  }
}

export type Listener = { close(): void };

/** Opens one socket at `path`; resolves when the server has accepted it. */
export const listen = async (
  port: number,
  path: string,
  token: string | null,
  onText: (payload: Buffer) => void,
): Promise<Listener> => {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const accepted = Promise.withResolvers<void>();
  const frames = new Frames(onText, () => socket.write(PONG));
  let head = Buffer.alloc(0);
  let isOpen = false;
  socket.on("error", accepted.reject);
  socket.on("data", (chunk: Buffer) => {
    if (isOpen) return frames.take(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return;
    if (!head.toString("latin1", 0, 12).endsWith("101")) {
      return accepted.reject(new Error(head.toString("latin1")));
    }
    isOpen = true;
    accepted.resolve();
    frames.take(head.subarray(end + HEAD_END.length));
  });
  const authorization = token === null ? "" : `Authorization: Bearer ${token}\r\n`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${authorization}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await accepted.promise;
  return { close: () => void socket.destroy() };
};

export type Crowd = {
  /** Returns the number of frames that all of them together have received. */
  count(): number;
  /** Resolves when `count()` has reached `wanted`; fails after `seconds`. */
  reached(total: number, seconds: number): Promise<void>;
  /** Returns the last text received. */
  last(): string;
  close(): void;
};

/** Opens `count` sockets, 50 at a time; `tokenOf` returns the token of each. */
export const gather = async (
  port: number,
  path: string,
  count: number,
  tokenOf: (index: number) => string | null,
): Promise<Crowd> => {
  let frames = 0;
  let last: Buffer = Buffer.alloc(0);
  let waiting: { total: number; done: () => void } | null = null;
  const take = (payload: Buffer) => {
    frames += 1;
    last = payload;
    if (waiting && frames >= waiting.total) waiting.done();
  };
  const sockets: Listener[] = [];
  for (let first = 0; first < count; first += 50) {
    const indexes = Array.from({ length: Math.min(50, count - first) }, (_, n) => first + n);
    const opened = indexes.map((index) => listen(port, path, tokenOf(index), take));
    sockets.push(...(await Promise.all(opened)));
  }
  return {
    count: () => frames,
    last: () => last.toString("utf8"),
    async reached(total, seconds) {
      if (frames >= total) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting = { total, done: resolve };
      const fail = () => reject(new Error(`${total} frames were awaited, ${frames} came`));
      const timer = setTimeout(fail, seconds * 1000);
      await promise.finally(() => clearTimeout(timer));
      waiting = null;
    },
    close() {
      for (const socket of sockets) socket.close();
    },
  };
};
