// Addresses of this server for files of others, which it fetches when somebody looks at them.

import { createHash, createHmac } from "node:crypto";
import type { Config, FullConfig } from "../config/config.ts";
import { isSameSecret } from "../seal.ts";

/**
 * `previews`: a smaller picture of an attachment. The still ones are of avatars and headers that may move; a small
 * avatar is as lists show it.
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

/** Changes with the remote address, and cannot be guessed by who does not know that. */
export const remoteTag = (url: string): string =>
  createHash("sha256").update(url).digest("hex").slice(0, 16);

/** Of a file of a suspended account: only moderators are given it, and it cannot be made of the remote address. */
export const staffTag = ({ staffKey }: FullConfig["site"], url: string): string =>
  createHmac("sha256", staffKey).update(url).digest("hex").slice(0, 32);

/** `id`: of the attachment or account that names the remote address. */
export const remoteFileUrl = (
  { origin }: Config["site"],
  kind: RemoteKind,
  id: string,
  url: string,
  tag = remoteTag(url),
): string => `${origin}/media/remote/${kind}/${id}/${tag}`;

/** `stills`: those of moving emojis. Both are the same for all who use an emoji, and have no row of their own. */
export const EMOJI_KINDS = ["emojis", "stills"] as const;
export type EmojiKind = (typeof EMOJI_KINDS)[number];

/** In the path; longer ones are not fetched by this server. */
const MAX_NAMED = 380;

const signature = ({ secrets }: FullConfig, url: string): string =>
  createHmac("sha256", secrets.keyBase).update(`remote emoji ${url}`).digest("hex").slice(0, 32);

/** The address says which file it is, signed, so that nobody can make this server fetch others. */
export const remoteEmojiUrl = (config: FullConfig, kind: EmojiKind, url: string): string => {
  if (Buffer.byteLength(url) > MAX_NAMED) return url;
  const name = Buffer.from(url).toString("base64url");
  return `${config.site.origin}/media/remote/${kind}/${name}/${signature(config, url)}`;
};

/** The remote address; null where the signature is not ours. */
export const readEmojiUrl = (config: FullConfig, name: string, tag: string): string | null => {
  const url = Buffer.from(name, "base64url").toString();
  return isSameSecret(tag, signature(config, url)) ? url : null;
};
