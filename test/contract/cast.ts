// The people of one group of rows: the requester ("me"), a friend (each follows the other) and a stranger.

import { ALL_SCOPES } from "../harness.ts";
import type { Answer, Person, RequestOptions, TestApp } from "../harness.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are checked by their schemas
type Json = any;

export type Cast = {
  server: TestApp;
  me: Person;
  friend: Person;
  stranger: Person;
  /** Sends a request and returns the body; fails if the status is not 2xx. */
  must(who: Person | null, method: string, path: string, json?: unknown): Promise<Json>;
  /** Posts and returns the id. */
  post(who: Person, status: string, more?: Record<string, unknown>): Promise<string>;
};

const ensure = (answer: Answer, what: string): Json => {
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${what} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  }
  return answer.json;
};

export const ask = (
  server: TestApp,
  who: Person | null,
  method: string,
  path: string,
  json?: unknown,
): Promise<Answer> => {
  const options: RequestOptions = { token: who?.token ?? null };
  if (json !== undefined) options.json = json;
  return server.request(method, path, options);
};

/** The rows of the crypto group need a scope that no other row needs. */
const SCOPES = [...ALL_SCOPES, "crypto"];

let casts = 0;

/** Returns the helpers that recipes need of these people. */
export const castOf = (server: TestApp, people: Pick<Cast, "me" | "friend" | "stranger">): Cast => {
  const must: Cast["must"] = async (who, method, path, json) =>
    ensure(await ask(server, who, method, path, json), `${method} ${path}`);
  const post: Cast["post"] = async (who, status, more = {}) =>
    (await must(who, "POST", "/api/v1/statuses", { status, ...more })).id;
  return { server, ...people, must, post };
};

/** People of different groups never interact. In groups for moderators the requester is an owner. */
export const makeCast = async (server: TestApp, group: string): Promise<Cast> => {
  const owner = { role: "Owner" as const, scopes: [...SCOPES, "admin:read", "admin:write"] };
  const mark = `g${(casts += 1)}`;
  const [me, friend, stranger] = [
    await server.person(`${mark}_me`, group.startsWith("admin/") ? owner : { scopes: SCOPES }),
    await server.person(`${mark}_friend`, { scopes: SCOPES }),
    await server.person(`${mark}_stranger`),
  ];
  const cast = castOf(server, { me, friend, stranger });
  await cast.must(me, "POST", `/api/v1/accounts/${friend.accountId}/follow`);
  await cast.must(friend, "POST", `/api/v1/accounts/${me.accountId}/follow`);
  return cast;
};

/** Makes another person, whom the requester follows. */
export const followed = async (cast: Cast, name: string): Promise<Person> => {
  const person = await cast.server.person(`${cast.me.username}_${name}`);
  await cast.must(cast.me, "POST", `/api/v1/accounts/${person.accountId}/follow`);
  return person;
};
