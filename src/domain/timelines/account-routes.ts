// The statuses of one account. https://docs.joinmastodon.org/methods/accounts/#statuses

import { Type } from "../../platform/http/schema.ts";
import { readingApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { open, requestViewer, viewerId } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { linkPage } from "../../platform/http/links.ts";
import type { Server } from "../../platform/http/server.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { wantFilled } from "../accounts/fill.ts";
import { getShownAccount } from "../accounts/load.ts";
import { sendRefreshHeader } from "../refreshes/refreshes.ts";
import { loadStatuses } from "../statuses/load.ts";
import { statusListParts } from "../statuses/present.ts";
import { belongsInList, canSee } from "../statuses/rules.ts";
import { IdParams, PageQuery } from "../statuses/schema.ts";
import type { StatusView } from "../statuses/tables.ts";
import { cachedAccountPage } from "./account-page.ts";
import { selectAccountStatuses } from "./queries-account.ts";
import type { AccountFilter } from "./queries-account.ts";

const Flag = Type.Optional(Type.Boolean());

const AccountStatusesQuery = Type.Object({
  ...PageQuery.properties,
  only_media: Flag,
  exclude_replies: Flag,
  exclude_reblogs: Flag,
  pinned: Flag,
  tagged: Type.Optional(Type.String()),
});

/**
 * A person who opens the page of somebody they muted wants to see it, but not boosts of others whom
 * they muted.
 */
const isWanted = (view: StatusView): boolean => !view.reblog || belongsInList(view.reblog);

/** An account that the author blocks gets nothing, not even ids in the Link header. */
const isDenied = (found: StatusView[]): boolean => found[0]?.viewer?.relation?.blocked_by === true;

const loadPage = async (app: App, accountId: string, page: Page, filter: AccountFilter) => {
  const rows = await selectAccountStatuses(app.sql, accountId, page, filter);
  const ids = inOrder(page, [...rows]).map((row) => row.id);
  return loadStatuses(app, ids, filter.viewer);
};

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
        pinned: query.pinned === true,
        tag: query.tagged ? normaliseTag(query.tagged.replace(/^#/, "")) : null,
      };
      const found =
        (await cachedAccountPage(reading, account, page, filter)) ??
        (await loadPage(reading, account.id, page, filter));
      const ids = isDenied(found) ? [] : found.map((view) => view.id);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      cacheForPublic(request, reply);
      const views = found.filter(canSee).filter(isWanted);
      return sendJsonBytes(reply, statusListParts(views, app.config.site));
    },
  );
};
