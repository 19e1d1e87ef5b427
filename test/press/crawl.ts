// Walks through every page of a person and presses each control, also those that appear by a press. What repeats is
// pressed once: the frame around all pages and what opens above them once for a person, the rest once on each page.

import type { Browser, Window } from "./port.ts";
import { listControls, openPage, press } from "./judge.ts";
import type { Visit } from "./judge.ts";
import { isKnown } from "./accepted-findings.ts";
import type { Finding } from "./accepted-findings.ts";
import type { PersonName, World } from "./world.ts";

export const SIZES = {
  desk: { width: 1280, height: 800, touch: false },
  phone: { width: 390, height: 844, touch: true },
};
export type SizeName = keyof typeof SIZES;

export type CrawlOptions = {
  size: SizeName;
  person: PersonName;
  withoutScripts?: boolean;
  /** Pages in order. */
  pages: readonly string[];
  /** Chooses which of a page's controls are pressed, and in which order. */
  choose(keys: string[]): string[];
  /** Maximum number of pressed controls that differ in their text alone, as emojis and languages do. */
  alike: number;
  /** Presses after which it stops. */
  presses: number;
  /** Called after each page with the number of controls pressed so far. */
  onPage?(page: string, controls: number): void;
  onFinding(finding: Finding, window: Window | null): Promise<void>;
};

export type Crawled = { pages: string[]; controls: number };

/** Depth of presses: from a page to a control within what opens within what it opens. */
const DEPTH = 4;

type Walk = {
  browser: Browser;
  world: World;
  options: CrawlOptions;
  visit: Visit | null;
  seen: Set<string>;
  crawled: Crawled;
  /** Failures in a row: with many the browser is gone, and not the page at fault. */
  failures: number;
};

const MAX_FAILURES = 5;

const isOnce = (key: string): boolean => /^(?:frame|layer)/.test(key);

/** Opens a person's window on a world in which nothing was pressed yet. */
const begin = async (walk: Walk): Promise<Visit> => {
  if (walk.visit) return walk.visit;
  const { browser, world, options } = walk;
  const window = await browser.window({
    ...SIZES[options.size],
    withoutScripts: options.withoutScripts,
    origin: world.url,
    cookies: world.cookies[options.person],
  });
  return (walk.visit = {
    window,
    answers: world.answers,
    withoutScripts: options.withoutScripts === true,
  });
};

/** Forgets what was written, and all that the browser keeps. */
const forget = async (walk: Walk): Promise<void> => {
  await walk.visit?.window.close().catch(() => {});
  walk.visit = null;
  await walk.world.reset();
};

const tell = async (walk: Walk, page: string, keys: string[], what: string, faults: string[]) => {
  const { browser, options } = walk;
  const from = { browser: browser.name, size: options.size, person: options.person };
  for (const fault of faults) {
    const finding = { ...from, page, keys, what, fault };
    if (!isKnown(finding)) await options.onFinding(finding, walk.visit?.window ?? null);
  }
};

/** Returns a key without the words of its control. */
const kindOf = (key: string): string => key.split(" | ").slice(0, 2).join(" | ");

/** Removes controls of which too many are alike: the first of them stay, and the last one. */
const withoutAlike = (keys: string[], most: number): string[] => {
  const kinds = Map.groupBy(keys, kindOf);
  const kept = new Set(
    [...kinds.values()].flatMap((alike) =>
      alike.length > most ? [...alike.slice(0, most - 1), alike.at(-1)!] : alike,
    ),
  );
  return keys.filter((key) => kept.has(key));
};

/** Returns those of the page that were not met before, each after what has to be pressed to see it. */
const meet = (walk: Walk, page: string, keys: string[], before: string[]): string[][] => {
  const fresh = keys.filter((key) => {
    const name = isOnce(key) ? key : `${page} ${key}`;
    if (walk.seen.has(name)) return false;
    walk.seen.add(name);
    return true;
  });
  const { choose, alike } = walk.options;
  return choose(withoutAlike(fresh, alike)).map((key) => [...before, key]);
};

/** Presses these on the newly opened page; null if one is not there. */
const pressAll = async (walk: Walk, page: string, keys: string[]): Promise<Visit | null> => {
  const visit = await begin(walk);
  await openPage(visit, page);
  for (const key of keys) if ((await press(visit, key)).what === null) return null;
  return visit;
};

/** Presses the last of these after the others, on the newly opened page; returns what has appeared. */
const pressLast = async (walk: Walk, page: string, keys: string[]): Promise<string[][]> => {
  const before = keys.slice(0, -1);
  let visit = await pressAll(walk, page, before);
  if (!visit) {
    // A draft that the browser kept of an earlier visit offers other choices.
    await forget(walk);
    visit = await pressAll(walk, page, before);
  }
  if (!visit) return [];
  const outcome = await press(visit, keys.at(-1)!);
  if (outcome.what === null) return [];
  walk.crawled.controls += 1;
  await tell(walk, page, keys, outcome.what, outcome.faults);
  const brought =
    keys.length < DEPTH && !outcome.left ? meet(walk, page, await listControls(visit), keys) : [];
  if (outcome.wrote) await forget(walk);
  return brought;
};

/** Leaves a page that hangs, or that broke the browser's protocol: its window cannot be used any more. */
const orLeave = async <T>(
  walk: Walk,
  page: string,
  keys: string[],
  work: () => Promise<T>,
): Promise<T | null> => {
  try {
    const result = await work();
    walk.failures = 0;
    return result;
  } catch (error) {
    walk.failures += 1;
    if (walk.failures > MAX_FAILURES) throw new Error("the browser is gone", { cause: error });
    const { message, cause } = error as Error;
    const fault =
      `hangs or crashes: ${message} ${cause instanceof Error ? cause.message : ""}`.trim();
    await tell(walk, page, keys, keys.at(-1) ?? "", [fault]);
    await forget(walk);
    return null;
  }
};

const crawlPage = async (walk: Walk, page: string): Promise<void> => {
  const { options, crawled } = walk;
  if (!(await walk.world.hasPage(options.person, page))) return;
  const queue = await orLeave(walk, page, [], async () => {
    const visit = await begin(walk);
    const faults = await openPage(visit, page);
    crawled.pages.push(page);
    await tell(walk, page, [], "the page", faults);
    return meet(walk, page, await listControls(visit), []);
  });
  for (let keys = queue?.shift(); keys; keys = queue!.shift()) {
    if (crawled.controls >= options.presses) return;
    const path = keys;
    queue!.push(...((await orLeave(walk, page, path, () => pressLast(walk, page, path))) ?? []));
  }
};

export const crawl = async (
  browser: Browser,
  world: World,
  options: CrawlOptions,
): Promise<Crawled> => {
  const crawled: Crawled = { pages: [], controls: 0 };
  const walk: Walk = {
    browser,
    world,
    options,
    visit: null,
    seen: new Set(),
    crawled,
    failures: 0,
  };
  for (const page of options.pages) {
    if (crawled.controls >= options.presses) break;
    await crawlPage(walk, page);
    if (crawled.pages.at(-1) === page) options.onPage?.(page, crawled.controls);
  }
  await forget(walk);
  return crawled;
};
