// Serves GET /api/v1/identities, the accounts that a person uses besides their own (docs/API-EXTENSIONS.md).

import type { App } from "../../../../platform/app.ts";
import { Forbidden } from "../../../../platform/errors.ts";
import { user, viewerOf } from "../../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../../platform/http/credentials.ts";
import { extension } from "../../../../platform/http/extension.ts";
import { isoTime } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { entitiesFor } from "../../accounts/entities-for.ts";
import { loadAccounts } from "../../accounts/load.ts";
import { selectAccess } from "./queries.ts";

/** Answers only to the account's own tokens: permission for one account reveals nothing of a person's others. */
const listIdentities = async (app: App, viewer: CurrentUser) => {
  if (viewer.by) throw new Forbidden();
  const rows = (await selectAccess(app.sql, viewer.userId)).filter(
    ({ accepted_at }) => accepted_at,
  );
  const views = await loadAccounts(
    app,
    rows.map(({ account_id }) => account_id),
  );
  const shown = rows.filter(({ account_id }) => views.has(account_id));
  const entities = await entitiesFor(
    app,
    shown.map(({ account_id }) => views.get(account_id)!),
    viewer.accountId,
  );
  return shown.map(({ kind, created_at }, index) => ({
    account: entities[index],
    kind,
    created_at: isoTime(created_at),
  }));
};

export const identityRoutes = (server: Server, app: App): void => {
  const config = extension(user("identities"), "accounts", ["Identity"]);
  server.get("/api/v1/identities", { config }, (request) => listIdentities(app, viewerOf(request)));
};
