// Rejects a follow request, or removes a follower.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import type { Pair } from "./events.ts";
import { deleteFollow, lockPair } from "./queries-write.ts";

const rejectIn = async (app: App, tx: Tx, { accountId, targetId }: Pair): Promise<boolean> => {
  await lockPair(tx, accountId, targetId);
  const request = await deleteFollow(tx, "follow_requests", accountId, targetId);
  const followed = await deleteFollow(tx, "follows", accountId, targetId);
  if (request === undefined && followed === undefined) return false;
  if (followed !== undefined) await countFollows(tx, [{ accountId, targetId, by: -1 }]);
  const uri = request ?? followed ?? null;
  await app.jobs.add(tx, "follow.rejected", { accountId, targetId, uri });
  return true;
};

/** `accountId` requested or follows, `targetId` rejects. Returns false when there was neither. */
export const rejectFollow = async (app: App, pair: Pair): Promise<boolean> => {
  const rejected = await app.sql.begin((tx) => rejectIn(app, tx, pair));
  if (rejected) await relationsChanged(app, pair.accountId);
  return rejected;
};

const refuseIn = async (app: App, tx: Tx, { accountId, targetId }: Pair): Promise<boolean> => {
  await lockPair(tx, accountId, targetId);
  const uri = await deleteFollow(tx, "follow_requests", accountId, targetId);
  if (uri === undefined) return false;
  await app.jobs.add(tx, "follow.rejected", { accountId, targetId, uri });
  return true;
};

/** Rejects a request only and leaves an accepted follow alone. Returns false when there was no request. */
export const refuseRequest = (app: App, pair: Pair): Promise<boolean> =>
  app.sql.begin((tx) => refuseIn(app, tx, pair));
