// An error as a page, for people who followed a link. Programs get JSON (error-handler.ts).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { html } from "../text/html.ts";
import { page, sendPage } from "./page.ts";

/** Addresses that only programs ask for, whatever they say they accept. */
const FOR_PROGRAMS =
  /^\/(?:api|\.well-known|nodeinfo|inbox|oauth\/(?:token|revoke|userinfo))(?:[/?]|$)/;

/** A browser that shows what it gets: it names text/html, which no client library does. */
export const wantsPage = (request: FastifyRequest): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  !FOR_PROGRAMS.test(request.url) &&
  /\btext\/html\b/i.test(request.headers.accept ?? "");

const WORDS: Record<number, [title: string, text: string]> = {
  401: ["Sign in first", "This page is for people who are signed in."],
  403: ["Not allowed", "You may not see this page."],
  404: ["Nothing is here", "The page does not exist, was removed, or is not public."],
  410: ["Gone", "What was here has been removed for good."],
  429: ["Too many requests", "Please wait a while and try again."],
  503: ["Not available", "Something that we depend on is away. Please try again later."],
};

const REFUSED: [string, string] = ["That did not work", "The request could not be understood."];
const FAILED: [string, string] = [
  "Something went wrong on our end",
  "The fault has been noted. Please try again later.",
];

/** `message` says more where the status alone says little (400, 422). */
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
    <p><a href="/">To the front page</a></p>
  </section>`;
  const document = page(app, { title, body, narrow: true, noindex: true });
  reply.header("vary", "Accept");
  return sendPage(reply, document, { status });
};
