// The commands statuses remove, preview-cards remove and search reindex, which do at once what scheduled jobs do
// slowly.

import {
  addDays,
  catchUp,
  countUntouchedBefore,
  deleteUntouchedBefore,
  printCount,
  queueAll,
  removeUnusedCards,
  withApp,
} from "../uses.ts";
import { slices } from "../many.ts";
import type { OutputOptions } from "../uses.ts";
import { countUnusedCards } from "./queries-copies.ts";

/** Removes posts of other servers that nobody here is connected with. */
export const removeStatusesCommand = ({ days, ...options }: OutputOptions & { days: number }) =>
  withApp(async (app) => {
    const newest = addDays(app.clock.now(), -days);
    const step = options.dryRun
      ? countUntouchedBefore(app, newest)
      : () => deleteUntouchedBefore(app, newest);
    printCount(await slices("posts", step), ["posts deleted", "posts would be deleted"], options);
  });

export const removeCardsCommand = (options: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const now = app.clock.now();
    const count = options.dryRun
      ? await countUnusedCards(app.sql, now)
      : await slices("preview cards", () => removeUnusedCards(app, now));
    printCount(count, ["preview cards deleted", "preview cards would be deleted"], options);
  });

export const reindexCommand = ({ json }: OutputOptions): Promise<void> =>
  withApp(async (app) => {
    const accounts = await queueAll(app);
    await slices("search", async () => ({ count: 0, isMore: await catchUp(app) }));
    if (json) return console.log(JSON.stringify({ accounts }, null, 2));
    console.log(`The posts of ${accounts} accounts are in the index.`);
  });
