// Accepts a follow request, by a local account or by an Accept from another server.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import type { Pair } from "./events.ts";
import { selectRequesters } from "./queries.ts";
import { acceptRequest, lockPair } from "./queries-write.ts";
import { tellRelation } from "./tell.ts";

const acceptIn = async (app: App, tx: Tx, { accountId, targetId }: Pair): Promise<boolean> => {
  await lockPair(tx, accountId, targetId);
  const accepted = await acceptRequest(tx, accountId, targetId);
  if (!accepted) return false;
  if (accepted.inserted) await countFollows(tx, [{ accountId, targetId, by: 1 }]);
  await app.jobs.add(tx, "follow.accepted", { accountId, targetId, uri: accepted.uri });
  return true;
};

/** `accountId` requested, `targetId` accepts. Returns false and changes nothing where there is no request. */
export const acceptFollow = async (app: App, pair: Pair): Promise<boolean> => {
  const accepted = await app.sql.begin((tx) => acceptIn(app, tx, pair));
  if (!accepted) return false;
  await relationsChanged(app, pair.accountId);
  await tellRelation(app, pair.accountId, pair.targetId);
  return true;
};

/** Accepts all waiting requests, once the account is no longer locked. */
export const acceptAllFollows = async (app: App, targetId: string): Promise<void> => {
  for (const { account_id: accountId } of await selectRequesters(app.sql, targetId)) {
    await acceptFollow(app, { accountId, targetId });
  }
};
