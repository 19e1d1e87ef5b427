// Errors as pages of the web client: with the frame of whoever is signed in, or, where the database may be away or
// somebody comes too often, without a question to anybody.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import type { DrawFault, Fault } from "../../platform/http/fault-page.ts";
import { lookOf } from "../../platform/http/look.ts";
import type { Server } from "../../platform/http/server.ts";
import { pageCredentials } from "../../domain/oauth/authenticate.ts";
import { formTokenOf, visitor } from "../../domain/people/pages/cookies.ts";
import { loadBundle } from "./bundle.ts";
import { VARY, documentHeaders, languagesOf, pageRequest } from "./document.ts";

/** The title that pages had last: errors are shown when settings cannot be read, too. */
const lastTitle = perApp("server title", (app) => ({
  title: app.config.instance.title,
  entries: () => 1,
}));

export const rememberTitle = (app: App, title: string): void => {
  lastTitle(app).title = title;
};

type Known = { status: number; message: string };

/** After a form there is no page to come back to at its address. */
const addressOf = ({ method, url }: FastifyRequest): string => (method === "POST" ? "/" : url);

const inFrame = async (app: App, request: FastifyRequest, fault: Known): Promise<string> => {
  const who = await visitor(app, request);
  const credentials = who?.standing === "active" ? await pageCredentials(app, who.userId) : null;
  const rendered = await (
    await loadBundle()
  ).renderPage({
    ...(await pageRequest(app, request.server as Server, request, credentials)),
    url: addressOf(request),
    formToken: who ? formTokenOf(app, request) : "",
    fault,
  });
  if (rendered.kind !== "document") throw new Error("an error was sent elsewhere");
  return rendered.html;
};

const bare = async (app: App, request: FastifyRequest, fault: Known): Promise<string> =>
  (await loadBundle()).renderBare({
    url: addressOf(request),
    origin: app.config.site.origin,
    languages: languagesOf(request),
    look: lookOf(request),
    siteTitle: lastTitle(app).title,
    domain: app.config.site.localDomain,
    fault,
  });

const isCalm = ({ status }: Fault): boolean => status < 500 && status !== 429;

export const drawFault =
  (app: App): DrawFault =>
  async (request, { status, message = "" }) => {
    const fault = { status, message };
    const html = isCalm(fault)
      ? await inFrame(app, request, fault).catch(() => bare(app, request, fault))
      : await bare(app, request, fault);
    return {
      html,
      headers: { ...documentHeaders(app), vary: VARY, "cache-control": "private, no-store" },
    };
  };
