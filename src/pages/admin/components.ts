// Parts that the pages for the staff share: people with what was decided about them, posts, choices, filters.

import type { Status } from "../../../web/src/api/entities.ts";
import { asTyped } from "../../platform/command-name.ts";
import type { App } from "../../platform/app.ts";
import type { Key } from "../../platform/text/texts.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { avatarOf, smallAvatarOf } from "../../domain/people/accounts/pictures.ts";
import { accountEntity, acct } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { mediaRejectedAmong } from "../../domain/base/blocklists/domains.ts";
import { mediaUrl } from "../../domain/base/media/present.ts";
import type { MediaView } from "../../domain/base/media/tables.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { radio } from "../../domain/people/users/pages/components.ts";
import type { SeenStatus } from "../../domain/posts/statuses/tables.ts";
import { statusEntity } from "../../domain/posts/statuses/present.ts";
import { visibilityName } from "../../domain/posts/statuses/visibility.ts";
import { webUrl } from "../../platform/text/web-url.ts";
import { withEmojis } from "../../domain/base/emojis/pictures.ts";
import { handle, postUrl } from "../components.ts";
import type { Staff } from "./frame.ts";

type Site = App["config"]["site"];

export const badge = (text: string, kind: "" | "mild" | "bad" | "good" = "mild"): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

/** Draws badges for the account's present state. */
export const stateBadges = ({ t }: Staff, { account, user }: AdminAccountView): Html[] => {
  const marks: [boolean, Key, "mild" | "bad"][] = [
    [account.suspended_at !== null, "staff.state.suspended", "bad"],
    [user?.disabled === true, "staff.state.frozen", "bad"],
    [account.silenced_at !== null, "staff.state.limited", "bad"],
    [account.sensitized_at !== null, "staff.state.sensitive", "bad"],
    [user?.approved === false, "staff.state.unapproved", "mild"],
    [user?.confirmed === false, "staff.state.unconfirmed", "mild"],
  ];
  const role = user && account.role?.name ? [badge(account.role.name, "good")] : [];
  return [
    ...role,
    ...marks.filter(([holds]) => holds).map(([, text, kind]) => badge(t(text), kind)),
  ];
};

/** Draws an avatar, also of a suspended account: the staff has to know whom it decides about. */
export const face = (site: Site, view: AccountView): Html => {
  const url = webUrl(smallAvatarOf(view, site) ?? avatarOf(view, site));
  return html`<img
    class="avatar"
    src="${url ?? `${site.origin}/avatars/missing.png`}"
    alt=""
    loading="lazy"
  />`;
};

export const personName = (view: AccountView): Html =>
  html`<bdi>${withEmojis(view.display_name.trim() || acct(view), view.emojis)}</bdi>`;

export const accountLink = (site: Site, view: AccountView): Html =>
  html`<a href="/admin/accounts/${view.id}">${handle(site, view)}</a>`;

export const accountHead = (site: Site, view: AccountView): Html => {
  const url = webUrl(view.url);
  return html`<div class="who">
    ${face(site, view)}
    <div>
      <strong>${personName(view)}</strong>
      <span
        >${
          url
            ? html`<a href="${url}" rel="noopener noreferrer nofollow">${handle(site, view)}</a>`
            : handle(site, view)
        }</span
      >
    </div>
  </div>`;
};

/** Returns the servers of these posts whose media are rejected here. */
export const mediaRejectedOf = (app: App, views: SeenStatus[]): Promise<ReadonlySet<string>> =>
  mediaRejectedAmong(
    app,
    views.flatMap(({ account }) => account.domain ?? []),
  );

/** Draws a link to a file of a server whose media are rejected; it is fetched only when the staff asks for it. */
const behindClick = ({ app, t }: Staff, media: MediaView): Html => {
  const url = webUrl(mediaUrl(media, app.config.site, true));
  const type = t(`staff.media.${media.type}`);
  if (!url) return html`<span class="soft">(${type})</span>`;
  const of = media.description ? `: ${media.description}` : "";
  return html`<a href="${url}" rel="noopener noreferrer" target="_blank"
    >${t("staff.media.hidden", { what: `${type}${of}` })}</a
  >`;
};

/** Returns the entity of a post with its author's name and picture, whatever was decided about the author. */
const postEntity = (site: Site, view: SeenStatus, isRejected: boolean) =>
  ({
    ...statusEntity(view, site),
    account: accountEntity({ ...view.account, suspended_at: null }, site),
    ...(isRejected && { media_attachments: [], card: null }),
  }) as unknown as Status;

/** Draws a whole post as the client does; `rejected` are servers whose media are rejected. */
export const postQuote = (staff: Staff, view: SeenStatus, rejected: ReadonlySet<string>): Html => {
  const { app, posts, t, language } = staff;
  const { site } = app.config;
  const isRejected = view.account.domain !== null && rejected.has(view.account.domain);
  const place = posts.push(postEntity(site, view, isRejected)) - 1;
  return html`<div class="judged">
    ${raw(`<!--post ${place}-->`)}
    ${isRejected && view.media.map((media) => html`<p>${behindClick(staff, media)}</p>`)}
    <p class="soft small">
      <a href="${postUrl(view)}" rel="noopener noreferrer nofollow"
        >${whenText(view.created_at, language)}</a
      >
      · ${t(visibilityName(view))} ${view.sensitive && `· ${t("staff.sensitive")}`}
    </p>
  </div>`;
};

export type Choice = { value: string; label: string; hint?: string };

/** Draws radio buttons. */
export const choices = (
  name: string,
  legend: string,
  options: readonly Choice[],
  chosen: string,
): Html =>
  html`<fieldset class="choices">
    <legend>${legend}</legend>
    ${options.map(({ value, label, hint }) =>
      radio(name, value, html`${label} ${hint && html`<span>${hint}</span>`}`, value === chosen),
    )}
  </fieldset>`;

/** `id` is needed where a page has several boxes of the name. */
export const checkbox = (name: string, label: string, on: boolean, id = name): Html =>
  html`<div class="check">
    <input type="checkbox" id="${id}" name="${name}" value="1" ${on && raw("checked ")} />
    <label for="${id}">${label}</label>
  </div>`;

export const select = (
  name: string,
  label: string,
  options: readonly Choice[],
  chosen: string | undefined,
  { id = name, hint }: { id?: string; hint?: string } = {},
): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}" ${hint && html`aria-describedby="${id}-hint"`}>
      ${options.map(
        ({ value, label: text }) =>
          html`<option value="${value}" ${value === chosen && raw("selected ")}>${text}</option>`,
      )}
    </select>
    ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;

/** Draws links between the views of one section. */
export const tabs = (label: string, current: string, all: readonly (readonly [string, string])[]) =>
  html`<nav class="tabs-nav" aria-label="${label}">
    <ul class="tabs-line">
      ${all.map(
        ([path, text]) =>
          html`<li>
            <a href="${path}" ${path === current && html`aria-current="page"`}>${text}</a>
          </li>`,
      )}
    </ul>
  </nav>`;

export const empty = (text: string): Html => html`<p class="soft">${text}</p>`;

/** Draws a form to add something, collapsed unless it was just refused. */
export const addPart = (summary: string, open: boolean, content: HtmlValue): Html =>
  html`<details class="add" ${open && raw("open ")}>
    <summary>${summary}</summary>
    ${content}
  </details>`;

/** Draws a command as it can be typed on the server's machine. */
export const commandText = (command: string): Html => html`<code>${asTyped(command)}</code>`;
