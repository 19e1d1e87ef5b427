// Makes one signature for many servers: it covers method, path, date and body, but no host, so that what anybody may
// forward is signed once for all servers that accept this (docs/design/signatures.md says which servers, and what is
// sent so).

import { signRequest } from "./sign.ts";
import type { SignedRequestParts } from "./sign.ts";

/** Path of the shared inbox of servers such as Mastodon: the path is signed, and the same on all of them. */
const SHARED_PATH = "/inbox";
/** Milliseconds for which a signature is used; its readers accept it for an hour. */
const REUSED_MS = 60_000;

export const isSharedInbox = ({ pathname, search }: URL): boolean =>
  pathname === SHARED_PATH && search === "";

/** The signature of one body by one key, made again when it is too old. */
export class SharedSignature {
  #headers: Record<string, string> = {};
  #signedAt = Number.NEGATIVE_INFINITY;

  /** Returns the headers of a request with this body to the shared inbox of any host. */
  sign(parts: SignedRequestParts & { date: Date }): Record<string, string> {
    const at = parts.date.getTime();
    if (at < this.#signedAt || at - this.#signedAt >= REUSED_MS) {
      this.#headers = signRequest({ ...parts, isForAnyHost: true });
      this.#signedAt = at;
    }
    const { host } = typeof parts.url === "string" ? new URL(parts.url) : parts.url;
    return { ...this.#headers, host };
  }
}
