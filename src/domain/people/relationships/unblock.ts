// Undoes a block; the follows that it ended stay ended.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { relationsChanged } from "./changed.ts";
import type { Pair } from "./events.ts";
import { deleteBlock, lockPair } from "./queries-write.ts";
import { tellRelation } from "./tell.ts";

const unblockIn = async (app: App, tx: Tx, { accountId, targetId }: Pair): Promise<void> => {
  await lockPair(tx, accountId, targetId);
  const uri = await deleteBlock(tx, accountId, targetId);
  if (uri === undefined) return;
  await app.jobs.add(tx, "account.unblocked", { accountId, targetId, uri });
};

/** Changes nothing where there is no block. */
export const unblock = async (app: App, pair: Pair): Promise<void> => {
  await app.sql.begin((tx) => unblockIn(app, tx, pair));
  await relationsChanged(app, pair.accountId, pair.targetId);
  await tellRelation(app, pair.accountId, pair.targetId);
};
