// Recommending accounts on one's profile: only followed ones, for as long as they are followed.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Pair } from "./events.ts";
import { deleteEndorsement, insertEndorsement } from "./queries-people.ts";

/** Idempotent; 422 for an account that is not followed. */
export const endorse = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  if (await insertEndorsement(app.sql, accountId, targetId)) return;
  throw new Unprocessable(
    "Validation failed: You must be already following the person you want to endorse",
  );
};

/** Nothing to undo is no error. */
export const unendorse = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  await deleteEndorsement(app.sql, accountId, targetId);
};
