// Serves the pages that list and end access to an account: sessions of browsers, authorized apps.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import type { Say, Texts } from "../../../../platform/text/texts.ts";
import { listAuthorized } from "../../oauth/tokens.ts";
import type { AuthorizedRow } from "../../oauth/tokens.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { revokeApp, revokeOwn } from "../../oauth/revoke.ts";
import { describeScopes } from "../../oauth/scopes.ts";
import { endOtherSessions, endSessionById, listSessions } from "../session.ts";
import type { SessionRow } from "../session.ts";
import { agentName } from "./agent.ts";
import { formField, sessionToken } from "./cookies.ts";
import { askedAsMember, doneNote, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo } from "./components.ts";
import { whenText } from "./when.ts";

type Ending = { path: string; name: string; value: string; label: string; of: string };

/** Draws a button that ends an access. */
const endForm = ({ app, request, reply }: PageContext, ending: Ending): Html =>
  html`<form method="post" action="${ending.path}">
    ${formField(app, request, reply)}
    <input type="hidden" name="${ending.name}" value="${ending.value}" />
    <button class="button plain" aria-label="${ending.label}: ${ending.of}">${ending.label}</button>
  </form>`;

const SESSIONS = "/settings/sessions";
const SESSIONS_DONE = {
  ended: "access.ended",
  others: "access.others_ended",
} as const;

/** Adds the other account, where this person uses one, or one uses this account. */
const sessionName = (t: Say, browser: string, { of, by }: SessionRow): string => {
  if (of) return t("access.in", { browser, name: of });
  return by ? t("access.by", { browser, name: by }) : browser;
};

const session = (context: PageContext, row: SessionRow) => {
  const { t, language } = context;
  const browser = agentName(t, row.user_agent);
  const of = sessionName(t, browser, row);
  const ip = row.ip ?? t("access.no_ip");
  const signedIn = { ip, time: whenText(row.created_at, language) };
  const end = {
    path: `${SESSIONS}/end`,
    name: "id",
    value: row.id,
    label: t("access.sign_out"),
    of,
  };
  return html`<li>
    <div class="what">
      <strong
        >${of} ${row.current && html`<span class="tag">${t("access.this_browser")}</span>`}</strong
      >
      <span>${sentence(t, "access.signed_in", signedIn)}</span>
      <span>${sentence(t, "access.active", { time: whenText(row.used_at, language) })}</span>
    </div>
    ${!row.current && endForm(context, end)}
  </li>`;
};

const othersForm = ({ app, request, reply, t }: PageContext) =>
  html`<form method="post" action="${SESSIONS}/end_others">
    ${formField(app, request, reply)}
    <button class="button plain">${t("access.end_others")}</button>
  </form>`;

const showSessions = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const rows = await listSessions(app, who.userId, sessionToken(app, request) ?? "");
  return sendSettings(reply, {
    title: t("access.sessions"),
    body: html`${doneNote(request, SESSIONS_DONE)}
      <p>
        ${sentence(t, "access.sessions_text", {
          link: html`<a href="/settings/apps">${t("access.listed_apart")}</a>`,
        })}
      </p>
      <ul class="rows">
        ${rows.map((row) => session(context, row))}
      </ul>
      ${rows.length > 1 && othersForm(context)}`,
  });
};

const endSession = async ({ app, request, reply, who }: PageContext) => {
  const id = parseId(readTexts(request.body)["id"] ?? "");
  if (id) await endSessionById(app, who.userId, id);
  return goTo(reply, `${SESSIONS}?done=ended`);
};

const endOthers = async ({ app, request, reply, who }: PageContext) => {
  await app.sql.begin((tx) =>
    endOtherSessions(app, tx, who.userId, sessionToken(app, request) ?? ""),
  );
  return goTo(reply, `${SESSIONS}?done=others`);
};

const APPS = "/settings/apps";
const APPS_DONE = { revoked: "access.revoked" } as const;

const rights = (texts: Texts, scopes: string[]): string =>
  describeScopes(texts, scopes)
    .map(({ title }) => title)
    .join(", ");

const appEntry = (context: PageContext, row: AuthorizedRow) => {
  const { t, language } = context;
  const of = row.name ?? t("access.command_line");
  const target = row.app_id
    ? { name: "app_id", value: row.app_id }
    : { name: "token_id", value: row.token_id };
  return html`<li>
    <div class="what">
      <strong
        >${
          row.website
            ? html`<a href="${row.website}" rel="noopener noreferrer nofollow">${of}</a>`
            : of
        }</strong
      >
      <span>${rights(context, row.scopes)}</span>
      <span>${sentence(t, "access.authorized", { time: whenText(row.created_at, language) })}</span>
    </div>
    ${endForm(context, { path: `${APPS}/revoke`, ...target, label: t("access.revoke"), of })}
  </li>`;
};

const showApps = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const rows = await listAuthorized(app, who.userId);
  return sendSettings(reply, {
    title: t("access.apps"),
    body: html`${doneNote(request, APPS_DONE)}
      <p>${t("access.apps_text")}</p>
      ${
        rows.length === 0
          ? html`<p class="soft">${t("access.no_apps")}</p>`
          : html`<ul class="rows">
              ${rows.map((row) => appEntry(context, row))}
            </ul>`
      }`,
  });
};

const endApp = async ({ app, request, reply, who }: PageContext) => {
  const { app_id = "", token_id = "" } = readTexts(request.body);
  const [appId, tokenId] = [parseId(app_id), parseId(token_id)];
  if (appId) await revokeApp(app, who.userId, appId);
  else if (tokenId) await revokeOwn(app, who.userId, tokenId);
  return goTo(reply, `${APPS}?done=revoked`);
};

export const accessPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(SESSIONS, page(showSessions));
  server.post(`${SESSIONS}/end`, page(endSession));
  server.post(`${SESSIONS}/end_others`, page(endOthers));
  server.get(APPS, page(showApps));
  server.post(`${APPS}/revoke`, page(endApp));
};
