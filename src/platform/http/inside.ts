// Makes requests to this process's own routes, for pages that show what the API returns. They have the credentials of
// the person signed in to the page, use no socket, and are neither counted nor logged again.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Credentials } from "./credentials.ts";
import type { KnownError } from "./http-error.ts";
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

/** Returns the answer of a route of `server` to this request, made with `credentials`. */
export const askInside = async (
  server: Server,
  credentials: Credentials | null,
  { method, url, ip, body, type, idempotencyKey, language }: InnerRequest,
): Promise<InnerAnswer> => {
  // It is awaited within the context, since an injected request starts when its answer is awaited.
  const caller: Caller = { credentials };
  const answer = await callers.run(caller, async () => {
    const injected = await server.inject({
      method,
      url,
      remoteAddress: ip,
      ...(body && { payload: body }),
      headers: {
        ...(type && { "content-type": type }),
        ...(language && { "accept-language": language }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      },
    });
    return injected;
  });
  const { link, "retry-after": retryAfter } = answer.headers;
  return {
    status: answer.statusCode,
    // An error that came later has a body.
    body: answer.body || (caller.parts ?? ""),
    link: typeof link === "string" ? link : null,
    retryAfter: retryAfter === undefined ? null : String(retryAfter),
    error: caller.error ?? null,
  };
};
