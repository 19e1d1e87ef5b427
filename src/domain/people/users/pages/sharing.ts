// Serves the pages of an account that several people use: its members, and the log of what they did.

import type { App } from "../../../../platform/app.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import { TooManyRequests } from "../../../../platform/errors.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import type { Key, Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { ACTS_SHOWN, actsOf } from "../identities/acts.ts";
import type { ActRow } from "../identities/acts.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import { ROLES, changeRole, inviteMember, membersOf, removeMember } from "../identities/members.ts";
import type { MemberRow, Role } from "../identities/members.ts";
import { formField } from "./cookies.ts";
import { sharedPart } from "./identities.ts";
import { SETTINGS, askedAsMember, doneNote, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { faultsOf, goTo, inputField, notice, radio } from "./components.ts";
import type { Faults } from "./components.ts";
import { whenText } from "./when.ts";

const PATH = "/settings/sharing";
const LOG = `${PATH}/log`;
const DONE = {
  invited: "sharing.done_invited",
  removed: "sharing.done_removed",
  changed: "sharing.done_changed",
} as const;

const ROLE_TEXT = { author: "sharing.author", owner: "sharing.owner" } as const satisfies Record<
  Role,
  Key
>;

const roleForm = ({ app, request, reply, t }: PageContext, { id, role, username }: MemberRow) => {
  const other = role === "owner" ? "author" : "owner";
  const label = t(other === "owner" ? "sharing.make_owner" : "sharing.make_author");
  return html`<form method="post" action="${PATH}/role">
    ${formField(app, request, reply)}
    <input type="hidden" name="id" value="${id}" />
    <input type="hidden" name="role" value="${other}" />
    <button class="button plain" aria-label="${label}: @${username}">${label}</button>
  </form>`;
};

const removeForm = ({ app, request, reply, t }: PageContext, { id, username }: MemberRow) =>
  html`<form method="post" action="${PATH}/remove">
    ${formField(app, request, reply)}
    <input type="hidden" name="id" value="${id}" />
    <button class="button plain" aria-label="${t("sharing.remove_of", { name: `@${username}` })}">
      ${t("sharing.remove")}
    </button>
  </form>`;

const line = (context: PageContext, row: MemberRow): Html => {
  const { t, language } = context;
  const [key, at] = row.accepted_at
    ? (["sharing.since", row.accepted_at] as const)
    : (["sharing.invited", row.created_at] as const);
  return html`<li>
    <div class="what">
      <strong
        ><a href="/@${row.username}">@${row.username}</a>
        <span class="tag">${t(ROLE_TEXT[row.role])}</span></strong
      >
      <span>${sentence(t, key, { time: whenText(at, language) })}</span>
    </div>
    <div class="acts">${roleForm(context, row)} ${removeForm(context, row)}</div>
  </li>`;
};

type Shown = { faults?: Faults; problem?: string; name?: string; role?: string; status?: number };

const inviteForm = ({ app, request, reply, t }: PageContext, shown: Shown): Html => {
  const chosen = ROLES.find((role) => role === shown.role) ?? ROLES[0];
  return html`<h2>${t("sharing.invite")}</h2>
    <form method="post" action="${PATH}">
      ${formField(app, request, reply)}
      ${inputField({
        name: "name",
        label: t("sharing.name"),
        hint: t("sharing.name_hint"),
        value: shown.name ?? "",
        autocomplete: "off",
        maxlength: 100,
        fault: shown.faults?.["name"],
      })}
      <fieldset class="checks">
        <legend>${t("sharing.role")}</legend>
        ${ROLES.map((role) =>
          radio(
            "role",
            role,
            html`${t(ROLE_TEXT[role])} <span class="soft">${t(`sharing.${role}_about`)}</span>`,
            role === chosen,
          ),
        )}
      </fieldset>
      ${inputField({
        name: "current_password",
        label: t("sharing.password"),
        type: "password",
        autocomplete: "current-password",
        fault: shown.faults?.["current_password"],
      })}
      <button class="button">${t("sharing.invite_button")}</button>
    </form>`;
};

const show = async (context: PageContext, shown: Shown = {}) => {
  const { app, request, reply, who, t } = context;
  const rows = await membersOf(app, who);
  const shared = sharedPart(context, who.accessId === null ? await everyAccessFrom(app, who) : []);
  return sendSettings(reply, {
    title: t("sharing.title"),
    status: shown.status ?? 200,
    body: html`${shown.problem ? notice(shown.problem, "bad") : doneNote(request, DONE)}
      ${shared && [shared, html`<h2>${t("sharing.this")}</h2>`]}
      <p>${t("sharing.about")}</p>
      ${
        rows.length > 0 &&
        html`<ul class="rows">
          ${rows.map((row) => line(context, row))}
        </ul>`
      }
      ${who.isShared && html`<p><a href="${LOG}">${t("sharing.log")}</a></p>`}
      ${inviteForm(context, shown)}`,
  });
};

const invite = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const fields = readTexts(request.body);
  const { name = "", role = "" } = fields;
  try {
    await inviteMember(app, who, { name, role, password: fields["current_password"] ?? "" });
  } catch (error) {
    const shown = { name: name.slice(0, 100), role };
    if (error instanceof TooManyRequests)
      return show(context, { ...shown, problem: formErrorText(t, error), status: 429 });
    const faults = faultsOf(t, error);
    if (!faults) throw error;
    return show(context, { ...shown, faults, status: 422 });
  }
  return goTo(reply, `${PATH}?done=invited`);
};

const idIn = ({ request }: PageContext): string =>
  parseId(readTexts(request.body)["id"] ?? "") ?? "0";

const remove = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  await removeMember(app, who, idIn(context));
  const isSelf = who.accessId === readTexts(request.body)["id"];
  return goTo(reply, isSelf ? SETTINGS : `${PATH}?done=removed`);
};

const setRole = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { role = "" } = readTexts(request.body);
  await changeRole(app, who, { id: idIn(context), role });
  return goTo(reply, `${PATH}?done=changed`);
};

/** Acts that have texts of their own. */
const WORDS = [
  "post",
  "edit",
  "delete",
  "boost",
  "unboost",
  "favourite",
  "unfavourite",
  "pin",
  "unpin",
  "follow",
  "unfollow",
  "block",
  "unblock",
  "profile",
  "settings",
  "invite",
  "join",
  "leave",
  "remove",
  "owner",
  "author",
] as const;

const actText = (t: Say, { act, detail }: ActRow): string => {
  const word = WORDS.find((each) => each === act);
  const text = word ? t(`sharing.act.${word}`) : t("sharing.act.other");
  return detail ? `${text}: ${detail}` : text;
};

const actLine = ({ t, language, who }: PageContext, row: ActRow): Html =>
  html`<li>
    <div class="what">
      <strong>${row.by_name ? `@${row.by_name}` : t("sharing.by_password")}</strong>
      <span
        >${actText(t, row)}
        ${row.status_id && html`<a href="/@${who.username}/${row.status_id}">${t("sharing.post")}</a>`}</span
      >
      <span>${whenText(row.created_at, language)}</span>
    </div>
  </li>`;

const showLog = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const rows = await actsOf(app, who, parseId(readTexts(request.query)["max_id"] ?? "") ?? null);
  return sendSettings(reply, {
    title: t("sharing.log"),
    body: html`<p>${t("sharing.log_about")}</p>
      ${
        rows.length === 0
          ? html`<p class="soft">${t("sharing.log_none")}</p>`
          : html`<ul class="rows">
              ${rows.map((row) => actLine(context, row))}
            </ul>`
      }
      ${
        rows.length === ACTS_SHOWN &&
        html`<p><a href="${LOG}?max_id=${rows.at(-1)!.id}">${t("sharing.older")}</a></p>`
      }`,
    below: html`<a href="${PATH}">${t("sharing.title")}</a>`,
  });
};

export const sharingPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((context) => show(context)),
  );
  server.post(PATH, page(invite));
  server.post(`${PATH}/remove`, page(remove));
  server.post(`${PATH}/role`, page(setRole));
  server.get(LOG, page(showLog));
};
