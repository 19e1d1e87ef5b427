// Judges one press: something has to change or to be said, completely visible, and nothing may break.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../journeys/eventually.ts";
import type { Answer, Answers } from "./answers.ts";
import { HANGS_MS } from "./port.ts";
import type { Window } from "./port.ts";

export const HAND = readFileSync(new URL("in-page.js", import.meta.url), "utf8")
  .trim()
  .replace(/;$/, "");

/** Somebody's window on a server. */
export type Visit = { window: Window; answers: Answers; withoutScripts?: boolean };

type Aim = {
  x: number;
  y: number;
  what: string;
  over: string;
  isBehind: boolean;
  isOut: boolean;
  /** Its form has a field about which the browser itself says what is wrong. */
  isRefused: boolean;
  isThere: boolean;
};
type Layer = { key: string; fault: string };
type Look = { state: number; words: string; layers: Layer[] };

export type Outcome = {
  /** The control as it is in the document; null if it is not there any more. */
  what: string | null;
  faults: string[];
  /** True when the server may have other rows than before. */
  wrote: boolean;
  /** True when the document is another one, or at another address. */
  left: boolean;
};

/** Requests that the client sends by itself while somebody reads. */
const BY_ITSELF = /^\/api\/v1\/markers|\/dismiss$|\/read$/;
/** Texts that only a developer understands. */
const RAW =
  /Failed to fetch|NetworkError|Load failed|HTTP [45]\d\d|\[object |\bundefined\b|\bNaN\b/;
/** Cumulative layout shift that is allowed while a page is loaded. */
const SHIFTS = 0.01;
/** Milliseconds until a press has begun what follows from it, and until a busy machine has begun it. */
const BEGINS_MS = 60;
const LATE_MS = 1000;

/** Waits until no answer is awaited and nothing moves; then the document has a `hand`. */
export const settle = async ({ window, answers, withoutScripts }: Visit): Promise<void> => {
  let looks = 0;
  await eventually(
    "the page to come to rest",
    async () => {
      if (answers.pending() > 0) return false;
      if (await window.evaluate("window.hand === undefined")) await window.evaluate(HAND);
      looks = (await window.evaluate(`hand.isReady(${withoutScripts})`)) ? looks + 1 : 0;
      return looks > 1;
    },
    HANGS_MS,
  );
};

const look = (window: Window): Promise<Look> =>
  window.evaluate("({ state: hand.state(), words: hand.words(), layers: hand.layers() })");

export const listControls = ({ window }: Visit): Promise<string[]> =>
  window.evaluate("hand.list()");

/** Returns faults of the answers to a page or a press; `said`: the page shows other words than before. */
const faultsOfAnswers = (answers: Answer[], said: boolean): string[] =>
  answers.flatMap(({ method, url, status }) => {
    if (status >= 500) return [`${method} ${url} is answered ${status}`];
    return status >= 400 && !said
      ? [`${method} ${url} is answered ${status}, and the page says nothing`]
      : [];
  });

const rawWords = (words: string, before = ""): string[] => {
  const raw = RAW.exec(words)?.[0];
  return raw && !before.includes(raw) ? [`the page says "${raw}"`] : [];
};

/** Opens a page, and returns its faults. */
export const openPage = async (visit: Visit, path: string): Promise<string[]> => {
  const { window, answers } = visit;
  answers.take();
  await window.open(path);
  await settle(visit);
  const all = answers.take();
  const [page] = all.filter(({ url }) => url === path);
  const { words } = await look(window);
  const faults = [
    ...faultsOfAnswers(
      all.filter((each) => each !== page),
      false,
    ),
    ...window.takeFaults(),
    ...rawWords(words),
  ];
  if (page && page.status >= 500) faults.push(`the page is answered ${page.status}`);
  const shift = await window.evaluate<number>("hand.shift()");
  if (shift > SHIFTS) faults.push(`the page shifts by ${shift.toFixed(3)} while it is loaded`);
  return faults;
};

const faultsOfLayers = (before: Look, after: Look): string[] =>
  after.layers
    .filter(({ key, fault }) => fault && !before.layers.some((layer) => layer.key === key))
    .map(({ key, fault }) => `what opens is ${fault}: ${key}`);

/** Whether the browser itself shows the result: a list, a file, a new window. */
const isOwnWindow = (what: string): boolean =>
  /^<(?:select|audio|video)\b|^<input[^>]* type="file"|^<a [^>]*\bdownload=/.test(what);

const AIMS = 5;

/** Aims until the control stays in place: what scrolls into view may be drawn only then, and move the rest. */
const aimAt = async (visit: Visit, key: string): Promise<Aim | null> => {
  const aim = (): Promise<Aim | null> => visit.window.evaluate(`hand.aim(${JSON.stringify(key)})`);
  for (let aims = 0; aims < AIMS && (await aim()); aims += 1) {
    await settle(visit);
    if (await visit.window.evaluate("hand.hasStayed()")) break;
  }
  return aim();
};

/** Returns what follows from a press: at once, or where something `hasTo` follow, a little later. */
const seeAfter = async (visit: Visit, before: Look, hasTo: boolean) => {
  const { window, answers } = visit;
  const all: Answer[] = [];
  const see = async (afterMs: number) => {
    await sleep(afterMs);
    await settle(visit);
    const after = await look(window);
    const notes = await window.evaluate<string[]>("hand.takeNotes()");
    all.push(...answers.take());
    const hasFile = all.some(({ isFile }) => isFile);
    return { after, all, changed: after.state !== before.state || notes.length > 0 || hasFile };
  };
  const seen = await see(BEGINS_MS);
  return hasTo && !seen.changed ? see(LATE_MS) : seen;
};

/** Presses a control at its visible middle, and returns faults of what follows. */
export const press = async (visit: Visit, key: string): Promise<Outcome> => {
  const { window, answers, withoutScripts } = visit;
  const aimed = await aimAt(visit, key);
  // Without scripts nothing holds a browser back that follows a link to somewhere else.
  const isElsewhere = aimed?.isOut && withoutScripts;
  if (!aimed || aimed.isBehind || isElsewhere)
    return { what: null, faults: [], wrote: false, left: false };
  const outcome: Outcome = { what: aimed.what, faults: [], wrote: false, left: false };
  if (aimed.over) {
    outcome.faults.push(`another element lies over the middle: ${aimed.over}`);
    return outcome;
  }
  const before = await look(window);
  const address = await window.evaluate<string>("(hand.isPressed = true, location.pathname)");
  answers.take();
  await window.press(aimed.x, aimed.y);
  const isShown = isOwnWindow(aimed.what) || (withoutScripts && aimed.isRefused);
  const { after, all, changed } = await seeAfter(visit, before, !aimed.isThere && !isShown);
  const isSame = await window.evaluate<boolean>("hand.isPressed === true");
  outcome.left = !isSame || (await window.evaluate<string>("location.pathname")) !== address;
  outcome.wrote = all.some(
    ({ method, url }) => method !== "GET" && method !== "HEAD" && !BY_ITSELF.test(url),
  );
  outcome.faults.push(
    ...window.takeFaults(),
    ...faultsOfAnswers(all, after.words !== before.words),
    ...rawWords(after.words, before.words),
    ...faultsOfLayers(before, after),
  );
  if (!changed && !aimed.isThere && !isShown) {
    const isHeard = withoutScripts || (await window.evaluate("hand.hasArrived()"));
    outcome.faults.push(
      isSame
        ? `${isHeard ? "" : "no document gets the press: it "}changes nothing, and nothing is said`
        : "the page is loaded anew, and nothing is said",
    );
  }
  const moved = isSame ? await window.evaluate<number>("hand.moved()") : 0;
  if (moved > 0 && after.layers.length === before.layers.length)
    outcome.faults.push(`it slips aside from under the hand by ${moved} px`);
  return outcome;
};
