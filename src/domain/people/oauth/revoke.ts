// Revokes access tokens: HTTP refuses them at once, and a job closes their open streams.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { authenticateClient } from "./apps.ts";
import { OAuthError } from "./errors.ts";
import "./events.ts";
import {
  deleteCodesOfAccess,
  deleteUnusedCodes,
  revokeToken,
  revokeTokenOf,
  revokeTokensOfAccess,
  revokeTokensOfApp,
  revokeTokensOfCode,
  revokeTokensOfSessions,
  revokeTokensOfUsers,
  selectTokenOwner,
} from "./queries.ts";
import { tokenHash } from "./secret.ts";

/** Returns the channel on which an open stream is notified that its token is revoked. */
export const revokedChannel = (tokenId: string): string => `token:${tokenId}:revoked`;

type Ended = { id: string }[];

/** Enqueues the job, which reaches streams in every process, also when this one dies right after the commit. */
const enqueue = async (app: App, db: Db, tokens: Ended): Promise<Ended> => {
  const tokenIds = tokens.map(({ id }) => id);
  if (tokenIds.length > 0) await app.jobs.add(db, "tokens.revoked", { tokenIds });
  return tokens;
};

/** Publishes revoked tokens; must be called after the commit, so that streams close before the request is answered. */
export const announceRevoked = async (app: App, tokens: Ended): Promise<void> => {
  await Promise.all(tokens.map(({ id }) => app.pubsub.publish(revokedChannel(id), { id })));
};

/** Some clients without a client id send these words of JavaScript. */
const isNamed = (clientId: string | undefined): clientId is string =>
  clientId !== undefined && clientId !== "" && clientId !== "undefined" && clientId !== "null";

type Texts = Partial<Record<string, string>>;

/**
 * Revokes a token (RFC 7009); an unknown one is no error. A client that sends its id must authenticate and own the
 * token; without an id, knowing the token is enough, because revoking does less harm than using it.
 */
export const revoke = async (app: App, params: Texts): Promise<void> => {
  const owner = params["token"]
    ? await selectTokenOwner(app.sql, tokenHash(params["token"]))
    : null;
  if (!owner) return;
  if (isNamed(params["client_id"])) {
    const client = await authenticateClient(
      app,
      params["client_id"],
      params["client_secret"],
    ).catch(() => null);
    if (client?.id !== owner.app_id) throw new OAuthError("unauthorized_client");
  }
  const ended = await app.sql.begin(async (tx) =>
    enqueue(app, tx, await revokeToken(tx, owner.id, app.clock.now())),
  );
  await announceRevoked(app, ended);
};

/** Revokes the tokens of a code within the transaction `db`; call `announceRevoked` after it. */
export const revokeAllOfCode = async (app: App, db: Db, codeHash: Buffer): Promise<Ended> =>
  enqueue(app, db, await revokeTokensOfCode(db, codeHash, app.clock.now()));

/** Revokes every token of these people within the transaction `db`; call `announceRevoked` after it. */
export const revokeAllOfUsers = async (
  app: App,
  db: Db,
  userIds: readonly string[],
): Promise<Ended> => {
  // A code not exchanged yet would become a token afterwards.
  await deleteUnusedCodes(db, userIds, null);
  return enqueue(app, db, await revokeTokensOfUsers(db, userIds, app.clock.now()));
};

/** Works as `revokeAllOfUsers` for one person (new password, suspension). */
export const revokeAllOfUser = (app: App, db: Db, userId: string): Promise<Ended> =>
  revokeAllOfUsers(app, db, [userId]);

/**
 * Ends the codes and tokens of those who may use an account no longer, within the transaction `db`; call
 * `announceRevoked` after it.
 */
export const revokeAllOfAccess = async (
  app: App,
  db: Db,
  accessIds: readonly string[],
): Promise<Ended> => {
  await deleteCodesOfAccess(db, accessIds);
  return enqueue(app, db, await revokeTokensOfAccess(db, accessIds, app.clock.now()));
};

/** Revokes the tokens that these sessions of the pages gave, within the transaction `db`. */
export const revokeAllOfSessions = async (
  app: App,
  db: Db,
  sessions: readonly { id: string }[],
): Promise<Ended> => {
  if (sessions.length === 0) return [];
  const ids = sessions.map(({ id }) => id);
  return enqueue(app, db, await revokeTokensOfSessions(db, ids, app.clock.now()));
};

/** Ends what one app may do for a person: deletes its codes and revokes its tokens. */
export const revokeApp = async (app: App, userId: string, appId: string): Promise<void> => {
  const ended = await app.sql.begin(async (tx) => {
    await deleteUnusedCodes(tx, [userId], appId);
    return enqueue(app, tx, await revokeTokensOfApp(tx, userId, appId, app.clock.now()));
  });
  await announceRevoked(app, ended);
};

/** Revokes one token that belongs to no app (the command line's). */
export const revokeOwn = async (app: App, userId: string, tokenId: string): Promise<void> => {
  const ended = await app.sql.begin(async (tx) =>
    enqueue(app, tx, await revokeTokenOf(tx, userId, tokenId, app.clock.now())),
  );
  await announceRevoked(app, ended);
};
