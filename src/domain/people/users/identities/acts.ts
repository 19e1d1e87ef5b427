// Manages the log of a shared account: which member did what. A request is logged before it is carried out, and removed
// where it is refused (request-log.ts), so that no act is missing.

import type { App } from "../../../../platform/app.ts";
import type { Db } from "../../../../platform/db/index.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkOwner } from "./enter.ts";
import { insertAct, selectActs } from "./queries-members.ts";
import type { ActRow } from "./queries-members.ts";

export type { ActRow };
export const ACTS_SHOWN = 40;

/** Acts of members on members, and changes of the settings. */
export type OwnerAct = "invite" | "join" | "leave" | "remove" | "owner" | "author" | "settings";

type By = { userId: string; personId: string | null };

/** Runs within the transaction of the act. */
export const recordAct = (
  db: Db,
  { userId, personId }: By,
  { act, detail = null }: { act: OwnerAct; detail?: string | null },
): Promise<string> =>
  insertAct(db, { user_id: userId, person_id: personId, act, detail, status_id: null });

/** Returns the newest first, for owners. */
export const actsOf = async (app: App, who: SignedIn, maxId: string | null): Promise<ActRow[]> => {
  checkOwner(who);
  return selectActs(app.sql, who.userId, maxId, ACTS_SHOWN);
};
