// The streams by name: what each one listens to, which scope it wants, which events it lets through.
// https://docs.joinmastodon.org/methods/streaming/#streams

import { BadRequest, Unauthorized } from "../../platform/errors.ts";
import { covers } from "../../platform/http/auth.ts";
import type { Viewer } from "../../platform/http/auth.ts";
import { MAX_TAG_LENGTH, normaliseTag } from "../../platform/text/tags.ts";
import { directChannel, hashtagChannel, publicChannel, userChannel } from "../timelines/streams.ts";

/** Who listens: a person with the scopes of one token. */
export type Listening = { viewer: Viewer; tokenId: string; appId: string | null; scopes: string[] };

/** What a client asks for, as it came: nothing of it is checked yet. */
export type WantedStream = { stream?: unknown; tag?: unknown; list?: unknown };

export type Subscription = {
  /** Two requests with the same key are the same subscription. */
  key: string;
  channel: string;
  /** The `stream` member of its frames: the name, then the parameters as they were sent. */
  label: string[];
  /** null: every event */
  events: Set<string> | null;
  /** Events that this stream leaves out. */
  without: Set<string>;
  /** Posts in languages that the person did not choose are left out. */
  byLanguage: boolean;
};

const NOTIFICATIONS = new Set(["notification", "notifications_merged"]);
const NONE = new Set<string>();

const needScope = ({ scopes }: Listening, wanted: string): void => {
  if (!covers(scopes, wanted)) {
    throw new Unauthorized("The access token does not have the scope that this stream needs");
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
  const without = covers(listening.scopes, "read:notifications") ? NONE : NOTIFICATIONS;
  return { ...plain("user", userChannel(listening.viewer.accountId)), without };
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

const hashtagStream = (listening: Listening, stream: string, tag: unknown): Subscription => {
  needScope(listening, "read:statuses");
  const name = typeof tag === "string" && tag.length <= MAX_TAG_LENGTH ? normaliseTag(tag) : "";
  if (name === "") throw new BadRequest("The name of a tag is missing");
  const channel = hashtagChannel(name, stream === "hashtag:local");
  return {
    ...plain(stream, channel),
    key: channel,
    label: [stream, String(tag)],
    byLanguage: true,
  };
};

/** Nobody has lists yet, so every list is somebody else's. */
const listStream = (listening: Listening, list: unknown): never => {
  needScope(listening, "read:statuses");
  if (typeof list !== "string" || list === "") throw new BadRequest("The id of a list is missing");
  throw new Unauthorized("This list may not be streamed");
};

/** The subscription that is meant. BadRequest (unknown, parameter missing) or Unauthorized (scope, another's list). */
export const resolveStream = (listening: Listening, wanted: WantedStream): Subscription => {
  const { stream } = wanted;
  if (stream === "user") return userStream(listening);
  if (stream === "user:notification") return notificationStream(listening);
  if (stream === "direct") return directStream(listening);
  if (stream === "hashtag" || stream === "hashtag:local") {
    return hashtagStream(listening, stream, wanted.tag);
  }
  if (stream === "list") return listStream(listening, wanted.list);
  const channel = PUBLIC_CHANNELS.get(String(stream));
  if (typeof stream !== "string" || !channel) throw new BadRequest("Unknown stream type");
  needScope(listening, "read:statuses");
  return { ...plain(stream, channel), byLanguage: true };
};
