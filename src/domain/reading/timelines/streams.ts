// Publishes live events: the channels of pubsub, and the events on them. The streaming role subscribes. An event
// contains its entity as text: on public and hashtag streams the same for all listeners, on the streams of one viewer
// with that viewer's marks.

import type { App } from "../../../platform/app.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import type { ListRef } from "../../people/lists/tables.ts";
import type { RevokedTokens } from "../../people/oauth/events.ts";
import { wordsOf } from "../../posts/statuses/load.ts";
import { statusJson, viewerKey } from "../../posts/statuses/present-bytes.ts";
import { assumeSeen, belongsInList } from "../../posts/statuses/rules.ts";
import type { SeenStatus, StatusView } from "../../posts/statuses/tables.ts";
import { listedPublicly } from "../../posts/statuses/visibility.ts";
import type { VisibilityFacts } from "../../posts/statuses/visibility.ts";
import { loadForViewers } from "../../posts/statuses/load-for-viewers.ts";

/** Facts that decide whether a listener gets a status. */
export type StatusFacts = {
  authorId: string;
  /** Null for a local account. */
  domain: string | null;
  /** Id of the reblogged status's author, and the author's domain. */
  rebloggedAuthorId: string | null;
  rebloggedDomain: string | null;
  /** Id of the quoted status's author, where that status is shown, and the author's domain. */
  quotedAuthorId: string | null;
  quotedDomain: string | null;
  /** Ids of the status and of the status that it reblogs. */
  ids: string[];
  language: string | null;
};

/** One event; `payload` is the text that goes into the frame as it is, where there is any. */
export type StreamEvent = {
  event: string;
  payload?: string;
  facts?: StatusFacts;
  /** Text that listeners' filters search; absent in personal events. */
  words?: string;
  /** Whether it was made for its listener, with their marks and the matches of their filters. */
  isPersonal?: boolean;
};

export type StatusEventKind = "update" | "status.update";

export const directChannel = (accountId: string): string => `direct:${accountId}`;
/** Contains the owner, so that nobody can listen to another's list. */
export const listChannel = ({ id, ownerId }: ListRef): string => `list:${ownerId}:${id}`;
/** Every `user` stream gets events of this channel. */
export const EVERYBODY_CHANNEL = "everybody";
export const REVOKED_CHANNEL = "tokens-revoked";

/** A stream that one viewer alone listens to; statuses contain that viewer's marks. */
export type OwnStream = { channel: string; viewerId: string };

type PublicScope = "all" | "local" | "remote";

export const publicChannel = (scope: PublicScope, onlyMedia: boolean): string =>
  `public:${scope}${onlyMedia ? ":media" : ""}`;

/** `tag` is the folded name (platform/text/tags.ts). */
export const hashtagChannel = (tag: string, onlyLocal: boolean): string =>
  `hashtag:${onlyLocal ? "local" : "all"}:${tag}`;

const quotedIn = (view: StatusView): StatusView | null =>
  (view.reblog ?? view).quote?.status ?? null;

const factsOf = (view: StatusView, quoted: StatusView | null): StatusFacts => ({
  authorId: view.account_id,
  domain: view.account.domain,
  rebloggedAuthorId: view.reblog?.account_id ?? null,
  rebloggedDomain: view.reblog?.account.domain ?? null,
  quotedAuthorId: quoted?.account_id ?? null,
  quotedDomain: quoted?.account.domain ?? null,
  ids: view.reblog ? [view.id, view.reblog.id] : [view.id],
  language: (view.reblog ?? view).language,
});

/** Returns the view without any viewer's part, the same for all. */
const withoutViewer = (view: StatusView): StatusView => ({
  ...view,
  viewer: null,
  poll: view.poll && { ...view.poll, ownVotes: null },
  event: view.event && { ...view.event, answer: null },
  reblog: view.reblog && withoutViewer(view.reblog),
  quote: view.quote && {
    ...view.quote,
    status: view.quote.status && withoutViewer(view.quote.status),
  },
});

/** Makes the event of a new or an edited status. */
export const statusEvent = (app: App, view: StatusView, kind: StatusEventKind): StreamEvent => ({
  event: kind,
  payload: statusJson(assumeSeen(withoutViewer(view)), app.config.site).toString(),
  facts: factsOf(view, quotedIn(view)),
  // The words are made when a listener with filters needs them, which most do not have, or when they go to other
  // processes.
  get words() {
    return wordsOf((view.reblog ?? view).row);
  },
});

/**
 * Makes the event for people who see the status as this viewer does. It leaves out the author of the quote, whose state
 * already says what the viewer hides.
 */
export const personalEvent = (app: App, view: SeenStatus, kind: StatusEventKind): StreamEvent => ({
  event: kind,
  payload: statusJson(view, app.config.site).toString(),
  facts: factsOf(view, null),
  isPersonal: true,
});

type Publication = { channels: string[]; event: StreamEvent };

/** Publishes in this order, only to channels with listeners: of a thousand followers few have an open stream. */
const publishAll = async (app: App, all: Publication[]): Promise<void> => {
  const channels = all.flatMap((publication) => publication.channels);
  if (channels.length === 0) return;
  const listening = new Set(await app.pubsub.withListeners(channels));
  const published = all.flatMap((publication) =>
    publication.channels
      .filter((channel) => listening.has(channel))
      .map((channel) => app.pubsub.publish(channel, publication.event)),
  );
  await Promise.all(published);
};

export const publishTo = (app: App, channels: string[], event: StreamEvent): Promise<void> =>
  publishAll(app, [{ channels, event }]);

/** Publishes to the `user` streams of these accounts. */
export const publishToUsers = (app: App, accountIds: string[], event: StreamEvent) =>
  publishTo(app, accountIds.map(userChannel), event);

/** Publishes to the `user` stream of everybody. */
export const publishToAll = (app: App, event: StreamEvent): Promise<void> =>
  publishTo(app, [EVERYBODY_CHANNEL], event);

type Published = { local: boolean; tags: string[]; media: boolean };

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

/**
 * Returns channels for original public posts by people in good standing; replies to others go to hashtag channels
 * alone.
 */
const channelsOf = (view: StatusView): string[] => {
  const { account } = view;
  if (!listedPublicly(view) || view.awaits_approval || view.reblog_of_id !== null) return [];
  if (account.suspended_at !== null || account.silenced_at !== null) return [];
  const tags = view.tags.map((tag) => tag.name);
  const published = { local: view.local, tags, media: view.media.length > 0 };
  return [
    ...(isReplyToAnother(view) ? [] : publicChannels(published)),
    ...hashtagChannels(published),
  ];
};

/**
 * Publishes a new or an edited status on the public and hashtag streams where it belongs; `publishToViewers` handles
 * streams of single viewers.
 */
export const publishStatus = async (
  app: App,
  view: StatusView,
  kind: StatusEventKind,
): Promise<void> => {
  await publishTo(app, channelsOf(view), statusEvent(app, view, kind));
};

/** Publishes the events of several statuses as `publishStatus` does, in this order. */
export const publishStatuses = async (
  app: App,
  statuses: { view: StatusView; event: StreamEvent }[],
): Promise<void> => {
  await publishAll(
    app,
    statuses.map(({ view, event }) => ({ channels: channelsOf(view), event })),
  );
};

type DeletedStatus = VisibilityFacts & {
  id: string;
  local: boolean;
  reblogOfId: string | null;
  tags: string[];
  /** Whether it has or had media; undefined where unknown. */
  hasMedia?: boolean;
  /** Channels of the home feeds and lists that may show it. */
  channels?: string[];
};

/** Publishes that statuses were deleted (or are no longer visible), on every stream that may have shown them. */
export const publishDeletes = (app: App, removed: DeletedStatus[]): Promise<void> =>
  publishAll(
    app,
    removed.map((status) => {
      const isPublic = listedPublicly(status) && status.reblogOfId === null;
      const published = { ...status, media: status.hasMedia ?? true };
      const open = isPublic ? [...publicChannels(published), ...hashtagChannels(published)] : [];
      return {
        channels: [...(status.channels ?? []), ...open],
        event: { event: "delete", payload: status.id },
      };
    }),
  );

/** Closes the open streams of these tokens; must be called after the commit. */
export const publishTokensRevoked = (app: App, revoked: RevokedTokens): Promise<void> =>
  app.pubsub.publish(REVOKED_CHANNEL, revoked);

/** `view` is without a viewer; `streams` have listeners. */
type OwnDelivery = { view: StatusView; kind: StatusEventKind; streams: OwnStream[] };

/** Returns the streams with listeners; nothing is read or made for the others. */
export const withListeners = async <T extends { channel: string }>(
  app: App,
  streams: T[],
): Promise<T[]> => {
  if (streams.length === 0) return [];
  const channels = new Set(await app.pubsub.withListeners(streams.map(({ channel }) => channel)));
  return channels.size === 0 ? [] : streams.filter(({ channel }) => channels.has(channel));
};

/** Milliseconds of age up to which a status is taken to have no bookmarks. */
const NEW_MS = 10_000;

/** Returns whether nobody has marked the status yet, so that viewers' marks need not be read. */
const isNew = (
  app: App,
  { created_at: at, favourites_count: likes, reblogs_count: boosts }: StatusView,
) => app.clock.now().getTime() - at.getTime() < NEW_MS && Number(likes) + Number(boosts) === 0;

const publishOne = (
  app: App,
  { kind, streams }: OwnDelivery,
  shownTo: (viewerId: string) => StatusView | null,
): Promise<void>[] => {
  const events = new Map<string, StreamEvent>();
  const published: Promise<void>[] = [];
  for (const { channel, viewerId } of streams) {
    const own = shownTo(viewerId);
    if (!own || !belongsInList(own)) continue;
    const key = viewerKey(own);
    const event = events.get(key) ?? personalEvent(app, own, kind);
    events.set(key, event);
    published.push(app.pubsub.publish(channel, event));
  }
  return published;
};

/** Publishes in this order, and together. The queries are for all viewers together. */
export const publishToViewers = async (app: App, deliveries: OwnDelivery[]): Promise<void> => {
  const listening = deliveries.filter(({ streams }) => streams.length > 0);
  if (listening.length === 0) return;
  const views = listening.map(({ view, kind, streams }) => ({
    view,
    viewerIds: streams.map(({ viewerId }) => viewerId),
    isNew: kind === "update" && isNew(app, view),
  }));
  const shown = await loadForViewers(app, views);
  await Promise.all(
    listening.flatMap((delivery, n) =>
      publishOne(app, delivery, (viewerId) => shown(views[n]!, viewerId)),
    ),
  );
};
