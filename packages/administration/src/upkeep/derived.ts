// The commands feeds build, feeds clear, cache clear and cache recount, which rebuild derived data.

import {
  ACCOUNTS_PER_RESET_JOB,
  ConfigError,
  EVERYTHING,
  bar,
  invalidate,
  printCount,
  progressLine,
  withApp,
} from "../uses.ts";
import { accountNamed, accountsOf, countOf, slices } from "../many.ts";
import type { App, OutputOptions } from "../uses.ts";
import { COUNTED, countedOf, recountSlice } from "./recount.ts";
import type { Counted } from "./recount.ts";

type FeedOptions = OutputOptions & { all?: boolean };

/** Priority of these jobs, after everything else that waits. */
const LAST = 100;

const queueReset = async (app: App, accountIds: string[], build: boolean): Promise<void> => {
  if (accountIds.length === 0) return;
  await app.jobs.add(app.sql, "feeds.renew", { accountIds, build }, { priority: LAST });
};

const allHere = async function* (app: App): AsyncGenerator<string> {
  for await (const { id } of accountsOf(app, "local")) yield id;
};

const named = async function* (app: App, names: string[]): AsyncGenerator<string> {
  for (const name of names) yield await accountNamed(app, name);
};

/** Enqueues jobs for a few people each: the servers hold the feeds, so they do the work. */
export const feedsCommand = (
  act: "build" | "clear",
  names: string[],
  options: FeedOptions,
): Promise<void> =>
  withApp(async (app) => {
    if (names.length === 0 && !options.all) throw new ConfigError("Name accounts, or pass --all.");
    const all = options.all ? await countOf(app, "local") : names.length;
    const line = progressLine();
    let waiting: string[] = [];
    let count = 0;
    for await (const id of options.all ? allHere(app) : named(app, names)) {
      count += 1;
      waiting.push(id);
      if (waiting.length < ACCOUNTS_PER_RESET_JOB || options.dryRun) continue;
      await queueReset(app, waiting.splice(0), act === "build");
      line.show(bar(count, all, "accounts"));
    }
    if (!options.dryRun) await queueReset(app, waiting, act === "build");
    line.clear();
    const what = `${act === "build" ? "filled again" : "emptied"} by the running server`;
    const whose = "accounts whose feeds";
    printCount(count, [`${whose} are ${what}`, `${whose} would be ${what}`], options);
  });

/** Clears the caches of the servers on this database; they read values again when they need them. */
export const clearCacheCommand = (): Promise<void> =>
  withApp(async (app) => {
    invalidate(app.sql, EVERYTHING);
    console.log("OK");
  });

export const recountCommand = (name: string, options: OutputOptions): Promise<void> => {
  const what = COUNTED.find((word) => word === name);
  if (!what) throw new ConfigError(`What is counted are ${COUNTED.join(" and ")}, not "${name}".`);
  return withApp((app) => recount(app, what, options));
};

const recount = async (app: App, what: Counted, options: OutputOptions): Promise<void> => {
  let after = "0";
  const step = async () => {
    const { looked, wrong, last } = await recountSlice(app, what, after, {
      dryRun: options.dryRun ?? false,
    });
    after = last ?? after;
    return { count: wrong, looked, isMore: last !== null };
  };
  const wrong = await slices(what, step, await countedOf(app, what));
  const counts = `${what} with wrong counts`;
  printCount(wrong, [`${counts} put right`, `${counts} would be put right`], options);
};
