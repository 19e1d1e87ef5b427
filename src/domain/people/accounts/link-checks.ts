// Plans the verification of profile links: after a profile was saved, and at intervals as long as it has links; for
// remote profiles when they are fetched if somebody here follows them, and when somebody looks. Times are bounded, so
// that many accounts cannot make this server send requests to a third one.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { soleLink } from "../../../platform/text/rel-me.ts";
import "./events.ts";
import { selectFields } from "./queries.ts";
import type { AccountField, AccountView } from "./tables.ts";

const HOUR_MS = 3_600_000;
/** Milliseconds after which links are verified again. */
const AGAIN_MS = 7 * 24 * HOUR_MS;
/** Least milliseconds between two verifications of a remote profile. */
const REMOTE_MS = HOUR_MS;

/** Returns the URL that is the whole value of a field, so that its page can verify it; otherwise null. */
export const provableLink = (field: AccountField): string | null => soleLink(field.value_html);

const planAt = (app: App, db: Db, accountId: string, runAt: Date): Promise<void> =>
  app.jobs.add(db, "account.links", { id: accountId }, { key: `links:${accountId}`, runAt });

/**
 * Returns when verification is due: for local profiles now, for remote ones when new or a week old, at most once an
 * hour.
 */
const dueAt = (now: Date, isOurs: boolean, fields: AccountField[], checked: Date | null) => {
  if (isOurs || checked === null) return now;
  const isOpen = fields.some((field) => field.verified_at === null && provableLink(field));
  return new Date(checked.getTime() + (isOpen ? REMOTE_MS : AGAIN_MS));
};

const planCheck = async (app: App, db: Db, accountId: string, isWanted: boolean): Promise<void> => {
  const row = await selectFields(db, accountId);
  if (!row?.fields.some(provableLink)) return;
  if (row.domain !== null && !row.followed && !isWanted) return;
  const now = app.clock.now();
  const due = dueAt(now, row.domain === null, row.fields, row.links_checked_at);
  await planAt(app, db, accountId, due > now ? due : now);
};

/**
 * Enqueues verification in the transaction that changes the profile; does nothing where it has no links, or belongs to
 * a remote account that nobody here follows.
 */
export const planLinkCheck = (app: App, db: Db, accountId: string): Promise<void> =>
  planCheck(app, db, accountId, false);

const mayHaveLink = ({ verified_at, value_html }: AccountField): boolean =>
  verified_at === null && value_html.includes(" href=");

/** Enqueues verification for a profile that somebody here opens or wants to follow, at most once an hour. */
export const planWantedLinkCheck = async (
  app: App,
  { id, domain, fields }: Pick<AccountView, "id" | "domain" | "fields">,
): Promise<void> => {
  if (domain === null || !fields.some(mayHaveLink)) return;
  if (!(await app.kv.add(`links-wanted:${id}`, "1", REMOTE_MS / 1000))) return;
  await planCheck(app, app.sql, id, true);
};

/** Enqueues the next verification of a local profile; for remote ones it is planned whenever the actor is fetched. */
export const planNextCheck = (app: App, accountId: string): Promise<void> =>
  planAt(app, app.sql, accountId, new Date(app.clock.now().getTime() + AGAIN_MS));
