// Notes which sessions a provider began, so that it can end them, and they it.

import type { Grant } from "#sso";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { seal } from "../../../platform/seal.ts";
import { insertSession } from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

/** How a sign-in by a provider began a session. */
export type Began = { identityId: string } & Pick<Grant, "session" | "idToken">;

export const tokenPurpose = ({ issuer, subject }: Pick<IdentityRow, "issuer" | "subject">) => ({
  what: "sso refresh token",
  owner: `${issuer} ${subject}`,
});

export const idTokenPurpose = (sessionId: string) => ({ what: "sso id token", owner: sessionId });

export const recordSession = async (
  app: App,
  db: Db,
  sessionId: string,
  { identityId, session, idToken }: Began,
): Promise<void> => {
  await insertSession(db, {
    session_id: sessionId,
    identity_id: identityId,
    provider_session: session,
    sealed_id_token: idToken === null ? null : seal(app, idTokenPurpose(sessionId), idToken),
  });
};
