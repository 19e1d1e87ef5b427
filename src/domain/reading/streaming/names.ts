// Resolves streams by name: the channel, scope and events of each.
// https://docs.joinmastodon.org/methods/streaming/#streams

import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest, Unauthorized } from "../../../platform/errors.ts";
import { covers } from "../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { MAX_TAG_LENGTH, normaliseTag } from "../../../platform/text/tags.ts";
import { HIDING_EVENTS } from "../../people/relationships/tell.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import {
  EVERYBODY_CHANNEL,
  directChannel,
  hashtagChannel,
  listChannel,
  publicChannel,
} from "../timelines/streams.ts";

/** A listener: a person with the scopes of one token. */
export type Listening = {
  viewer: CurrentUser;
  tokenId: string;
  appId: string | null;
  scopes: string[];
};

/** A client's request as it was sent, unchecked. */
export type WantedStream = { stream?: unknown; tag?: unknown; list?: unknown };

export type Subscription = {
  /** Identifies the subscription: two requests with the same key are the same. */
  key: string;
  channel: string;
  /** Second channel of the subscription. */
  alsoChannel?: string;
  /** `stream` member of its frames: the name, then the parameters as they were sent. */
  label: string[];
  /** Null for every event. */
  events: Set<string> | null;
  /** Events that this stream leaves out. */
  without: Set<string>;
  /** Whether posts in languages that the person did not choose are left out. */
  byLanguage: boolean;
  /** Id of a list whose owner is still to be checked (own-lists.ts). */
  listId?: string;
};

const NOTIFICATIONS = new Set(["notification", "notifications_merged"]);
const NONE = new Set<string>();

const needScope = ({ scopes }: Listening, scope: string): void => {
  if (!covers(scopes, scope)) {
    throw new Unauthorized("The access token does not have the scope required for this stream");
  }
};

const plain = (stream: string, channel: string): Subscription => ({
  key: stream,
  channel,
  label: [stream],
  events: null,
  without: NONE,
  byLanguage: false,
});

const userStream = (listening: Listening): Subscription => {
  needScope(listening, "read:statuses");
  const without = new Set([
    ...(covers(listening.scopes, "read:notifications") ? NONE : NOTIFICATIONS),
    ...(covers(listening.scopes, "read:follows") ? NONE : HIDING_EVENTS),
  ]);
  const own = plain("user", userChannel(listening.viewer.accountId));
  return { ...own, alsoChannel: EVERYBODY_CHANNEL, without };
};

const notificationStream = (listening: Listening): Subscription => {
  needScope(listening, "read:notifications");
  const channel = userChannel(listening.viewer.accountId);
  return { ...plain("user:notification", channel), events: NOTIFICATIONS };
};

const directStream = (listening: Listening): Subscription => {
  needScope(listening, "read:statuses");
  return plain("direct", directChannel(listening.viewer.accountId));
};

const PUBLIC_CHANNELS = new Map([
  ["public", publicChannel("all", false)],
  ["public:media", publicChannel("all", true)],
  ["public:local", publicChannel("local", false)],
  ["public:local:media", publicChannel("local", true)],
  ["public:remote", publicChannel("remote", false)],
  ["public:remote:media", publicChannel("remote", true)],
]);

export const notYourList = () => new Unauthorized("You do not have access to this list");

const hashtagStream = (listening: Listening, stream: string, tag: unknown): Subscription => {
  needScope(listening, "read:statuses");
  const name = typeof tag === "string" && tag.length <= MAX_TAG_LENGTH ? normaliseTag(tag) : "";
  if (name === "") throw new BadRequest("The tag parameter is missing");
  const channel = hashtagChannel(name, stream === "hashtag:local");
  return { ...plain(stream, channel), key: channel, label: [stream, String(tag)] };
};

/** Uses the listener's own channel, where events of other people's lists never arrive. */
const listStream = (listening: Listening, list: unknown): Subscription => {
  needScope(listening, "read:statuses");
  if (typeof list !== "string" || list === "")
    throw new BadRequest("The list parameter is missing");
  const id = parseId(list);
  if (id === null) throw notYourList();
  const channel = listChannel({ id, ownerId: listening.viewer.accountId });
  return { ...plain("list", channel), key: channel, label: ["list", list], listId: id };
};

/** Returns the requested subscription; throws BadRequest (unknown, or without a parameter) or Unauthorized (scope). */
export const resolveStream = (listening: Listening, named: WantedStream): Subscription => {
  const { stream } = named;
  if (stream === "user") return userStream(listening);
  if (stream === "user:notification") return notificationStream(listening);
  if (stream === "direct") return directStream(listening);
  if (stream === "hashtag" || stream === "hashtag:local") {
    return hashtagStream(listening, stream, named.tag);
  }
  if (stream === "list") return listStream(listening, named.list);
  const channel = PUBLIC_CHANNELS.get(String(stream));
  if (typeof stream !== "string" || !channel) throw new BadRequest("Unknown stream type");
  needScope(listening, "read:statuses");
  return { ...plain(stream, channel), byLanguage: true };
};
