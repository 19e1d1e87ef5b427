// What is told live: the channels of pubsub, the events on them, and publishing. The streaming role
// listens; an event carries its entity as text, made once for everybody who gets it.

import type { App } from "../../platform/app.ts";
import { loadAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import type { AccountView } from "../accounts/tables.ts";
import type { RevokedTokens } from "../oauth/events.ts";
import { statusJson } from "../statuses/present.ts";
import type { StatusView, Visibility } from "../statuses/tables.ts";

/** What a listener's own filters need to know of a status. */
export type StatusFacts = {
  authorId: string;
  /** null: one of ours */
  domain: string | null;
  /** The author of the reblogged status. */
  rebloggedAuthorId: string | null;
  replyToAccountId: string | null;
  mentionIds: string[];
  tags: string[];
  language: string | null;
  local: boolean;
  media: boolean;
};

/** One event; `payload` is the text that goes into the frame as it is. */
export type StreamEvent = { event: string; payload: string; facts?: StatusFacts };

export type StatusEventKind = "update" | "status.update";

export const userChannel = (accountId: string): string => `user:${accountId}`;
export const directChannel = (accountId: string): string => `direct:${accountId}`;
export const REVOKED_CHANNEL = "tokens-revoked";

export type PublicScope = "all" | "local" | "remote";

export const publicChannel = (scope: PublicScope, onlyMedia: boolean): string =>
  `public:${scope}${onlyMedia ? ":media" : ""}`;

/** `tag` is the folded name (platform/text/tags.ts). */
export const hashtagChannel = (tag: string, onlyLocal: boolean): string =>
  `hashtag:${onlyLocal ? "local" : "all"}:${tag}`;

const factsOf = (view: StatusView): StatusFacts => ({
  authorId: view.account_id,
  domain: view.account.domain,
  rebloggedAuthorId: view.reblog?.account_id ?? null,
  replyToAccountId: view.in_reply_to_account_id,
  mentionIds: view.mentions.map((mention) => mention.id),
  tags: view.tags.map((tag) => tag.name),
  language: (view.reblog ?? view).language,
  local: view.local,
  media: view.media.length > 0,
});

/** The same for all who get it: without any viewer's part. */
const impersonal = (view: StatusView): StatusView => ({
  ...view,
  viewer: null,
  reblog: view.reblog && { ...view.reblog, viewer: null },
});

/** The event that tells of a new or an edited status. */
export const statusEvent = (app: App, view: StatusView, kind: StatusEventKind): StreamEvent => ({
  event: kind,
  payload: statusJson(impersonal(view), app.config.site).toString(),
  facts: factsOf(view),
});

const publishTo = async (app: App, channels: string[], event: StreamEvent): Promise<void> => {
  await Promise.all(channels.map((channel) => app.pubsub.publish(channel, event)));
};

/** To the `user` streams of these accounts. */
export const publishToUsers = (app: App, accountIds: string[], event: StreamEvent) =>
  publishTo(app, accountIds.map(userChannel), event);

type Published = { visibility: Visibility; local: boolean; tags: string[]; media: boolean };

const publicChannels = ({ local, media }: Published): string[] => {
  const scopes: PublicScope[] = ["all", local ? "local" : "remote"];
  return scopes.flatMap((scope) => [
    publicChannel(scope, false),
    ...(media ? [publicChannel(scope, true)] : []),
  ]);
};

const hashtagChannels = ({ local, tags }: Published): string[] =>
  tags.flatMap((tag) => [
    hashtagChannel(tag, false),
    ...(local ? [hashtagChannel(tag, true)] : []),
  ]);

const isReplyToAnother = (view: StatusView): boolean =>
  view.in_reply_to_id !== null && view.in_reply_to_account_id !== view.account_id;

/** Original public posts of people in good standing; hashtags have replies too, the public streams none to others. */
const channelsOf = (view: StatusView): string[] => {
  const { account } = view;
  if (view.visibility !== "public" || view.reblog_of_id !== null) return [];
  if (account.suspended_at !== null || account.silenced_at !== null) return [];
  const { visibility, local } = view;
  const tags = view.tags.map((tag) => tag.name);
  const published = { visibility, local, tags, media: view.media.length > 0 };
  return [
    ...(isReplyToAnother(view) ? [] : publicChannels(published)),
    ...hashtagChannels(published),
  ];
};

/** The Conversation entity as one of its people sees it. https://docs.joinmastodon.org/entities/Conversation/ */
const conversationEvent = (
  app: App,
  view: StatusView,
  status: string,
  people: AccountView[],
  accountId: string,
): StreamEvent => {
  const others = people.filter((account) => account.id !== accountId);
  const entity = {
    id: view.conversation_id ?? view.id,
    unread: accountId !== view.account_id,
    accounts: (others.length > 0 ? others : people).map((account) =>
      accountEntity(account, app.config.site),
    ),
  };
  // The status is text already; it is not made again for each of them.
  const payload = `${JSON.stringify(entity).slice(0, -1)},"last_status":${status}}`;
  return { event: "conversation", payload, facts: factsOf(view) };
};

/** A direct status on the `direct` streams of everybody here who takes part. */
const publishDirect = async (app: App, view: StatusView, status: string): Promise<void> => {
  const ids = [...new Set([view.account_id, ...view.mentions.map((mention) => mention.id)])];
  const people = [...(await loadAccounts(app, ids)).values()];
  const here = people.filter((account) => account.domain === null);
  await Promise.all(
    here.map(({ id }) =>
      app.pubsub.publish(directChannel(id), conversationEvent(app, view, status, people, id)),
    ),
  );
};

/**
 * A new or an edited status on the public and hashtag streams where it belongs, and a new direct
 * one on the `direct` streams. Home feeds get theirs by `publishToUsers`; an event that was made
 * for them may be given, so that the entity is made once.
 */
export const publishStatus = async (
  app: App,
  view: StatusView,
  kind: StatusEventKind,
  event: StreamEvent = statusEvent(app, view, kind),
): Promise<void> => {
  if (view.visibility === "direct" && kind === "update" && !view.reblog) {
    await publishDirect(app, view, event.payload);
  }
  await publishTo(app, channelsOf(view), event);
};

export type DeletedStatus = {
  id: string;
  visibility: Visibility;
  local: boolean;
  reblogOfId: string | null;
  tags: string[];
  /** Whose home feeds may show it. */
  accountIds?: string[];
};

/** That a status is gone (or no longer for them), on every stream that may have told of it. */
export const publishDelete = async (app: App, removed: DeletedStatus): Promise<void> => {
  const event: StreamEvent = { event: "delete", payload: removed.id };
  await publishToUsers(app, removed.accountIds ?? [], event);
  if (removed.visibility !== "public" || removed.reblogOfId !== null) return;
  const published = { ...removed, media: true };
  await publishTo(app, [...publicChannels(published), ...hashtagChannels(published)], event);
};

/** Closes the open streams of these tokens. Call it once the change is committed. */
export const publishTokensRevoked = (app: App, revoked: RevokedTokens): Promise<void> =>
  app.pubsub.publish(REVOKED_CHANNEL, revoked);
