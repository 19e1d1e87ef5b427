// A question of a drill: a request, and what is wrong with the response.

import { issueToken } from "../uses.ts";
import type { Reply } from "./ask.ts";
import type { ThrowAway } from "./throw-away.ts";

export type Question = {
  /** Name of the question in a failure. */
  about: string;
  /** Returns null when the answer is what the database says; otherwise a sentence. */
  judge(): Promise<string | null>;
};

/** Returns null where all of these are as expected: [what, answered, expected]. */
export const differences = (facts: [what: string, answered: unknown, expected: unknown][]) => {
  const wrong = facts.find(([, answered, expected]) => answered !== expected);
  if (!wrong) return null;
  const [what, answered, expected] = wrong.map((part) => String(part).slice(0, 100));
  return `${what} is "${answered}", and the database says "${expected}".`;
};

/** Returns a sentence where the server did not answer with 200. */
export const refusal = ({ status, body }: Reply): string | null =>
  status === 200 ? null : `The answer was ${status}: ${body.toString().slice(0, 200)}`;

/** Returns a token by which a person of the drill reads their own data; each is made once, in its database. */
export type Tokens = (userId: string) => Promise<string>;

export const makeTokens = ({ app }: ThrowAway): Tokens => {
  const issued = new Map<string, Promise<string>>();
  const issue = async (userId: string): Promise<string> =>
    (await issueToken(app.sql, { app_id: null, user_id: userId, scopes: ["read"] })).token;
  return (userId) => {
    const token = issued.get(userId) ?? issue(userId);
    issued.set(userId, token);
    return token;
  };
};
