// Blocks a whole domain for a person, and undoes it: all follows between the two end.

import type { App } from "../../../platform/app.ts";
import { chunks } from "../../../platform/chunks.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { blank, invalidField, invalidFields } from "../../../platform/errors.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { canonicalDomain, hostPart } from "../../base/blocklists/domains.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import "./events.ts";
import { selectListed } from "./queries.ts";
import { deleteDomainBlock, deleteFollowsAt, insertDomainBlock, selectNextId } from "./queries.ts";
import type { EndedFollow } from "./queries-write.ts";
import { tellDomainBlock } from "./tell.ts";

/** Returns the spelling that accounts have (without a default port) of a domain, URL or handle; null for none. */
export const normaliseBlocked = (text: string): string | null => {
  const domain = hostPart(text).replace(/^@?[^@]*@/, "");
  return canonicalDomain(domain.replace(/:(?:443|80)$/, ""));
};

/** Throws 422 for text that is not a domain. */
const readDomain = (text: string): string => {
  const domain = normaliseBlocked(text);
  if (domain !== null) return domain;
  throw text.trim() === ""
    ? invalidFields([blank("domain")])
    : invalidField("domain", "is invalid");
};

/** Ended follows that one job records. */
const SEVERED_PART = 1_000;

/** Enqueues jobs that record the ended follows for the person and notify them, with what was in the deleted rows. */
const enqueueSevered = async (
  app: App,
  tx: Tx,
  by: { accountId: string; domain: string },
  ended: EndedFollow[],
): Promise<void> => {
  const follows = ended
    .filter(({ followed }) => followed)
    .map((row) => ({
      otherId: row.account_id === by.accountId ? row.target_account_id : row.account_id,
      isFollower: row.account_id !== by.accountId,
      reblogs: row.show_reblogs,
      replies: row.show_replies,
      dailyLimit: row.daily_limit,
      notify: row.notify,
      languages: row.languages,
    }));
  if (follows.length === 0) return;
  const eventId = await selectNextId(tx);
  const parts = chunks(follows, SEVERED_PART).map((part) => ({
    payload: { ...by, eventId, follows: part },
  }));
  await app.jobs.addMany(tx, "domain.severed", parts);
};

/** Followed people whose posts are removed from open screens; posts of more at one domain stay until a refresh. */
const MAX_FOLLOWED = 1_000;

/**
 * Ends follows and notifies their servers: outgoing follows are undone, incoming ones rejected. Returns who was
 * followed.
 */
const endFollows = async (app: App, tx: Tx, accountId: string, domain: string) => {
  const ended = await deleteFollowsAt(tx, accountId, domain);
  const pairs = ended.map((row) => ({
    pair: { accountId: row.account_id, targetId: row.target_account_id, uri: row.uri },
    followed: row.followed,
  }));
  await countFollows(
    tx,
    pairs.filter(({ followed }) => followed).map(({ pair }) => ({ ...pair, by: -1 as const })),
  );
  const jobs = (isOutgoing: boolean) =>
    pairs
      .filter(({ pair }) => (pair.accountId === accountId) === isOutgoing)
      .map(({ pair }) => ({ payload: pair }));
  await app.jobs.addMany(tx, "account.unfollowed", jobs(true));
  await app.jobs.addMany(tx, "follow.rejected", jobs(false));
  await enqueueSevered(app, tx, { accountId, domain }, ended);
  return pairs
    .filter(({ pair, followed }) => followed && pair.accountId === accountId)
    .map(({ pair }) => pair.targetId);
};

/** Blocks a domain; idempotent. Throws 422 for this server's own domain. */
export const blockDomain = async (app: App, accountId: string, text: string): Promise<void> => {
  const domain = readDomain(text);
  if (domain !== null && isOwnDomain(app.config.site, domain)) {
    throw invalidField("domain", "is invalid");
  }
  await app.sql.begin(async (tx) => {
    await insertDomainBlock(tx, accountId, domain);
    const listed = await selectListed(tx, accountId, { domain });
    const followed = (await endFollows(app, tx, accountId, domain)).slice(0, MAX_FOLLOWED);
    const hidden = { accountId, targetId: null, domain, followed, listed };
    await emit(app, tx, "account.hidden", [hidden]);
  });
  await relationsChanged(app, accountId);
};

/** Changes nothing where the domain is not blocked. */
export const unblockDomain = async (app: App, accountId: string, text: string): Promise<void> => {
  const domain = normaliseBlocked(text);
  if (domain === null) return;
  await deleteDomainBlock(app.sql, accountId, domain);
  await relationsChanged(app, accountId);
  await tellDomainBlock(app, accountId, domain, false);
};
