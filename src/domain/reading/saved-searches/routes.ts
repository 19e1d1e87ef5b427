// Serves /api/v1/saved_searches: searches that a person saves (docs/API-EXTENSIONS.md).

import type { App } from "../../../platform/app.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, withBody, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { selectSavedSearches } from "./queries.ts";
import type { SavedSearch } from "./queries.ts";
import { removeSavedSearch, saveSearch } from "./save.ts";

const SavedSearchBody = Type.Object({ q: Type.Optional(Type.String()) });
const SavedSearchParams = Type.Object({ id: Type.String() });

const entity = ({ id, q, created_at }: SavedSearch) => ({ id, q, created_at: isoTime(created_at) });

export const savedSearchRoutes = (server: Server, app: App): void => {
  const read = extension(user("read:search"), "search", ["SavedSearch"]);
  server.get("/api/v1/saved_searches", { config: read }, async (request) =>
    (await selectSavedSearches(app.sql, viewerOf(request).accountId)).map(entity),
  );

  const write = userForm("write:accounts");
  server.post(
    "/api/v1/saved_searches",
    withBody(extension(write, "search", "SavedSearch", "422"), SavedSearchBody),
    async (request) => {
      const { accountId } = viewerOf(request);
      return entity(await saveSearch(app, accountId, request.body?.q ?? ""));
    },
  );

  server.delete(
    "/api/v1/saved_searches/:id",
    withPath(extension(write, "search", "Empty", "404"), SavedSearchParams),
    async (request) => {
      await removeSavedSearch(app, viewerOf(request).accountId, pathId(request.params.id));
      return {};
    },
  );
};
