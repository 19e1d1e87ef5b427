// Commands that process many things: a few accounts at a time, or slice by slice, so that the running server keeps its
// share. They show a bar on a terminal, and list failures at the end.

import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, DomainError, bar, findKnownId, progressLine } from "./uses.ts";
import type { App, OutputOptions, Verb } from "./uses.ts";
import { countAccounts, selectAccountsAfter, selectByHandles } from "./queries.ts";
import type { Listed, Whose } from "./queries.ts";

const PAGE = 200;

/** Returns the account's id; throws a sentence for a name that nobody has. */
export const accountNamed = async (app: App, name: string): Promise<string> => {
  const id = await findKnownId(app, name);
  if (!id) throw new ConfigError(`There is no account ${name} on this server.`);
  return id;
};

export const named = async (app: App, names: string[]): Promise<Listed[]> => {
  const ids: string[] = [];
  for (const name of names) ids.push(await accountNamed(app, name));
  return [...(await selectByHandles(app.sql, ids))];
};

export async function* eachOf(accounts: Listed[]): AsyncGenerator<Listed> {
  yield* accounts;
}

export async function* accountsOf(app: App, of: Whose): AsyncGenerator<Listed> {
  let after = "0";
  for (;;) {
    const page = await selectAccountsAfter(app.sql, of, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

export const handleOf = ({ username, domain }: Listed): string =>
  domain === null ? `@${username}` : `@${username}@${domain}`;

export type Outcome = { done: string[]; failed: { name: string; why: string }[]; looked: number };

/** Returns false where nothing had to be done. */
export type Act = (account: Listed) => Promise<boolean>;

/** Names printed at the end, and in JSON. */
const MAX_NAMED = 1000;

export const forEach = async (
  accounts: AsyncIterable<Listed>,
  { all, atOnce = 4 }: { all: number; atOnce?: number },
  act: Act,
): Promise<Outcome & { count: number }> => {
  const line = progressLine();
  const outcome = { done: [] as string[], failed: [] as Outcome["failed"], looked: 0, count: 0 };
  const run = async (account: Listed): Promise<void> => {
    try {
      if (await act(account)) {
        outcome.count += 1;
        if (outcome.done.length < MAX_NAMED) outcome.done.push(handleOf(account));
      }
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof ConfigError)) throw error;
      if (outcome.failed.length < MAX_NAMED) {
        outcome.failed.push({ name: handleOf(account), why: error.message });
      }
    }
    outcome.looked += 1;
    line.show(bar(outcome.looked, all, "accounts"));
  };
  const items = accounts[Symbol.asyncIterator]();
  const runRest = async (): Promise<void> => {
    for (let next = await items.next(); !next.done; next = await items.next())
      await run(next.value);
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, runRest));
  } finally {
    line.clear();
  }
  return outcome;
};

export const countOf = (app: App, of: Whose): Promise<number> => countAccounts(app.sql, of);

export const DELETED: Verb = ["deleted", "would be deleted"];

/** Prints the names; the exit code is 1 where something failed. */
export const printNames = (
  { done, failed, looked, count }: Outcome & { count: number },
  [verb, planned]: Verb,
  { dryRun = false, json }: OutputOptions,
): void => {
  if (failed.length > 0) process.exitCode = 1;
  if (json)
    return console.log(JSON.stringify({ dry_run: dryRun, looked, count, done, failed }, null, 2));
  for (const name of done) console.log(name);
  for (const { name, why } of failed) console.error(`${name}: ${why}`);
  const counts = `${count} of ${looked}`;
  const what = dryRun ? `Dry run: ${counts} ${planned}` : `${counts} ${verb}`;
  console.log(`${what}, ${failed.length} failed`);
};

/** The result of a step: how many entries it counted, whether more are left, and how many it looked at. */
export type Step = { count: number; isMore: boolean; looked?: number };

/**
 * Runs steps slice by slice, with pauses as long as the slices took, so that half of the time is left to the server.
 * Returns what the slices found together. `all` is the number to look at, where it is known.
 */
export const slices = async (
  what: string,
  step: () => Promise<Step>,
  all?: number,
): Promise<number> => {
  const line = progressLine();
  let [count, looked, done] = [0, 0, 0];
  for (let isMore = true; isMore; done += 1) {
    const before = performance.now();
    const result = await step();
    isMore = result.isMore;
    count += result.count;
    looked += result.looked ?? 0;
    line.show(all === undefined ? `${what}: ${done + 1} steps` : bar(looked, all, what));
    if (isMore) await sleep(performance.now() - before);
  }
  line.clear();
  return count;
};
