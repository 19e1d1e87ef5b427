// An error as a page, for people who followed a link. Programs get JSON (error-handler.ts).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { html } from "../text/html.ts";
import { page, sendPage } from "./page.ts";

/** Paths that only programs request, whatever their Accept header says. */
const FOR_PROGRAMS =
  /^\/(?:api|\.well-known|nodeinfo|inbox|oauth\/(?:token|revoke|userinfo))(?:[/?]|$)/;

/** Whether a browser will show the response: it accepts text/html by name, which client libraries do not. */
export const wantsPage = (request: FastifyRequest): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  !FOR_PROGRAMS.test(request.url) &&
  /\btext\/html\b/i.test(request.headers.accept ?? "");

const WORDS: Record<number, [title: string, text: string]> = {
  401: ["Sign in to continue", "You need to sign in to see this page."],
  403: ["Access denied", "You don’t have permission to see this page."],
  404: ["Page not found", "This page doesn’t exist, has been removed, or isn’t public."],
  410: ["No longer available", "This page has been permanently removed."],
  429: ["Too many requests", "Please wait a moment and try again."],
  503: [
    "Temporarily unavailable",
    "A service this page depends on isn’t responding. Please try again later.",
  ],
};

const REFUSED: [string, string] = [
  "Invalid request",
  "The server couldn’t understand this request.",
];
const FAILED: [string, string] = [
  "Something went wrong on our end",
  "The error has been logged. Please try again later.",
];

/** `message` is shown where the status alone says little (400, 422). */
export const sendFaultPage = (
  app: App,
  reply: FastifyReply,
  status: number,
  message?: string,
): FastifyReply => {
  const [title, words] = WORDS[status] ?? (status < 500 ? REFUSED : FAILED);
  const text = status === 400 || status === 422 ? (message ?? words) : words;
  const body = html`<section class="card">
    <h1>${title}</h1>
    <p>${text}</p>
    <p><a href="/">Go to the home page</a></p>
  </section>`;
  const document = page(app, { title, body, narrow: true, noindex: true });
  reply.header("vary", "Accept");
  return sendPage(reply, document, { status });
};
