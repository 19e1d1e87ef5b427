// Removes a way to sign in, of which one always stays.

import {
  countOtherWays,
  deleteIdentity,
  lockUser,
  selectIdentities,
  selectSessionIds,
} from "./queries.ts";
import { Unprocessable, endSessionsIn, noticeOf, says } from "./uses.ts";
import type { App, IdentityRow } from "./uses.ts";

/** Removes a way with the sessions that it began, except for the one in use; throws Unprocessable for the last way. */
export const removeWay = async (
  app: App,
  { userId, sessionId }: { userId: string; sessionId: string },
  id: string,
  nameOf: (row: IdentityRow) => string,
): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await lockUser(tx, userId);
    const identities = await selectIdentities(tx, userId);
    const row = identities.find((identity) => identity.id === id);
    if (!row) return;
    const others = app.config.sso.only ? 0 : await countOtherWays(tx, userId);
    if (identities.length - 1 + others === 0) throw new Unprocessable(says("ways.last"));
    const sessions = await selectSessionIds(tx, id);
    await endSessionsIn(
      app,
      tx,
      sessions.map((session) => session.id).filter((other) => other !== sessionId),
    );
    await deleteIdentity(tx, userId, id);
    await noticeOf(app, tx, userId, "way-removed", nameOf(row));
  });
};
