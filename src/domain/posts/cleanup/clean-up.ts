// Deletes people's own old posts by the rules that they made, a few of each person's at a time: thousands of Deletes to
// other servers are spread over hours.

import type { App } from "../../../platform/app.ts";
import { invalidFields } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import { removeStatuses } from "../statuses/remove.ts";
import {
  LOOKED_AT,
  selectDuePolicies,
  selectOld,
  selectPolicy,
  updateProgress,
  upsertPolicy,
} from "./queries.ts";
import type { Policy, PolicyRow } from "./tables.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Delete old posts of some people. */
    "statuses.clean_up": Record<string, never>;
  }
}

/** Ages in days that are offered, as in Mastodon. */
export const AGES = [7, 14, 30, 61, 91, 183, 365, 730] as const;

/** Posts deleted by one run, every five minutes, in all and of one person. */
const BUDGET = 500;
const PER_PERSON = 50;
const PEOPLE = 100;

/** Days after a complete pass until posts are looked at again that were kept because of a favourite or a pin. */
const AGAIN_DAYS = 1;

const MAX_COUNT = 1_000_000;

export const DEFAULT_POLICY: Policy = {
  enabled: false,
  min_days: 14,
  keep_pinned: true,
  keep_favourited: true,
  keep_bookmarked: true,
  keep_direct: true,
  keep_polls: false,
  keep_media: false,
  min_favourites: null,
  min_reblogs: null,
};

/** Returns what the person chose last, or what the form proposes. */
export const getPolicy = async (app: App, accountId: string): Promise<Policy> =>
  (await selectPolicy(app.sql, accountId)) ?? DEFAULT_POLICY;

const faultsOf = ({ min_days: days, ...policy }: Policy): FieldFault[] => {
  const isWrong = (count: number | null): boolean =>
    count !== null && (!Number.isSafeInteger(count) || count < 1 || count > MAX_COUNT);
  const wrong = (["min_favourites", "min_reblogs"] as const).filter((name) =>
    isWrong(policy[name]),
  );
  const description = `must be a number from 1 to ${MAX_COUNT}`;
  return [
    ...((AGES as readonly number[]).includes(days)
      ? []
      : [{ field: "min_days", code: "ERR_INCLUSION", description: "is not one of the choices" }]),
    ...wrong.map((field) => ({
      field,
      code: "ERR_INVALID",
      description,
      count: MAX_COUNT,
    })),
  ];
};

/** Throws 422 with what is wrong. */
export const setPolicy = async (app: App, accountId: string, policy: Policy): Promise<void> => {
  const faults = faultsOf(policy);
  if (faults.length > 0) throw invalidFields(faults);
  await upsertPolicy(app.sql, accountId, policy, app.clock.now());
};

/** Deletes a slice of one person's posts; returns their number. */
const cleanUpOf = async (app: App, policy: PolicyRow, budget: number): Promise<number> => {
  const now = app.clock.now();
  const looked = [...(await selectOld(app.sql, policy, idAt(addDays(now, -policy.min_days))))];
  const ids = looked.filter(({ goes }) => goes).map(({ id }) => id);
  const gone = ids.slice(0, Math.min(budget, PER_PERSON));
  const isCut = gone.length < ids.length;
  const isOver = !isCut && looked.length < LOOKED_AT;
  const reached = (isCut ? gone.at(-1) : looked.at(-1)?.id) ?? policy.checked_id;
  await app.sql.begin(async (tx) => {
    await removeStatuses(app, tx, gone);
    const dueAt = isOver ? addDays(now, AGAIN_DAYS) : now;
    await updateProgress(tx, policy.account_id, isOver ? "0" : reached, dueAt);
  });
  return gone.length;
};

/** Handles the job `statuses.clean_up`. */
export const cleanUp = async (app: App): Promise<void> => {
  let budget = BUDGET;
  for (const policy of await selectDuePolicies(app.sql, app.clock.now(), PEOPLE)) {
    if (budget > 0) budget -= await cleanUpOf(app, policy, budget);
  }
};
