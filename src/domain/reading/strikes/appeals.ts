// Handles appeals: somebody asks the moderators to take a decision back, once for each, within a time.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { insertAppeal, selectAppealed, updateAppeal } from "./queries.ts";
import type { Decision } from "./queries.ts";
import { loadStrikes } from "./strikes.ts";
import type { StrikeRow, StrikeView } from "./tables.ts";

export const APPEAL_DAYS = 20;
export const MAX_APPEAL = 2_000;

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Moderators who decide appeals get a mail; `to` is one of them. */
    "appeal.filed": { strikeId: string; to?: { email: string; username: string; locale?: string } };
    /** The person who appealed gets a mail. */
    "appeal.decided": { strikeId: string };
  }
}

/** Throws 404 for one of somebody else. */
export const ownStrike = async (app: App, accountId: string, id: string): Promise<StrikeView> => {
  const view = (await loadStrikes(app, [id])).get(id);
  if (!view || view.target_account_id !== accountId) throw new NotFound();
  return view;
};

export const mayBeAppealed = (app: App, strike: StrikeRow): boolean =>
  strike.appeal_text === null &&
  strike.overruled_at === null &&
  app.clock.now() < addDays(strike.created_at, APPEAL_DAYS);

/** Files an appeal by the person whom the strike is about. */
export const fileAppeal = async (
  app: App,
  accountId: string,
  id: string,
  rawText: string,
): Promise<void> => {
  const strike = await ownStrike(app, accountId, id);
  const text = rawText.trim();
  if (!mayBeAppealed(app, strike)) {
    throw new Unprocessable(says("strikes.once", { count: APPEAL_DAYS }));
  }
  if (text === "" || text.length > MAX_APPEAL) {
    throw new Unprocessable(says("strikes.length", { max: MAX_APPEAL }));
  }
  await app.sql.begin(async (tx) => {
    if (!(await insertAppeal(tx, id, text, app.clock.now()))) {
      throw new Unprocessable(says("strikes.appealed_already"));
    }
    await app.jobs.add(tx, "appeal.filed", { strikeId: id });
  });
};

/** Decides an appeal; throws 422 where none waits. Moderation checks who may do it. */
export const decideAppeal = async (
  app: App,
  tx: Db,
  strikeId: string,
  { approved, by }: Omit<Decision, "at">,
): Promise<void> => {
  if (!(await updateAppeal(tx, strikeId, { approved, by, at: app.clock.now() }))) {
    throw new Unprocessable(says("moderation.appeals.decided_already"));
  }
  await app.jobs.add(tx, "appeal.decided", { strikeId });
};

/** Returns strikes whose appeals wait, or are decided; the newest first. */
export const listAppealed = async (
  app: App,
  decided: boolean,
  page: Page,
): Promise<StrikeView[]> => {
  const ids = await selectAppealed(app.sql, decided, page);
  const views = await loadStrikes(app, ids);
  return ids.flatMap((id) => views.get(id) ?? []);
};
