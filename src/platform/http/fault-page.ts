// Shows errors as pages to people who followed a link or sent a form. Programs get JSON (error-handler.ts).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { html } from "../text/html.ts";
import { textsIn } from "../text/texts.ts";
import { readingLanguages } from "./accept-language.ts";
import { pageHeaders } from "./page.ts";

/** Paths that only programs request, whatever their Accept header says. */
const FOR_PROGRAMS =
  /^\/(?:api|\.well-known|nodeinfo|inbox|oauth\/(?:token|revoke|userinfo))(?:[/?]|$)/;

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Whether a browser will show the response: it accepts text/html by name, which client libraries do not. */
export const wantsPage = ({ method, headers, url }: FastifyRequest): boolean =>
  (method === "GET" ||
    method === "HEAD" ||
    (method === "POST" && FORM.test(headers["content-type"] ?? ""))) &&
  !FOR_PROGRAMS.test(url) &&
  /\btext\/html\b/i.test(headers.accept ?? "");

/** Whether a script of a page sent the form, and shows the answer in place. */
export const isInPlace = (request: FastifyRequest) => request.headers.accept === "application/json";

/** `error` is the cause, where it says more than the status. */
export type Fault = { status: number; message?: string | undefined; error?: Error };

type FaultDocument = { html: string; headers: Record<string, string> };

/** Draws an error like all other pages; injected, because higher layers draw pages. */
export type DrawFault = (request: FastifyRequest, fault: Fault) => Promise<FaultDocument>;

/** Sends a plain page where nothing else can be drawn. */
const sendPlain = (app: App, reply: FastifyReply, { status }: Fault): FastifyReply => {
  const { t, language: lang } = textsIn(readingLanguages(reply.request));
  const title = t(status < 500 ? "fault.plain" : "fault.plain_failed");
  const document = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <h1>${title}</h1>
        <p><a href="/">${app.config.instance.title}</a></p>
      </body>
    </html>`;
  return reply.code(status).headers(pageHeaders(app)).send(String(document));
};

/** Sends a page with the error, unless an answer was sent meanwhile. */
export const sendFaultPage = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault,
  draw?: DrawFault,
): Promise<FastifyReply> => {
  const drawn = await draw?.(request, fault).catch((error: unknown) => {
    app.log.error({ err: error }, "an error page could not be drawn");
    return null;
  });
  if (reply.sent || reply.raw.headersSent) return reply;
  if (!drawn) return sendPlain(app, reply, fault);
  return reply.code(fault.status).headers(drawn.headers).send(drawn.html);
};
