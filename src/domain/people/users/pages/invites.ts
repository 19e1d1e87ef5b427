// Serves the page on which people make and end their invitations.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { TooManyRequests, Unprocessable } from "../../../../platform/errors.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html, raw } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { createInvite, isOver, listInvites, mayInvite, stopInvite } from "../invites.ts";
import type { InviteRow } from "../invites.ts";
import { formField } from "./cookies.ts";
import { askedAsMember, doneNote, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { copyable, goTo, notice } from "./components.ts";
import { whenText } from "./when.ts";

const INVITES = "/settings/invites";
const SHOWN = 100;

const DONE = {
  made: "invites.made",
  ended: "invites.ended",
} as const;

const DAY = 86_400;
const durations = (t: Say): [string, string][] => [
  [String(DAY), t("invites.day")],
  [String(7 * DAY), t("invites.week")],
  [String(30 * DAY), t("invites.month")],
  ["", t("invites.never")],
];
const uses = (t: Say): [string, string][] => [
  ...[1, 5, 25, 100].map((count): [string, string] => [String(count), t("invites.for", { count })]),
  ["", t("invites.anybody")],
];

const choice = (name: string, label: string, options: [string, string][], chosen: string): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen && raw("selected ")}>${text}</option>`,
      )}
    </select>
  </div>`;

export const useText = (t: Say, { uses, max_uses: max }: InviteRow): string =>
  max === null ? t("invites.used", { count: uses }) : t("invites.used_of", { uses, count: max });

const line = ({ app, request, reply, t, language }: PageContext, row: InviteRow): Html => {
  const over = isOver(app, row);
  return html`<li>
    <div class="what">
      ${
        over
          ? html`<strong class="soft">${t("invites.over")}</strong>`
          : copyable(t, `${app.config.site.origin}/invite/${row.code}`)
      }
      <span
        >${sentence(t, "invites.line", {
          uses: useText(t, row),
          time: whenText(row.created_at, language),
        })}</span
      >
      ${row.expires_at && !over && html`<span>${sentence(t, "invites.until", { time: whenText(row.expires_at, language) })}</span>`}
    </div>
    ${
      !over &&
      html`<form method="post" action="${INVITES}/end">
        ${formField(app, request, reply)}
        <input type="hidden" name="id" value="${row.id}" />
        <button class="button plain" aria-label="${t("invites.end_of", { code: row.code })}">
          ${t("invites.end")}
        </button>
      </form>`
    }
  </li>`;
};

const makeForm = ({ app, request, reply, t }: PageContext): Html =>
  html`<form method="post" action="${INVITES}">
    ${formField(app, request, reply)} ${choice("max_uses", t("invites.uses_label"), uses(t), "1")}
    ${choice("expires_in", t("invites.expires_label"), durations(t), String(7 * DAY))}
    <button class="button">${t("invites.make")}</button>
  </form>`;

const show = async (context: PageContext, problem?: string) => {
  const { app, request, reply, who, t } = context;
  const [may, rows] = await Promise.all([
    mayInvite(app, who.accountId),
    listInvites(app, who.accountId, { maxId: null, limit: SHOWN }),
  ]);
  return sendSettings(reply, {
    title: t("invites.title"),
    status: problem ? 422 : 200,
    body: html`${problem ? notice(problem, "bad") : doneNote(request, DONE)}
      <p>${t(may ? "invites.may" : "invites.may_not")}</p>
      ${
        rows.length > 0 &&
        html`<ul class="rows">
          ${rows.map((row) => line(context, row))}
        </ul>`
      }
      ${may && makeForm(context)}`,
  });
};

/** Reads an empty field as no limit. */
const numberFrom = (text: string | undefined): number | null => (text ? Number(text) : null);

const make = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { max_uses: uses, expires_in: seconds } = readTexts(request.body);
  try {
    const input = { maxUses: numberFrom(uses), expiresIn: numberFrom(seconds) };
    await createInvite(app, who.accountId, input);
  } catch (error) {
    if (!(error instanceof Unprocessable || error instanceof TooManyRequests)) throw error;
    return show(context, formErrorText(context.t, error));
  }
  return goTo(reply, `${INVITES}?done=made`);
};

const end = async ({ app, request, reply, who }: PageContext) => {
  const id = parseId(readTexts(request.body)["id"] ?? "") ?? "0";
  await stopInvite(app, app.sql, id, who.accountId);
  return goTo(reply, `${INVITES}?done=ended`);
};

export const invitePages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(INVITES, page(show));
  server.post(INVITES, page(make));
  server.post(`${INVITES}/end`, page(end));
};
