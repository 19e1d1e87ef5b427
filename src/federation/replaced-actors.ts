// Handles a handle that names another actor than before, or an address that has another actor. For a handle, either its
// actor has another handle now, or it was deleted and somebody new took the name, or the whole server was set up anew,
// with new addresses and keys. Only in the last case do the people here who followed the old actor follow the new one,
// which knows nothing of them.

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

/** Returns what the actor's address serves, if that is still this actor. Throws RemoteFault (unreachable). */
const fetchAlive = async (app: App, uri: string): Promise<Fetched | null> => {
  const fetched = await nullUnlessTemporary(fetchDocument(app, uri, REFRESH));
  return fetched?.id === uri ? fetched : null;
};

const hasSameKey = ({ document, id }: Fetched, { key_id, public_key }: Witness): boolean =>
  keyOf(document, id, key_id ?? `${id}#main-key`)?.key.trim() === public_key.trim();

/** Other actors of the server that are checked to be who they were. */
const WITNESSES = 3;

/**
 * Whether none of the actors that were known beside the old one exists any more, by address and key. If one does, the
 * server was not set up anew, and only this name was given to somebody else.
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

/** Followed actors of the server that are read again with the first that was replaced. */
const MAX_OTHERS = 500;

const refreshOthers = async (app: App, { id, domain }: KnownActorRow): Promise<void> => {
  const others = await selectOthersToRefresh(app.sql, { domain, id, limit: MAX_OTHERS });
  const jobs = others.map((uri) => ({ payload: { uri }, key: `refresh-anew:${uri}` }));
  await app.jobs.addMany(app.sql, "actor.refresh", jobs);
};

/** Sends each Follow again, in slices: the actor's server knows nothing of its followers. */
const followAgain = async (app: App, account: KnownActorRow, after: string): Promise<void> => {
  const { id } = account;
  if (after === "0") await refreshOthers(app, account);
  const next = await sendFollowsAgain(app, id, after);
  const payload = { fromId: id, toId: id, after: next ?? "" };
  if (next) await app.jobs.add(app.sql, "actor.replaced", payload, { key: `replaced:${id}` });
};

/** Handles the job `actor.replaced`; retried while the server does not answer. */
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
