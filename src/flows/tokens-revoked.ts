// Access tokens were revoked: open streams close, and nothing more is pushed.

import type { App } from "../platform/app.ts";
import type { RevokedTokens } from "../domain/people/oauth/events.ts";
import { unsubscribeRevoked } from "../domain/reading/push/subscribe.ts";
import { publishTokensRevoked } from "../domain/reading/timelines/streams.ts";

export const onTokensRevoked = async (app: App, revoked: RevokedTokens): Promise<void> => {
  await publishTokensRevoked(app, revoked);
  await unsubscribeRevoked(app, revoked);
};
