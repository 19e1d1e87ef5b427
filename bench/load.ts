// The load generator: prepared requests on a fixed number of persistent connections. It does as little work
// as possible with the responses, because it shares the machine's cores with the measured server.

import { connect } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { exponential } from "#plan";
import { spread } from "../src/platform/redis/whole-slot.ts";

/** `first` is the milliseconds until its first byte, `ms` until its last. */
export type Answer = { index: number; status: number; body: Buffer; first: number; ms: number };
type Received = Pick<Answer, "status" | "body" | "first">;

export type Load = {
  /** Port; of several, each person has one, as behind a proxy that sends a person to the same process. */
  port: number | number[];
  connections: number;
  /** Returns the bytes of the request number `index`. */
  request: (index: number) => Buffer;
  /** Duration in seconds, or a number of requests. */
  seconds?: number;
  count?: number;
  onAnswer?: (answer: Answer) => void;
  /** Counts errors as answers like any other. */
  anyStatus?: boolean;
  /** Accepts 206 for a feed that is not ready yet. */
  mayWait?: boolean;
  /** Random arrivals per second, whatever still waits, instead of one request after the other on each connection. */
  perSecond?: number;
};

/** `present` has the number of requests in progress as each came. */
export type LoadResult = {
  count: number;
  seconds: number;
  latencies: number[];
  present: number[];
};

type RequestParts = {
  host: string;
  token?: string;
  json?: unknown;
  headers?: Record<string, string>;
  body?: string;
};

/** Returns the bytes of a whole HTTP/1.1 request. */
export const requestBytes = (method: string, path: string, parts: RequestParts): Buffer => {
  const body = parts.json === undefined ? (parts.body ?? "") : JSON.stringify(parts.json);
  const headers: Record<string, string> = {
    host: parts.host,
    ...(parts.token && { authorization: `Bearer ${parts.token}` }),
    ...(parts.json !== undefined && { "content-type": "application/json" }),
    ...(method !== "GET" && { "content-length": String(Buffer.byteLength(body)) }),
    ...parts.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
};

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("0\r\n\r\n");

type Head = { status: number; start: number; length: number | null };

const readHead = (data: Buffer): Head | null => {
  const end = data.indexOf(HEAD_END);
  if (end < 0) return null;
  const text = data.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const chunked = /\r\ntransfer-encoding: *chunked/i.test(text);
  return {
    status: Number(text.slice(9, 12)),
    start: end + HEAD_END.length,
    length: chunked ? null : Number(length ?? 0),
  };
};

/** A connection that sends one request at a time and returns its answer. */
class Connection {
  #socket: Socket;
  #chunks: Buffer[] = [];
  #size = 0;
  #head: Head | null = null;
  #sent = 0;
  #first = 0;
  #done: ((answer: Received) => void) | null = null;
  #fail: ((error: Error) => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#fail?.(error));
    socket.on("close", () => this.#fail?.(new Error("the connection was closed")));
  }

  ask(request: Buffer): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    this.#sent = performance.now();
    this.#done = resolve;
    this.#fail = reject;
    this.#socket.write(request);
    return promise;
  }

  close(): void {
    this.#fail = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#size === 0) this.#first = performance.now() - this.#sent;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#head ??= readHead(this.#whole());
    const head = this.#head;
    if (!head) return;
    const isComplete =
      head.length === null
        ? chunk.subarray(-CHUNKS_END.length).equals(CHUNKS_END)
        : this.#size >= head.start + head.length;
    if (isComplete) this.#finish(head);
  }

  #whole(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #finish({ status, start }: Head): void {
    const body = this.#whole().subarray(start);
    const done = this.#done;
    this.#chunks = [];
    this.#size = 0;
    this.#head = null;
    this.#done = null;
    this.#fail = null;
    done?.({ status, body, first: this.#first });
  }
}

/** A connection to each port, of which one is asked at a time. */
type Line = Connection[];

/** Returns the connection for the person whose token the request has; those of visitors take turns. */
const connectionFor = (line: Line, request: Buffer, index: number): Connection => {
  if (line.length === 1) return line[0]!;
  const token = /\r\nauthorization: (.*)\r\n/.exec(request.toString("latin1", 0, 500))?.[1];
  return line[(token === undefined ? index : spread(token)) % line.length]!;
};

export const openConnection = async (port: number): Promise<Connection> => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return new Connection(socket);
};

const refuseFault = (status: number, body: Buffer, request: Buffer, mayWait: boolean): void => {
  if (status >= 200 && status < 300 && (status !== 206 || mayWait)) return;
  const line = request.toString("latin1", 0, request.indexOf("\r\n"));
  throw new Error(`${line} answered ${status}: ${body.toString("utf8").slice(0, 300)}`);
};

type Chance = { perSecond: number; deadline: number; present: number[] };

/** Sends requests at random times; each takes the line that has been free for longest, or waits for one. */
const comeByChance = async (
  { perSecond, deadline, present }: Chance,
  free: Line[],
  ask: (line: Line, came: number) => Promise<void>,
): Promise<void> => {
  const lines = [...free];
  const waiting: number[] = [];
  const asked: Promise<void>[] = [];
  let under = 0;
  const begin = async (line: Line, came: number): Promise<void> => {
    await ask(line, came);
    under -= 1;
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else await begin(line, next);
  };
  for (
    let at = performance.now();
    at < deadline;
    at += exponential(Math.random, perSecond / 1000)
  ) {
    const wait = at - performance.now();
    if (wait > 0) await sleep(wait);
    present.push(under);
    under += 1;
    const line = lines.shift();
    if (!line) {
      waiting.push(performance.now());
      continue;
    }
    const answered = begin(line, performance.now());
    answered.catch(() => {}); // thrown below
    asked.push(answered);
  }
  await Promise.all(asked);
};

/**
 * Keeps every connection busy until the time is over or all requests are sent. Any answer other than a
 * success is an error, also 206 (a feed that was not ready).
 */
export const load = async (options: Load): Promise<LoadResult> => {
  const { port, connections, seconds = Infinity, count = Infinity } = options;
  const latencies: number[] = [];
  const present: number[] = [];
  const ports = [port].flat();
  const open = await Promise.all(
    Array.from({ length: connections }, () => Promise.all(ports.map(openConnection))),
  );
  const began = performance.now();
  const deadline = began + seconds * 1000;
  let next = 0;
  const askOne = async (line: Line, came = performance.now()): Promise<void> => {
    const index = next++;
    const request = options.request(index);
    const connection = connectionFor(line, request, index);
    const { status, body, first } = await connection.ask(request);
    const ms = performance.now() - came;
    if (!options.anyStatus) refuseFault(status, body, request, options.mayWait ?? false);
    latencies.push(ms);
    options.onAnswer?.({ index, status, body, first, ms });
  };
  const work = async (line: Line): Promise<void> => {
    while (next < count && performance.now() < deadline) await askOne(line);
  };
  const { perSecond } = options;
  try {
    await (perSecond === undefined
      ? Promise.all(open.map(work))
      : comeByChance({ perSecond, deadline, present }, open, askOne));
  } finally {
    for (const connection of open.flat()) connection.close();
  }
  return {
    count: latencies.length,
    seconds: (performance.now() - began) / 1000,
    latencies,
    present,
  };
};
