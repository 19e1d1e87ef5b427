// The page on which somebody follows an account that they came across on another server.

import type { FastifyReply } from "fastify";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { loadRelations } from "../../domain/relationships/load.ts";
import type { Relation } from "../../domain/relationships/tables.ts";
import { handle, webUrl } from "../parts.ts";
import { profileCard } from "../profile.ts";
import { PATH, hiddenFields, sendInteraction } from "./frame.ts";
import type { Visit } from "./frame.ts";

type Offer = { text?: string; act?: "follow" | "unfollow"; label?: string; plain?: boolean };

/** What somebody can do about an account, by how they stand to it. */
const offerOf = (view: AccountView, relation: Relation): Offer => {
  if (relation.blocked_by) return { text: "You can’t follow this account." };
  if (relation.blocking) return { text: "You have blocked this account." };
  if (relation.domain_blocking) return { text: "You have blocked this account’s server." };
  if (relation.following) {
    return { text: "You follow this account.", act: "unfollow", label: "Unfollow", plain: true };
  }
  if (relation.requested) {
    const text = "You have asked to follow this account, and are waiting for an answer.";
    return { text, act: "unfollow", label: "Cancel follow request", plain: true };
  }
  // A notice of the profile says where it has moved to.
  if (view.moved_to_account_id !== null) return {};
  if (!view.locked) return { act: "follow", label: "Follow" };
  const text = "This account approves its followers.";
  return { text, act: "follow", label: "Request to follow" };
};

const followForm = (visit: Visit, view: AccountView, { act, label, plain }: Offer): HtmlValue =>
  act &&
  html`<form method="post" action="${PATH}/account">
    ${hiddenFields(visit, view.id)}
    <button class="${plain ? "button inline plain" : "button inline"}" name="act" value="${act}">
      ${label}
    </button>
  </form>`;

const offerBlock = (visit: Visit, view: AccountView, offer: Offer): Html =>
  html`<div class="interaction">
    ${offer.text && html`<p role="status">${offer.text}</p>`} ${followForm(visit, view, offer)}
    ${
      view.domain !== null &&
      html`<p class="small">
        <a href="${webUrl(view.url) ?? "#"}">View the profile on ${view.domain}</a>
      </p>`
    }
  </div>`;

const ownBlock = (view: AccountView): Html =>
  html`<div class="interaction">
    <p>This is your account.</p>
    <p><a class="button inline" href="/@${view.username}">Go to your profile</a></p>
  </div>`;

export const sendAccount = async (visit: Visit, view: AccountView): Promise<FastifyReply> => {
  const { app, who } = visit;
  const relations = await loadRelations(app, who.accountId, [view.id]);
  const block =
    view.id === who.accountId
      ? ownBlock(view)
      : offerBlock(visit, view, offerOf(view, relations.get(view.id)!));
  return sendInteraction(visit, {
    title: `Follow ${handle(app.config.site, view)}`,
    body: profileCard(app, view, block),
  });
};
