// Manages terms of service: each version takes effect on a day and is in force until the next one.
// https://docs.joinmastodon.org/entities/TermsOfService/

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { checkAll, checkFilled, faultIf } from "../../../platform/errors.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { says } from "../../../platform/text/texts.ts";
import { recorded } from "../../base/audit/recorded.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { selectTerms, upsertTerms } from "./queries.ts";
import type { TermsRow } from "./queries.ts";
import { notifyOfTerms } from "./notify-of-terms.ts";
import { richText } from "./rich-text.ts";

export type { TermsRow };

/** Key that invalidates the cached terms. */
const CHANGED = "terms:";

/** Caches every version, oldest first; the list is the same as long as none changes. */
export const allTerms = listenedValue<TermsRow[]>({
  name: "terms",
  channel: "settings",
  key: CHANGED,
  read: async (db) => [...(await selectTerms(db))],
});

/** Returns the version in force today, or before the first day the first one; null when there is none. */
export const currentTerms = (terms: TermsRow[], now: Date): TermsRow | null =>
  terms.findLast((row) => row.effective_date <= isoDate(now)) ?? terms[0] ?? null;

export const termsEntity = (row: TermsRow, terms: TermsRow[], now: Date) => ({
  effective_date: row.effective_date,
  effective: row.effective_date <= isoDate(now),
  content: row.content,
  succeeded_by:
    terms.find((other) => other.effective_date > row.effective_date)?.effective_date ?? null,
});

const MAX_TEXT = 200_000;

/** Characters of a wrong value that its refusal repeats. */
const SHOWN = 40;

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  isoDate(new Date(text)) === text;

/**
 * Whether the version may begin: nothing applies before it is published; only the command line brings versions of
 * another server's past.
 */
const mayBegin = async (app: App, actor: Actor, day: string): Promise<boolean> =>
  day >= isoDate(app.clock.now()) ||
  actor === COMMAND_LINE ||
  (await allTerms(app)).some(({ effective_date: known }) => known === day);

/**
 * Publishes a version in force from `day` (YYYY-MM-DD) on; replaces one of the same day. With `tell` members are
 * notified.
 */
export const publishTerms = async (
  app: App,
  actor: Actor,
  day: string,
  text: string,
  tell = false,
): Promise<void> => {
  const may = await mayBegin(app, actor, day);
  const isLong = text.length > MAX_TEXT;
  const content = isLong ? "" : richText(app, text);
  checkAll(
    () => checkFilled({ day }),
    faultIf(!isDay(day), "day", says("staff.terms.bad_day", { day: day.slice(0, SHOWN) })),
    faultIf(isDay(day) && !may, "day", says("staff.terms.past")),
    faultIf(isLong, "text", says("staff.terms.long", { count: MAX_TEXT })),
    faultIf(!isLong && content === "", "text", says("staff.terms.empty")),
  );
  await recorded(app, actor, "settings.write", async (tx) => {
    await upsertTerms(tx, day, content);
    invalidate(tx, CHANGED);
    if (tell) await notifyOfTerms(app, tx, day);
    const target = { type: "terms", id: null, label: day };
    return { entry: { action: "terms.publish", target, details: { told: tell } } };
  });
};
