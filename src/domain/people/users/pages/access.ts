// Serves the pages that list and end access to an account: sessions of browsers, authorized apps.

import type { Row } from "../../../../../web/src/served/part-pages.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { Say, Texts } from "../../../../platform/text/texts.ts";
import { webUrl } from "../../../../platform/text/web-url.ts";
import { listAuthorized } from "../../oauth/tokens.ts";
import type { AuthorizedRow } from "../../oauth/tokens.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { revokeApp, revokeOwn } from "../../oauth/revoke.ts";
import { describeScopes } from "../../oauth/scopes.ts";
import { endOtherSessions, endSessionById, listSessions } from "../session.ts";
import type { SessionRow } from "../session.ts";
import { sessionToken } from "./cookies.ts";
import { idIn, memberPage } from "./member.ts";
import type { PageContext } from "./member.ts";
import { sendServed } from "./components.ts";

// Each browser also names those that it imitates, so the most specific ones come first.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const nameIn = (table: [RegExp, string][], text: string): string | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Returns "Firefox on Linux", where it is known; otherwise the header's first word. */
const agentName = (t: Say, header: string | null): string => {
  const browser =
    nameIn(BROWSERS, header ?? "") ??
    /^[\w.-]{1,40}/.exec(header ?? "")?.[0] ??
    t("access.unknown_browser");
  const system = nameIn(SYSTEMS, header ?? "");
  return system ? t("access.browser_on", { browser, system }) : browser;
};

const SESSIONS = "/settings/sessions";
const APPS = "/settings/apps";

/** Adds the other account, where this person uses one, or one uses this account. */
const sessionName = (t: Say, browser: string, { of, by }: SessionRow): string => {
  if (of) return t("access.in", { browser, name: of });
  return by ? t("access.by", { browser, name: by }) : browser;
};

const sessionRow = (t: Say, row: SessionRow): Row => {
  const name = sessionName(t, agentName(t, row.user_agent), row);
  const ip = row.ip ?? t("access.no_ip");
  const end = { action: `${SESSIONS}/end`, fields: { id: row.id }, of: name };
  return {
    title: name,
    badges: [row.current && { badge: "access.this_browser", kind: "good" }],
    lines: [
      { say: "access.signed_in", values: { ip }, with: { time: row.created_at } },
      { say: "access.active", with: { time: row.used_at } },
    ],
    acts: [!row.current && { ...end, label: "access.sign_out" }],
  };
};

const showSessions = async (context: PageContext) => {
  const { app, request, who, t } = context;
  const rows = await listSessions(app, who.userId, sessionToken(app, request) ?? "");
  const link = { link: APPS, text: { say: "access.listed_apart" } } as const;
  return sendServed(context, {
    title: "access.sessions",
    parts: [
      { text: { say: "access.sessions_text", with: { link } } },
      { rows: rows.map((row) => sessionRow(t, row)) },
      rows.length > 1 && {
        acts: [{ action: `${SESSIONS}/end_others`, label: "access.end_others" }],
      },
    ],
  });
};

export const sessionPages = memberPage(SESSIONS, showSessions, [
  [
    "/end",
    "access.ended",
    (context) => endSessionById(context.app, context.who.userId, idIn(context)),
  ],
  [
    "/end_others",
    "access.others_ended",
    ({ app, request, who }) =>
      app.sql.begin((tx) =>
        endOtherSessions(app, tx, who.userId, sessionToken(app, request) ?? ""),
      ),
  ],
]);

const rights = (texts: Texts, scopes: string[]): string =>
  describeScopes(texts, scopes)
    .map(({ title }) => title)
    .join(" · ");

const appRow = (context: PageContext, row: AuthorizedRow): Row => {
  const { app_id, token_id, website } = row;
  const name = row.name ?? context.t("access.command_line");
  const end = { fields: app_id ? { app_id } : { token_id }, of: name };
  const link = webUrl(website);
  return {
    title: link ? { link, text: name, isOutside: true } : name,
    lines: [
      rights(context, row.scopes),
      { say: "access.authorized", with: { time: row.created_at } },
    ],
    acts: [{ action: `${APPS}/revoke`, label: "access.revoke", ...end }],
  };
};

const showApps = async (context: PageContext) => {
  const { app, who } = context;
  const rows = await listAuthorized(app, who.userId);
  return sendServed(context, {
    title: "access.apps",
    parts: [
      { text: { say: "access.apps_text" } },
      { rows: rows.map((row) => appRow(context, row)), none: "access.no_apps", kind: "long" },
    ],
  });
};

const endApp = async ({ app, request, who }: PageContext): Promise<void> => {
  const { app_id = "", token_id = "" } = readTexts(request.body);
  const [appId, tokenId] = [parseId(app_id), parseId(token_id)];
  if (appId) await revokeApp(app, who.userId, appId);
  else if (tokenId) await revokeOwn(app, who.userId, tokenId);
};

export const appPages = memberPage(APPS, showApps, [["/revoke", "access.revoked", endApp]]);
