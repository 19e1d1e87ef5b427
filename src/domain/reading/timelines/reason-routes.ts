// Serves GET /api/v1/statuses/:id/home_reasons: why it is in one's home (docs/API-EXTENSIONS.md).

import type { App } from "../../../platform/app.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { byId } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { entitiesFor } from "../../people/accounts/entities-for.ts";
import { homeReasons } from "./reasons.ts";

export const reasonRoutes = (server: Server, app: App): void => {
  const config = extension(user("read:statuses"), "timelines", ["HomeReason"], "404");
  server.get("/api/v1/statuses/:id/home_reasons", byId(config), async (request) => {
    const { accountId } = viewerOf(request);
    const reasons = await homeReasons(app, accountId, pathId(request.params.id));
    const views = reasons.flatMap((reason) => ("account" in reason ? [reason.account] : []));
    const accounts = await entitiesFor(app, views, accountId);
    return reasons.map((reason) =>
      "account" in reason
        ? { type: reason.type, account: accounts.shift()!, hashtag: null }
        : { type: reason.type, account: null, hashtag: reason.hashtag },
    );
  });
};
