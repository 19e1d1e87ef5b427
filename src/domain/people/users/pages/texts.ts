// Chooses the texts of a page that the server draws itself, in the language of the signed-in person, otherwise of the
// browser.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { readingLanguages } from "../../../../platform/http/accept-language.ts";
import { textsIn } from "../../../../platform/text/texts.ts";
import type { Texts } from "../../../../platform/text/texts.ts";
import { visitor } from "./cookies.ts";

const chosen = new WeakMap<FastifyRequest, Texts>();

/** Chooses the texts of a request; must be called before the request is handled. */
export const chooseTexts = async (app: App, request: FastifyRequest): Promise<void> => {
  const who = await visitor(app, request);
  chosen.set(request, textsIn(readingLanguages(request, who?.locale)));
};

/** Falls back to the browser's language where none were chosen. */
export const textsOf = (request: FastifyRequest): Texts =>
  chosen.get(request) ?? textsIn(readingLanguages(request));
