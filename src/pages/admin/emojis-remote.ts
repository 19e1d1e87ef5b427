// Lists known emojis of other servers, which can be copied here.

import type { FastifyReply } from "fastify";
import type { Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { DomainError } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { remoteEmojiUrl } from "../../platform/storage/remote-url.ts";
import { knownEmojis } from "../../domain/base/emojis/remote-emojis.ts";
import type { KnownEmoji } from "../../domain/base/emojis/remote-emojis.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS as LIMITS } from "../../domain/base/emojis/limits.ts";
import type { Imported } from "../../domain/base/emojis/own.ts";
import { copyEmojis } from "../../domain/staff/moderation/server.ts";
import { text } from "./page-parts.ts";
import { CATEGORY, importedParts, EMOJIS, EMOJI_ACTS, emojiTabs } from "./emojis.ts";
import { tickedEmojis } from "./ticked.ts";
import { problemOf } from "../../domain/people/users/pages/components.ts";
import { staffForm } from "./forms.ts";
import { entered, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";

const REMOTE = `${EMOJIS}/remote`;

const MAX_DOMAIN = 253;

const searchOf = (context: Staff) => {
  const { domain = "", q = "" } = entered(context);
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/@].*$/, "");
  return {
    domain: host.slice(0, MAX_DOMAIN),
    q: q.trim().replaceAll(":", "").slice(0, LIMITS.shortcode.max),
  };
};

type Search = ReturnType<typeof searchOf>;

const listPart = (
  { app, t }: Staff,
  { domain, q }: Search,
  emojis: readonly KnownEmoji[],
): Part | false => {
  if (domain === "") return false;
  if (emojis.length === 0) return { none: ["staff.emojis.none_known", { domain }] };
  const items = emojis.map(({ shortcode, url }) => ({
    shortcode,
    picture: remoteEmojiUrl(app.config, "stills", url),
  }));
  return {
    form: {
      action: REMOTE,
      hidden: { domain, q },
      before: [
        { emojis: items },
        { text: t("staff.emojis.copy_about", { count: AT_ONCE.copied }), isSoft: true },
      ],
      fields: [CATEGORY],
      submit: "staff.emojis.copy",
    },
  };
};

type Found = { emojis: readonly KnownEmoji[] } & Pick<Staff, "refused">;

/** Searches; an invalid search finds nothing, and says why. */
const find = async ({ app, t }: Staff, { domain, q }: Search): Promise<Found> => {
  if (domain === "") return { emojis: [] };
  try {
    return { emojis: await knownEmojis(app, domain, q) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problem = problemOf(t, error);
    return { emojis: [], refused: { status: 422, problem, faults: { domain: problem } } };
  }
};

const show = async (context: Staff, imported?: Imported): Promise<FastifyReply> => {
  const search = searchOf(context);
  const { emojis, refused } = await find(context, search);
  const { t } = context;
  return sendAdmin(
    { ...context, refused: context.refused ?? refused },
    {
      parts: [
        emojiTabs(REMOTE),
        { text: t("staff.emojis.remote_about") },
        ...(imported ? importedParts(context, imported) : []),
        {
          filters: {
            action: REMOTE,
            fields: [
              text("domain", "staff.emojis.server", MAX_DOMAIN, {
                hint: "staff.emojis.server_hint",
              }),
              { name: "q", label: "staff.emojis.shortcode", optional: true, max: 200 },
            ],
            values: search,
          },
        },
        listPart(context, search, emojis),
      ],
    },
  );
};

const copy = async (context: Staff): Promise<FastifyReply> => {
  const { app, actor } = context;
  const { category = "" } = entered(context);
  const { domain } = searchOf(context);
  const shortcodes = tickedEmojis(context);
  const imported = await copyEmojis(app, actor, {
    domain,
    shortcodes,
    category: category.trim() || null,
  });
  return show(context, imported);
};

export const remoteEmojiPages = (pages: Server, app: App): void => {
  pages.get(
    REMOTE,
    staffPage(app, EMOJI_ACTS, (context) => show(context)),
  );
  pages.post(
    REMOTE,
    staffForm(app, EMOJI_ACTS, copy, (context) => show(context)),
  );
};
