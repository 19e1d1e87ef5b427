// Tokens by which a provider tells of its people: one for each, shown once, of which only the hash is stored.

import {
  findSource,
  newSecret,
  orNotFound,
  parseId,
  recorded,
  requireMay,
  tokenHash,
} from "../uses.ts";
import type { Actor, App, Source } from "../uses.ts";
import { deleteToken, selectTokens, upsertToken } from "./queries-scim.ts";

const ACT = "sso.write";

/** Those of the environment have words for ids, which the log does not take. */
const targetOf = ({ id, name: label }: Source) => ({ type: "sso", id: parseId(id), label });

/** Makes a token in place of the former one; returns it. */
export const makeScimToken = async (app: App, actor: Actor, id: string): Promise<string> => {
  requireMay(actor, ACT);
  const source = orNotFound(await findSource(app, id));
  const token = newSecret();
  await recorded(app, actor, ACT, async (tx) => {
    await upsertToken(tx, source.issuer, tokenHash(token), app.clock.now());
    return { entry: { action: "sso.make_token", target: targetOf(source) } };
  });
  return token;
};

export const endScimToken = async (app: App, actor: Actor, id: string): Promise<void> => {
  const source = orNotFound(await findSource(app, id));
  await recorded(app, actor, ACT, async (tx) => {
    await deleteToken(tx, source.issuer);
    return { entry: { action: "sso.end_token", target: targetOf(source) } };
  });
};

/** Returns since when issuers have tokens. */
export const scimTokenTimes = async (app: App): Promise<Map<string, Date>> => {
  const rows = await selectTokens(app.sql);
  return new Map(rows.map(({ issuer, created_at }) => [issuer, created_at]));
};
