// What comes of an activity. A kind of activity is one function: it reads the activity and says what
// has to be known (`wanted`); with that known it is judged, as often as it takes.

import type { App } from "../../platform/app.ts";
import type { Incoming } from "./activity.ts";
import type { Act } from "./apply.ts";
import type { Facts, Wanted } from "./facts.ts";

/** Something of another server that has to be known first. */
export type Want = {
  uri: string;
  kind: "actor" | "note";
  /** It is read again although it is known. */
  anew?: boolean;
  /** When its server does not answer: the activity is judged without it, or tried again later. */
  ifAway: "without" | "later";
};

/** A command for what is not done in batches. It asks no other server. */
export type Run = (app: App) => Promise<unknown>;

export type Verdict =
  | { kind: "nothing" }
  /** Rows that are written together with those of the other activities of the batch. */
  | { kind: "apply"; acts: Act[] }
  /** To be judged again when these were had, or could not be had. */
  | { kind: "fetch"; wants: Want[] }
  /** The acts are written before. */
  | { kind: "run"; run: Run; acts: Act[] };

export type Parsed = {
  wanted: Partial<Wanted>;
  /** Never wants again what `facts` says was fetched. */
  judge: (facts: Facts) => Verdict;
};

/** Null: it means nothing to us. */
export type Parse = (incoming: Incoming) => Parsed | null;

export const NOTHING: Verdict = { kind: "nothing" };
export const apply = (...acts: Act[]): Verdict => ({ kind: "apply", acts });
export const run = (command: Run): Verdict => ({ kind: "run", run: command, acts: [] });
export const fetchFirst = (want: Want): Verdict => ({ kind: "fetch", wants: [want] });
