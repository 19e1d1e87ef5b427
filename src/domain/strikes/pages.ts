// The pages on which people read what the moderators decided about their account, and appeal. Open also to who is
// suspended or frozen. The paths are those that apps link to.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import { HttpError, NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { addDays } from "../../platform/ids/index.ts";
import { html } from "../../platform/text/html.ts";
import { asPerson } from "../../platform/viewer.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { loadVisible } from "../statuses/load.ts";
import { readTexts } from "../oauth/parameters.ts";
import { en } from "../people/mail-texts/en.ts";
import { formField } from "../people/pages/cookies.ts";
import { askedAsMember, DISPUTES, doneNote, noteOf, sendSettings } from "../people/pages/member.ts";
import type { Asked } from "../people/pages/member.ts";
import { goTo, inputField } from "../people/pages/parts.ts";
import { whenText } from "../people/pages/when.ts";
import { mayAppeal } from "../people/sign-in.ts";
import { APPEAL_DAYS, fileAppeal, MAX_APPEAL, mayBeAppealed, ownStrike } from "./appeals.ts";
import { strikesOf } from "./strikes.ts";
import type { StrikeRow } from "./tables.ts";

const stateText = (row: StrikeRow): string | null => {
  if (row.overruled_at !== null) return "Taken back after your appeal";
  if (row.appeal_text === null) return null;
  return row.appeal_decided ? "Your appeal was rejected" : "Your appeal is being looked at";
};

const line = (row: StrikeRow): Html =>
  html`<li>
    <a class="to" href="${DISPUTES}/${row.id}">
      <strong>${en.decisions[row.action].title}</strong>
      <span>${whenText(row.created_at)}</span>
      ${stateText(row) && html`<br /><span>${stateText(row)}</span>`}
    </a>
  </li>`;

const showAll = async ({ app, reply, who }: Asked) => {
  const rows = await strikesOf(app, who.accountId);
  return sendSettings(app, reply, {
    title: "Moderation",
    body:
      rows.length === 0
        ? html`<p>The moderators have not decided anything about your account.</p>`
        : html`<p>What the moderators decided about your account:</p>
            <ul class="rows">
              ${rows.map(line)}
            </ul>`,
  });
};

const DONE = { appealed: "Your appeal has been sent. You get an email when it is decided." };

const appealForm = (
  { app, request, reply }: Asked,
  row: StrikeRow,
  text: string,
  fault?: string,
): Html =>
  html`<h2>Appeal</h2>
    <p>
      If you think that this decision is wrong, say why. You can do so once, until
      ${whenText(addDays(row.created_at, APPEAL_DAYS))}.
    </p>
    <form method="post" action="${DISPUTES}/${row.id}/appeal">
      ${formField(app, request, reply)}
      ${inputField({
        name: "text",
        label: "Why it should be taken back",
        type: "textarea",
        value: text,
        maxlength: MAX_APPEAL,
        fault,
      })}
      <button class="button">Send appeal</button>
    </form>`;

const appealPart = (row: StrikeRow): HtmlValue =>
  row.appeal_text !== null &&
  html`<h2>Your appeal</h2>
    <p>${row.appeal_text}</p>
    <p><strong>${stateText(row)}.</strong></p>`;

const posts = async (
  { app, who }: Asked,
  { status_ids: ids, action }: StrikeRow,
): Promise<HtmlValue> => {
  if (!ids?.length) return null;
  if (action === "delete_statuses") {
    return html`<p>Posts that were removed: ${ids.length}</p>`;
  }
  const views = await loadVisible(app, ids, asPerson(who.accountId));
  return html`<p>
    The posts concerned:
    ${views.map(({ url, uri, created_at: at }) => html`<a href="${url ?? uri}">${whenText(at)}</a> `)}
  </p>`;
};

const idIn = ({ params }: FastifyRequest): string => {
  const id = parseId((params as { id?: string }).id);
  if (id === null) throw new NotFound();
  return id;
};

const showOne = async (asked: Asked, text = "", fault?: string) => {
  const { app, request, reply, who } = asked;
  const row = await ownStrike(app, who.accountId, idIn(request));
  const { title, text: about } = en.decisions[row.action];
  return sendSettings(app, reply, {
    title,
    status: fault ? 422 : 200,
    body: html`${noteOf(doneNote(request, DONE))}
      <p>${about}</p>
      <p class="soft small">${whenText(row.created_at)}</p>
      ${row.text && html`<p class="notice">${row.text}</p>`} ${await posts(asked, row)}
      ${mayBeAppealed(app, row) ? appealForm(asked, row, text, fault) : appealPart(row)}`,
    below: html`<a href="${DISPUTES}">All decisions about your account</a>`,
  });
};

const takeAppeal = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { text = "" } = readTexts(request.body);
  const id = idIn(request);
  try {
    await fileAppeal(app, who.accountId, id, text);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return showOne(asked, text, error.message);
  }
  return goTo(reply, `${DISPUTES}/${id}?done=appealed`);
};

export const strikePages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app, mayAppeal);
    pages.get(DISPUTES, page(showAll));
    pages.get(`${DISPUTES}/:id`, page(showOne));
    pages.post(`${DISPUTES}/:id/appeal`, page(takeAppeal));
  };
