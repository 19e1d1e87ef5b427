// Serves the page on which people make and end their invitations.

import type { Field, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { createInvite, isOver, listInvites, mayInvite, stopInvite } from "../invites.ts";
import type { InviteRow } from "../invites.ts";
import { idIn, memberPage } from "./member.ts";
import type { PageContext } from "./member.ts";
import { formOf } from "./fields.ts";
import { sendServed } from "./components.ts";

const INVITES = "/settings/invites";
const SHOWN = 100;

export const useText = (t: Say, { uses, max_uses: max }: InviteRow): string =>
  max === null ? t("invites.used", { count: uses }) : t("invites.used_of", { uses, count: max });

const rowOf = (app: App, t: Say, row: InviteRow): Row => {
  const { id, code, created_at, expires_at } = row;
  const over = isOver(app, row);
  const end = { action: `${INVITES}/end`, fields: { id }, of: code };
  return {
    title: over
      ? { soft: t("invites.over") }
      : { copied: `${app.config.site.origin}/invite/${code}` },
    lines: [
      { say: "invites.line", values: { uses: useText(t, row) }, with: { time: created_at } },
      expires_at && !over && { say: "invites.until", with: { time: expires_at } },
    ],
    acts: [!over && { ...end, label: "invites.end" }],
  };
};

const DAY = 86_400;

const FIELDS: readonly Field[] = [
  {
    name: "max_uses",
    label: "invites.uses_label",
    options: [
      ...[1, 5, 25, 100].map((count) => [`${count}`, ["invites.for", { count }]] as const),
      ["", "invites.anybody"],
    ],
  },
  {
    name: "expires_in",
    label: "invites.expires_label",
    options: [
      [`${DAY}`, "invites.day"],
      [`${7 * DAY}`, "invites.week"],
      [`${30 * DAY}`, "invites.month"],
      ["", "invites.never"],
    ],
  },
];

const show = async (context: PageContext) => {
  const { app, who, t } = context;
  const [may, rows] = await Promise.all([
    mayInvite(app, who.accountId),
    listInvites(app, who.accountId, { maxId: null, limit: SHOWN }),
  ]);
  const values = { max_uses: 1, expires_in: 7 * DAY };
  return sendServed(context, {
    title: "invites.title",
    parts: [
      { text: { say: may ? "invites.may" : "invites.may_not" } },
      { rows: rows.map((row) => rowOf(app, t, row)) },
      may && formOf(INVITES, "invites.make", FIELDS, { values }),
    ],
  });
};

/** Reads an empty field as no limit. */
const numberFrom = (text: string | undefined): number | null => (text ? Number(text) : null);

const make = ({ app, request, who }: PageContext): Promise<unknown> => {
  const { max_uses: uses, expires_in: seconds } = readTexts(request.body);
  const input = { maxUses: numberFrom(uses), expiresIn: numberFrom(seconds) };
  return createInvite(app, who.accountId, input);
};

const end = (context: PageContext): Promise<unknown> =>
  stopInvite(context.app, context.app.sql, idIn(context), context.who.accountId);

export const invitePages = memberPage(INVITES, show, [
  ["", "invites.made", make],
  ["/end", "invites.ended", end],
]);
