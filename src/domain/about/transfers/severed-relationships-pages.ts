// Serves the page on which people see whom they lost by blocks of whole servers, with files of them that can be
// imported elsewhere.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parseId, isoDate } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { askedAsMember, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo } from "../../people/users/pages/components.ts";
import { whenText } from "../../people/users/pages/when.ts";
import { headingsOf, linesOf } from "./formats.ts";
import { sendDownload } from "../../../platform/http/line-files.ts";
import {
  listSeverances,
  loadSeverances,
  lostPages,
} from "../../reading/severed-relationships/severed-relationships.ts";
import type {
  LostRow,
  SeveranceRow,
} from "../../reading/severed-relationships/severed-relationships.ts";

const PATH = "/settings/severed_relationships";

const files = (
  t: Say,
  { id, target_name: name, following_count, followers_count }: SeveranceRow,
): Html =>
  html`<span
    >${
      following_count > 0 &&
      html`<a
        href="${PATH}/${id}/following.csv"
        download
        aria-label="${t("severed.following_of", { name })}"
        >${t("severed.following", { count: following_count })}</a
      > `
    }${
      followers_count > 0 &&
      html`<a
        href="${PATH}/${id}/followers.csv"
        download
        aria-label="${t("severed.followers_of", { name })}"
        >${t("severed.followers", { count: followers_count })}</a
      >`
    }</span
  >`;

const line = ({ t, language }: PageContext, row: SeveranceRow): Html =>
  html`<li>
    <div class="what">
      <strong>${row.target_name}</strong>
      <span>${t(`severed.${row.type}`)}, ${whenText(row.created_at, language)}</span>
      ${row.purged ? html`<span>${t("severed.purged")}</span>` : files(t, row)}
    </div>
  </li>`;

const show = async (context: PageContext) => {
  const { app, reply, who, t } = context;
  const rows = await listSeverances(app, who.accountId);
  const list = html`<ul class="rows">
    ${rows.map((row) => line(context, row))}
  </ul>`;
  return sendSettings(reply, {
    title: t("severed.title"),
    body: html`<p>${t("severed.about")}</p>
      ${rows.length > 0 ? list : html`<p>${t("severed.none")}</p>`}`,
  });
};

const followingLines = (rows: LostRow[]): string =>
  linesOf(
    "following",
    rows.map(({ acct, notify, languages, ...row }) => ({
      acct,
      reblogs: row.show_reblogs,
      replies: row.show_replies,
      dailyLimit: row.daily_limit,
      notify,
      languages,
    })),
  );

const FILES = {
  following: { direction: "followed", head: headingsOf("following"), lines: followingLines },
  followers: {
    direction: "follower",
    head: "Account address\n",
    lines: (rows: LostRow[]) =>
      linesOf(
        "blocks",
        rows.map(({ acct }) => ({ acct })),
      ),
  },
} as const;

const linesOfFile = async function* (
  app: App,
  which: keyof typeof FILES,
  of: { accountId: string; eventId: string },
) {
  const { direction, head, lines } = FILES[which];
  yield head;
  for await (const page of lostPages(app, { ...of, direction })) yield lines(page);
};

const sendLost =
  (which: keyof typeof FILES) =>
  async ({ app, request, reply, who }: PageContext) => {
    const id = parseId((request as FastifyRequest<{ Params: { id: string } }>).params.id);
    const event = id && (await loadSeverances(app, who.accountId, [id])).get(id);
    if (!event || event.following_count + event.followers_count === 0) throw new NotFound();
    const target = event.target_name.replaceAll(/[^\w.@-]/g, "_");
    const name = `${which}-${target}-${isoDate(event.created_at)}.csv`;
    const of = { accountId: who.accountId, eventId: event.id };
    const body = Readable.from(linesOfFile(app, which, of));
    return sendDownload(reply, { name, type: "text/csv; charset=utf-8", body });
  };

export const severancePages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    // Clients link to this address from the notification.
    pages.get("/severed_relationships", async (_request, reply) => goTo(reply, PATH));
    pages.get(PATH, page(show));
    pages.get(`${PATH}/:id/following.csv`, page(sendLost("following")));
    pages.get(`${PATH}/:id/followers.csv`, page(sendLost("followers")));
  };
