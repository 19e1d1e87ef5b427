// Publishes statuses to the streams of single viewers, with the marks of each. Events that are the same for several
// viewers are made once.

import type { App } from "../../../platform/app.ts";
import { loadForViewers } from "../../posts/statuses/load-for-viewers.ts";
import { viewerKey } from "../../posts/statuses/present.ts";
import { belongsInList } from "../../posts/statuses/rules.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { personalEvent } from "./streams.ts";
import type { OwnStream, StatusEventKind, StreamEvent } from "./streams.ts";

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
