// Terms of service: each version holds from a day on, until the next one does.
// https://docs.joinmastodon.org/entities/TermsOfService/

import type { App } from "../../platform/app.ts";
import { keepWhileHeard } from "../../platform/db/heard.ts";
import type { Heard } from "../../platform/db/heard.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { isoDate } from "../../platform/ids/index.ts";
import { selectTerms, upsertTerms } from "./queries.ts";
import type { TermsRow } from "./queries.ts";
import { richText } from "./rich-text.ts";

const caches = new WeakMap<App, Heard<TermsRow[]>>();

const cacheOf = (app: App): Heard<TermsRow[]> => {
  const present = caches.get(app);
  if (present) return present;
  const made = keepWhileHeard(app, "settings", async () => [...(await selectTerms(app.sql))]);
  caches.set(app, made);
  return made;
};

/** Every version, oldest first; the same list as long as none changes. */
export const allTerms = async (app: App): Promise<TermsRow[]> =>
  app.config.caches.statuses ? cacheOf(app).get() : selectTerms(app.sql);

/** The version that holds today; where none does yet, the one that will. Null when there is none. */
export const currentTerms = (terms: TermsRow[], now: Date): TermsRow | null =>
  terms.findLast((row) => row.effective_date <= isoDate(now)) ?? terms[0] ?? null;

export const termsEntity = (row: TermsRow, terms: TermsRow[], now: Date) => ({
  effective_date: row.effective_date,
  effective: row.effective_date <= isoDate(now),
  content: row.content,
  succeeded_by:
    terms.find((other) => other.effective_date > row.effective_date)?.effective_date ?? null,
});

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  isoDate(new Date(text)) === text;

/** Publishes a version that holds from `day` (YYYY-MM-DD) on, in place of one from the same day. */
export const publishTerms = async (app: App, day: string, text: string): Promise<void> => {
  if (!isDay(day))
    throw new Unprocessable(`"${day}" is not a valid date. Use the format 2027-01-31.`);
  const content = richText(app, text);
  if (content === "") throw new Unprocessable("The terms of service cannot be empty.");
  await upsertTerms(app.sql, day, content);
  caches.get(app)?.forget();
};
