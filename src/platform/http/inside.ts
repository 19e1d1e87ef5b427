// Makes requests to this process's own routes, for pages that show what the API returns. They have the credentials of
// the person signed in to the page, use no socket, and are neither counted nor logged again.

import { AsyncLocalStorage } from "node:async_hooks";
import type { OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Credentials } from "./credentials.ts";
import type { KnownError } from "./http-error.ts";
import { ServerResponse } from "./node-http.ts";
import type { IncomingMessage } from "./node-http.ts";
import type { Server } from "./server.ts";

export type Caller = {
  credentials: Credentials | null;
  /** Why the request was refused. */
  error?: KnownError;
  /** The bytes of the answer, where they are sent as they are. */
  parts?: readonly Buffer[];
};

const callers = new AsyncLocalStorage<Caller>();

/** Returns whom an inner request is made for, or null for a request from outside. */
export const innerCaller = (): Caller | null => callers.getStore() ?? null;

export type InnerRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  /** IP address of the requester of the page. */
  ip: string;
  /** A value that is sent as JSON, or bytes encoded as `type` says. */
  body?: object | Buffer;
  type?: string;
  idempotencyKey?: string;
  /** In which the person reads, as the client says in its own requests. */
  language?: string | undefined;
};

export type InnerAnswer = {
  status: number;
  /** The body: text, or bytes in parts, which are the same objects as long as what they say is the same. */
  body: string | readonly Buffer[];
  link: string | null;
  retryAfter: string | null;
  /** Why the request was refused, for texts in the language of the page. */
  error: KnownError | null;
};

export const textOf = ({ body }: InnerAnswer): string =>
  typeof body === "string" ? body : Buffer.concat(body).toString();

/** A request without a socket: what fastify reads of one. */
const requestOf = ({ method, url, ip, body, type, ...more }: InnerRequest): IncomingMessage => {
  const bytes = body && !Buffer.isBuffer(body) ? Buffer.from(JSON.stringify(body)) : body;
  const headers = {
    host: "localhost",
    ...(bytes && {
      "content-type": type ?? "application/json",
      "content-length": String(bytes.length),
    }),
    ...(more.language && { "accept-language": more.language }),
    ...(more.idempotencyKey && { "idempotency-key": more.idempotencyKey }),
  };
  const stream = new Readable({
    read() {
      if (bytes) this.push(bytes);
      this.push(null);
    },
  });
  const [httpVersionMajor, httpVersionMinor, socket] = [1, 1, { remoteAddress: ip }];
  const parts = { method, url, headers, socket, httpVersionMajor, httpVersionMinor };
  return Object.assign(stream, parts) as unknown as IncomingMessage;
};

/** A response without a socket; `onEnd` gets the body. */
class InnerResponse extends ServerResponse {
  #chunks: Buffer[] = [];
  #onEnd: (body: string) => void;

  constructor(request: IncomingMessage, onEnd: (body: string) => void) {
    super(request);
    this.#onEnd = onEnd;
  }

  override writeHead(status: number, headers?: unknown): this {
    for (const [name, value] of Object.entries((headers ?? {}) as OutgoingHttpHeaders))
      if (value !== undefined) this.setHeader(name, value);
    return super.writeHead(status);
  }

  override write(chunk: string | Buffer): boolean {
    return this.#chunks.push(Buffer.from(chunk)) > 0;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === "string" || Buffer.isBuffer(chunk)) this.write(chunk);
    this.finished = true;
    this.emit("finish");
    this.emit("close");
    this.#onEnd(Buffer.concat(this.#chunks).toString());
    return this;
  }
}

/** Returns the answer of a route of `server` to this request, made with `credentials`. */
export const askInside = (
  server: Server,
  credentials: Credentials | null,
  inner: InnerRequest,
): Promise<InnerAnswer> => {
  const caller: Caller = { credentials };
  const { promise, resolve } = Promise.withResolvers<InnerAnswer>();
  const request = requestOf(inner);
  const response = new InnerResponse(request, (body) => {
    const [link, retryAfter] = [response.getHeader("link"), response.getHeader("retry-after")];
    resolve({
      status: response.statusCode,
      // An error that came later has a body.
      body: body || (caller.parts ?? ""),
      link: typeof link === "string" ? link : null,
      retryAfter: retryAfter === undefined ? null : String(retryAfter),
      error: caller.error ?? null,
    });
  });
  callers.run(caller, () => server.routing(request, response));
  return promise;
};
