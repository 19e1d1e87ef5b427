// Quotes of a status, their revocation, and who may quote it.
// https://docs.joinmastodon.org/methods/statuses/#quotes

import type { App } from "../../../platform/app.ts";
import { inOrder, parsePage } from "../../../platform/db/paging.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/path-id.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { defaultQuotePolicy } from "../../accounts/settings.ts";
import { getVisible, loadVisible } from "../load.ts";
import { statusEntity, statusListParts } from "../present.ts";
import { IdParams, PageQuery, PolicyBody } from "../schema.ts";
import type { StatusView } from "../tables.ts";
import { setQuotePolicy } from "../edit.ts";
import { selectQuoting } from "../queries-approvals.ts";
import { revokeQuote } from "../approve.ts";

const QuoteParams = Type.Object({ id: Type.String(), quoting_status_id: Type.String() });

/** One's own status; another's that can be seen is forbidden. */
const ownStatus = async (app: App, id: string, accountId: string): Promise<StatusView> => {
  const view = await getVisible(app, pathId(id), asPerson(accountId));
  if (view.account_id !== accountId || view.reblog) throw new Forbidden();
  return view;
};

const listRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/statuses/:id/quotes",
    { config: user("read:statuses"), schema: { params: IdParams, querystring: PageQuery } },
    async (request, reply) => {
      const { accountId } = viewerOf(request);
      const view = await getVisible(app, pathId(request.params.id), asPerson(accountId));
      const page = parsePage(request.query, 20);
      const found = await selectQuoting(app.sql, (view.reblog ?? view).id, page);
      const ids = inOrder(page, [...found]).map((row) => row.id);
      const { origin } = app.config.site;
      linkPage(request, reply, { origin, ids, limit: page.limit, prev: "since_id" });
      const views = await loadVisible(app, ids, asPerson(accountId));
      return sendJsonBytes(reply, statusListParts(views, app.config.site));
    },
  );
};

export const quoteRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  listRoute(server, app);

  server.post(
    "/api/v1/statuses/:id/quotes/:quoting_status_id/revoke",
    { config: user("write:statuses"), schema: { params: QuoteParams } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const quotingId = pathId(request.params.quoting_status_id);
      const view = await ownStatus(app, request.params.id, accountId);
      return statusEntity(await revokeQuote(app, asPerson(accountId), view.id, quotingId), site);
    },
  );

  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/statuses/:id/interaction_policy",
    config: user("write:statuses"),
    schema: { params: IdParams, body: PolicyBody },
    handler: async (request) => {
      const { accountId, settings } = viewerOf(request);
      const view = await ownStatus(app, request.params.id, accountId);
      const { quote_approval_policy: asked } = request.body;
      const policy = asked ?? (await defaultQuotePolicy(app, settings));
      await app.sql.begin((tx) => setQuotePolicy(app, tx, view, policy));
      return statusEntity(await getVisible(app, view.id, asPerson(accountId)), site);
    },
  });
};
