// Serves the tags that accounts feature. https://docs.joinmastodon.org/methods/featured_tags/

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import {
  BadRequest,
  NotFound,
  invalidField,
  invalidFields,
  taken,
} from "../../../platform/errors.ts";
import { open, user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { Type, byId, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { says } from "../../../platform/text/texts.ts";
import { getAccount, getShownAccount } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import "./events.ts";
import { featureTag, unfeatureTag } from "./feature-tag.ts";
import { loadFeaturedTags, loadTagsById } from "./load.ts";
import { featuredTagEntity, tagEntity } from "./present.ts";
import { selectFeaturedTags, selectSuggestions } from "./queries.ts";
import { MAX_SUGGESTIONS, parseTypedTag } from "./rules.ts";

const FeatureBody = Type.Object({ name: Type.Optional(Type.String()) });

const sendFeatured = async (app: App, owner: AccountView) =>
  (await loadFeaturedTags(app, owner.id)).map((row) =>
    featuredTagEntity(row, owner, app.config.site),
  );

const feature = async (app: App, accountId: string, name: string | undefined) => {
  if (!name?.trim()) throw new BadRequest("param is missing or the value is empty: name", "name");
  const tag = parseTypedTag(name);
  if (!tag) throw invalidField("name", "is invalid", says("invalid.tag"));
  const id = await featureTag(app, accountId, tag);
  if (id === null) throw invalidFields([taken("name")]);
  const [row] = await selectFeaturedTags(app.sql, accountId, id);
  return featuredTagEntity(row!, await getAccount(app, accountId), app.config.site);
};

const ownTags = (server: Server, app: App): void => {
  server.get("/api/v1/featured_tags", { config: user("read:accounts") }, async (request) =>
    sendFeatured(app, await getAccount(app, viewerOf(request).accountId)),
  );

  server.post(
    "/api/v1/featured_tags",
    withBody(userForm("write:accounts"), FeatureBody),
    async (request) => feature(app, viewerOf(request).accountId, request.body.name),
  );

  server.get(
    "/api/v1/featured_tags/suggestions",
    { config: user("read:accounts") },
    async (request) => {
      const { accountId } = viewerOf(request);
      const ids = await selectSuggestions(app.sql, accountId, MAX_SUGGESTIONS);
      const views = await loadTagsById(app, ids, accountId);
      return views.map((view) => tagEntity(view, app.config.site, app.clock.now(), true));
    },
  );

  server.delete("/api/v1/featured_tags/:id", byId(userForm("write:accounts")), async (request) => {
    const id = parseId(request.params.id);
    const { accountId } = viewerOf(request);
    if (id === null || !(await unfeatureTag(app, accountId, { id }))) throw new NotFound();
    return {};
  });
};

const REFRESH_SECONDS = 24 * 60 * 60;

/** Enqueues fetching those of remote accounts when somebody looks at them, at most once a day. */
const refreshLater = async (app: App, { id, domain }: AccountView): Promise<void> => {
  if (domain === null) return;
  if (!(await app.kv.add(`featured-tags:${id}`, "1", REFRESH_SECONDS))) return;
  const key = `featured-tags:${id}`;
  await app.jobs.add(app.sql, "featured_tags.refresh", { accountId: id }, { key });
};

export const featuredTagRoutes = (server: Server, app: App): void => {
  ownTags(server, app);

  server.get("/api/v1/accounts/:id/featured_tags", byId(open()), async (request) => {
    const owner = await getShownAccount(app, request.params.id);
    if (owner.suspended_at !== null) return [];
    await refreshLater(app, owner);
    return sendFeatured(app, owner);
  });
};
