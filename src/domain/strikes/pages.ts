// The pages on which people read what the moderators decided about their account, and appeal. Open also to who is
// suspended or frozen. The paths are those that apps link to.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound, Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { addDays } from "../../platform/ids/index.ts";
import { escapeHtml, html } from "../../platform/text/html.ts";
import { plainText } from "../../platform/text/plain.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { asPerson } from "../../platform/viewer.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { loadStatuses } from "../statuses/load.ts";
import { readTexts } from "../oauth/parameters.ts";
import { formField } from "../people/pages/cookies.ts";
import { askedAsMember, DISPUTES, doneNote, noteOf, sendSettings } from "../people/pages/member.ts";
import type { Asked } from "../people/pages/member.ts";
import { goTo, inputField } from "../people/pages/parts.ts";
import { whenText } from "../people/pages/when.ts";
import { mayAppeal } from "../people/sign-in.ts";
import { APPEAL_DAYS, fileAppeal, MAX_APPEAL, mayBeAppealed, ownStrike } from "./appeals.ts";
import { evidenceOfStrike, strikesOf } from "./strikes.ts";
import type { StrikeRow } from "./tables.ts";

const stateText = (row: StrikeRow): string | null => {
  if (row.overruled_at !== null) return "Taken back after your appeal";
  if (row.appeal_text === null) return null;
  return row.appeal_decided ? "Your appeal was rejected" : "Your appeal is being looked at";
};

const line = (row: StrikeRow): Html =>
  html`<li>
    <a class="to" href="${DISPUTES}/${row.id}">
      <strong>${titleOf(row)}</strong>
      <span>${whenText(row.created_at)}</span>
      ${stateText(row) && html`<br /><span>${stateText(row)}</span>`}
    </a>
  </li>`;

const showAll = async ({ app, reply, who }: Asked) => {
  const rows = await strikesOf(app, who.accountId);
  return sendSettings(reply, {
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

/** `url`: null where the post is no more. */
type Concerned = { url: string | null; text: string; at: Date };

const MAX_SHOWN = 500;

const textOf = (warning: string, content: string): string => {
  const text = plainText(`<p>${escapeHtml(warning)}</p>${content}`).trim();
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
};

/** Those that are there, also of a suspended account, which nobody else sees; of deleted ones what was kept. */
const concernedBy = async (
  { app, who }: Asked,
  { id, status_ids: ids, action }: StrikeRow,
): Promise<Concerned[]> => {
  if (action === "delete_statuses") {
    return (await evidenceOfStrike(app, id)).map(({ content, created_at: at }) => {
      return { url: null, text: textOf("", content), at: new Date(at) };
    });
  }
  const views = await loadStatuses(app, ids ?? [], asPerson(who.accountId));
  return views
    .filter(({ account_id: authorId }) => authorId === who.accountId)
    .map(({ url, uri, spoiler_text: warning, content, created_at: at }) => {
      return { url: url ?? uri, text: textOf(warning, content), at };
    });
};

const posts = async (asked: Asked, row: StrikeRow): Promise<HtmlValue> => {
  const concerned = await concernedBy(asked, row);
  if (concerned.length === 0) return null;
  return html`<h2>${row.action === "delete_statuses" ? "Removed posts" : "Posts concerned"}</h2>
    <ul class="rows">
      ${concerned.map(
        ({ url, text, at }) =>
          html`<li>
            <span class="soft small"
              >${url ? html`<a href="${url}">${whenText(at)}</a>` : whenText(at)}</span
            >
            <p>${text || "A post without text"}</p>
          </li>`,
      )}
    </ul>`;
};

/** Taken back, it does not hold any more. */
const titleOf = ({ action, overruled_at: overruled }: StrikeRow): string => {
  const title = textsIn("en").t(`decision.${action}.title`);
  return overruled === null ? title : `Taken back: ${title}`;
};

const aboutText = ({ action, overruled_at: overruled }: StrikeRow): string => {
  if (overruled === null) return textsIn("en").t(`decision.${action}.text`);
  const gone = action === "delete_statuses" ? " Posts that were removed do not come back." : "";
  return `The moderators have taken this decision back. It no longer applies.${gone}`;
};

const idIn = ({ params }: FastifyRequest): string => {
  const id = parseId((params as { id?: string }).id);
  if (id === null) throw new NotFound();
  return id;
};

const showOne = async (asked: Asked, text = "", fault?: string) => {
  const { app, request, reply, who } = asked;
  const row = await ownStrike(app, who.accountId, idIn(request));
  return sendSettings(reply, {
    title: titleOf(row),
    status: fault ? 422 : 200,
    body: html`${noteOf(doneNote(request, DONE))}
      <p>${aboutText(row)}</p>
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
    if (!(error instanceof Unprocessable)) throw error;
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
