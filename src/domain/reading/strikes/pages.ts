// Serves the pages on which people read what the moderators decided about their account, and appeal; suspended and
// frozen people may use them too. The paths are those that apps link to.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parseId, addDays } from "../../../platform/ids/index.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { formErrorText } from "../../../platform/http/error-text.ts";
import type { Server } from "../../../platform/http/server.ts";
import { escapeHtml, html } from "../../../platform/text/html.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { plainText } from "../../../platform/text/plain.ts";
import { sentence } from "../../../platform/text/texts.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { asPerson } from "../../../platform/viewer.ts";
import type { Html, HtmlValue } from "../../../platform/text/html.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { formField } from "../../people/users/pages/cookies.ts";
import {
  askedAsMember,
  DISPUTES,
  doneNote,
  sendSettings,
} from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, inputField } from "../../people/users/pages/components.ts";
import { whenText } from "../../people/users/pages/when.ts";
import { mayUseRights } from "../../people/users/sign-in.ts";
import { APPEAL_DAYS, fileAppeal, MAX_APPEAL, mayBeAppealed, ownStrike } from "./appeals.ts";
import { evidenceOfStrike, strikesOf } from "./strikes.ts";
import type { StrikeRow } from "./tables.ts";

const stateText = (t: Say, row: StrikeRow): string | null => {
  if (row.overruled_at !== null) return t("strikes.taken_back");
  if (row.appeal_text === null) return null;
  return t(row.appeal_decided ? "strikes.rejected" : "strikes.waiting");
};

const line = ({ t, language }: PageContext, row: StrikeRow): Html => {
  const state = stateText(t, row);
  return html`<li>
    <a class="to" href="${DISPUTES}/${row.id}">
      <strong>${titleOf(t, row)}</strong>
      <span>${whenText(row.created_at, language)}</span>
      ${state && html`<br /><span>${state}</span>`}
    </a>
  </li>`;
};

const showAll = async (context: PageContext) => {
  const { app, reply, who, t } = context;
  const rows = await strikesOf(app, who.accountId);
  return sendSettings(reply, {
    title: t("strikes.title"),
    body:
      rows.length === 0
        ? html`<p>${t("strikes.none")}</p>`
        : html`<p>${t("strikes.all")}</p>
            <ul class="rows">
              ${rows.map((row) => line(context, row))}
            </ul>`,
  });
};

const DONE = { appealed: "strikes.appealed" } as const;

const appealForm = (
  { app, request, reply, t, language }: PageContext,
  row: StrikeRow,
  text: string,
  fault?: string,
): Html => {
  const time = whenText(addDays(row.created_at, APPEAL_DAYS), language);
  return html`<h2>${t("strikes.appeal")}</h2>
    <p>${sentence(t, "strikes.appeal_text", { time })}</p>
    <form method="post" action="${DISPUTES}/${row.id}/appeal">
      ${formField(app, request, reply)}
      ${inputField({
        name: "text",
        label: t("strikes.why"),
        type: "textarea",
        value: text,
        maxlength: MAX_APPEAL,
        fault,
      })}
      <button class="button">${t("strikes.send")}</button>
    </form>`;
};

const appealPart = (t: Say, row: StrikeRow): HtmlValue =>
  row.appeal_text !== null &&
  html`<h2>${t("strikes.own")}</h2>
    <p>${row.appeal_text}</p>
    <p><strong>${stateText(t, row)}.</strong></p>`;

/** `url` is null where the post was deleted. */
type Concerned = { url: string | null; text: string; at: Date };

const MAX_SHOWN = 500;

const textOf = (warning: string, content: string): string =>
  shorten(plainText(`<p>${escapeHtml(warning)}</p>${content}`).trim(), MAX_SHOWN);

/** Returns posts that exist, also of a suspended account, which nobody else sees; of deleted ones what was kept. */
const concernedBy = async (
  { app, who }: PageContext,
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

const posts = async (context: PageContext, row: StrikeRow): Promise<HtmlValue> => {
  const { t, language } = context;
  const concerned = await concernedBy(context, row);
  if (concerned.length === 0) return null;
  return html`<h2>
      ${t(row.action === "delete_statuses" ? "strikes.removed_posts" : "strikes.posts")}
    </h2>
    <ul class="rows">
      ${concerned.map(
        ({ url, text, at }) =>
          html`<li>
            <span class="soft small"
              >${url ? html`<a href="${url}">${whenText(at, language)}</a>` : whenText(at, language)}</span
            >
            <p>${text || t("strikes.no_text")}</p>
          </li>`,
      )}
    </ul>`;
};

/** A decision that was taken back is marked in the title. */
const titleOf = (t: Say, { action, overruled_at: overruled }: StrikeRow): string => {
  const decision = t(`decision.${action}.title`);
  return overruled === null ? decision : t("strikes.back_title", { decision });
};

const aboutText = (t: Say, { action, overruled_at: overruled }: StrikeRow): string => {
  if (overruled === null) return t(`decision.${action}.text`);
  return t(action === "delete_statuses" ? "strikes.back_posts" : "strikes.back");
};

const idIn = ({ params }: FastifyRequest): string => {
  const id = parseId((params as { id?: string }).id);
  if (id === null) throw new NotFound();
  return id;
};

const showOne = async (context: PageContext, text = "", fault?: string) => {
  const { app, request, reply, who, t, language } = context;
  const row = await ownStrike(app, who.accountId, idIn(request));
  return sendSettings(reply, {
    title: titleOf(t, row),
    status: fault ? 422 : 200,
    body: html`${doneNote(request, DONE)}
      <p>${aboutText(t, row)}</p>
      <p class="soft small">${whenText(row.created_at, language)}</p>
      ${row.text && html`<p class="notice">${row.text}</p>`} ${await posts(context, row)}
      ${mayBeAppealed(app, row) ? appealForm(context, row, text, fault) : appealPart(t, row)}`,
    below: html`<a href="${DISPUTES}">${t("strikes.list")}</a>`,
  });
};

const takeAppeal = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { text = "" } = readTexts(request.body);
  const id = idIn(request);
  try {
    await fileAppeal(app, who.accountId, id, text);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return showOne(context, text, formErrorText(context.t, error));
  }
  return goTo(reply, `${DISPUTES}/${id}?done=appealed`);
};

export const strikePages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app, mayUseRights);
    pages.get(DISPUTES, page(showAll));
    pages.get(`${DISPUTES}/:id`, page(showOne));
    pages.post(`${DISPUTES}/:id/appeal`, page(takeAppeal));
  };
