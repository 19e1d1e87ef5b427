// Serves tags: reading one, following it, featuring it, and the tags that one follows.
// https://docs.joinmastodon.org/methods/tags/

import type { FastifyContextConfig } from "fastify";
import type { App } from "../../../platform/app.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { open, user, userForm, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { extension } from "../../../platform/http/extension.ts";
import { readPage } from "../../../platform/http/links.ts";
import { Type, paged, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { featureTag, unfeatureTag, followTag, unfollowTag } from "./feature-tag.ts";
import { featuredTagRoutes } from "./featured-routes.ts";
import { loadTagsById, loadTagsByName } from "./load.ts";
import { muteTag, unmuteTag } from "./mute-tag.ts";
import { tagEntity } from "./present.ts";
import { selectMutedTags } from "./queries-mutes.ts";
import { selectFollowedTags } from "./queries.ts";
import { parseTagName } from "./rules.ts";
import type { TagName } from "./rules.ts";

/** Accepts any value: an invalid name is a missing tag (404), not an invalid request. */
const NameParams = Type.Object({ name: Type.Unknown() });
/** Accepts any value too; the API calls the name an id where tags are featured. */
const IdParams = Type.Object({ id: Type.Unknown() });

const MuteBody = Type.Object({
  duration: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
});

/** Returns the tag of a path; throws NotFound for an invalid name. */
const pathTag = (name: unknown): TagName =>
  orNotFound(typeof name === "string" ? parseTagName(name) : null);

const sendTag = async (app: App, tag: TagName, viewer: string | null) => {
  const [view] = await loadTagsByName(app, [tag], viewer);
  return tagEntity(view!, app.config.site, app.clock.now(), viewer !== null);
};

type Act = {
  path: string;
  scope: string;
  run: (app: App, accountId: string, tag: TagName) => Promise<unknown>;
};

const FOLLOWS: Act[] = [
  { path: "/api/v1/tags/:name/follow", scope: "write:follows", run: followTag },
  { path: "/api/v1/tags/:name/unfollow", scope: "write:follows", run: unfollowTag },
];

const FEATURES: Act[] = [
  { path: "/api/v1/tags/:id/feature", scope: "write:accounts", run: featureTag },
  {
    path: "/api/v1/tags/:id/unfeature",
    scope: "write:accounts",
    run: (app, accountId, { name }) => unfeatureTag(app, accountId, { name }),
  },
];

const actOn = async (app: App, { run }: Act, accountId: string, name: unknown) => {
  const tag = pathTag(name);
  await run(app, accountId, tag);
  return sendTag(app, tag, accountId);
};

const oneTag = (server: Server, app: App): void => {
  const schema = { params: NameParams };
  server.get("/api/v1/tags/:name", { config: open(), schema }, async (request, reply) => {
    const tag = pathTag(request.params.name);
    cacheForPublic(request, reply);
    return sendTag(app, tag, viewerId(request));
  });

  for (const act of FOLLOWS) {
    server.post(act.path, { config: userForm(act.scope), schema }, (request) =>
      actOn(app, act, viewerOf(request).accountId, request.params.name),
    );
  }
  for (const act of FEATURES) {
    const config = user(act.scope);
    server.post(act.path, withPath(config, IdParams), (request) =>
      actOn(app, act, viewerOf(request).accountId, request.params.id),
    );
  }
};

const mutes = (server: Server, app: App): void => {
  const config = extension(userForm("write:mutes"), "tags", "Tag", "404", "422");
  server.post(
    "/api/v1/tags/:name/mute",
    { config, schema: { params: NameParams, body: MuteBody } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const tag = pathTag(request.params.name);
      await muteTag(app, accountId, tag, request.body.duration ?? 0);
      return sendTag(app, tag, accountId);
    },
  );
  const unmute: Act = { path: "/api/v1/tags/:name/unmute", scope: "write:mutes", run: unmuteTag };
  server.post(unmute.path, withPath(config, NameParams), (request) =>
    actOn(app, unmute, viewerOf(request).accountId, request.params.name),
  );
};

const PAGE = 100;

const listOfTags = (
  server: Server,
  app: App,
  path: string,
  config: FastifyContextConfig,
  select: typeof selectFollowedTags,
): void => {
  server.get(path, paged(config), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const { site } = app.config;
    const rows = await readPage(app, request, reply, { most: PAGE, prev: "since_id" }, (page) =>
      select(app.sql, accountId, page),
    );
    const tags = rows.map((row) => row.id);
    const views = await loadTagsById(app, tags, accountId);
    return views.map((view) => tagEntity(view, site, app.clock.now(), true));
  });
};

export const tagRoutes = (server: Server, app: App): void => {
  oneTag(server, app);
  mutes(server, app);
  listOfTags(server, app, "/api/v1/followed_tags", user("read:follows"), selectFollowedTags);
  const muted = extension(user("read:mutes"), "tags", ["Tag"]);
  listOfTags(server, app, "/api/v1/muted_tags", muted, selectMutedTags);
  featuredTagRoutes(server, app);
};
