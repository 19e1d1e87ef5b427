// The page on which people make and end their invitations.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/db/paging.ts";
import { TooManyRequests, Unprocessable } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { createInvite, isOver, listInvites, mayInvite, stopInvite } from "../invites.ts";
import type { InviteRow } from "../invites.ts";
import { formField } from "./cookies.ts";
import { askedAsMember, doneNote, noteOf, sendSettings } from "./member.ts";
import type { Asked } from "./member.ts";
import { errorMessage, goTo } from "./parts.ts";
import { whenText } from "./when.ts";

const INVITES = "/settings/invites";
const SHOWN = 100;

const DONE = {
  made: "Here is your new invitation. Send its link to whom you want to invite.",
  ended: "The invitation no longer works.",
};

const DAY = 86_400;
const DURATIONS: [string, string][] = [
  [String(DAY), "A day"],
  [String(7 * DAY), "A week"],
  [String(30 * DAY), "30 days"],
  ["", "Never"],
];
const USES: [string, string][] = [
  ["1", "1 person"],
  ["5", "5 people"],
  ["25", "25 people"],
  ["100", "100 people"],
  ["", "Everybody who has the link"],
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

export const useText = ({ uses, max_uses: max }: InviteRow): string =>
  max === null ? `Used ${uses} times` : `Used ${uses} of ${max} times`;

const line = ({ app, request, reply }: Asked, row: InviteRow): Html => {
  const over = isOver(app, row);
  return html`<li>
    <div class="what">
      ${
        over
          ? html`<strong class="soft">No longer works</strong>`
          : html`<code class="secret">${app.config.site.origin}/invite/${row.code}</code>`
      }
      <span>${useText(row)}, made ${whenText(row.created_at)}</span>
      ${row.expires_at && !over && html`<span>Until ${whenText(row.expires_at)}</span>`}
    </div>
    ${
      !over &&
      html`<form method="post" action="${INVITES}/end">
        ${formField(app, request, reply)}
        <input type="hidden" name="id" value="${row.id}" />
        <button class="button plain" aria-label="End: ${row.code}">End</button>
      </form>`
    }
  </li>`;
};

const makeForm = ({ app, request, reply }: Asked): Html =>
  html`<form method="post" action="${INVITES}">
    ${formField(app, request, reply)} ${choice("max_uses", "Good for", USES, "1")}
    ${choice("expires_in", "Expires after", DURATIONS, String(7 * DAY))}
    <button class="button">Make an invitation</button>
  </form>`;

const show = async (asked: Asked, problem?: string) => {
  const { app, request, reply, who } = asked;
  const [may, rows] = await Promise.all([
    mayInvite(app, who.accountId),
    listInvites(app, who.accountId, { maxId: null, limit: SHOWN }),
  ]);
  return sendSettings(reply, {
    title: "Invitations",
    status: problem ? 422 : 200,
    body: html`${noteOf(problem ? { text: problem, kind: "bad" } : doneNote(request, DONE))}
      <p>
        ${
          may
            ? "Invite people by a link. They can sign up with it even while sign-ups are closed."
            : "The people who run this server have switched invitations off for you."
        }
      </p>
      ${
        rows.length > 0 &&
        html`<ul class="rows">
          ${rows.map((row) => line(asked, row))}
        </ul>`
      }
      ${may && makeForm(asked)}`,
  });
};

/** Empty: no limit. */
const numberFrom = (text: string | undefined): number | null => (text ? Number(text) : null);

const make = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { max_uses: uses, expires_in: seconds } = readTexts(request.body);
  try {
    const input = { maxUses: numberFrom(uses), expiresIn: numberFrom(seconds) };
    await createInvite(app, who.accountId, input);
  } catch (error) {
    if (!(error instanceof Unprocessable || error instanceof TooManyRequests)) throw error;
    return show(asked, errorMessage(error));
  }
  return goTo(reply, `${INVITES}?done=made`);
};

const end = async ({ app, request, reply, who }: Asked) => {
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
