// The page on which somebody replies to, boosts or favourites a post that they came across on another
// server.

import { randomUUID } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { loadPerson } from "../../domain/accounts/settings.ts";
import type { Person } from "../../domain/accounts/settings.ts";
import { inputField, notice } from "../../domain/people/pages/parts.ts";
import { defaultVisibility } from "../../domain/statuses/compose.ts";
import { canReblog } from "../../domain/statuses/rules.ts";
import type { SeenStatus, Visibility } from "../../domain/statuses/tables.ts";
import { handle, shownName } from "../parts.ts";
import { post } from "../post.ts";
import { PATH, hiddenFields, sendInteraction } from "./frame.ts";
import type { Visit } from "./frame.ts";

/** What is in the reply form; `problem` says why it was not posted. */
export type Reply = { text: string; warning: string; visibility: Visibility; problem?: string };

const toggle = (isOn: boolean, on: [string, string], off: [string, string]): Html => {
  const [act, label] = isOn ? on : off;
  return html`<button
    class="${isOn ? "button plain on" : "button plain"}"
    name="act"
    value="${act}"
  >
    ${label}
  </button>`;
};

const actForm = (visit: Visit, view: SeenStatus): Html => {
  const flags = view.viewer?.flags;
  const isBoosted = flags?.reblogged ?? false;
  return html`<form class="interaction" method="post" action="${PATH}/status">
    ${hiddenFields(visit, view.id)}
    <div class="actions">
      ${toggle(
        flags?.favourited ?? false,
        ["unfavourite", "Remove favourite"],
        ["favourite", "★ Favourite"],
      )}
      ${
        (isBoosted || canReblog(view)) &&
        toggle(isBoosted, ["unboost", "Undo boost"], ["boost", "⟳ Boost"])
      }
    </div>
  </form>`;
};

const VISIBILITIES: [Visibility, string][] = [
  ["public", "Public"],
  ["unlisted", "Quiet public: not in timelines and search"],
  ["private", "Followers only"],
  ["direct", "Only people mentioned"],
];

/** A reply is for no more people than the post that it answers. */
const choices = (parent: SeenStatus): [Visibility, string][] =>
  VISIBILITIES.slice(VISIBILITIES.findIndex(([visibility]) => visibility === parent.visibility));

const visibilityField = (view: SeenStatus, chosen: Visibility): Html =>
  html`<div class="field">
    <label for="visibility">Who can see your reply</label>
    <select id="visibility" name="visibility">
      ${choices(view).map(
        ([value, label]) =>
          html`<option value="${value}" ${value === chosen && raw("selected")}>${label}</option>`,
      )}
    </select>
  </div>`;

const warningField = (view: SeenStatus, value: string): HtmlValue =>
  (view.spoiler_text !== "" || value !== "") &&
  inputField({ name: "spoiler_text", label: "Content warning", value, optional: true });

const replyForm = (visit: Visit, view: SeenStatus, reply: Reply): Html =>
  html`<section class="card" id="reply">
    <h2>Reply to ${shownName(view.account)}</h2>
    ${reply.problem && notice(reply.problem, "bad")}
    <form method="post" action="${PATH}/status">
      ${hiddenFields(visit, view.id)}
      <input type="hidden" name="key" value="${randomUUID()}" />
      ${warningField(view, reply.warning)}
      ${inputField({
        name: "status",
        label: "Your reply",
        type: "textarea",
        value: reply.text,
        hint: `Up to ${visit.app.config.instance.maxCharacters} characters.`,
      })}
      ${visibilityField(view, reply.visibility)}
      <button class="button" name="act" value="reply">Reply</button>
    </form>
  </section>`;

/** The author first, then everybody mentioned, but not the person who replies. */
const mentionsOf = (app: App, view: SeenStatus, by: string): string => {
  const people = [view.account, ...view.mentions].filter(({ id }) => id !== by);
  const { site } = app.config;
  const handles = people.map((one) =>
    one.domain === null ? `@${one.username}` : handle(site, one),
  );
  return [...new Set(handles)].map((one) => `${one} `).join("");
};

const blankReply = (app: App, view: SeenStatus, person: Person): Reply => ({
  text: mentionsOf(app, view, person.account.id),
  warning: view.spoiler_text,
  visibility: defaultVisibility(person, view),
});

/** `reply`: what was entered and could not be posted; `done`: what has just been done. */
export const sendStatus = async (
  visit: Visit,
  view: SeenStatus,
  { reply, done }: { reply?: Reply; done?: string | undefined } = {},
): Promise<FastifyReply> => {
  const { app, who } = visit;
  const person = await loadPerson(app, who.accountId);
  if (!person) throw new NotFound();
  return sendInteraction(visit, {
    title: `Reply to ${handle(app.config.site, view.account)}`,
    status: reply?.problem ? 422 : 200,
    body: html`${done && notice(done, "good")} ${post(app, view, { main: true })}
    ${actForm(visit, view)} ${replyForm(visit, view, reply ?? blankReply(app, view, person))}`,
  });
};
