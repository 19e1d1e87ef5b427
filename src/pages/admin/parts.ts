// Pieces that the pages for the staff share: people with what was decided about them, posts, choices, filters.

import type { App } from "../../platform/app.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { mediaRejectedAmong } from "../../domain/blocklists/domains.ts";
import { mediaUrl, previewUrl } from "../../domain/media/present.ts";
import type { MediaView } from "../../domain/media/tables.ts";
import type { AdminAccountView } from "../../domain/moderation/load.ts";
import { radio } from "../../domain/people/pages/parts.ts";
import type { SeenStatus } from "../../domain/statuses/tables.ts";
import { visibilityName } from "../../domain/statuses/visibility.ts";
import { webUrl } from "../../platform/text/web-url.ts";
import { richText, withEmojis } from "../../domain/emojis/pictures.ts";
import { handle, moment, personName, postUrl, smallAvatarUrl } from "../parts.ts";

type Site = App["config"]["site"];

export const badge = (text: string, kind: "" | "mild" | "bad" | "good" = "mild"): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

/** What holds for an account now. */
export const stateBadges = ({ account, user }: AdminAccountView): Html[] => {
  const found: [boolean, string, "mild" | "bad"][] = [
    [account.suspended_at !== null, "Suspended", "bad"],
    [user?.disabled === true, "Frozen", "bad"],
    [account.silenced_at !== null, "Limited", "bad"],
    [account.sensitized_at !== null, "Sensitive", "bad"],
    [user?.approved === false, "Waiting for approval", "mild"],
    [user?.confirmed === false, "Address not confirmed", "mild"],
  ];
  const role = user && account.role?.name ? [badge(account.role.name, "good")] : [];
  return [...role, ...found.filter(([holds]) => holds).map(([, text, kind]) => badge(text, kind))];
};

const face = (site: Site, view: AccountView): Html =>
  html`<img class="avatar" src="${smallAvatarUrl(site, view)}" alt="" loading="lazy" />`;

export const accountLink = (site: Site, view: AccountView): Html =>
  html`<a href="/admin/accounts/${view.id}">${handle(site, view)}</a>`;

/** A row of a list of accounts, the whole of it a link. */
export const accountRow = (site: Site, view: AdminAccountView, more: HtmlValue = null): Html => {
  const { account, user } = view;
  return html`<li>
    <a class="to" href="/admin/accounts/${account.id}">
      <div class="who">
        ${face(site, account)}
        <div>
          <strong>${personName(account)}</strong>
          <span>${handle(site, account)} ${stateBadges(view)}</span>
          <span>${user?.email} ${more}</span>
        </div>
      </div>
    </a>
  </li>`;
};

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

/** The servers of these posts whose media are not shown here. */
export const mediaRejectedOf = (app: App, views: SeenStatus[]): Promise<ReadonlySet<string>> =>
  mediaRejectedAmong(
    app,
    views.flatMap(({ account }) => account.domain ?? []),
  );

/** Files of a server whose media are rejected are fetched when the staff asks for them, one by one. */
const behindClick = (site: Site, one: MediaView): Html => {
  const url = webUrl(mediaUrl(one, site, true));
  if (!url) return html`<span class="soft">(${one.type})</span>`;
  const of = one.description ? `: ${one.description}` : "";
  return html`<a href="${url}" rel="noopener noreferrer" target="_blank"
    >Hidden from others: show this file (${one.type}${of})</a
  >`;
};

/** A post as the staff reads it: all of it, with small pictures. `rejected`: servers whose media are. */
export const postQuote = (site: Site, view: SeenStatus, rejected: ReadonlySet<string>): Html => {
  const isRejected = view.account.domain !== null && rejected.has(view.account.domain);
  const previews = view.media.flatMap((one) => {
    if (isRejected) return [behindClick(site, one)];
    const url = webUrl(previewUrl(one, site, view.account.suspended_at !== null));
    return url && one.type !== "audio"
      ? [html`<img src="${url}" alt="${one.description ?? ""}" loading="lazy" />`]
      : [html`<span class="soft">(${one.type})</span>`];
  });
  return html`<blockquote class="quote" lang="${view.language ?? ""}">
    ${view.spoiler_text && html`<p><strong>${withEmojis(view.spoiler_text, view.emojis)}</strong></p>`}
    ${richText(view.content, view.emojis)}
    ${previews.length > 0 && html`<div class="media">${previews}</div>`}
    <p class="soft small">
      <a href="${postUrl(view)}" rel="noopener noreferrer nofollow">${moment(view.created_at)}</a>
      · ${visibilityName(view)} ${view.sensitive && "· sensitive"}
    </p>
  </blockquote>`;
};

export type Choice = { value: string; label: string; hint?: string };

/** Radio buttons. */
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

/** `id`: where a page has several boxes of the name. */
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

/** Links between the views of one section. */
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

/** What is added here, folded away unless it was just refused. */
export const addPart = (summary: string, open: boolean, content: HtmlValue): Html =>
  html`<details class="add" ${open && raw("open ")}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
