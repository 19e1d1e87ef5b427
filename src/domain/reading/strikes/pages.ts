// Serves the pages on which people read what the moderators decided about their account, and appeal; suspended and
// frozen people may use them too. The paths are those that apps link to.

import type { FastifyRequest } from "fastify";
import type { Part, Row } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { escapeHtml } from "../../../platform/text/html.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { plainText } from "../../../platform/text/plain.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { askedAsMember, DISPUTES } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { formOf } from "../../people/users/pages/fields.ts";
import { goTo, refusable, sendServed } from "../../people/users/pages/components.ts";
import { mayUseRights } from "../../people/users/sign-in.ts";
import { APPEAL_DAYS, fileAppeal, MAX_APPEAL, mayBeAppealed, ownStrike } from "./appeals.ts";
import { evidenceOfStrike, strikesOf } from "./strikes.ts";
import type { StrikeRow } from "./tables.ts";

const stateText = (t: Say, row: StrikeRow): string | null => {
  if (row.overruled_at !== null) return t("strikes.taken_back");
  if (row.appeal_text === null) return null;
  return t(row.appeal_decided ? "strikes.rejected" : "strikes.waiting");
};

const rowOf = (t: Say, row: StrikeRow): Row => ({
  href: `${DISPUTES}/${row.id}`,
  title: titleOf(t, row),
  lines: [row.created_at, stateText(t, row)],
});

const showAll = async (context: PageContext) => {
  const { app, who, t } = context;
  const rows = await strikesOf(app, who.accountId);
  return sendServed(context, {
    title: "strikes.title",
    parts: [
      rows.length > 0 && { text: { say: "strikes.all" } },
      { rows: rows.map((row) => rowOf(t, row)), none: "strikes.none" },
    ],
  });
};

const DONE = { appealed: "strikes.appealed" } as const;

const appealParts = ({ id, created_at }: StrikeRow): Part[] => {
  const time = addDays(created_at, APPEAL_DAYS);
  return [
    { heading: "strikes.appeal" },
    { text: { say: "strikes.appeal_text", with: { time } } },
    formOf(`${DISPUTES}/${id}/appeal`, "strikes.send", [
      { name: "text", label: "strikes.why", type: "textarea", max: MAX_APPEAL },
    ]),
  ];
};

const appealedParts = (t: Say, row: StrikeRow): Part[] =>
  row.appeal_text === null
    ? []
    : [
        { heading: "strikes.own" },
        { text: row.appeal_text },
        { text: { strong: `${stateText(t, row)}.` } },
      ];

/** `url` is null where the post was deleted. */
type Concerned = { url: string | null; text: string; at: Date };

const MAX_SHOWN = 500;

const textOf = (warning: string, content: string): string =>
  shorten(plainText(`<p>${escapeHtml(warning)}</p>${content}`).trim(), MAX_SHOWN);

/** Returns posts that exist, also of a suspended account, which nobody else sees; of deleted ones what was kept. */
const concernedBy = async (
  { app, who }: PageContext,
  { id, status_ids: ids, action }: StrikeRow,
): Promise<Concerned[]> => {
  if (action === "delete_statuses") {
    return (await evidenceOfStrike(app, id)).map(({ content, created_at: at }) => {
      return { url: null, text: textOf("", content), at: new Date(at) };
    });
  }
  const views = await loadStatuses(app, ids ?? [], asPerson(who.accountId));
  return views
    .filter(({ account_id: authorId }) => authorId === who.accountId)
    .map(({ url, uri, spoiler_text: warning, content, created_at: at }) => {
      return { url: url ?? uri, text: textOf(warning, content), at };
    });
};

const postParts = async (context: PageContext, row: StrikeRow): Promise<Part[]> => {
  const concerned = await concernedBy(context, row);
  if (concerned.length === 0) return [];
  return [
    { heading: row.action === "delete_statuses" ? "strikes.removed_posts" : "strikes.posts" },
    {
      rows: concerned.map(({ url, text, at }) => ({
        lines: [url ? { link: url, text: at } : at, text || { say: "strikes.no_text" }],
      })),
    },
  ];
};

/** A decision that was taken back is marked in the title. */
const titleOf = (t: Say, { action, overruled_at: overruled }: StrikeRow): string => {
  const decision = t(`decision.${action}.title`);
  return overruled === null ? decision : t("strikes.back_title", { decision });
};

const aboutText = (t: Say, { action, overruled_at: overruled }: StrikeRow): string => {
  if (overruled === null) return t(`decision.${action}.text`);
  return t(action === "delete_statuses" ? "strikes.back_posts" : "strikes.back");
};

const idIn = ({ params }: FastifyRequest): string => pathId((params as { id?: string }).id);

const showOne = async (context: PageContext) => {
  const { app, request, who, t } = context;
  const row = await ownStrike(app, who.accountId, idIn(request));
  return sendServed(context, {
    title: { plain: titleOf(t, row) },
    done: DONE,
    parts: [
      { text: aboutText(t, row) },
      { text: row.created_at, kind: "soft small" },
      row.text && { notice: row.text },
      ...(await postParts(context, row)),
      ...(mayBeAppealed(app, row) ? appealParts(row) : appealedParts(t, row)),
      { below: [[DISPUTES, "strikes.list"]] },
    ],
  });
};

const takeAppeal = async ({ app, request, reply, who }: PageContext) => {
  const id = idIn(request);
  await fileAppeal(app, who.accountId, id, readTexts(request.body)["text"] ?? "");
  return goTo(reply, `${DISPUTES}/${id}?done=appealed`);
};

export const strikePages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app, mayUseRights);
    pages.get(DISPUTES, page(showAll));
    pages.get(`${DISPUTES}/:id`, page(showOne));
    pages.post(`${DISPUTES}/:id/appeal`, page(refusable(takeAppeal, showOne, "text")));
  };
