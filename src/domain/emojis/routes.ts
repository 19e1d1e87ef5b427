// The server's own emojis. https://docs.joinmastodon.org/methods/custom_emojis/

import type { App } from "../../platform/app.ts";
import { open } from "../../platform/http/auth.ts";
import { shareable } from "../../platform/http/cache.ts";
import type { Server } from "../../platform/http/server.ts";
import { customEmojiEntity } from "./load.ts";
import { selectAllEmojis } from "./queries.ts";

export const emojiRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/custom_emojis", { config: open() }, async (_request, reply) => {
    // Public without a token, so shared caches may store it.
    if (!app.config.access.closed) shareable(reply);
    return (await selectAllEmojis(app.sql)).map(customEmojiEntity);
  });
};
