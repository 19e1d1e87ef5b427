// The page of a collection: the accounts that somebody recommends.

import type { App } from "../platform/app.ts";
import { html } from "../platform/text/html.ts";
import type { Html } from "../platform/text/html.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { getCollection } from "../domain/collections/load.ts";
import { collectionTag, collectionUrl } from "../domain/collections/present.ts";
import type { CollectionView } from "../domain/collections/tables.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
import { avatarUrl, countedText, handle, shownName, webUrl, withEmojis } from "./parts.ts";

const person = (app: App, view: AccountView): Html =>
  html`<p class="who">
    <img class="avatar" src="${avatarUrl(app.config.site, view)}" alt="" loading="lazy" />
    <a href="${webUrl(view.url) ?? "#"}"
      ><strong>${withEmojis(shownName(view), view.emojis)}</strong
      ><span>${handle(app.config.site, view)}</span></a
    >
  </p>`;

const people = (app: App, accounts: AccountView[]): Html =>
  accounts.length === 0
    ? html`<p class="empty">This collection is empty.</p>`
    : html`${accounts.map((view) => person(app, view))}`;

const list = (app: App, view: CollectionView, accounts: AccountView[]): Html =>
  view.sensitive
    ? html`<details class="warning">
        <summary>Sensitive content</summary>
        ${people(app, accounts)}
      </details>`
    : people(app, accounts);

const head = (app: App, view: CollectionView, site: string): Html =>
  publicHead({
    type: "website",
    title: view.name,
    description: view.description || countedText(view.items.length, "account", "accounts"),
    url: collectionUrl(app.config.site, view.id),
    image: avatarUrl(app.config.site, view.owner),
    site,
  });

/** NotFound when there is none that anybody may see. */
export const collectionPage = async (app: App, id: string): Promise<PublicPage> => {
  const [view, details] = await Promise.all([getCollection(app, id, null), instanceDetails(app)]);
  const found = await loadAccounts(
    app,
    view.items.map((item) => item.account_id),
  );
  const accounts = view.items.flatMap((item) => found.get(item.account_id) ?? []);
  const tag = collectionTag(app.config.site, view);
  return {
    details,
    title: view.name,
    noindex: !view.discoverable,
    head: head(app, view, details.title),
    body: html`<section class="card">
      <h1>${view.name}</h1>
      <p class="soft">
        A collection by
        <a href="${view.owner.url}">${withEmojis(shownName(view.owner), view.owner.emojis)}</a>
        ${tag && html`about <a href="${tag.url}">#${tag.name}</a>`}
      </p>
      ${view.description && html`<p>${view.description}</p>`} ${list(app, view, accounts)}
    </section>`,
  };
};
