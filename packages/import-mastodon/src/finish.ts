// Computes what follows from the imported rows: counts, history of tags, the search index, jobs for later.

import { addDays, planEnds, indexMarked, queueEverybody, planScheduled } from "./uses.ts";
import type { App } from "./uses.ts";
import {
  analyze,
  countTagDays,
  insertMissingStats,
  insertTitle,
  insertWeeks,
  markBlockedWithDomain,
  passSequences,
  selectMarked,
  selectOpenPolls,
  selectScheduledTimes,
} from "./queries-finish.ts";

const HISTORY_DAYS = 14;
const MARKED = 500;

const indexAllMarked = async (app: App): Promise<void> => {
  for (let after = "0"; ;) {
    const ids = await selectMarked(app.sql, after, MARKED);
    if (ids.length === 0) return;
    await indexMarked(app, ids);
    after = ids.at(-1)!;
  }
};

export const finish = async (app: App): Promise<void> => {
  const now = app.clock.now();
  await insertMissingStats(app.sql);
  // A Mastodon without a title shows its domain, by which people know it.
  await insertTitle(app.sql, app.config.site.localDomain);
  await markBlockedWithDomain(app.sql);
  await countTagDays(app.sql, addDays(now, -HISTORY_DAYS));
  await insertWeeks(app.sql);
  await passSequences(app.sql);
  await analyze(app.sql);
  await indexAllMarked(app);
  // The server does the rest once it runs.
  await queueEverybody(app);
  await app.jobs.add(app.sql, "search.catch_up", {}, { key: "search.catch_up" });
  await planEnds(app, app.sql, [...(await selectOpenPolls(app.sql, now))]);
  for (const { id, scheduled_at: at } of await selectScheduledTimes(app.sql))
    await app.sql.begin((tx) => planScheduled(app, tx, id, at));
};
