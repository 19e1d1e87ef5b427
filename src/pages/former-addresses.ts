// Leads from addresses of Mastodon's web client, which bookmarks and links have, to the same pages of this one.

import type { FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { pathId } from "../platform/http/incoming.ts";
import type { Server } from "../platform/http/server.ts";
import { NOBODY, asPerson } from "../platform/viewer.ts";
import { getShownAccount } from "../domain/people/accounts/load.ts";
import { asciiAcct } from "../domain/people/accounts/present.ts";
import { visitor } from "../domain/people/users/pages/cookies.ts";
import { getVisible } from "../domain/posts/statuses/load.ts";

/** Pages by the beginnings of their former addresses; a page of the same name stays where it is. */
const PLACES: Record<string, string> = {
  "/blocks": "/settings/blocks",
  "/domain_blocks": "/settings/domain_blocks",
  "/explore/posts": "/explore",
  "/explore/suggestions": "/explore/people",
  "/filters": "/settings/filters",
  "/getting-started": "/home",
  "/keyboard-shortcuts": "/home",
  "/links": "/explore/links",
  "/mutes": "/settings/mutes",
  "/notifications_v2": "/notifications",
  "/overview": "/about",
  "/pinned": "/you",
  "/profile": "/settings/profile",
  "/public/remote": "/public",
  "/publish": "/compose",
  "/start": "/home",
  "/timelines/direct": "/conversations",
  "/timelines/home": "/home",
  "/timelines/list": "/lists",
  "/timelines/public": "/public",
  "/timelines/tag": "/tags",
};

/** Places whose pages are about something that the rest of the address names. */
const NAMING = ["/timelines/list", "/timelines/public", "/timelines/tag"];

/** Returns the present path for the rest of an address after `/web` or `/deck`. */
const placeOf = (path: string): string => {
  const [from, to] = Object.entries(PLACES).find(
    ([name]) => path === name || path.startsWith(`${name}/`),
  ) ?? ["", ""];
  return NAMING.includes(from) || from === "" ? to + path.slice(from.length) : to;
};

/** Returns where a post or a person is, whose number alone was in the address. */
const numbered = async (app: App, request: FastifyRequest, kind: string): Promise<string> => {
  const number = pathId((request.params as { id: string }).id);
  if (kind === "accounts") return `/@${asciiAcct(await getShownAccount(app, number))}`;
  const member = await visitor(app, request);
  const viewer = member ? asPerson(member.accountId) : NOBODY;
  return `/@${asciiAcct((await getVisible(app, number, viewer)).account)}/${number}`;
};

type Lead = (request: FastifyRequest, path: string) => Promise<string>;

export const formerAddressRoutes = (server: Server, app: App): void => {
  const lead = (path: string, to: Lead) =>
    server.get(path, async (request, reply) => {
      const [, address = "", query = ""] = /^([^?]*)(\?.*)?$/.exec(request.url) ?? [];
      const rest = address.replace(/^\/(?:web|deck)(?=\/|$)/, "").replace(/^\/+|\/+$/g, "");
      reply.header("cache-control", "private, no-store");
      return reply.redirect((await to(request, `/${rest || "home"}`)) + query, 302);
    });
  const place: Lead = async (_request, path) => placeOf(path);
  for (const name of Object.keys(PLACES)) {
    lead(name, place);
    lead(`${name}/*`, place);
  }
  for (const prefix of ["", "/web", "/deck"])
    for (const kind of ["statuses", "accounts"])
      lead(`${prefix}/${kind}/:id`, (request) => numbered(app, request, kind));
  for (const path of ["/web", "/web/*", "/deck", "/deck/*"]) lead(path, place);
};
