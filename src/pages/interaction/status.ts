// The page on which somebody replies to, boosts or favourites a post that they came across on another
// server.

import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { defaultPrivacy } from "../../domain/accounts/present.ts";
import { loadPerson } from "../../domain/accounts/settings.ts";
import type { Person } from "../../domain/accounts/settings.ts";
import { notice } from "../../domain/people/pages/parts.ts";
import { defaultVisibility } from "../../domain/statuses/compose.ts";
import { canReblog } from "../../domain/statuses/rules.ts";
import type { SeenStatus } from "../../domain/statuses/tables.ts";
import { handle, shownName } from "../parts.ts";
import { post } from "../post.ts";
import { composeFields } from "./compose.ts";
import type { Entered } from "./compose.ts";
import { PATH, hiddenFields, sendInteraction } from "./frame.ts";
import type { Visit } from "./frame.ts";

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

const replyForm = (visit: Visit, view: SeenStatus, reply: Entered): Html =>
  html`<section class="card" id="reply">
    <h2>Reply to ${shownName(view.account)}</h2>
    <form method="post" action="${PATH}/status">
      ${hiddenFields(visit, view.id)}
      ${composeFields(visit.app, reply, {
        label: "Your reply",
        audience: "Who can see your reply",
        widest: view.visibility,
        warns: view.spoiler_text !== "" || reply.warning !== "",
      })}
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

const blankReply = (app: App, view: SeenStatus, person: Person): Entered => ({
  text: mentionsOf(app, view, person.account.id),
  warning: view.spoiler_text,
  visibility: defaultVisibility(defaultPrivacy(person.account, person.settings), view),
});

/** `reply`: what was entered and could not be posted; `done`: what has just been done. */
export const sendStatus = async (
  visit: Visit,
  view: SeenStatus,
  { reply, done }: { reply?: Entered; done?: string | undefined } = {},
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
