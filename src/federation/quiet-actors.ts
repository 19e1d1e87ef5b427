// Reads actors again whom people here follow and who sent nothing for a week: their servers may have been set up anew,
// and know nothing of these follows.

import type { App } from "../platform/app.ts";
import { addDays } from "../platform/ids/index.ts";
import { selectFollowedPage } from "./queries.ts";

const QUIET_DAYS = 7;
/** Followed accounts looked at each hour. */
const MAX_LOOKED_AT = 500;

/** Key of the id where the next hour continues; without it the search begins anew. */
const CURSOR = "quiet-actors:after";
const CURSOR_SECONDS = 30 * 86_400;

/** Handles the job `actors.quiet`. */
export const refreshQuiet = async (app: App): Promise<void> => {
  const before = addDays(app.clock.now(), -QUIET_DAYS);
  const after = (await app.kv.get(CURSOR)) ?? "0";
  const rows = await selectFollowedPage(app.sql, { after, before, limit: MAX_LOOKED_AT });
  const quiet = rows.filter((row) => row.is_quiet);
  const jobs = quiet.map(({ uri }) => ({ payload: { uri }, key: `quiet:${uri}` }));
  if (jobs.length > 0) await app.jobs.addMany(app.sql, "actor.refresh", jobs);
  const next = rows.length < MAX_LOOKED_AT ? "0" : rows.at(-1)!.id;
  await app.kv.set(CURSOR, next, CURSOR_SECONDS);
};
