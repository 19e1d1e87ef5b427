// Sign-ins that are under way at a provider, and what a provider said until somebody has chosen a handle. The browser
// holds tokens in a cookie, as several of its windows may sign in at once; what belongs to each is sealed in the
// short-lived store, and can be used once.

import type { Kept, SignIn } from "#sso";
import type { App } from "../../../platform/app.ts";
import { seal, unseal } from "../../../platform/seal.ts";
import { newSecret, tokenHash } from "../oauth/secret.ts";

/** Seconds for which a person may stay at the provider, or think about a handle. */
export const ATTEMPT_SECONDS = 900;

export type Attempt = {
  providerId: string;
  kept: Kept;
  returnTo: string | null;
  /** The account that gets one more way to sign in, with its session; null for a sign-in. */
  link: { userId: string; sessionId: string } | null;
};

/** What a provider said about somebody who has no account here yet. */
export type Newcomer = { providerId: string; signIn: SignIn; returnTo: string | null };

/** Where somebody who has signed out here can end the provider's session. */
export type End = { name: string; url: string };

/** What a provider had the browser send here, which had no cookies then: the request after it has them. */
type Brought = { message: string };

type Stored = { attempt: Attempt; newcomer: Newcomer; end: End; brought: Brought };

const keyOf = (kind: keyof Stored, token: string): string =>
  `sso:${kind}:${tokenHash(token).toString("base64url")}`;

export const keep = async <Kind extends keyof Stored>(
  app: App,
  kind: Kind,
  value: Stored[Kind],
): Promise<string> => {
  const token = newSecret();
  const key = keyOf(kind, token);
  const sealed = seal(app, { what: "sso attempt", owner: key }, JSON.stringify(value));
  await app.kv.set(key, sealed.toString("base64url"), ATTEMPT_SECONDS);
  return token;
};

/** Returns what belongs to the token, which stays valid. */
export const read = async <Kind extends keyof Stored>(
  app: App,
  kind: Kind,
  token: string | null,
): Promise<Stored[Kind] | null> => {
  const key = keyOf(kind, token ?? "");
  const sealed = token ? await app.kv.get(key) : null;
  if (!sealed) return null;
  return JSON.parse(
    unseal(app, { what: "sso attempt", owner: key }, Buffer.from(sealed, "base64url")),
  );
};

/** Returns the first of these tokens that belongs to something that fits; null for none. */
export const find = async <Kind extends keyof Stored>(
  app: App,
  kind: Kind,
  tokens: readonly string[],
  fits: (value: Stored[Kind]) => boolean = () => true,
): Promise<{ token: string; value: Stored[Kind] } | null> => {
  for (const token of tokens) {
    const value = await read(app, kind, token);
    if (value !== null && fits(value)) return { token, value };
  }
  return null;
};

/** Uses the token up; returns null for all but the first. */
export const take = async <Kind extends keyof Stored>(
  app: App,
  kind: Kind,
  token: string | null,
): Promise<Stored[Kind] | null> => {
  const value = await read(app, kind, token);
  if (!value || !token) return null;
  const key = keyOf(kind, token);
  if (!(await app.kv.add(`${key}:used`, "used", ATTEMPT_SECONDS))) return null;
  await app.kv.delete(key);
  return value;
};
