// Lists known emojis of other servers, which can be copied here.

import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { DomainError } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { remoteEmojiUrl } from "../../platform/storage/remote-url.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { knownEmojis } from "../../domain/base/emojis/remote-emojis.ts";
import type { KnownEmoji } from "../../domain/base/emojis/remote-emojis.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS as LIMITS } from "../../domain/base/emojis/limits.ts";
import type { Imported } from "../../domain/base/emojis/own.ts";
import { copyEmojis } from "../../domain/staff/moderation/server.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { EMOJIS, EMOJI_ACTS, emojiTabs, importedPart } from "./emojis.ts";
import { tickedEmojis } from "./ticked.ts";
import { problemOf, staffForm } from "./forms.ts";
import { entered, form, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { empty } from "./components.ts";

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

const item = ({ app }: Staff, { shortcode, url }: KnownEmoji): Html => {
  const id = `emoji_${shortcode}`;
  return html`<li>
    <div class="check">
      <input type="checkbox" id="${id}" name="${id}" value="1" />
      <label for="${id}">
        <img
          class="emoji large"
          src="${remoteEmojiUrl(app.config, "stills", url)}"
          alt=""
          loading="lazy"
        />
        <span class="what"><strong>:${shortcode}:</strong></span>
      </label>
    </div>
  </li>`;
};

type Search = ReturnType<typeof searchOf>;

const searchForm = ({ t }: Staff, { domain, q }: Search): Html =>
  html`<form method="get" action="${REMOTE}" role="search">
    <div class="filters">
      ${inputField({ name: "domain", label: t("staff.emojis.server"), value: domain, maxlength: MAX_DOMAIN, hint: t("staff.emojis.server_hint") })}
      ${inputField({ name: "q", label: t("staff.emojis.shortcode"), value: q, optional: true, maxlength: 200 })}
      <button class="button">${t("staff.search")}</button>
    </div>
  </form>`;

const listPart = (
  context: Staff,
  { domain, q }: Search,
  emojis: readonly KnownEmoji[],
): HtmlValue => {
  const { t } = context;
  if (domain === "") return null;
  if (emojis.length === 0) return empty(t("staff.emojis.none_known", { domain }));
  return form(
    context,
    REMOTE,
    html`<input type="hidden" name="domain" value="${domain}" />
      <input type="hidden" name="q" value="${q}" />
      <ul class="rows emoji-rows">
        ${emojis.map((emoji) => item(context, emoji))}
      </ul>
      ${inputField({ name: "category", label: t("staff.emojis.category"), value: "", optional: true, maxlength: LIMITS.category })}
      <p class="soft">${t("staff.emojis.copy_about", { count: AT_ONCE.copied })}</p>
      <button class="button inline">${t("staff.emojis.copy")}</button>`,
  );
};

type Outcome = { problem?: string | undefined; imported?: Imported };

/** Searches; an invalid search finds nothing, and says why. */
const find = async ({ app, t }: Staff, { domain, q }: Search) => {
  if (domain === "") return { emojis: [] };
  try {
    return { emojis: await knownEmojis(app, domain, q) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { emojis: [], problem: problemOf(t, error) };
  }
};

const show = async (context: Staff, outcome: Outcome = {}): Promise<FastifyReply> => {
  const search = searchOf(context);
  const { emojis, problem } = await find(context, search);
  return sendAdmin(context, {
    title: context.t("staff.section.custom_emojis"),
    problem: outcome.problem ?? problem,
    body: html`${emojiTabs(context, REMOTE)}
      <p>${context.t("staff.emojis.remote_about")}</p>
      ${outcome.imported && importedPart(context, outcome.imported)} ${searchForm(context, search)}
      ${listPart(context, search, emojis)}`,
  });
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
  return show(context, { imported });
};

export const remoteEmojiPages = (pages: Server, app: App): void => {
  pages.get(
    REMOTE,
    staffPage(app, EMOJI_ACTS, (context) => show(context)),
  );
  pages.post(
    REMOTE,
    staffForm(app, EMOJI_ACTS, copy, (context, problem) => show(context, { problem })),
  );
};
