// Moderators blocked another server, or changed or lifted its block: the block is applied to all accounts of it and of
// its subdomains. A suspension also ends all follows with them, of which people and the other server are notified. This
// happens slice by slice, so that a server of a million accounts blocks nothing.

import type { App } from "../platform/app.ts";
import type { Tx } from "../platform/db/index.ts";
import {
  accountIdsOfDomain,
  knownDomainsUnder,
  limitAccountsOfDomain,
} from "../domain/people/accounts/standing.ts";
import { domainBlocksAmong } from "../domain/base/blocklists/lists.ts";
import { planRecount } from "../domain/posts/events/recount.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import type { DomainSevered } from "../domain/people/relationships/events.ts";
import { relationsChanged } from "../domain/people/relationships/changed.ts";
import type { EndedFollow } from "../domain/people/relationships/sever.ts";
import { recountReactionsOf } from "../domain/posts/statuses/cache.ts";
import {
  accountsOfSeverance,
  recordOwnSevered,
  recordSevered,
} from "../domain/reading/severed-relationships/severed-relationships.ts";
import type { Severed } from "../domain/reading/severed-relationships/severed-relationships.ts";
import { endFollows } from "./ended-follows.ts";

const SLICE = 500;

/** Returns the row from the local person's side. */
const severedRow = (row: EndedFollow, theirs: Set<string>): Severed => {
  const {
    account_id: from,
    target_account_id: to,
    uri: _uri,
    followed: _followed,
    ...options
  } = row;
  return theirs.has(from)
    ? { ...options, account_id: to, other_account_id: from, direction: "follower" }
    : { ...options, account_id: from, other_account_id: to, direction: "followed" };
};

type Done = { afterId: string | null; changed: string[] };

const sever = async (
  app: App,
  tx: Tx,
  ids: string[],
  eventId: string | null,
): Promise<EndedFollow[]> => {
  const ended = await endFollows(app, tx, ids, "both");
  const theirs = new Set(ids);
  const follows = ended.filter(({ followed }) => followed);
  if (eventId === null) return ended;
  await recordSevered(
    tx,
    eventId,
    follows.map((row) => severedRow(row, theirs)),
  );
  return ended;
};

/** Applies the block to one slice of a domain's accounts; `afterId` null means that all are done. */
const limitSlice = (
  app: App,
  domain: string,
  afterId: string,
  eventId: string | null,
): Promise<Done> =>
  app.sql.begin(async (tx) => {
    const [block] = await domainBlocksAmong(tx, domain);
    const ids = await accountIdsOfDomain(tx, domain, afterId, SLICE);
    if (ids.length === 0) return { afterId: null, changed: [] };
    const severity = block?.severity;
    await limitAccountsOfDomain(app, tx, ids, {
      isSuspended: severity === "suspend",
      isSilenced: severity === "silence",
    });
    await recountReactionsOf(tx, ids);
    await planRecount(app, tx, ids);
    const ended = severity === "suspend" ? await sever(app, tx, ids, eventId) : [];
    const changed = ended.flatMap((row) => [row.account_id, row.target_account_id]);
    // The follows of these accounts may exceed a slice, so the same accounts are processed again.
    return { afterId: ended.length > 0 ? afterId : ids.at(-1)!, changed };
  }) as Promise<Done>;

const BATCH = 500;

const notifySevered = async (app: App, eventId: string): Promise<void> => {
  const ids = await accountsOfSeverance(app, eventId);
  const type = "severed_relationships" as const;
  for (let index = 0; index < ids.length; index += BATCH) {
    const notices = ids
      .slice(index, index + BATCH)
      .map((accountId) => ({ accountId, fromId: accountId, type, subjectId: eventId }));
    await notify(app, app.sql, notices);
  }
};

/** Handles the job `domain.severed`: a person blocked a domain, and learns whom they lost. */
export const onDomainSevered = async (app: App, severed: DomainSevered): Promise<void> => {
  const { eventId, accountId, domain } = severed;
  const rows = severed.follows.map((follow): Severed => ({
    account_id: accountId,
    other_account_id: follow.otherId,
    direction: follow.isFollower ? "follower" : "followed",
    show_reblogs: follow.reblogs,
    show_replies: follow.replies ?? true,
    daily_limit: follow.dailyLimit ?? null,
    notify: follow.notify,
    languages: follow.languages,
  }));
  await recordOwnSevered(app, { id: eventId, target: domain }, rows);
  const type = "severed_relationships" as const;
  await notify(app, app.sql, [{ accountId, fromId: accountId, type, subjectId: eventId }]);
};

/** Handles the job `domain.limited`, a slice each time. */
export const onDomainLimited: JobHandler<"domain.limited"> = async (app, payload) => {
  const { domain, eventId, afterId = "0" } = payload;
  const domains = payload.domains ?? (await knownDomainsUnder(app.sql, domain));
  const [current, ...rest] = domains;
  if (current === undefined) return eventId === null ? undefined : notifySevered(app, eventId);
  const done = await limitSlice(app, current, afterId, eventId);
  await relationsChanged(app, ...new Set(done.changed));
  const next =
    done.afterId === null
      ? { domain, eventId, domains: rest }
      : { domain, eventId, domains, afterId: done.afterId };
  await app.jobs.add(app.sql, "domain.limited", next);
};
