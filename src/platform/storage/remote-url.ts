// Addresses of this server for files of others, which it fetches when somebody looks at them.

import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";

/** `previews`: a smaller picture of an attachment. */
export const REMOTE_KINDS = ["attachments", "previews", "avatars", "headers"] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];

/** Changes with the remote address, and cannot be guessed by who does not know that. */
export const remoteTag = (url: string): string =>
  createHash("sha256").update(url).digest("hex").slice(0, 16);

/** `id`: of the attachment or account that names the remote address. */
export const remoteFileUrl = (
  { origin }: Config["site"],
  kind: RemoteKind,
  id: string,
  url: string,
): string => `${origin}/media/remote/${kind}/${id}/${remoteTag(url)}`;
