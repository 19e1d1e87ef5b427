// Serves the page on which people see whom they lost by blocks of whole servers, with files of them that can be
// imported elsewhere.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Inline, Row } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { parseId, isoDate } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { askedAsMember } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, sendServed } from "../../people/users/pages/components.ts";
import { headingsOf, linesOf } from "./formats.ts";
import { sendCsv } from "../../../platform/http/line-files.ts";
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

const files = ({ id, ...row }: SeveranceRow): Inline =>
  (["following", "followers"] as const).map((which) => {
    const count = row[`${which}_count`];
    return (
      count > 0 && {
        link: `${PATH}/${id}/${which}.csv`,
        text: { say: `severed.${which}`, values: { count } },
        label: [`severed.${which}_of`, { name: row.target_name }],
        isFile: true,
      }
    );
  });

const rowOf = (row: SeveranceRow): Row => ({
  title: row.target_name,
  lines: [
    { joined: [{ say: `severed.${row.type}` }, row.created_at] },
    row.purged ? { say: "severed.purged" } : files(row),
  ],
});

const show = async (context: PageContext) => {
  const { app, who } = context;
  const rows = await listSeverances(app, who.accountId);
  return sendServed(context, {
    title: "severed.title",
    parts: [{ text: { say: "severed.about" } }, { rows: rows.map(rowOf), none: "severed.none" }],
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
    return sendCsv(reply, name, Readable.from(linesOfFile(app, which, of)));
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
