// Addresses of this server for files of other servers, which it fetches when somebody looks at them.

import { createHash, createHmac } from "node:crypto";
import type { Config, FullConfig } from "../config/config.ts";
import { isSameSecret } from "../seal.ts";

/**
 * Kinds of remote files. `previews` are smaller pictures of attachments, "still" ones are of avatars and headers that
 * may move, and small avatars are for lists.
 */
export const REMOTE_KINDS = [
  "attachments",
  "previews",
  "avatars",
  "headers",
  "still_avatars",
  "small_avatars",
  "still_headers",
] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];

/** Returns a tag that changes with the remote address and cannot be guessed without it. */
export const remoteTag = (url: string): string =>
  createHash("sha256").update(url).digest("hex").slice(0, 16);

/**
 * Returns the tag of a suspended account's file: only moderators get it, and it cannot be computed from the remote
 * address.
 */
export const staffTag = ({ staffKey }: FullConfig["site"], url: string): string =>
  createHmac("sha256", staffKey).update(url).digest("hex").slice(0, 32);

/** `id` is that of the attachment or account that names the remote address. */
export const remoteFileUrl = (
  { origin }: Config["site"],
  kind: RemoteKind,
  id: string,
  url: string,
  tag = remoteTag(url),
): string => `${origin}/media/remote/${kind}/${id}/${tag}`;

/**
 * Kinds of files of emojis; `stills` are of moving ones. They are the same for all who use an emoji, and have no row of
 * their own.
 */
export const EMOJI_KINDS = ["emojis", "stills"] as const;
export type EmojiKind = (typeof EMOJI_KINDS)[number];

/** Bytes of a remote address in a path; emojis with longer ones are not fetched by this server. */
const MAX_NAMED = 380;

const signature = ({ secrets }: FullConfig, url: string): string =>
  createHmac("sha256", secrets.keyBase).update(`remote emoji ${url}`).digest("hex").slice(0, 32);

/** Returns an address that contains the remote one, signed, so that nobody can make this server fetch other files. */
export const remoteEmojiUrl = (config: FullConfig, kind: EmojiKind, url: string): string => {
  if (Buffer.byteLength(url) > MAX_NAMED) return url;
  const name = Buffer.from(url).toString("base64url");
  return `${config.site.origin}/media/remote/${kind}/${name}/${signature(config, url)}`;
};

/** Returns the remote address; null where the signature is not ours. */
export const readEmojiUrl = (config: FullConfig, name: string, tag: string): string | null => {
  const url = Buffer.from(name, "base64url").toString();
  return isSameSecret(tag, signature(config, url)) ? url : null;
};
