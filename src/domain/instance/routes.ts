// What the server tells of itself to anybody. https://docs.joinmastodon.org/methods/instance/

import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { checkStanding, open } from "../../platform/http/auth.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import type { Server } from "../../platform/http/server.ts";
import { LANGUAGES } from "../../platform/text/languages.ts";
import { getSetting } from "../settings/settings.ts";
import { instanceDetails } from "./details.ts";
import type { Details } from "./details.ts";
import { instanceFigures, knownPeers } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { instanceV1Entity, instanceV2Entity } from "./present.ts";
import { PRIVACY_CHANGED, privacyPolicy } from "./privacy.ts";
import { weeklyActivity } from "./weeks.ts";

/** The same for everybody: shared caches may keep it for some minutes. */
export const shareable = (reply: FastifyReply): FastifyReply =>
  reply
    .header("cache-control", "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400")
    .header("vary", "Accept, Origin");

type Make = (app: App, details: Details, figures: Figures) => object;
type Made = { details: Details; figures: Figures; bytes: Buffer };

const lastMade = new WeakMap<Make, WeakMap<App, Made>>([
  [instanceV1Entity, new WeakMap()],
  [instanceV2Entity, new WeakMap()],
]);

const areSame = (one: Figures, other: Figures): boolean =>
  (Object.keys(one) as (keyof Figures)[]).every((name) => one[name] === other[name]);

/** The entity as bytes, made anew when what it says has changed. */
const identity = async (app: App, make: Make): Promise<Buffer> => {
  const [details, figures] = await Promise.all([instanceDetails(app), instanceFigures(app)]);
  const kept = lastMade.get(make)!;
  const last = kept.get(app);
  if (last && last.details === details && areSame(last.figures, figures)) return last.bytes;
  const bytes = Buffer.from(JSON.stringify(make(app, details, figures)));
  kept.set(app, { details, figures, bytes });
  return bytes;
};

/** When v1 gave way to v2 (RFC 9745). */
const V1_DEPRECATED = "@1668384000";

/** Answered whatever token comes along, so that a client can always learn where it is. */
const identityRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/instance", async (_request, reply) => {
    shareable(reply).header("deprecation", V1_DEPRECATED);
    return sendJsonBytes(reply, await identity(app, instanceV1Entity));
  });

  server.get("/api/v2/instance", async (_request, reply) => {
    shareable(reply);
    return sendJsonBytes(reply, await identity(app, instanceV2Entity));
  });

  server.get("/api/v1/instance/peers", async (_request, reply) => {
    shareable(reply);
    return knownPeers(app);
  });

  // Rules cannot be written yet.
  server.get("/api/v1/instance/rules", async (_request, reply) => shareable(reply).send([]));

  server.get("/api/v1/instance/extended_description", async (_request, reply) =>
    shareable(reply).send({ updated_at: null, content: "" }),
  );
};

const domainBlockRoutes = (server: Server, app: App): void => {
  // Servers cannot be blocked yet; who may read the list is a setting already, off as elsewhere.
  server.get("/api/v1/instance/domain_blocks", { config: open() }, async (request, reply) => {
    const shown = await getSetting(app, "show_domain_blocks", "disabled");
    const viewer = request.credentials?.viewer;
    if (viewer) checkStanding(viewer);
    if (shown === "all") return shareable(reply).send([]);
    return shown === "users" && viewer ? reply.send([]) : reply.code(404).send({});
  });
};

/** Mounts the instance group, except what needs an account. */
export const instanceRoutes = (server: Server, app: App): void => {
  identityRoutes(server, app);
  domainBlockRoutes(server, app);

  server.get("/api/v1/instance/activity", { config: open() }, async (_request, reply) => {
    shareable(reply);
    return weeklyActivity(app);
  });

  server.get("/api/v1/instance/privacy_policy", { config: open() }, async (_request, reply) =>
    shareable(reply).send({
      updated_at: PRIVACY_CHANGED,
      content: String(privacyPolicy(app.config)),
    }),
  );

  const languages = LANGUAGES.map(([code, name]) => ({ code, name }));
  server.get("/api/v1/instance/languages", { config: open() }, async (_request, reply) =>
    shareable(reply).send(languages),
  );

  // No translator is configured, so nothing can be translated into anything.
  server.get(
    "/api/v1/instance/translation_languages",
    { config: open() },
    async (_request, reply) => shareable(reply).send({}),
  );
};
