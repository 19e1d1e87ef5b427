// Deleting one's own account.

import { removeAccountIn } from "../accounts/remove.ts";
import type { App } from "../../platform/app.ts";
import { selectIsOnlyOwner } from "./queries.ts";
import { noticeOf } from "./security-notices.ts";
import type { SignedIn } from "./sign-in.ts";

/** The person is signed out everywhere at once and gets a last email; a job deletes the rest. */
export const deleteOwnAccount = (app: App, who: SignedIn): Promise<void> =>
  app.sql.begin(async (tx) => {
    await noticeOf(app, tx, who.userId, "account-deleted");
    await removeAccountIn(app, tx, who.accountId);
  });

/** Nobody else could administer the server afterwards. */
export const isOnlyOwner = (app: App, who: SignedIn): Promise<boolean> =>
  selectIsOnlyOwner(app.sql, who.userId);
