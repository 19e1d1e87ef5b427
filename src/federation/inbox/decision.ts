// Decisions about activities. Each kind of activity has one function, which parses it and says what has to be looked up
// in the database (`lookups`). `judge` decides with the facts found there, and again after missing documents were
// fetched.

import type { App } from "../../platform/app.ts";
import type { Claim } from "../authorizations.ts";
import type { Incoming } from "./activity.ts";
import type { Change } from "./apply.ts";
import type { Facts, Lookups } from "./facts.ts";
import { activityUri } from "./activity.ts";
import type { StatusFacts } from "./queries-facts.ts";

/** A document of another server that has to be fetched before the activity can be judged. */
export type Dependency = {
  uri: string;
  kind: "actor" | "note" | "authorization" | "collection";
  /** Interaction that the authorization has to allow. */
  allows?: Pick<Claim, "kind" | "interactingUri"> & { targetUri: string };
  /** For a note: address of the authorization of its reply by another author. */
  approvalUri?: string;
  /** Fetches the document again although it is stored. */
  refresh?: boolean;
  /** Removes a stored note where its server has it no more. */
  removeIfGone?: boolean;
  /** What to do if the server does not respond: judge without the document, or try again later. */
  ifUnreachable: "without" | "later";
};

/** A command that does not run in batches. It sends no requests to other servers. */
export type Run = (app: App) => Promise<unknown>;

export type Decision =
  | { kind: "nothing" }
  /** Our code failed; the others of the batch continue. */
  | { kind: "fail"; error: unknown }
  /** The changes are written with those of the other activities in the batch. */
  | { kind: "apply"; changes: Change[] }
  /** The activity is judged again once these were fetched, or could not be. */
  | { kind: "fetch"; dependencies: Dependency[] }
  /** A command runs after the changes were written. */
  | { kind: "run"; run: Run; changes: Change[] };

export type Parsed = {
  lookups: Partial<Lookups>;
  /** Decides; does not ask again for documents that `facts.wasFetched` reports. */
  judge: (facts: Facts) => Decision;
};

/** Returns null for an activity that has no effect here. */
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

/** Decides about an activity with the address `uri` that is about a post. */
export type JudgePost = (status: StatusFacts, uri: string) => Decision;

/** Parses an activity about a local post that the actor may see, unless the actor undid it before it arrived. */
export const aboutOwnPost = (incoming: Incoming, target: string, judge: JudgePost): Parsed => {
  const { actor } = incoming;
  const uri = activityUri(incoming);
  return {
    lookups: {
      statuses: [target],
      earlyDeletes: [uri],
      interactions: [{ actorId: actor.id, statusUri: target }],
    },
    judge(facts) {
      const status = facts.status(target);
      if (!status?.local || status.reblog_of_id !== null) return NOTHING;
      if (facts.wasDeletedEarly(actor.uri, uri) || !facts.maySee(actor.id, status)) return NOTHING;
      return judge(status, uri);
    },
  };
};

/** Parses an activity that shows that a post exists: an unknown one is fetched, if `isWanted`. */
export const aboutUnknownPost = (
  dependency: Omit<Dependency, "kind">,
  isWanted: (facts: Facts) => boolean = () => true,
): Parsed => ({
  lookups: { statuses: [dependency.uri] },
  judge: (facts) =>
    facts.status(dependency.uri) || facts.wasFetched(dependency.uri) || !isWanted(facts)
      ? NOTHING
      : fetchFirst({ ...dependency, kind: "note" }),
});
