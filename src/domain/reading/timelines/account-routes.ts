// Serves the statuses of one account. https://docs.joinmastodon.org/methods/accounts/#statuses

import { IdParams, PageQuery, Type } from "../../../platform/http/schema.ts";
import { readingApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { open, requestViewer, viewerId } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { normaliseTag } from "../../../platform/text/tags.ts";
import { wantFilled } from "../../people/accounts/fill.ts";
import { getShownAccount } from "../../people/accounts/load.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { statusListParts } from "../../posts/statuses/present-bytes.ts";
import { accountPage } from "./account-page.ts";

const Flag = Type.Optional(Type.Boolean());

const AccountStatusesQuery = Type.Object({
  ...PageQuery.properties,
  only_media: Flag,
  exclude_replies: Flag,
  exclude_reblogs: Flag,
  exclude_direct: Flag,
  pinned: Flag,
  tagged: Type.Optional(Type.String()),
});

export const accountTimelineRoutes = (server: Server, app: App): void => {
  const reading = readingApp(app);
  server.get(
    "/api/v1/accounts/:id/statuses",
    {
      config: open("read:statuses"),
      schema: { params: IdParams, querystring: AccountStatusesQuery },
    },
    async (request, reply) => {
      const account = await getShownAccount(app, request.params.id);
      if (account.suspended_at !== null) return [];
      const refresh = viewerId(request) === null ? null : await wantFilled(app, account);
      if (refresh) sendRefreshHeader(reply, refresh);
      const { query } = request;
      const page = parsePage(query, 20);
      const filter = {
        viewer: requestViewer(request),
        onlyMedia: query.only_media === true,
        excludeReplies: query.exclude_replies === true,
        excludeReblogs: query.exclude_reblogs === true,
        excludeDirect: query.exclude_direct === true,
        pinned: query.pinned === true,
        tag: query.tagged ? normaliseTag(query.tagged.replace(/^#/, "")) : null,
      };
      const { ids, views } = await accountPage(reading, account, page, filter);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      cacheForPublic(request, reply);
      return sendJsonBytes(reply, statusListParts(views, app.config.site));
    },
  );
};
