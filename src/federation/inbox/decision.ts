// What is decided about an activity. Each kind of activity is one function: it parses the activity and
// says what has to be looked up in the database (`lookups`). `judge` decides with the facts found there,
// and again after what is missing was fetched from other servers.

import type { App } from "../../platform/app.ts";
import type { Claim } from "../authorizations.ts";
import type { Incoming } from "./activity.ts";
import type { Change } from "./apply.ts";
import type { Facts, Lookups } from "./facts.ts";

/** A document of another server that has to be fetched before the activity can be judged. */
export type Dependency = {
  uri: string;
  kind: "actor" | "note" | "authorization" | "collection";
  /** What the authorization has to allow. */
  allows?: Pick<Claim, "kind" | "interactingUri"> & { targetUri: string };
  /** Of a note: the authorization of its answer by another author. */
  approvalUri?: string;
  /** Fetch it again although it is stored. */
  refresh?: boolean;
  /** Of a stored note: it is removed where its server says that there is none (any more). */
  removeIfGone?: boolean;
  /** Where its server does not answer: judge the activity without it, or try again later. */
  ifUnreachable: "without" | "later";
};

/** A command for what is not done in batches. It sends no requests to other servers. */
export type Run = (app: App) => Promise<unknown>;

export type Decision =
  | { kind: "nothing" }
  /** Our code failed; the others of the batch go on. */
  | { kind: "fail"; error: unknown }
  /** Written together with the changes of the other activities in the batch. */
  | { kind: "apply"; changes: Change[] }
  /** Judge it again once these were fetched, or could not be. */
  | { kind: "fetch"; dependencies: Dependency[] }
  /** The changes are written first. */
  | { kind: "run"; run: Run; changes: Change[] };

export type Parsed = {
  lookups: Partial<Lookups>;
  /** Does not ask again for what `facts.wasFetched` says was fetched. */
  judge: (facts: Facts) => Decision;
};

/** Null: the activity has no effect here. */
export type Parse = (incoming: Incoming) => Parsed | null;

export const NOTHING: Decision = { kind: "nothing" };
export const apply = (...changes: Change[]): Decision => ({ kind: "apply", changes });
export const run = (command: Run, ...changes: Change[]): Decision => ({
  kind: "run",
  run: command,
  changes,
});
export const fetchFirst = (dependency: Dependency): Decision => ({
  kind: "fetch",
  dependencies: [dependency],
});
