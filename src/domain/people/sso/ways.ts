// The ways by which somebody signs in to their account by providers.

import type { App } from "../../../platform/app.ts";
import type { End } from "./attempts.ts";
import { selectBegun, selectIdentitiesOf } from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

export const identitiesOf = async (app: App, userId: string): Promise<IdentityRow[]> => [
  ...(await selectIdentitiesOf(app.sql, userId)),
];

/** Returns where the provider's session is ended that began this one; null for other sessions. */
export const endOf = async (app: App, sessionId: string): Promise<End | null> => {
  const begun = await selectBegun(app.sql, sessionId);
  return begun && (await import("#sso-accounts")).endThere(app, begun);
};
