// The server's own emojis. https://docs.joinmastodon.org/methods/custom_emojis/

import type { App } from "../../../platform/app.ts";
import { open } from "../../../platform/http/auth.ts";
import { shareable } from "../../../platform/http/cache.ts";
import type { Server } from "../../../platform/http/server.ts";
import { listEmojis } from "./load.ts";
import { customEmojiEntity } from "./present.ts";

export const emojiRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/custom_emojis", { config: open() }, async (_request, reply) => {
    const rows = await listEmojis(app);
    return shareable(reply).send(
      rows.map((row, n) => ({
        ...customEmojiEntity(row, app.config.site),
        // The first of a category stands for it.
        ...(row.category !== null && { featured: row.category !== rows[n - 1]?.category }),
      })),
    );
  });
};
