// Takes visitors to their own servers and back. POST /interact: a visitor says where they have an account, and is
// redirected there. /authorize_interaction?uri=: other servers send people here who want to follow, reply, boost or
// favourite (the subscribe template of WebFinger, https://www.w3.org/community/ostatus/). And /share, and /intent, to
// which browsers lead from `web+mastodon:` addresses.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { Forbidden, NotFound } from "../../platform/errors.ts";
import { httpUrl } from "../../platform/json/read.ts";
import { addressKey, countAttempt } from "../../platform/http/rate-limit.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import type { Server } from "../../platform/http/server.ts";
import { readTexts } from "../../domain/people/oauth/parameters.ts";
import { asMember } from "../../domain/people/users/pages/member.ts";
import { ownPath } from "../../domain/people/users/pages/components.ts";
import type { ShowView } from "../web/view.ts";
import { homeAddress } from "./home-address.ts";

const LOOKUPS: Limit = { name: "interaction:lookup", by: "person", count: 60, seconds: 300 };
const DEPARTURES: Limit = { name: "interaction:home", by: "address", count: 20, seconds: 300 };

/** Pages by the host of a `web+mastodon:` address. */
const INTENTS = new Map([
  ["follow", "/authorize_interaction"],
  ["share", "/share"],
]);

/** Checks that our own page sent the form, so that nobody can redirect people to another server through our address. */
const checkOrigin = ({ config }: App, { headers }: FastifyRequest): void => {
  const { origin, "sec-fetch-site": site = "same-origin" } = headers;
  if ((origin !== undefined && origin !== config.site.origin) || site !== "same-origin")
    throw new Forbidden("This form has to be sent from a page of this server.");
};

/** Redirects back to the form, which says what is wrong. */
const again = (
  reply: FastifyReply,
  back: string | null,
  problem: string,
  home: string,
): FastifyReply => {
  const page = back && /^\/interact(?:[/?]|$)/.test(back) ? back : "/interact";
  const query = new URLSearchParams({ problem, home });
  return reply.redirect(`${page}${page.includes("?") ? "&" : "?"}${query}`, 303);
};

const leave = (app: App) => async (request: FastifyRequest, reply: FastifyReply) => {
  checkOrigin(app, request);
  await countAttempt(app, DEPARTURES, addressKey(request.ip));
  const { home = "", back = "", uri } = readTexts(request.body);
  const subject = httpUrl(uri);
  const place = home.trim().slice(0, 300);
  const answer = subject ? await homeAddress(app, place, subject) : { problem: "invalid" };
  reply.header("cache-control", "private, no-store");
  return "url" in answer
    ? reply.redirect(answer.url, 303)
    : again(reply, ownPath(app, back), answer.problem, place);
};

export const interactionRoutes = (server: Server, app: App, view: ShowView): void => {
  server.post("/interact", leave(app));

  server.register(async (pages: Server) => {
    pages.addHook("onRequest", async (_request, reply) => {
      // This also applies to the redirect to the sign-in page.
      reply.header("x-robots-tag", "noindex, nofollow");
    });
    pages.get(
      "/authorize_interaction",
      asMember(app, async ({ request, reply, who }) => {
        if (readTexts(request.query)["uri"]) await countAttempt(app, LOOKUPS, who.userId);
        return view(request, reply);
      }),
    );
    pages.get(
      "/share",
      asMember(app, ({ request, reply }) => view(request, reply)),
    );
    pages.get("/intent", async (request, reply) => {
      const address = URL.parse(readTexts(request.query)["uri"] ?? "");
      const path = address?.protocol === "web+mastodon:" && INTENTS.get(address.hostname);
      if (!path) throw new NotFound();
      return reply.redirect(`${path}${address.search}`, 302);
    });
  });
};
