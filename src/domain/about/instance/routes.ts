// Serves public information about the server. https://docs.joinmastodon.org/methods/instance/

import type { FastifyReply } from "fastify";
import type { App } from "../../../platform/app.ts";
import { memoizeLast } from "../../../platform/caches/memoize-last.ts";
import { readingLanguages } from "../../../platform/http/accept-language.ts";
import { open, user } from "../../../platform/http/auth.ts";
import { shareable } from "../../../platform/http/cache.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { isProbe, seenOf } from "../../../platform/http/probe.ts";
import { UNCOUNTED } from "../../../platform/http/request-rates.ts";
import type { Server } from "../../../platform/http/server.ts";
import { LANGUAGE_CODES, languageName, listedName } from "../../../platform/text/languages.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import { VERSION } from "../../../platform/version.ts";
import { getSetting } from "../../base/settings/settings.ts";
import { instanceDetails } from "./details.ts";
import type { Details } from "./details.ts";
import { instanceFigures, knownPeers } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { peersRoute } from "./peers-route.ts";
import { instanceV1Entity, instanceV2Entity } from "./present.ts";
import { instanceTextRoutes } from "./text-routes.ts";
import { weeklyActivity } from "./weeks.ts";

type Make = (app: App, details: Details, figures: Figures) => object;

/** Caches the entity as bytes until its contents change. */
const identity = (name: string, make: Make) => {
  const bytesOf = memoizeLast(
    name,
    (app, { details, ...figures }: Figures & { details: Details }): Buffer =>
      Buffer.from(JSON.stringify(make(app, details, figures))),
  );
  return async (app: App): Promise<Buffer> => {
    const [details, figures] = await Promise.all([instanceDetails(app), instanceFigures(app)]);
    return bytesOf(app, { ...figures, details });
  };
};

const identityV1 = identity("instance v1", instanceV1Entity);
const identityV2 = identity("instance v2", instanceV2Entity);

/** The date when v2 replaced v1 (RFC 9745). */
const V1_DEPRECATED = "@1668384000";

/** Tells where the API is described (RFC 8631). */
const described = (reply: FastifyReply): FastifyReply =>
  shareable(reply).header(
    "link",
    '</api/openapi.json>; rel="service-desc", </developers>; rel="service-doc"',
  );

/** Answers with any token, valid or not, so that clients can always identify the server. */
const identityRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/instance", async (_request, reply) => {
    described(reply).header("deprecation", V1_DEPRECATED);
    return sendJsonBytes(reply, await identityV1(app));
  });

  server.get("/api/v2/instance", async (_request, reply) => {
    described(reply);
    return sendJsonBytes(reply, await identityV2(app));
  });

  // Suspended people may read it too, unless the API is closed to visitors.
  const config = app.config.access.closed ? open() : {};
  server.get("/api/v1/instance/peers", { config }, async (_request, reply) => {
    if (!(await getSetting(app, "peers_api", true))) return reply.code(404).send({});
    shareable(reply);
    return knownPeers(app);
  });
};

/**
 * Names languages in another one: browsers know the names of few. Programs that ask for no language get English; so
 * does everybody for what would have the name of another language, as Twi that of Akan.
 */
const namedIn = (language: string) => {
  const taken = new Set<string>();
  return LANGUAGE_CODES.map((code) => {
    const named = language === "en" ? code : languageName(code, language);
    const isOwn = named !== code && !taken.has(named);
    taken.add(named);
    return { code, name: isOwn ? named : listedName(code) };
  });
};

/** Adds the instance routes, except those that need an account. */
export const instanceRoutes = (server: Server, app: App): void => {
  identityRoutes(server, app);
  peersRoute(server, app);
  instanceTextRoutes(server, app);

  server.get("/api/v1/instance/activity", { config: open() }, async (_request, reply) => {
    if (!(await getSetting(app, "activity_api", true))) return reply.code(404).send({});
    shareable(reply);
    return weeklyActivity(app);
  });

  // This server asks for no donations.
  server.get("/api/v1/donation_campaigns", { config: user() }, async (_request, reply) =>
    reply.code(204).send(),
  );

  server.get("/api/v1/instance/languages", { config: open() }, async (request, reply) => {
    const { language } = textsIn(readingLanguages(request));
    return shareable(reply)
      .header("vary", "Accept, Accept-Language, Origin")
      .send(namedIn(language));
  });
};

/** Answers text to probes without a preference, and the entity to clients that want JSON. */
const wantsJson = (accept: string | undefined): boolean =>
  /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(accept ?? "");

const HEALTH = {
  well: { status: "UP" },
  full: { status: "UP", warning: "The disk is full: nothing is saved until there is room" },
  away: { status: "DOWN", error: "The database does not answer" },
};
const TEXT = {
  well: "OK",
  full: "OK, but the disk is full: nothing is saved until there is room",
  away: "The database does not answer",
};

export const healthRoutes = (server: Server, app: App): void => {
  // Answers while the process runs, so that its supervisor need not restart it.
  server.get("/livez", UNCOUNTED, async (_request, reply) =>
    reply.header("cache-control", "private, no-store").type("text/plain").send("OK"),
  );

  // Answers whether requests may be sent here, which is not so while it stops, nor without the database.
  server.get("/readyz", UNCOUNTED, async (_request, reply) => {
    const why = app.process.isStopping
      ? "Stopping"
      : app.pulse.fault() === "away"
        ? TEXT.away
        : null;
    reply.header("cache-control", "private, no-store").type("text/plain");
    return reply.code(why === null ? 200 : 503).send(why ?? "OK");
  });

  server.get("/health", UNCOUNTED, async (request, reply) => {
    // The pulse has checked the database a second ago; a probe must get its answer in an overload too.
    const fault = app.pulse.fault();
    reply.header("cache-control", "private, no-store").header("vary", "Accept");
    // A full disk does not make the server unready: reading works.
    if (fault === "away") reply.code(503);
    else if (isProbe(app, request)) return seenOf(request, VERSION);
    if (wantsJson(request.headers.accept)) return HEALTH[fault ?? "well"];
    return reply.header("content-type", "text/plain; charset=utf-8").send(TEXT[fault ?? "well"]);
  });
};
