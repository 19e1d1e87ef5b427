// Serves the texts of the server: rules, terms, policy, description, and its domain blocks.
// https://docs.joinmastodon.org/methods/instance/

import type { App } from "../../../platform/app.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { checkStanding, open } from "../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { shareable } from "../../../platform/http/cache.ts";
import { Type, withPath, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { domainBlockEntity, listLimits } from "../../base/blocklists/domains.ts";
import { currentRules, ruleEntity } from "../../base/rules/rules.ts";
import { getSettings } from "../../base/settings/settings.ts";
import type { Settings } from "../../base/settings/settings.ts";
import { extendedDescription, privacyText } from "./texts.ts";
import { allTerms, currentTerms, termsEntity } from "./terms.ts";

type SeenBy = Settings["show_domain_blocks"];

const maySee = (seenBy: SeenBy | undefined, viewer: CurrentUser | null | undefined): boolean =>
  seenBy === "all" || (seenBy === "users" && Boolean(viewer));

const domainBlockRoute = (server: Server, app: App): void => {
  server.get("/api/v1/instance/domain_blocks", { config: open() }, async (request, reply) => {
    const viewer = request.credentials?.viewer;
    if (viewer) checkStanding(viewer);
    const { show_domain_blocks: list, show_domain_blocks_rationale: reasons } = await getSettings(
      app,
      ["show_domain_blocks", "show_domain_blocks_rationale"],
    );
    if (!maySee(list, viewer)) return reply.code(404).send({});
    // Shared caches may store it only if it is the same for everybody.
    const isSame = list === "all" && reasons !== "users" && !app.config.access.closed;
    if (isSame) shareable(reply);
    const rows = await listLimits(app);
    return rows.map((row) => domainBlockEntity(row, maySee(reasons, viewer)));
  });
};

/** `lang` is the wanted language of the built-in text. */
const PrivacyQuery = Type.Object({ lang: Type.Optional(Type.String()) });

const TermsParams = Type.Object({ date: Type.String() });

const termsRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/instance/terms_of_service", { config: open() }, async (_request, reply) => {
    const terms = await allTerms(app);
    const now = app.clock.now();
    const row = orNotFound(currentTerms(terms, now));
    shareable(reply);
    return termsEntity(row, terms, now);
  });

  server.get(
    "/api/v1/instance/terms_of_service/:date",
    withPath(open(), TermsParams),
    async (request, reply) => {
      const terms = await allTerms(app);
      const row = orNotFound(terms.find((term) => term.effective_date === request.params.date));
      shareable(reply);
      return termsEntity(row, terms, app.clock.now());
    },
  );
};

export const instanceTextRoutes = (server: Server, app: App): void => {
  domainBlockRoute(server, app);
  termsRoutes(server, app);

  server.get("/api/v1/instance/rules", async (_request, reply) => {
    shareable(reply);
    return (await currentRules(app)).map(ruleEntity);
  });

  server.get("/api/v1/instance/extended_description", async (_request, reply) => {
    const { content, updatedAt } = await extendedDescription(app);
    return shareable(reply).send({ updated_at: updatedAt, content });
  });

  server.get(
    "/api/v1/instance/privacy_policy",
    withQuery(open(), PrivacyQuery),
    async (request, reply) => {
      const { content, updatedAt } = await privacyText(app, request.query.lang);
      return shareable(reply).send({ updated_at: updatedAt, content });
    },
  );
};
