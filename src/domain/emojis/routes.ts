// The server's own emojis: none can be added yet. https://docs.joinmastodon.org/methods/custom_emojis/

import { open } from "../../platform/http/auth.ts";
import type { Server } from "../../platform/http/server.ts";

export const emojiRoutes = (server: Server): void => {
  server.get("/api/v1/custom_emojis", { config: open() }, async (_request, reply) =>
    reply
      .header(
        "cache-control",
        "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400",
      )
      .header("vary", "Accept, Origin")
      .send([]),
  );
};
