// The ways by which somebody signs in to their account, of which one always stays.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { noticeOf } from "../users/security-notices.ts";
import { endSessionsIn } from "../users/session.ts";
import {
  countOtherWays,
  deleteIdentity,
  lockUser,
  selectIdentitiesOf,
  selectSessionIds,
} from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

export const identitiesOf = async (app: App, userId: string): Promise<IdentityRow[]> => [
  ...(await selectIdentitiesOf(app.sql, userId)),
];

/** Removes a way with the sessions that it began, except for the one in use; throws Unprocessable for the last way. */
export const removeWay = async (
  app: App,
  { userId, sessionId }: { userId: string; sessionId: string },
  id: string,
  nameOf: (row: IdentityRow) => string,
): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await lockUser(tx, userId);
    const identities = await selectIdentitiesOf(tx, userId);
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
