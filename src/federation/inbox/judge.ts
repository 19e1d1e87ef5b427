// Judges the activities of a batch: each is parsed, the facts are looked up once for all of them, and they are sorted
// by the decisions.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { formerNamesOf, withPresentNames } from "../../platform/config/names.ts";
import { hostIn, idOf } from "../../platform/json/read.ts";
import { inTurns } from "../../platform/event-loop-turns.ts";
import type { Json } from "../../platform/json/read.ts";
import { isLocalUri } from "../hosts.ts";
import { relayActors } from "../relays.ts";
import type { Change } from "./apply.ts";
import { allLookups, lookUp } from "./facts.ts";
import type { Facts, Fetched } from "./facts.ts";
import { parseActivity } from "./kinds.ts";
import { EVERYTHING, Subjects } from "./order.ts";
import type { Pass } from "./order.ts";
import { mayAct } from "./activity.ts";
import type { WaitingRow } from "./queries.ts";
import { selectActors } from "./queries-facts.ts";
import type { KnownActor } from "./queries-facts.ts";
import { NOTHING } from "./decision.ts";
import type { Parsed, Run, Decision, Dependency } from "./decision.ts";

/** An activity of the batch. */
export type Entry = { row: WaitingRow; body: Json | null; subjects: string[] };

type Judged = { entry: Entry; decision: Decision };

/**
 * The sender. Activities of an unknown or suspended actor have no effect, except those that end something
 * (activity.ts).
 */
type Sender = { actor: KnownActor | undefined; isRelay: boolean };

const parse = (app: App, { body: sent }: Entry, { actor, isRelay }: Sender): Parsed | null => {
  if (!actor || actor.domain === null || !sent) return null;
  // The signature covered what was sent, so present names replace former ones only here.
  const body = withPresentNames(app.config.site, sent);
  const { suspended, suspended_remotely: suspendedRemotely } = actor;
  if (!mayAct({ suspended, suspendedRemotely }, body)) return null;
  if (idOf(body["actor"]) !== actor.uri) return null;
  return parseActivity({
    actor,
    body,
    sent,
    now: app.clock.now(),
    isRelay,
    isLocalUri: (uri) => isLocalUri(app, uri),
    formerNames: (uri) => formerNamesOf(app.config.site, hostIn(uri ?? "") ?? ""),
  });
};

/** Sets aside an activity for which parsing or judging throws. */
const failing = (error: unknown): Decision => ({ kind: "fail", error });

const parseOrFail = (app: App, entry: Entry, sender: Sender): Parsed | null => {
  try {
    return parse(app, entry, sender);
  } catch (error) {
    return { lookups: {}, judge: () => failing(error) };
  }
};

const judgeOrFail = (parsed: Parsed | null, facts: Facts): Decision => {
  try {
    return parsed?.judge(facts) ?? NOTHING;
  } catch (error) {
    return failing(error);
  }
};

/** `fetched` is by the id of the activity. */
export const judgeAll = async (
  app: App,
  tx: Tx,
  entries: Entry[],
  fetched: ReadonlyMap<string, Fetched>,
): Promise<Judged[]> => {
  const uris = new Set(entries.map(({ row }) => row.actor_uri));
  const actors = await selectActors(tx, [...uris]);
  const byUri = new Map(actors.map((actor) => [actor.uri, actor]));
  const relays = await relayActors(app);
  const parseEntry = (entry: Entry) => {
    const uri = entry.row.actor_uri;
    const sender = { actor: byUri.get(uri), isRelay: relays.has(uri) };
    return { entry, parsed: parseOrFail(app, entry, sender) };
  };
  const parsedEntries = await inTurns(entries, ({ row }) => row.bytes, parseEntry);
  const lookups = allLookups(
    parsedEntries.flatMap(({ parsed }) => (parsed ? [parsed.lookups] : [])),
  );
  const documents = new Map([...fetched.values()].flatMap((uris) => [...uris]));
  const facts = await lookUp(tx, actors, lookups, documents);
  return parsedEntries.map(({ entry, parsed }) => ({
    entry,
    decision: judgeOrFail(parsed, facts),
  }));
};

/** `changes` are written with the batch; `toFetch` and `toRun` are claimed. */
export type Sorted = {
  changes: Change[];
  done: Entry[];
  toFetch: { entry: Entry; dependencies: Dependency[] }[];
  toRun: { entry: Entry; run: Run }[];
  /** Activities for which the lane for fetching has no room. */
  postponed: Entry[];
  failed: { entry: Entry; error: unknown }[];
};

export type SortInput = {
  pass: Pass;
  /** How many more activities may be claimed: to be run, and to wait for fetches. */
  places: { run: number; fetch: number };
};

/** Sorts the decisions. An activity that is run, or for which there is no room, makes later ones of its actor wait. */
export const sort = (judged: Judged[], { pass, places }: SortInput): Sorted => {
  const sorted: Sorted = {
    changes: [],
    done: [],
    toFetch: [],
    toRun: [],
    postponed: [],
    failed: [],
  };
  const stopped = new Subjects();
  for (const { entry, decision } of judged) {
    const uri = entry.row.actor_uri;
    const isRun = decision.kind === "run";
    const hasPlace = !isRun || sorted.toRun.length < places.run;
    if (stopped.blocks(uri, []) || !hasPlace) pass.skipped.add(uri, entry.subjects);
    else if (decision.kind === "fail") sorted.failed.push({ entry, error: decision.error });
    else if (decision.kind === "fetch") {
      const { dependencies } = decision;
      if (sorted.toFetch.length < places.fetch) sorted.toFetch.push({ entry, dependencies });
      else sorted.postponed.push(entry);
    } else {
      if ("changes" in decision) sorted.changes.push(...decision.changes);
      if (isRun) sorted.toRun.push({ entry, run: decision.run });
      else sorted.done.push(entry);
    }
    if (isRun) stopped.add(uri, [EVERYTHING]);
    if (!hasPlace) pass.skipped.add(uri, [EVERYTHING]);
  }
  return sorted;
};
