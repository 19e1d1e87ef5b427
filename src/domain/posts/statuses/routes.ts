// Serves writing posts: posting, editing, deleting, describing their files, and scheduled ones.
// https://docs.joinmastodon.org/methods/statuses/ https://docs.joinmastodon.org/methods/scheduled_statuses/

import type { App } from "../../../platform/app.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { uploads } from "../../../platform/http/body.ts";
import { extension } from "../../../platform/http/extension.ts";
import type { ResponseShape } from "../../../platform/http/extension.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { readPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { IdParams, byId, changingById, paged, withBody } from "../../../platform/http/schema.ts";
import { MAX_ATTACHED } from "../../base/media/limits.ts";
import { mediaEntity } from "../../base/media/present.ts";
import { UploadBody } from "../../base/media/routes.ts";
import { refuseBeside, withAudience } from "./audience.ts";
import { changeAttachment, changePolicies, edit } from "./edit.ts";
import { post } from "./post.ts";
import type { Author } from "./post.ts";
import { previewText } from "./preview.ts";
import { statusEntity } from "./present.ts";
import { statusJson } from "./present-bytes.ts";
import {
  deletedStatusEntity,
  heldEntity,
  previewEntity,
  scheduledEntity,
} from "./present-written.ts";
import { selectScheduledPage } from "./queries-scheduled.ts";
import type { ScheduledRow } from "./queries-scheduled.ts";
import { remove } from "./remove.ts";
import {
  cancelScheduled,
  getScheduled,
  mediaOfScheduled,
  reschedule,
  schedule,
  scheduledTime,
} from "./schedule.ts";
import {
  DeleteQuery,
  EditBody,
  NewStatusBody,
  PolicyBody,
  PreviewBody,
  ThreadBody,
  TimeBody,
} from "./schema.ts";
import { listOwnHeld } from "./held-posts.ts";
import { postThread } from "./thread.ts";

export const authorOf = ({ accountId: id, settings, locale }: CurrentUser): Author => ({
  id,
  settings,
  locale,
});

export const keyOf = (header: string | string[] | undefined): string | null =>
  typeof header === "string" && header !== "" ? header.slice(0, 255) : null;

export const scheduledOf = async (app: App, row: ScheduledRow) =>
  scheduledEntity(row, await mediaOfScheduled(app, [row]), app.config.site);

const FORM = userForm("write:statuses");

const writing = (server: Server, app: App): void => {
  const { site } = app.config;
  server.post(
    "/api/v1/statuses",
    withBody({ ...FORM, limit: "statuses" }, NewStatusBody),
    async (request, reply) => {
      const author = authorOf(viewerOf(request));
      const idempotencyKey = keyOf(request.headers["idempotency-key"]);
      const { appId } = request.credentials!;
      const { scheduled_at: scheduledAt, quote_id: quoteId, ...body } = request.body;
      const draft = withAudience({ ...body, quoted_status_id: body.quoted_status_id ?? quoteId });
      const at = scheduledAt ? scheduledTime(app, scheduledAt) : null;
      if (at)
        return scheduledOf(app, await schedule(app, author, { draft, at, appId, idempotencyKey }));
      const view = await post(app, author, draft, { appId, idempotencyKey });
      return sendJsonBytes(reply, statusJson(view, site));
    },
  );

  // Lists one's own posts that a rule against spam holds.
  const ownHeld = extension(user("read:statuses"), "statuses", ["HeldStatus"]);
  server.get("/api/v1/held_statuses", { config: ownHeld }, async (request) =>
    (await listOwnHeld(app, viewerOf(request).accountId)).map(heldEntity),
  );

  // Shows how a text would look.
  const preview = extension(user("write:statuses"), "statuses", "StatusPreview", "422");
  server.post("/api/v1/statuses/preview", withBody(preview, PreviewBody), async (request) =>
    previewEntity(await previewText(app, authorOf(viewerOf(request)), request.body)),
  );

  const several: ResponseShape = { oneOf: [["Status"], "ScheduledStatus"] };
  const counted = { ...user("write:statuses"), limit: "statuses", isCountedFurther: true } as const;
  const thread = extension(counted, "statuses", several, "404", "422", "429");
  server.post("/api/v1/statuses/thread", withBody(thread, ThreadBody), async (request) => {
    const author = authorOf(viewerOf(request));
    const idempotencyKey = keyOf(request.headers["idempotency-key"]);
    const { appId } = request.credentials!;
    const { statuses, scheduled_at: scheduledAt, ...beside } = request.body ?? {};
    refuseBeside(beside);
    const drafts = (statuses ?? []).map(withAudience);
    const [first, ...thread] = drafts;
    await request.countFurther?.(thread.length);
    const at = scheduledTime(app, scheduledAt);
    if (at) {
      const draft = thread.length > 0 ? { ...first, thread } : { ...first };
      return scheduledOf(app, await schedule(app, author, { draft, at, appId, idempotencyKey }));
    }
    const views = await postThread(app, author, drafts, { appId, idempotencyKey });
    return views.map((view) => statusEntity(view, site));
  });

  server.route({
    url: "/api/v1/statuses/:id",
    ...changingById(
      { ...user("write:statuses"), ...uploads(MAX_ATTACHED), limit: "statuses" },
      EditBody,
    ),
    handler: async (request) => {
      const author = authorOf(viewerOf(request));
      return statusEntity(
        await edit(app, author, pathId(request.params.id), withAudience(request.body)),
        site,
      );
    },
  });

  server.delete(
    "/api/v1/statuses/:id",
    {
      config: { ...FORM, limit: "delete" },
      schema: { params: IdParams, querystring: DeleteQuery },
    },
    async (request) => {
      const viewer = viewerOf(request).person;
      const deleteMedia = request.query.delete_media ?? false;
      const view = await remove(app, viewer, pathId(request.params.id), { deleteMedia });
      return deletedStatusEntity(view, site);
    },
  );

  // Works before and after the upload is posted. https://docs.joinmastodon.org/methods/media/#update
  server.route({
    url: "/api/v1/media/:id",
    ...changingById({ ...user("write:media"), ...uploads(1) }, UploadBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const row = await changeAttachment(app, accountId, pathId(request.params.id), request.body);
      return mediaEntity(row, site);
    },
  });

  server.route({
    url: "/api/v1/statuses/:id/interaction_policy",
    ...changingById(FORM, PolicyBody),
    handler: async (request) => {
      const author = authorOf(viewerOf(request));
      const id = pathId(request.params.id);
      return statusEntity(await changePolicies(app, author, id, request.body), site);
    },
  });
};

const scheduled = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get("/api/v1/scheduled_statuses", paged(user("read:statuses")), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const rows = await readPage(app, request, reply, { most: 20 }, (page) =>
      selectScheduledPage(app.sql, accountId, page),
    );
    const media = await mediaOfScheduled(app, rows);
    return rows.map((row) => scheduledEntity(row, media, site));
  });

  server.get("/api/v1/scheduled_statuses/:id", byId(user("read:statuses")), async (request) => {
    const { accountId } = viewerOf(request);
    return scheduledOf(app, await getScheduled(app, pathId(request.params.id), accountId));
  });

  server.route({
    url: "/api/v1/scheduled_statuses/:id",
    ...changingById(FORM, TimeBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const id = pathId(request.params.id);
      return scheduledOf(app, await reschedule(app, id, accountId, request.body?.scheduled_at));
    },
  });

  server.delete("/api/v1/scheduled_statuses/:id", byId(FORM), async (request) => {
    await cancelScheduled(app, pathId(request.params.id), viewerOf(request).accountId);
    return {};
  });
};

export const statusRoutes = (server: Server, app: App): void => {
  writing(server, app);
  scheduled(server, app);
};
