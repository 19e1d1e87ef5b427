// The texts of a page that the server draws itself: in the language of who is signed in, otherwise of the browser.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { readingLanguages } from "../../../../platform/http/accept-language.ts";
import { pageTexts } from "../../../../platform/text/texts.ts";
import type { Texts } from "../../../../platform/text/texts.ts";
import { visitor } from "./cookies.ts";

const chosen = new WeakMap<FastifyRequest, Texts>();

/** Before a request is handled. */
export const chooseTexts = async (app: App, request: FastifyRequest): Promise<void> => {
  const who = await visitor(app, request);
  chosen.set(request, pageTexts(readingLanguages(request, who?.locale)));
};

/** Where none were chosen: of the browser. */
export const textsOf = (request: FastifyRequest): Texts =>
  chosen.get(request) ?? pageTexts(readingLanguages(request));
