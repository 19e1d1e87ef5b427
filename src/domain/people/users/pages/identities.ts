// Serves the page on which a person links accounts of theirs with each other, and ends that.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { headersOf } from "../../../../platform/http/http-error.ts";
import { againText } from "../../../../platform/http/error-text.ts";
import { OverLimit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import type { AccessRow } from "../identities/enter.ts";
import { linkAccounts, unlinkAccount } from "../identities/link.ts";
import { acceptInvitation, leaveShared } from "../identities/members.ts";
import { formField, knownBrowser } from "./cookies.ts";
import { askedAsMember, doneNote, passwordField, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { faultsOf, goTo, inputField, notice } from "./components.ts";
import type { Faults } from "./components.ts";
import { whenText } from "./when.ts";

const PATH = "/settings/identities";
const DONE = {
  linked: "identities.done_linked",
  unlinked: "identities.done_unlinked",
  accepted: "identities.done_accepted",
  left: "identities.done_left",
} as const;

const unlinkForm = ({ app, request, reply }: PageContext, accountId: string, button: Html): Html =>
  html`<form method="post" action="${PATH}/unlink">
    ${formField(app, request, reply)}
    <input type="hidden" name="account_id" value="${accountId}" />
    ${button}
  </form>`;

const line = (context: PageContext, row: AccessRow): Html => {
  const { t, who, language } = context;
  const name = `@${row.username}`;
  return html`<li>
    <div class="what">
      <strong>${name}</strong>
      <span>${sentence(t, "identities.since", { time: whenText(row.created_at, language) })}</span>
      ${row.needs_factor && html`<span>${t("identities.factor")}</span>`}
    </div>
    ${
      who.accessId === null &&
      unlinkForm(
        context,
        row.account_id,
        html`<button class="button plain" aria-label="${t("identities.unlink_of", { name })}">
          ${t("identities.unlink")}
        </button>`,
      )
    }
  </li>`;
};

/** Draws a button that accepts an invitation, declines it, or leaves a shared account. */
const answerForm = (
  { app, request, reply, t }: PageContext,
  { id, username }: AccessRow,
  act: "accept" | "decline" | "leave_shared",
): Html => {
  const label = t(`identities.${act}`);
  return html`<form method="post" action="${PATH}/${act === "accept" ? "accept" : "leave"}">
    ${formField(app, request, reply)}
    <input type="hidden" name="id" value="${id}" />
    <button class="button ${act !== "accept" && "plain"}" aria-label="${label}: @${username}">
      ${label}
    </button>
  </form>`;
};

const sharedLine = (context: PageContext, row: AccessRow): Html => {
  const { t, who, language } = context;
  const [key, at] = row.accepted_at
    ? (["sharing.since", row.accepted_at] as const)
    : (["identities.invited", row.created_at] as const);
  const acts = row.accepted_at
    ? answerForm(context, row, "leave_shared")
    : [answerForm(context, row, "accept"), answerForm(context, row, "decline")];
  return html`<li>
    <div class="what">
      <strong
        ><a href="/@${row.username}">@${row.username}</a>
        <span class="tag"
          >${t(row.kind === "owner" ? "sharing.owner" : "sharing.author")}</span
        ></strong
      >
      <span>${sentence(t, key, { time: whenText(at, language) })}</span>
      ${row.needs_factor && html`<span>${t("identities.factor")}</span>`}
    </div>
    ${who.accessId === null && html`<div class="acts">${acts}</div>`}
  </li>`;
};

/** Draws those of the accounts that a person shares with others, or is invited to; nothing where there are none. */
export const sharedPart = (context: PageContext, access: AccessRow[]): Html | false => {
  const rows = access.filter(({ kind }) => kind !== "identity");
  return (
    rows.length > 0 &&
    html`<h2>${context.t("identities.shared")}</h2>
      <p>${context.t("identities.shared_about")}</p>
      <ul class="rows">
        ${rows.map((row) => sharedLine(context, row))}
      </ul>`
  );
};

const linkForm = (
  { app, request, reply, t }: PageContext,
  { faults = {}, login = "" }: { faults?: Faults; login?: string },
): Html =>
  html`<h2>${t("identities.link")}</h2>
    <form method="post" action="${PATH}">
      ${formField(app, request, reply)}
      ${inputField({ name: "login", label: t("identities.login"), value: login, autocomplete: "off", fault: faults["login"] })}
      ${inputField({
        name: "password",
        label: t("identities.password"),
        type: "password",
        autocomplete: "off",
        fault: faults["password"],
      })}
      ${inputField({
        name: "code",
        label: t("identities.code"),
        autocomplete: "off",
        optional: true,
        maxlength: 40,
        hint: t("identities.code_hint"),
        fault: faults["code"],
      })}
      ${passwordField(t, faults["current_password"])}
      <button class="button">${t("identities.link_button")}</button>
    </form>`;

type Shown = { faults?: Faults; problem?: string; login?: string; status?: number };

const show = async (context: PageContext, shown: Shown = {}) => {
  const { app, request, reply, who, t } = context;
  const access = await everyAccessFrom(app, who);
  const rows = access.filter(({ kind }) => kind === "identity");
  const isOwn = who.accessId === null;
  return sendSettings(reply, {
    title: t("identities.title"),
    status: shown.status ?? 200,
    body: html`${shown.problem ? notice(shown.problem, "bad") : doneNote(request, DONE)}
      <p>${t("identities.about")}</p>
      ${!isOwn && notice(t("identities.own_sign_in"))}
      ${
        rows.length === 0
          ? html`<p class="soft">${t("identities.none")}</p>`
          : html`<ul class="rows">
              ${rows.map((row) => line(context, row))}
            </ul>`
      }
      ${
        isOwn &&
        rows.length > 1 &&
        unlinkForm(
          context,
          who.accountId,
          html`<button class="button plain">${t("identities.leave")}</button>`,
        )
      }
      ${sharedPart(context, access)} ${isOwn && linkForm(context, shown)}`,
  });
};

const link = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const fields = readTexts(request.body);
  const login = (fields["login"] ?? "").trim().slice(0, 320);
  try {
    await linkAccounts(app, who, {
      login,
      password: fields["password"] ?? "",
      currentPassword: fields["current_password"] ?? "",
      code: (fields["code"] ?? "").slice(0, 40),
      ip: request.ip,
      knownBrowser: (other) => knownBrowser(app, request, other),
    });
  } catch (error) {
    if (error instanceof OverLimit) {
      reply.headers(headersOf(error));
      const problem = t("step.often", { again: againText(t, error) });
      return show(context, { login, problem, status: 429 });
    }
    const faults = faultsOf(t, error);
    if (!faults) throw error;
    return show(context, { login, faults, status: 422 });
  }
  return goTo(reply, `${PATH}?done=linked`);
};

const unlink = async ({ app, request, reply, who }: PageContext) => {
  await unlinkAccount(app, who, readTexts(request.body)["account_id"] ?? "");
  return goTo(reply, `${PATH}?done=unlinked`);
};

const idIn = ({ request }: PageContext): string =>
  parseId(readTexts(request.body)["id"] ?? "") ?? "0";

const accept = async (context: PageContext) => {
  await acceptInvitation(context.app, context.who, idIn(context));
  return goTo(context.reply, `${PATH}?done=accepted`);
};

const leave = async (context: PageContext) => {
  await leaveShared(context.app, context.who, idIn(context));
  return goTo(context.reply, `${PATH}?done=left`);
};

export const identityPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((context) => show(context)),
  );
  server.post(PATH, page(link));
  server.post(`${PATH}/unlink`, page(unlink));
  server.post(`${PATH}/accept`, page(accept));
  server.post(`${PATH}/leave`, page(leave));
};
