// The page on which people see whom they lost by blocks of whole servers, with files of them that can be
// imported elsewhere.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { isoDate } from "../../platform/ids/index.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { askedAsMember, sendSettings } from "../people/pages/member.ts";
import type { Asked } from "../people/pages/member.ts";
import { goTo } from "../people/pages/parts.ts";
import { whenText } from "../people/pages/when.ts";
import { headingsOf, linesOf } from "../transfers/formats.ts";
import { sendDownload } from "../transfers/routes.ts";
import { listSeverances, loadSeverances, lostPages } from "./severances.ts";
import type { LostRow, SeveranceRow } from "./severances.ts";

const PATH = "/settings/severed_relationships";

const WHY: Record<SeveranceRow["type"], string> = {
  domain_block: "This server no longer exchanges posts with it",
  user_domain_block: "You blocked it",
  account_suspension: "The account was suspended",
};

const files = ({ id, target_name, following_count, followers_count }: SeveranceRow): Html =>
  html`<span
    >${
      following_count > 0 &&
      html`<a
        href="${PATH}/${id}/following.csv"
        download
        aria-label="Download the accounts at ${target_name} that you followed"
        >${following_count} that you followed</a
      > `
    }${
      followers_count > 0 &&
      html`<a
        href="${PATH}/${id}/followers.csv"
        download
        aria-label="Download the followers at ${target_name}"
        >${followers_count} followers</a
      >`
    }</span
  >`;

const line = (row: SeveranceRow): Html =>
  html`<li>
    <div class="what">
      <strong>${row.target_name}</strong>
      <span>${WHY[row.type]}, ${whenText(row.created_at)}</span>
      ${row.purged ? html`<span>The list has been deleted.</span>` : files(row)}
    </div>
  </li>`;

const show = async ({ app, reply, who }: Asked) => {
  const rows = await listSeverances(app, who.accountId);
  const list = html`<ul class="rows">
    ${rows.map(line)}
  </ul>`;
  return sendSettings(reply, {
    title: "Severed relationships",
    body: html`<p>
        Follows that ended because of a block. You can download the lists to find these people from
        another account.
      </p>
      ${rows.length > 0 ? list : html`<p>You have lost nobody.</p>`}`,
  });
};

const followingLines = (rows: LostRow[]): string =>
  linesOf(
    "following",
    rows.map(({ acct, show_reblogs: reblogs, notify, languages }) => ({
      acct,
      reblogs,
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
  async ({ app, request, reply, who }: Asked) => {
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
    // Where clients lead to from the notification.
    pages.get("/severed_relationships", async (_request, reply) => goTo(reply, PATH));
    pages.get(PATH, page(show));
    pages.get(`${PATH}/:id/following.csv`, page(sendLost("following")));
    pages.get(`${PATH}/:id/followers.csv`, page(sendLost("followers")));
  };
