// Makes conditions that several queries of mails share.

import type { Db } from "../../../platform/db/index.ts";

/** Makes the condition of who may get mail: the address is confirmed, and the account can be used. */
export const reachable = (db: Db) => db`
  u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled AND a.suspended_at IS NULL
`;
