// Serves the page on which people make and end their invitations.

import type { Field, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { createInvite, isOver, listInvites, mayInvite, stopInvite } from "../invites.ts";
import type { InviteRow } from "../invites.ts";
import { askedAsMember, idIn } from "./member.ts";
import type { PageContext } from "./member.ts";
import { formOf } from "./fields.ts";
import { goTo, refusable, sendServed } from "./components.ts";

const INVITES = "/settings/invites";
const SHOWN = 100;

const DONE = {
  made: "invites.made",
  ended: "invites.ended",
} as const;

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
    done: DONE,
    parts: [
      { text: { say: may ? "invites.may" : "invites.may_not" } },
      { rows: rows.map((row) => rowOf(app, t, row)) },
      may && formOf(INVITES, "invites.make", FIELDS, { values }),
    ],
  });
};

/** Reads an empty field as no limit. */
const numberFrom = (text: string | undefined): number | null => (text ? Number(text) : null);

const make = async ({ app, request, reply, who }: PageContext) => {
  const { max_uses: uses, expires_in: seconds } = readTexts(request.body);
  const input = { maxUses: numberFrom(uses), expiresIn: numberFrom(seconds) };
  await createInvite(app, who.accountId, input);
  return goTo(reply, `${INVITES}?done=made`);
};

const end = async (context: PageContext) => {
  const { app, reply, who } = context;
  await stopInvite(app, app.sql, idIn(context), who.accountId);
  return goTo(reply, `${INVITES}?done=ended`);
};

export const invitePages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(INVITES, page(show));
  server.post(INVITES, page(refusable(make, show)));
  server.post(`${INVITES}/end`, page(end));
};
