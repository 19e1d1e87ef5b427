// Tokens were revoked (by their owner, a suspension, a new password): their open streams are closed.

import type { App } from "../platform/app.ts";
import type { RevokedTokens } from "../domain/oauth/events.ts";
import { publishTokensRevoked } from "../domain/timelines/streams.ts";

export const onTokensRevoked = (app: App, revoked: RevokedTokens): Promise<void> =>
  publishTokensRevoked(app, revoked);
