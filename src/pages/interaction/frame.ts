// What the pages of an interaction share: the frame, and the hidden fields of their forms.

import type { FastifyReply } from "fastify";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { instanceDetails } from "../../domain/instance/details.ts";
import { formField } from "../../domain/people/pages/cookies.ts";
import type { Asked } from "../../domain/people/pages/member.ts";
import { sendPublicPage } from "../layout.ts";
import { PUBLIC_STYLE_PATH } from "../style.ts";

export const PATH = "/authorize_interaction";

/** One visit: who is there, and the address that they brought along. */
export type Visit = Asked & { uri: string };

export type Content = { title: string; body: HtmlValue; status?: number };

/** The visitor's own page: never cached, never found by search engines. */
export const sendInteraction = async (
  { app, request, reply }: Asked,
  { title, body, status = 200 }: Content,
): Promise<FastifyReply> => {
  const details = await instanceDetails(app);
  const head = html`<link rel="stylesheet" href="${PUBLIC_STYLE_PATH}" />`;
  await sendPublicPage(app, request, reply, { details, title, head, noindex: true, body, status });
  return reply;
};

/** The address of the page for what `uri` names. */
export const pathOf = (uri: string, more: Record<string, string> = {}): string =>
  `${PATH}?${new URLSearchParams({ uri, ...more })}`;

/** Goes into every form here: the proof that it is ours, the way back, and what it is about. */
export const hiddenFields = ({ app, request, reply, uri }: Visit, id: string): Html =>
  html`${formField(app, request, reply)} <input type="hidden" name="uri" value="${uri}" />
    <input type="hidden" name="id" value="${id}" />`;
