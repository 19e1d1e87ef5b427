// Finds members of the staff who get the summary of the week: each is claimed once, and only if they want it.
// measures/staff-digest.ts writes it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { bitsOf } from "../../base/roles/permissions.ts";
import { KINDS, wantsMail } from "./kinds.ts";
import { claimStaff, selectAddressee } from "./queries.ts";
import type { Addressee } from "./queries.ts";

export type { Addressee };

/** Returns ids of at most `limit` users who got none since then. */
export const claimStaffDigests = (
  db: Db,
  { now, since, limit }: { now: Date; since: Date; limit: number },
): Promise<string[]> =>
  claimStaff(db, {
    now,
    since,
    permissions: bitsOf(["administrator", "view_dashboard"]),
    on: KINDS.staff_digest.on,
    limit,
  });

/** Returns null where they may get none, or want none any more. */
export const findStaffAddressee = async (app: App, userId: string): Promise<Addressee | null> => {
  const addressee = await selectAddressee(app.sql, userId);
  return addressee && wantsMail(addressee.settings, "staff_digest") ? addressee : null;
};
