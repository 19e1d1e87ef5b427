// The access token of the signed-in person: obtained with the session's form token, kept in memory alone, and renewed
// before it expires. The API takes no cookies.

import { ApiError } from "./get.ts";
import { request } from "./request.ts";

type Token = { value: string; expiresAt: number };

/** Thrown when the person has to sign in again. */
export class SessionEnded extends Error {}

/** Milliseconds before its expiry at which a token is renewed. */
const MARGIN_MS = 60_000;

let current: Promise<Token> | null = null;
/** Form token of a session that was begun in another window since this page was drawn. */
let newerFormToken: string | null = null;

const REFUSED = new Set([401, 403]);

const ask = async (formToken: string): Promise<Token> => {
  const { status, text } = await request("/web/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ form_token: formToken }),
  });
  if (REFUSED.has(status)) throw new SessionEnded(`HTTP ${status}`);
  if (status >= 400) throw new ApiError(status, "");
  const { access_token, expires_in } = JSON.parse(text) as {
    access_token: string;
    expires_in: number;
  };
  return { value: access_token, expiresAt: Date.now() + expires_in * 1000 - MARGIN_MS };
};

type State = { me: { id: string } | null; formToken: string };

const stateIn = (html: string): State | null => {
  const [, json] = /<script[^>]* id="state">(.*?)<\/script>/s.exec(html) ?? [];
  return json === undefined ? null : (JSON.parse(json) as State);
};

const ownState = () => JSON.parse(document.querySelector("#state")!.textContent) as State;

/** Returns the state of the person who is signed in now. */
const currentState = async (): Promise<State | null> => {
  const response = await fetch("/compose", { headers: { accept: "text/html" } });
  return response.ok && !response.redirected ? stateIn(await response.text()) : null;
};

/** Returns the form token of the person who is signed in now, whoever that is. */
export const currentFormToken = async (): Promise<string | null> =>
  (await currentState())?.formToken ?? null;

/** Returns the form token, if the person of this page is still signed in. */
const findFormToken = async (): Promise<string | null> => {
  const state = await currentState();
  return state?.me && state.me.id === ownState().me?.id ? state.formToken : null;
};

const askAgain = async (formToken: string): Promise<Token> => {
  try {
    return await ask(newerFormToken ?? formToken);
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    newerFormToken = await findFormToken();
    if (newerFormToken === null) throw error;
    return ask(newerFormToken);
  }
};

/** Returns the token, or a new one where it expires soon. Rejects with SessionEnded where the session has ended. */
export const accessToken = async (formToken: string): Promise<string> => {
  const before = current;
  const known = await before?.catch(() => null);
  if (known && known.expiresAt > Date.now()) return known.value;
  // This is skipped when another request has asked for a token in the meantime.
  if (current === before || !current) current = askAgain(formToken);
  return (await current).value;
};

/** Forgets a token that an answer refused: the next request asks for a new one. */
export const forgetToken = (): void => {
  current = null;
};
