// New posts are judged by the rules against spam before they are written: a post that is held or rejected is stored
// with the match, so that a moderator can still publish it.

import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { judgePosts } from "../spam/judge.ts";
import type { Verdict } from "../spam/judge.ts";
import { addMatches } from "../spam/rules.ts";
import type { Judged } from "../spam/tables.ts";
import type { Created, NewStatus } from "./new-status.ts";
import { linksOf } from "./links.ts";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A rule against spam matched a post: what it does besides. */
    "spam.matched": { id: string };
  }
}

export type Stopped = { stopped: "hold" | "reject" };

/** Boosts have no text of their own; nobody is notified of older posts; cleared ones were judged. */
const judgedOf = ({ row, mentions, quiet, cleared }: NewStatus): Judged | null =>
  row.reblog_of_id || quiet || cleared
    ? null
    : {
        accountId: row.account_id,
        content: row.content ?? "",
        spoilerText: row.spoiler_text ?? "",
        links: linksOf(row.content ?? ""),
        mentionIds: mentions.map(({ accountId }) => accountId),
        createdAt: row.created_at,
      };

/** null: no rule has anything to do with them. */
export const screen = (app: App, db: Db, inputs: NewStatus[]): Promise<(Verdict | null)[] | null> =>
  judgePosts(app, db, inputs.map(judgedOf));

const stopOf = ({ rule: { actions } }: Verdict): Stopped["stopped"] | null =>
  actions.includes("reject") ? "reject" : actions.includes("hold") ? "hold" : null;

/** What a job does when the match is stored. */
const doesMore = ({ rule: { actions } }: Verdict): boolean =>
  actions.includes("report") || actions.includes("limit");

const MAX_SHOWN = 1000;
const STATES = { hold: "held", reject: "rejected" } as const;

type Matched = { verdict: Verdict; input: NewStatus; result: Created | Stopped };

const matchOf = (app: App, { verdict, input, result }: Matched) => {
  const stop = stopOf(verdict);
  return {
    rule_id: verdict.rule.id,
    account_id: input.row.account_id,
    status_id: "id" in result ? result.id : null,
    state: stop ? STATES[stop] : ("published" as const),
    text: verdict.text.slice(0, MAX_SHOWN).toWellFormed(),
    post: stop ? input : null,
    created_at: app.clock.now(),
  };
};

/**
 * Stores those that may be published with `store`, and of the others why not; all in the transaction. Results are in
 * the order of the inputs.
 */
export const storeScreened = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
  verdicts: (Verdict | null)[],
  store: (inputs: NewStatus[]) => Promise<(Created | null)[]>,
): Promise<(Created | Stopped | null)[]> => {
  const stops = verdicts.map((verdict) => verdict && stopOf(verdict));
  const passing = inputs.filter((_, n) => !stops[n]);
  const created = passing.length > 0 ? await store(passing) : [];
  const results = stops.map((stop) => (stop ? { stopped: stop } : (created.shift() ?? null)));
  // One that was known already is no new match.
  const matched = verdicts.flatMap((verdict, n) => {
    const result = results[n]!;
    const isNew = result !== null && ("stopped" in result || result.isNew);
    return verdict && isNew ? [{ verdict, input: inputs[n]!, result }] : [];
  });
  if (matched.length === 0) return results;
  const ids = await addMatches(
    tx,
    matched.map((one) => matchOf(app, one)),
  );
  const jobs = matched.flatMap(({ verdict }, n) =>
    doesMore(verdict) ? [{ payload: { id: ids[n]! } }] : [],
  );
  if (jobs.length > 0) await app.jobs.addMany(tx, "spam.matched", jobs);
  return results;
};

const TEXTS: Record<Stopped["stopped"], string> = {
  hold: "Your post waits for a moderator’s review and is published if they approve it.",
  reject:
    "Your post looks like spam and was not published. Contact the moderators if that is wrong.",
};

export const refusal = ({ stopped }: Stopped): Unprocessable => new Unprocessable(TEXTS[stopped]);

type Stored = Omit<NewStatus, "row" | "poll"> & {
  row: Omit<NewStatus["row"], "created_at" | "edited_at"> & {
    created_at: string;
    edited_at?: string | null;
  };
  poll: (Omit<NonNullable<NewStatus["poll"]>, "expiresAt"> & { expiresAt: string | null }) | null;
};

/** A post as it was stored with its match: JSON has no dates. */
export const revived = (post: object): NewStatus => {
  const { row, poll, ...rest } = post as Stored;
  return {
    ...rest,
    cleared: true,
    row: {
      ...row,
      created_at: new Date(row.created_at),
      edited_at: row.edited_at ? new Date(row.edited_at) : null,
    },
    poll: poll && { ...poll, expiresAt: poll.expiresAt === null ? null : new Date(poll.expiresAt) },
  };
};
