// For an administrator: nothing but the password is asked of a person any more.

import type { App } from "../../../platform/app.ts";
import { noticeOf } from "../../accounts/security-notices.ts";
import { deletePasskeysOf } from "./queries.ts";
import { removeTotpWithin } from "./totp.ts";

/** Codes off, recovery codes and passkeys gone; the person is told by mail. */
export const removeAllFactors = (app: App, userId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    await removeTotpWithin(tx, userId);
    await deletePasskeysOf(tx, userId);
    await noticeOf(app, tx, userId, "two-factor-off");
  });
