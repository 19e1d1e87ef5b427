// Blocks an account: follows and requests between the two end, and neither sees the other; or undoes a block, after
// which the follows stay ended.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import type { FollowChange } from "./counts.ts";
import type { PairWithUri, Pair } from "./events.ts";
import { selectListed } from "./queries.ts";
import { deleteFollow, insertBlock, lockPair, deleteBlock } from "./queries-write.ts";
import { tellRelation } from "./tell.ts";

/** `uri` is that of the Block activity, when another server sent it. */
type BlockInput = { accountId: string; targetId: string; uri?: string | null };

type Ended = { counts: FollowChange[]; ended: PairWithUri | null };

const end = async (tx: Tx, accountId: string, targetId: string): Promise<Ended> => {
  const followed = await deleteFollow(tx, "follows", accountId, targetId);
  const request = await deleteFollow(tx, "follow_requests", accountId, targetId);
  const uri = followed ?? request ?? null;
  return {
    counts: followed === undefined ? [] : [{ accountId, targetId, by: -1 }],
    ended: followed === undefined && request === undefined ? null : { accountId, targetId, uri },
  };
};

const blockIn = async (app: App, tx: Tx, input: Required<BlockInput>): Promise<void> => {
  const { accountId, targetId } = input;
  await lockPair(tx, accountId, targetId);
  const uri = input.uri ?? `${app.config.site.origin}/${randomUUID()}`;
  const isNew = await insertBlock(tx, accountId, targetId, uri);
  // The accounts leave the lists when the follow is deleted.
  const listed = input.uri === null ? await selectListed(tx, accountId, { targetId }) : [];
  const outgoing = await end(tx, accountId, targetId);
  const incoming = await end(tx, targetId, accountId);
  await countFollows(tx, [...outgoing.counts, ...incoming.counts]);
  // A peer that blocks has ended the follows itself and needs no activity about them.
  if (input.uri === null && outgoing.ended)
    await app.jobs.add(tx, "account.unfollowed", outgoing.ended);
  if (input.uri === null && incoming.ended)
    await app.jobs.add(tx, "follow.rejected", incoming.ended);
  if (isNew) await app.jobs.add(tx, "account.blocked", { accountId, targetId, uri });
  if (input.uri !== null) return;
  const followed = outgoing.counts.map((ended) => ended.targetId);
  const hidden = { accountId, targetId, domain: null, followed, listed };
  await emit(app, tx, "account.hidden", [hidden]);
};

/** Blocks an account; idempotent. Throws Forbidden for oneself. */
export const block = async (app: App, input: BlockInput): Promise<void> => {
  if (input.accountId === input.targetId) {
    throw new Forbidden("You cannot block your own account");
  }
  await app.sql.begin((tx) => blockIn(app, tx, { uri: null, ...input }));
  await relationsChanged(app, input.accountId, input.targetId);
};

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
