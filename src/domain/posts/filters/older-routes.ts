// Serves version 1 of filters, in which each filter is a keyword of a version 2 filter, by the keyword's id.
// https://docs.joinmastodon.org/methods/filters/#v1

import type { App } from "../../../platform/app.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import type { Server } from "../../../platform/http/server.ts";
import { byId, changingById, withBody } from "../../../platform/http/schema.ts";
import { checkKeyword } from "./check.ts";
import type { FilterDraft } from "./check.ts";
import { olderFilterEntity } from "./present.ts";
import { selectFilters } from "./queries.ts";
import { OlderFilterBody } from "./schema.ts";
import type { FilterRow, KeywordOfFilter } from "./tables.ts";
import {
  addFilter,
  changeFilter,
  getFilter,
  getFilterOfPart,
  removeFilter,
  removeKeyword,
} from "./write.ts";

/** Version 2 replaced it (RFC 9745); the date is from the contract. */
const DEPRECATED = { deprecation: "@1668384000" };

type Body = {
  phrase?: string | null;
  context?: string[] | null;
  irreversible?: boolean | null;
  whole_word?: boolean | null;
  expires_in?: number | null;
};

const find = async (app: App, accountId: string, path: string): Promise<KeywordOfFilter> => {
  const id = pathId(path);
  const filter = await getFilterOfPart(app, "filter_keywords", accountId, id);
  return { ...filter.keywords.find((row) => row.id === id)!, filter };
};

const draftOf = (body: Body): FilterDraft => ({
  ...(body.context !== undefined && { context: body.context }),
  ...(body.expires_in !== undefined && { expires_in: body.expires_in }),
  ...(typeof body.irreversible === "boolean" && {
    filter_action: body.irreversible ? ("hide" as const) : ("warn" as const),
  }),
});

const add = async (app: App, accountId: string, body: Body): Promise<KeywordOfFilter> => {
  const title = body.phrase ?? "";
  const keyword = { keyword: title, whole_word: body.whole_word ?? false };
  // A phrase may be longer than a title, so that the title is cut.
  const draft = { ...draftOf(body), title: [...title].slice(0, 256).join("") };
  const id = await addFilter(app, accountId, draft, title.trim() === "" ? [] : [keyword]);
  const filter = await getFilter(app, accountId, id);
  return { ...filter.keywords[0]!, filter };
};

const isOther = (filter: FilterRow, { context, expires_in, filter_action: action }: FilterDraft) =>
  expires_in !== undefined ||
  (action !== undefined && action !== filter.action) ||
  (context !== undefined && context?.toSorted().join() !== filter.context.toSorted().join());

const change = async (app: App, accountId: string, before: KeywordOfFilter, body: Body) => {
  const { filter, id } = before;
  const draft = draftOf(body);
  // Other keywords of the filter would change too, and this API cannot show them.
  if (filter.keywords.length > 1 && isOther(filter, draft)) {
    throw new Unprocessable("This filter has several keywords. Use /api/v2/filters to change it");
  }
  const values = { keyword: body.phrase, whole_word: body.whole_word };
  checkKeyword(values, before);
  await changeFilter(app, accountId, filter, draft, [{ id, ...values }]);
};

/** Deletes a filter with no keyword and no status left, which version 1 could not show. */
const remove = (app: App, accountId: string, { id, filter }: KeywordOfFilter): Promise<void> =>
  filter.keywords.length === 1 && filter.statuses.length === 0
    ? removeFilter(app, accountId, filter.id)
    : removeKeyword(app, accountId, filter, id);

export const olderFilterRoutes = (server: Server, app: App): void => {
  const read = user("read:filters");
  const write = user("write:filters");

  server.get("/api/v1/filters", { config: read }, async (request, reply) => {
    reply.headers(DEPRECATED);
    const rows = await selectFilters(app.sql, viewerOf(request).accountId);
    return rows.flatMap((filter) =>
      filter.keywords.map((keyword) => olderFilterEntity({ ...keyword, filter })),
    );
  });

  server.post("/api/v1/filters", withBody(write, OlderFilterBody), async (request, reply) => {
    reply.headers(DEPRECATED);
    return olderFilterEntity(await add(app, viewerOf(request).accountId, request.body));
  });

  server.get("/api/v1/filters/:id", byId(read), async (request, reply) => {
    reply.headers(DEPRECATED);
    const { accountId } = viewerOf(request);
    return olderFilterEntity(await find(app, accountId, request.params.id));
  });

  server.route({
    url: "/api/v1/filters/:id",
    ...changingById(write, OlderFilterBody),
    handler: async (request, reply) => {
      reply.headers(DEPRECATED);
      const { accountId } = viewerOf(request);
      const before = await find(app, accountId, request.params.id);
      await change(app, accountId, before, request.body);
      return olderFilterEntity(await find(app, accountId, before.id));
    },
  });

  server.delete("/api/v1/filters/:id", byId(write), async (request, reply) => {
    reply.headers(DEPRECATED);
    const { accountId } = viewerOf(request);
    await remove(app, accountId, await find(app, accountId, request.params.id));
    return {};
  });
};
