// The statuses of one account. https://docs.joinmastodon.org/methods/accounts/#statuses

import { Type } from "typebox";
import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import { open, viewerId } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { linkPage } from "../../platform/http/links.ts";
import type { Server } from "../../platform/http/server.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { getShownAccount } from "../accounts/load.ts";
import { loadVisible } from "../statuses/load.ts";
import { statusListParts } from "../statuses/present.ts";
import { belongsInList } from "../statuses/rules.ts";
import { IdParams, PageQuery } from "../statuses/schema.ts";
import type { StatusView } from "../statuses/tables.ts";
import { selectAccountStatuses } from "./queries-account.ts";

const Flag = Type.Optional(Type.Boolean());

const AccountStatusesQuery = Type.Object({
  ...PageQuery.properties,
  only_media: Flag,
  exclude_replies: Flag,
  exclude_reblogs: Flag,
  pinned: Flag,
  tagged: Type.Optional(Type.String()),
});

/** Whoever opens the page of somebody they muted wants to see it, but not boosts of other muted people. */
const isWanted = (view: StatusView): boolean => !view.reblog || belongsInList(view.reblog);

export const accountTimelineRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/accounts/:id/statuses",
    {
      config: open("read:statuses"),
      schema: { params: IdParams, querystring: AccountStatusesQuery },
    },
    async (request, reply) => {
      const account = await getShownAccount(app, request.params.id);
      if (account.suspended_at !== null) return [];
      const viewer = viewerId(request);
      const { query } = request;
      const page = parsePage(query, 20);
      const found = await selectAccountStatuses(app.sql, account.id, page, {
        viewerId: viewer,
        onlyMedia: query.only_media === true,
        excludeReplies: query.exclude_replies === true,
        excludeReblogs: query.exclude_reblogs === true,
        pinned: query.pinned === true,
        tag: query.tagged ? normaliseTag(query.tagged.replace(/^#/, "")) : null,
      });
      const ids = inOrder(page, [...found]).map((row) => row.id);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      cacheForPublic(request, reply);
      const views = await loadVisible(app, ids, viewer);
      return sendJsonBytes(reply, statusListParts(views.filter(isWanted), app.config.site));
    },
  );
};
