// Sends requests to the API from the browser, on behalf of the signed-in person.

import { answerOf, withParams } from "./get.ts";
import type { Answer, Get, Params } from "./get.ts";
import { readersLanguage, request } from "./request.ts";
import { SessionEnded, accessToken, forgetToken } from "./session.ts";
import { usedElsewhere } from "./used-account.ts";

export type Send = <T>(
  method: string,
  path: string,
  options?: { params?: Params; body?: unknown; headers?: Record<string, string> },
) => Promise<Answer<T>>;

export type Api = { get: Get; send: Send };

/** `formToken` is null for visitors, who have no token. */
export const createApi = (formToken: string | null): Api => {
  const send: Send = async <T>(
    method: string,
    path: string,
    { params, body, headers: more }: Parameters<Send>[2] = {},
  ): Promise<Answer<T>> => {
    // A page of another account would act under a name that nobody sees any more.
    if (usedElsewhere.peek() && method !== "GET") throw new SessionEnded("another account is used");
    const attempt = async () => {
      const headers = new Headers(more);
      if (formToken !== null)
        headers.set("authorization", `Bearer ${await accessToken(formToken)}`);
      const isForm = body instanceof FormData;
      if (body !== undefined && !isForm) headers.set("content-type", "application/json");
      const payload = isForm ? body : body === undefined ? null : JSON.stringify(body);
      return request(withParams(path, params), { method, headers, body: payload });
    };
    let received = await attempt();
    if (received.status === 401 && formToken !== null) {
      forgetToken();
      received = await attempt();
    }
    const { status, text, link } = received;
    return answerOf<T>(status, text, link, readersLanguage());
  };
  return { send, get: (path, params) => send("GET", path, params && { params }) };
};
