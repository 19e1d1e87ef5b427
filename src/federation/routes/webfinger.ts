// Serves WebFinger (RFC 7033) and host-meta (RFC 6415) of this server: the actor of a local handle or address.

import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { formerNamesOf, isPresentDomain, withFormerNames } from "../../platform/config/names.ts";
import type { FormerNames, SiteNames } from "../../platform/config/names.ts";
import { Gone, NotFound, orNotFound } from "../../platform/errors.ts";
import { hostIn } from "../../platform/json/read.ts";
import { statusOf } from "../../platform/http/http-error.ts";
import type { Server } from "../../platform/http/server.ts";
import { escapeHtml } from "../../platform/text/html.ts";
import { avatarOf } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { normaliseDomain } from "../hosts.ts";
import { INSTANCE_ACTOR_NAME } from "../instance-actor.ts";
import { OBJECT_INTENT, SUBSCRIBE, parseAcct } from "../webfinger.ts";
import { actorNameIn } from "../actor-paths.ts";
import type { ActorName } from "../actor-paths.ts";
import { activeActor } from "./answer.ts";

const CACHE_CONTROL = "max-age=259200, public";
const ACTIVITY = "application/activity+json";

type Names = SiteNames | FormerNames;

const INSTANCE: ActorName = { username: INSTANCE_ACTOR_NAME };

/**
 * Returns the names of this server in a handle or address, present or former ones. Throws NotFound for those of others.
 */
const siteAt = ({ config: { site } }: App, domain: string): Names => {
  if (isPresentDomain(site, domain)) return site;
  const former = orNotFound(formerNamesOf(site, domain));
  // If only the web domain changed, the handle belongs to the present address.
  return isPresentDomain(site, former.localDomain) ? site : former;
};

/** Returns the actor that the request names here; null if it is invalid. */
const nameOf = (app: App, resource: string): ActorName | null => {
  const handle = parseAcct(app, resource);
  if (handle) {
    // Peers also ask for the server itself by `domain@domain`.
    const { username } = handle;
    return username.toLowerCase() === handle.domain ? INSTANCE : { username };
  }
  const url = URL.parse(resource);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (/^\/actor\/?$/.test(url.pathname)) return INSTANCE;
  const named = actorNameIn(url.pathname);
  if (!named || !/^\/?$/.test(named.rest)) throw new NotFound();
  return named.name;
};

/** Makes the links by which other sites bring people home to act on something (the last two: FEP-3b86). */
const actLinks = (origin: string) => {
  const act = `${origin}/authorize_interaction?uri=`;
  return [
    { rel: SUBSCRIBE, template: `${act}{uri}` },
    { rel: OBJECT_INTENT, template: `${act}{object}` },
    { rel: "https://w3id.org/fep/3b86/Create", template: `${origin}/share?text={content}` },
  ];
};

const avatarLinks = (href: string | null) =>
  href === null ? [] : [{ rel: "http://webfinger.net/rel/avatar", href }];

const personJrd = ({ config: { site } }: App, view: AccountView, { localDomain }: Names) => ({
  subject: `acct:${view.username}@${localDomain}`,
  aliases: [view.url, view.uri],
  links: [
    { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: view.url },
    { rel: "self", type: ACTIVITY, href: view.uri },
    ...actLinks(site.origin),
    ...avatarLinks(avatarOf(view, site)),
  ],
});

const instanceJrd = ({ config: { site } }: App, { localDomain }: Names) => ({
  subject: `acct:${INSTANCE_ACTOR_NAME}@${localDomain}`,
  aliases: [`${site.origin}/actor`],
  links: [
    {
      rel: "http://webfinger.net/rel/profile-page",
      type: "text/html",
      href: `${site.origin}/about`,
    },
    { rel: "self", type: ACTIVITY, href: `${site.origin}/actor` },
    ...actLinks(site.origin),
  ],
});

const presentJrd = async (app: App, name: ActorName, names: Names) =>
  name.username?.toLowerCase() === INSTANCE_ACTOR_NAME
    ? instanceJrd(app, names)
    : personJrd(app, await activeActor(app, name), names);

/**
 * Returns the JRD. Under a former name it names the actor's former address, whose document says that the actor moved.
 */
const jrdOf = async (app: App, name: ActorName, names: Names) => {
  const jrd = await presentJrd(app, name, names);
  return "until" in names ? withFormerNames(app.config.site, names, jrd) : jrd;
};

/** Sends an error, which has a status and no body. */
const sendError = (reply: FastifyReply, status: number): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html",
      "cache-control": "max-age=180, public",
      vary: "Origin",
    })
    .send("");

const webfingerRoute = (server: Server, app: App): void => {
  server.get<{ Querystring: { resource?: unknown } }>(
    "/.well-known/webfinger",
    async (request, reply) => {
      const { resource } = request.query;
      if (typeof resource !== "string" || resource.length > 2500) return sendError(reply, 400);
      try {
        const name = nameOf(app, resource);
        if (name === null) return sendError(reply, 400);
        const host = parseAcct(app, resource)?.domain ?? hostIn(resource) ?? "";
        const jrd = await jrdOf(app, name, siteAt(app, normaliseDomain(app, host) ?? host));
        return reply
          .header("content-type", "application/jrd+json; charset=utf-8")
          .header("cache-control", CACHE_CONTROL)
          .header("vary", "Accept, Origin")
          .send(JSON.stringify(jrd));
      } catch (error) {
        if (!(error instanceof NotFound || error instanceof Gone)) throw error;
        return sendError(reply, statusOf(error));
      }
    },
  );
};

const hostMetaXml = (template: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${escapeHtml(template)}"/>
</XRD>
`;

const sendHostMeta = (reply: FastifyReply, app: App, asJson: boolean): FastifyReply => {
  const template = `${app.config.site.origin}/.well-known/webfinger?resource={uri}`;
  reply.header("cache-control", CACHE_CONTROL).header("vary", "Accept, Origin");
  if (asJson) {
    const body = JSON.stringify({ links: [{ rel: "lrdd", template }] });
    return reply.header("content-type", "application/json; charset=utf-8").send(body);
  }
  const type = "application/xrd+xml; charset=utf-8";
  return reply.header("content-type", type).send(hostMetaXml(template));
};

export const webfingerRoutes = (server: Server, app: App): void => {
  webfingerRoute(server, app);

  server.get("/.well-known/host-meta", async (request, reply) =>
    sendHostMeta(reply, app, /application\/(?:jrd\+)?json/i.test(request.headers.accept ?? "")),
  );
  server.get("/.well-known/host-meta.json", async (_request, reply) =>
    sendHostMeta(reply, app, true),
  );
};
