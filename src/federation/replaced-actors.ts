// A handle names another actor than before, or an address has another one. Of a handle, either its actor has another
// handle now, or it was deleted and somebody new took the name, or the whole server was set up anew, with new addresses
// and keys: only then do the people here who followed the old actor follow the new one, which knows nothing of them.

import type { App } from "../platform/app.ts";
import { idAt } from "../platform/ids/index.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { succeedAccount } from "../domain/people/accounts/move.ts";
import { sendFollowsAgain } from "../domain/people/relationships/move-follows.ts";
import { storeActor } from "./actors.ts";
import { fetchDocument } from "./documents.ts";
import type { Fetched } from "./documents.ts";
import { nullUnlessTemporary } from "./faults.ts";
import { keyOf } from "./parse-actor.ts";
import { selectActorById, selectOthersToRefresh, selectWitnesses } from "./queries.ts";
import type { KnownActorRow, Witness } from "./queries.ts";

const REFRESH = { cause: "refresh" } as const;

/** What its address serves, if that is still this actor. Throws RemoteFault (unreachable). */
const fetchAlive = async (app: App, uri: string): Promise<Fetched | null> => {
  const fetched = await nullUnlessTemporary(fetchDocument(app, uri, REFRESH));
  return fetched?.id === uri ? fetched : null;
};

const hasSameKey = ({ document, id }: Fetched, { key_id, public_key }: Witness): boolean =>
  keyOf(document, id, key_id ?? `${id}#main-key`)?.key.trim() === public_key.trim();

/** So many other actors of the server are asked whether they are still who they were. */
const WITNESSES = 3;

/**
 * Whether none of those who were known while the old actor was there is left, by address and key. Where one is, the
 * server goes on, and only this name was given to somebody else.
 */
const isSetUpAnew = async (app: App, from: KnownActorRow, toId: string): Promise<boolean> => {
  const before = idAt(from.fetched_at ?? new Date(0));
  const witnesses = await selectWitnesses(app.sql, { from, toId, before, limit: WITNESSES });
  for (const witness of witnesses) {
    const fetched = await fetchAlive(app, witness.uri);
    if (fetched && hasSameKey(fetched, witness)) return false;
  }
  return true;
};

/** How many others of the server, whom people here follow, are read again with the first that was replaced. */
const MAX_OTHERS = 500;

const refreshOthers = async (app: App, { id, domain }: KnownActorRow): Promise<void> => {
  const others = await selectOthersToRefresh(app.sql, { domain, id, limit: MAX_OTHERS });
  const jobs = others.map((uri) => ({ payload: { uri }, key: `refresh-anew:${uri}` }));
  await app.jobs.addMany(app.sql, "actor.refresh", jobs);
};

/** Its server knows nothing of who followed it: each Follow is sent again, in slices. */
const followAgain = async (app: App, account: KnownActorRow, after: string): Promise<void> => {
  const { id } = account;
  if (after === "0") await refreshOthers(app, account);
  const next = await sendFollowsAgain(app, id, after);
  const payload = { fromId: id, toId: id, after: next ?? "" };
  if (next) await app.jobs.add(app.sql, "actor.replaced", payload, { key: `replaced:${id}` });
};

/** The handler of `actor.replaced`: tried again while the server does not answer. */
export const onActorReplaced = async (
  app: App,
  { fromId, toId, after = "0" }: JobPayloads["actor.replaced"],
): Promise<void> => {
  const from = await selectActorById(app.sql, fromId);
  if (!from || from.domain === null) return;
  if (fromId === toId) return followAgain(app, from, after);
  const alive = await fetchAlive(app, from.uri);
  if (alive) {
    await nullUnlessTemporary(storeActor(app, alive, { ...REFRESH, confirm: true }));
    return;
  }
  if (!(await isSetUpAnew(app, from, toId))) return;
  if (await succeedAccount(app, { accountId: fromId, targetId: toId })) {
    await refreshOthers(app, from);
  }
};
