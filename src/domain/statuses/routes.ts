// The statuses of the API: writing, reading, editing, deleting.
// https://docs.joinmastodon.org/methods/statuses/

import { readingApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import { Forbidden, NotFound } from "../../platform/errors.ts";
import {
  anyToken,
  open,
  user,
  requestViewer,
  viewerId,
  viewerOf,
} from "../../platform/http/auth.ts";
import type { CurrentUser } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { pathId } from "../../platform/http/path-id.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import { checkText, chooseLanguage, composeStatus, renderText } from "./compose.ts";
import type { Author, Draft } from "./compose.ts";
import { loadContext } from "./context.ts";
import { createStatus, findIdempotent } from "./create.ts";
import { editStatus } from "./edit.ts";
import { getJustCreated, getVisible, loadVisible } from "./load.ts";
import { checkCount } from "../media/attach.ts";
import { mediaChange } from "../media/upload.ts";
import { sendRefreshHeader } from "../refreshes/refreshes.ts";
import { checkPoll } from "../polls/rules.ts";
import { setQuotePolicy } from "./quotes/change.ts";
import { withQuoteLine } from "./quotes/compose.ts";
import {
  deletedStatusEntity,
  historyEntities,
  sourceEntity,
  statusEntity,
  statusListParts,
  statusJson,
} from "./present.ts";
import { loadEdits } from "./history.ts";
import { removeStatus } from "./remove.ts";
import { mediaOfScheduled, scheduleStatus, scheduledTime } from "./schedule.ts";
import { scheduledEntity } from "./scheduled-entity.ts";
import { DeleteQuery, EditBody, IdParams, NewStatusBody, SeveralQuery } from "./schema.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { wantReplies } from "./want-replies.ts";

const authorOf = ({ accountId: id, settings, locale }: CurrentUser): Author => ({
  id,
  settings,
  locale,
});

const keyOf = (header: string | string[] | undefined): string | null =>
  typeof header === "string" && header !== "" ? header.slice(0, 255) : null;

const post = async (
  app: App,
  viewer: CurrentUser,
  draft: Draft,
  key: string | null,
  appId: string | null,
) => {
  const earlier = key && (await findIdempotent(app, viewer.accountId, key));
  if (earlier) return getVisible(app, earlier, asPerson(viewer.accountId));
  const input = await composeStatus(app, authorOf(viewer), draft, { appId, idempotencyKey: key });
  const id = await createStatus(app, input);
  return getJustCreated(app, id, viewer.accountId);
};

const writing = (server: Server, app: App): void => {
  const { site } = app.config;
  server.post(
    "/api/v1/statuses",
    { config: user("write:statuses"), schema: { body: NewStatusBody } },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const idempotencyKey = keyOf(request.headers["idempotency-key"]);
      const { appId } = request.credentials!;
      const { scheduled_at: given, ...draft } = request.body;
      const at = scheduledTime(app, given);
      if (at) {
        const later = { draft, at, appId, idempotencyKey };
        const row = await scheduleStatus(app, authorOf(viewer), later);
        return scheduledEntity(row, await mediaOfScheduled(app, [row]), site);
      }
      const view = await post(app, viewer, draft, idempotencyKey, appId);
      return sendJsonBytes(reply, statusJson(view, site));
    },
  );

  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/statuses/:id",
    config: user("write:statuses"),
    schema: { params: IdParams, body: EditBody },
    handler: async (request) => {
      const viewer = viewerOf(request);
      const view = await getOwn(app, request.params.id, viewer.accountId);
      await edit(app, view, authorOf(viewer), request.body);
      return statusEntity(await getVisible(app, view.id, asPerson(viewer.accountId)), site);
    },
  });

  server.delete(
    "/api/v1/statuses/:id",
    { config: user("write:statuses"), schema: { params: IdParams, querystring: DeleteQuery } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const view = await getOwn(app, request.params.id, accountId);
      await removeStatus(app, view.id, { deleteMedia: request.query.delete_media ?? false });
      return deletedStatusEntity(view, site);
    },
  );
};

/** One's own status; another's is as if it were missing. */
const getOwn = async (app: App, id: string, accountId: string): Promise<SeenStatus> => {
  const view = await getVisible(app, pathId(id), asPerson(accountId));
  if (view.account_id !== accountId) throw new NotFound();
  return view;
};

/** An edit does not change what is quoted. */
const withQuote = ({ quote }: StatusView, content: string): string =>
  quote
    ? withQuoteLine(content, { uri: quote.quoted_uri, url: quote.status?.url ?? null })
    : content;

/** As in a new post, a warning without a text becomes the text. */
const textsOf = (view: StatusView, draft: Draft): { text: string; spoilerText: string } => {
  const text = draft.status ?? view.text;
  if (text.trim() === "") return { text: draft.spoiler_text ?? "", spoilerText: "" };
  const unchanged = draft.spoiler_text === null ? "" : view.spoiler_text;
  return { text, spoilerText: draft.spoiler_text ?? unchanged };
};

type Changed = Draft & { media_attributes?: MediaAttribute[] | null | undefined };
type MediaAttribute = { id: string } & Parameters<typeof mediaChange>[0];

/** As with polls, what is not named is removed. What changes belongs to one that stays. */
const uploadsOf = ({ media_ids: ids, media_attributes: attributes }: Changed) => {
  const wanted = [...new Set(ids)];
  const changes = (attributes ?? []).filter(({ id }) => wanted.includes(id));
  return { ids: wanted, changes: new Map(changes.map((one) => [one.id, mediaChange(one)])) };
};

const edit = async (app: App, view: StatusView, author: Author, draft: Changed): Promise<void> => {
  if (view.reblog_of_id) throw new Forbidden();
  const { text, spoilerText } = textsOf(view, draft);
  const uploads = uploadsOf(draft);
  checkText(app, text, spoilerText, view.quote !== null || uploads.ids.length > 0);
  checkCount(uploads.ids, Boolean(draft.poll));
  const rendered = await renderText(app, author.id, text);
  const { quote_approval_policy: policy } = draft;
  if (policy) await setQuotePolicy(app, view, policy);
  await editStatus(app, view.id, {
    text,
    content: withQuote(view, rendered.content),
    spoilerText,
    sensitive: draft.sensitive ?? (view.sensitive || spoilerText !== ""),
    language: draft.language === undefined ? view.language : chooseLanguage(draft.language, author),
    mentions: rendered.mentions,
    tags: rendered.tags,
    emojis: [],
    media: null,
    uploads,
    poll: draft.poll ? checkPoll(draft.poll, app.clock.now()) : null,
    editedAt: null,
  });
};

const reading = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get(
    "/api/v1/statuses",
    { config: open("read:statuses"), schema: { querystring: SeveralQuery } },
    async (request) => {
      const ids = (request.query.id ?? []).flatMap((id) => parseId(id) ?? []);
      const views = await loadVisible(app, [...new Set(ids)], requestViewer(request));
      return views
        .toSorted((a, b) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1))
        .map((view) => statusEntity(view, site));
    },
  );

  server.get(
    "/api/v1/statuses/:id",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      cacheForPublic(request, reply);
      return sendJsonBytes(reply, statusJson(view, site));
    },
  );

  server.get(
    "/api/v1/statuses/:id/context",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      const refresh = viewerId(request) === null ? null : await wantReplies(app, view);
      if (refresh) sendRefreshHeader(reply, refresh);
      const { ancestors, descendants } = await loadContext(readingApp(app), view);
      cacheForPublic(request, reply);
      return sendJsonBytes(reply, [
        Buffer.from('{"ancestors":'),
        ...statusListParts(ancestors, site),
        Buffer.from(',"descendants":'),
        ...statusListParts(descendants, site),
        Buffer.from("}"),
      ]);
    },
  );

  server.get(
    "/api/v1/statuses/:id/history",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      cacheForPublic(request, reply);
      return historyEntities(view, await loadEdits(app, view), site);
    },
  );

  server.get(
    "/api/v1/statuses/:id/source",
    { config: anyToken("read:statuses"), schema: { params: IdParams } },
    async (request) =>
      sourceEntity(await getVisible(app, pathId(request.params.id), requestViewer(request))),
  );
};

export const statusRoutes = (server: Server, app: App): void => {
  writing(server, app);
  reading(server, app);
};
