// The server's own emojis. https://docs.joinmastodon.org/methods/custom_emojis/

import type { App } from "../../../platform/app.ts";
import { open } from "../../../platform/http/auth.ts";
import { shareable } from "../../../platform/http/cache.ts";
import type { Server } from "../../../platform/http/server.ts";
import { listEmojis } from "./load.ts";
import { customEmojiEntity } from "./present.ts";

export const emojiRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/custom_emojis", { config: open() }, async (_request, reply) => {
    // The list is public without a token, so that shared caches may store it.
    if (!app.config.access.closed) shareable(reply);
    return (await listEmojis(app)).map((row) => customEmojiEntity(row, app.config.site));
  });
};
