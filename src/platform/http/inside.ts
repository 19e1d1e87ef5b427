// Requests that this process makes to its own routes, for pages that show what the API answers. They carry the
// credentials of whoever is signed in to the page, cost no socket, and are neither counted nor logged again.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Credentials } from "./credentials.ts";
import type { Said } from "../text/texts.ts";
import type { Server } from "./server.ts";

type Caller = {
  credentials: Credentials | null;
  /** Why it was refused, for people. */
  said?: Said | null;
};

const callers = new AsyncLocalStorage<Caller>();

/** Whom an inner request is made for; null: it comes from outside. */
export const innerCaller = (): Caller | null => callers.getStore() ?? null;

export type InnerRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  /** Of who asked for the page. */
  ip: string;
  /** JSON, or encoded as `type` says. */
  body?: object | Buffer;
  type?: string;
  idempotencyKey?: string;
};

export type InnerAnswer = {
  status: number;
  text: string;
  link: string | null;
  retryAfter: string | null;
  /** Why it was refused, to be put into the words of who asked for the page. */
  said: Said | null;
};

/** The answer of a route of `server` to this request, in the name of `credentials`. */
export const askInside = async (
  server: Server,
  credentials: Credentials | null,
  { method, url, ip, body, type, idempotencyKey }: InnerRequest,
): Promise<InnerAnswer> => {
  // Awaited within: an injected request starts when its answer is awaited.
  const caller: Caller = { credentials };
  const answer = await callers.run(caller, async () => {
    const injected = await server.inject({
      method,
      url,
      remoteAddress: ip,
      ...(body && { payload: body }),
      headers: {
        ...(type && { "content-type": type }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      },
    });
    return injected;
  });
  const { link, "retry-after": retryAfter } = answer.headers;
  return {
    status: answer.statusCode,
    text: answer.body,
    link: typeof link === "string" ? link : null,
    retryAfter: retryAfter === undefined ? null : String(retryAfter),
    said: caller.said ?? null,
  };
};
