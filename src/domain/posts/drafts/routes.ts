// Serves /api/v1/drafts: posts that somebody has begun to write, for all of their apps (docs/API-EXTENSIONS.md).

import type { App } from "../../../platform/app.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { readPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { IdParams, Type, byId, paged, withBody } from "../../../platform/http/schema.ts";
import type { Static } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { loadDraftMedia } from "../../base/media/attach.ts";
import { mediaEntity } from "../../base/media/present.ts";
import { checkLimits, refuseBeside, withAudience } from "../statuses/audience.ts";
import { keyOf } from "../statuses/routes.ts";
import { StatusesBody } from "../statuses/schema.ts";
import { selectDraftPage } from "./queries.ts";
import type { DraftRow } from "./queries.ts";
import { changeDraft, createDraft, getDraft, removeDraft } from "./save.ts";

const NewBody = Type.Object(StatusesBody);
const ChangeBody = Type.Object({
  ...StatusesBody,
  version: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
});

/** Stores parameters about the audience in this server's own words, or refuses them: otherwise they would be lost. */
const understood = <T extends Static<typeof NewBody>>({ statuses, ...rest }: T) => {
  refuseBeside(rest);
  const drafts = statuses?.map((status) => {
    const { limits, ...draft } = withAudience(status);
    checkLimits(limits, draft.visibility ?? "public");
    return draft;
  });
  return { ...rest, ...(drafts && { statuses: drafts }) };
};

const read = user("read:statuses");
const write = user("write:statuses");

/** Adds the files that are attached to its posts, by their `media_ids`. */
const entitiesOf = async (app: App, rows: DraftRow[]) => {
  const withMedia = rows.filter(({ statuses }) => statuses.some((each) => each.media_ids?.length));
  const ids = withMedia.map(({ id }) => id);
  const media = ids.length > 0 ? await loadDraftMedia(app.sql, ids) : new Map<string, never>();
  return rows.map(({ id, version, statuses, ...times }) => ({
    id,
    version,
    statuses,
    scheduled_at: times.scheduled_at && isoTime(times.scheduled_at),
    media_attachments: (media.get(id) ?? []).map((each) => mediaEntity(each, app.config.site)),
    created_at: isoTime(times.created_at),
    updated_at: isoTime(times.updated_at),
  }));
};

const entityOf = async (app: App, row: DraftRow) => (await entitiesOf(app, [row]))[0]!;

export const draftRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/drafts",
    paged(extension(read, "statuses", ["Draft"])),
    async (request, reply) => {
      const { accountId } = viewerOf(request);
      const read = (page: Page) => selectDraftPage(app.sql, accountId, page);
      return entitiesOf(app, await readPage(app, request, reply, { most: 20 }, read));
    },
  );

  const added = extension(write, "statuses", "Draft", "422");
  server.post("/api/v1/drafts", withBody(added, NewBody), async (request) => {
    const { accountId } = viewerOf(request);
    const key = keyOf(request.headers["idempotency-key"]);
    return entityOf(app, await createDraft(app, accountId, understood(request.body ?? {}), key));
  });

  const single = extension(read, "statuses", "Draft", "404");
  server.get("/api/v1/drafts/:id", byId(single), async (request) =>
    entityOf(app, await getDraft(app, viewerOf(request).accountId, pathId(request.params.id))),
  );

  server.put(
    "/api/v1/drafts/:id",
    {
      config: extension(write, "statuses", "Draft", "404", "409", "422"),
      schema: { params: IdParams, body: ChangeBody },
    },
    async (request) => {
      const { accountId } = viewerOf(request);
      const id = pathId(request.params.id);
      return entityOf(app, await changeDraft(app, accountId, id, understood(request.body ?? {})));
    },
  );

  server.delete(
    "/api/v1/drafts/:id",
    byId(extension(userForm("write:statuses"), "statuses", "Empty", "404")),
    async (request) => {
      await removeDraft(app, viewerOf(request).accountId, pathId(request.params.id));
      return {};
    },
  );
};
