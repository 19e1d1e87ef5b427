// Judging the activities of a batch: each is read, what has to be known is asked once for all, and
// they are sorted by what comes of them.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { isOurs } from "../hosts.ts";
import type { Act } from "./apply.ts";
import { allWanted, lookUp } from "./facts.ts";
import type { Fetched } from "./facts.ts";
import { parseActivity } from "./kinds.ts";
import { EVERYTHING, Subjects } from "./order.ts";
import type { Pass } from "./order.ts";
import type { WaitingRow } from "./queries.ts";
import { selectActors } from "./queries-facts.ts";
import type { KnownActor } from "./queries-facts.ts";
import { NOTHING } from "./verdict.ts";
import type { Parsed, Run, Verdict, Want } from "./verdict.ts";

/** An activity that is looked at. */
export type Entry = { row: WaitingRow; body: Json | null; subjects: string[] };

type Judged = { entry: Entry; verdict: Verdict };

/** An activity by nobody we know, or by somebody suspended, does nothing. */
const parse = (app: App, { body }: Entry, actor: KnownActor | undefined): Parsed | null => {
  if (!actor || actor.suspended || actor.domain === null || !body) return null;
  if (idOf(body["actor"]) !== actor.uri) return null;
  const now = app.clock.now();
  return parseActivity({ actor, body, now, isOurs: (uri) => isOurs(app, uri) });
};

/** `fetched`: by activities. */
export const judgeAll = async (
  app: App,
  tx: Tx,
  entries: Entry[],
  fetched: ReadonlyMap<string, Fetched>,
): Promise<Judged[]> => {
  const uris = new Set(entries.map(({ row }) => row.actor_uri));
  const actors = await selectActors(tx, [...uris]);
  const byUri = new Map(actors.map((actor) => [actor.uri, actor]));
  const read = entries.map((entry) => ({
    entry,
    parsed: parse(app, entry, byUri.get(entry.row.actor_uri)),
  }));
  const wanted = allWanted(read.flatMap(({ parsed }) => (parsed ? [parsed.wanted] : [])));
  const facts = await lookUp(
    tx,
    actors,
    wanted,
    new Map([...fetched.values()].flatMap((one) => [...one])),
  );
  return read.map(({ entry, parsed }) => ({ entry, verdict: parsed?.judge(facts) ?? NOTHING }));
};

/** Written with the batch: `acts`. Claimed: `toFetch` and `toRun`. */
export type Sorted = {
  acts: Act[];
  done: Entry[];
  toFetch: { entry: Entry; wants: Want[] }[];
  toRun: { entry: Entry; run: Run }[];
  /** There is no place for what they want to fetch. */
  postponed: Entry[];
};

export type SortInput = {
  pass: Pass;
  /** How many more may be claimed to be run, and to be fetched for. */
  places: { run: number; fetch: number };
};

/** Behind one that is run the rest of the same actor waits, and so does what finds no place. */
export const sort = (judged: Judged[], { pass, places }: SortInput): Sorted => {
  const sorted: Sorted = { acts: [], done: [], toFetch: [], toRun: [], postponed: [] };
  const stopped = new Subjects();
  for (const { entry, verdict } of judged) {
    const uri = entry.row.actor_uri;
    const isRun = verdict.kind === "run";
    const hasPlace = !isRun || sorted.toRun.length < places.run;
    if (stopped.holdUp(uri, []) || !hasPlace) pass.passedOver.add(uri, entry.subjects);
    else if (verdict.kind === "fetch") {
      const { wants } = verdict;
      if (sorted.toFetch.length < places.fetch) sorted.toFetch.push({ entry, wants });
      else sorted.postponed.push(entry);
    } else {
      if ("acts" in verdict) sorted.acts.push(...verdict.acts);
      if (isRun) sorted.toRun.push({ entry, run: verdict.run });
      else sorted.done.push(entry);
    }
    if (isRun) stopped.add(uri, [EVERYTHING]);
    if (!hasPlace) pass.passedOver.add(uri, [EVERYTHING]);
  }
  return sorted;
};
