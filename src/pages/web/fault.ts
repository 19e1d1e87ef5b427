// Draws errors as pages of the web client: with the frame of the signed-in person or, where the database may be away or
// a client comes too often, without any request to the API.

import type { FastifyRequest } from "fastify";
import type { Again } from "../../../web/src/served/pages.ts";
import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import { readingLanguages } from "../../platform/http/accept-language.ts";
import { errorText } from "../../platform/http/error-text.ts";
import type { DrawFault, Fault } from "../../platform/http/fault-page.ts";
import { lookOf } from "../../platform/http/look.ts";
import type { Server } from "../../platform/http/server.ts";
import { textsIn } from "../../platform/text/texts.ts";
import type { Texts } from "../../platform/text/texts.ts";
import { pageCredentials } from "../../domain/people/oauth/authenticate.ts";
import { formTokenOf, visitor } from "../../domain/people/users/pages/cookies.ts";
import { encoded } from "./encoding.ts";
import { loadBundle } from "./bundle.ts";
import { VARY, documentHeaders, pageRequest } from "./document.ts";

/** The server's last known title, because errors are also shown when settings cannot be read. */
const lastTitle = perApp("server title", (app) => ({
  title: app.config.instance.title,
  entries: () => 1,
}));

export const rememberTitle = (app: App, title: string): void => {
  lastTitle(app).title = title;
};

type Known = { status: number; message: string; isSaid: boolean };

/** Returns the error in the reader's language; otherwise what the API says, in English alone. */
const knownFault = ({ t, language }: Texts, { status, message = "", error }: Fault): Known => {
  const text = error ? errorText(t, error) : null;
  if (text !== null) return { status, message: text, isSaid: true };
  return { status, message: language === "en" ? message : "", isSaid: false };
};

/** After a form, its address has no page to come back to. */
const addressOf = ({ method, url }: FastifyRequest): string => (method === "POST" ? "/" : url);

const inFrame = async (app: App, request: FastifyRequest, fault: Fault): Promise<string> => {
  const who = await visitor(app, request);
  const credentials = who?.standing === "active" ? await pageCredentials(app, who) : null;
  const reader = { credentials, locale: who?.locale };
  const page = await pageRequest(app, request.server as Server, request, reader);
  const { renderPage } = await loadBundle();
  const rendered = await renderPage({
    ...page,
    url: addressOf(request),
    formToken: who ? formTokenOf(app, request) : "",
    fault: knownFault(page.texts, fault),
  });
  if (rendered.kind !== "document") throw new Error("an error was sent elsewhere");
  return String(encoded(rendered.parts, "identity"));
};

const bare = async (
  app: App,
  request: FastifyRequest,
  fault: Fault,
  again?: Again,
): Promise<string> => {
  const texts = textsIn(readingLanguages(request));
  const { renderBare } = await loadBundle();
  return renderBare({
    url: addressOf(request),
    origin: app.config.site.origin,
    texts,
    look: lookOf(request),
    siteTitle: lastTitle(app).title,
    domain: app.config.site.localDomain,
    fault: knownFault(texts, fault),
    ...(again && { again }),
  });
};

const headersOf = (app: App) => ({
  ...documentHeaders(app),
  vary: VARY,
  "cache-control": "private, no-store",
});

/** Draws the error, with what was written in a form that sends it again. */
export const drawAgain = async (
  app: App,
  request: FastifyRequest,
  fault: Fault,
  again: Again,
): Promise<{ html: string; headers: Record<string, string> }> => ({
  html: await bare(app, request, fault, again),
  headers: headersOf(app),
});

const isCalm = ({ status }: Fault): boolean => status < 500 && status !== 429;

export const drawFault =
  (app: App): DrawFault =>
  async (request, fault) => {
    const html = isCalm(fault)
      ? await inFrame(app, request, fault).catch(() => bare(app, request, fault))
      : await bare(app, request, fault);
    return { html, headers: headersOf(app) };
  };
