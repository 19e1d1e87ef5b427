// When the links of a profile are looked at: after it was saved, when a remote one was read again, and
// from time to time as long as there are any.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { soleLink } from "../../platform/text/rel-me.ts";
import "./events.ts";
import { selectFields } from "./queries.ts";
import type { AccountField } from "./tables.ts";

const HOUR_MS = 3_600_000;
/** Proofs are looked at again after this. */
const AGAIN_MS = 7 * 24 * HOUR_MS;
/** Strangers' profiles make us ask other servers at most this often. */
const STRANGER_MS = HOUR_MS;

/** The address that a field consists of, where its page could prove it; null for all others. */
export const provableLink = (field: AccountField): string | null => soleLink(field.value_html);

const planAt = (app: App, db: Db, accountId: string, runAt: Date): Promise<void> =>
  app.jobs.add(db, "account.links", { id: accountId }, { key: `links:${accountId}`, runAt });

/** When a profile is due: ours at once, others when it is new or a week old, and once an hour at most. */
const dueAt = (now: Date, isOurs: boolean, fields: AccountField[], checked: Date | null) => {
  if (isOurs || checked === null) return now;
  const isOpen = fields.some((field) => field.verified_at === null && provableLink(field));
  return new Date(checked.getTime() + (isOpen ? STRANGER_MS : AGAIN_MS));
};

/** Enqueues the look at an account's links with the change of its profile; nothing where it has none. */
export const planLinkCheck = async (app: App, db: Db, accountId: string): Promise<void> => {
  const row = await selectFields(db, accountId);
  if (!row?.fields.some(provableLink)) return;
  const now = app.clock.now();
  const due = dueAt(now, row.domain === null, row.fields, row.links_checked_at);
  await planAt(app, db, accountId, due > now ? due : now);
};

/** The next look at a profile of ours; strangers' are planned whenever their actor is read. */
export const planNextCheck = (app: App, accountId: string): Promise<void> =>
  planAt(app, app.sql, accountId, new Date(app.clock.now().getTime() + AGAIN_MS));
