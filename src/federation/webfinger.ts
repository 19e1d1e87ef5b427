// WebFinger of other servers: the actor of a handle (RFC 7033). A host may only name its own handles: a
// subject on another host is accepted if that host confirms it.

import type { App } from "../platform/app.ts";
import { httpUrl, isRecord, listOf, parseRecord, textOf } from "../platform/json/read.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { getJson } from "./documents.ts";
import { unacceptable } from "./faults.ts";
import { isLocalUri, normaliseDomain, originOf } from "./hosts.ts";
import { hasType, isActivityType } from "./media-types.ts";

/** The domain is normalised; the name is as the server writes it. */
export type Handle = { username: string; domain: string };
export type WebFingerResult = Handle & { actorUri: string };

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_NAME = 2048; // contract: activitypub.json, size_limits.preferredUsername
const ACCEPT = "application/jrd+json, application/json";

/** `acct:name@host`, `@name@host` or `name@host` → its parts; null when invalid. */
export const parseAcct = (app: App, text: string): Handle | null => {
  if (text.length > MAX_NAME + 300) return null;
  const [, username, host] = /^(?:acct:)?@?([^\s@:/?#]+)@([^\s@]+)$/i.exec(text) ?? [];
  const domain = host ? normaliseDomain(app, host) : null;
  return username && domain ? { username, domain } : null;
};

export const sameHandle = (a: Handle, b: Handle): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase();

const fetchJrd = async (app: App, { username, domain }: Handle, cause: Cause) => {
  const resource = encodeURIComponent(`acct:${username}@${domain}`);
  const url = `${originOf(app, domain)}/.well-known/webfinger?resource=${resource}`;
  if (isLocalUri(app, url))
    throw unacceptable("Handles of this server are not looked up elsewhere");
  return getJson(app, url, { accept: ACCEPT, maxBytes: MAX_BYTES, cause });
};

const selfLink = (jrd: Record<string, unknown>): string | null => {
  const links = listOf(jrd["links"], 100).filter(isRecord);
  const self = links.find(
    (link) => link["rel"] === "self" && isActivityType(textOf(link["type"]) ?? undefined),
  );
  return httpUrl(self?.["href"]);
};

const ask = async (app: App, handle: Handle, cause: Cause): Promise<WebFingerResult> => {
  const { headers, body } = await fetchJrd(app, handle, cause);
  const type = headers["content-type"];
  if (!hasType(type, "application/jrd+json") && !hasType(type, "application/json")) {
    throw unacceptable("The WebFinger response has an unsupported media type");
  }
  const jrd = parseRecord(body.toString("utf8"), MAX_DEPTH);
  const subject = parseAcct(app, textOf(jrd?.["subject"]) ?? "");
  const actorUri = jrd && selfLink(jrd);
  if (!subject || !actorUri)
    throw unacceptable("The WebFinger response has no subject or no actor");
  if (isLocalUri(app, actorUri))
    throw unacceptable("A remote handle cannot name an actor of this server");
  return { ...subject, actorUri };
};

/**
 * The actor of a handle, and its canonical handle. Redirects may lead anywhere, since the subject counts:
 * if it is another handle, that is looked up once, and has to name itself and the same actor. Throws
 * RemoteFault.
 */
export const lookUpHandle = async (
  app: App,
  handle: Handle,
  cause: Cause,
): Promise<WebFingerResult> => {
  const result = await ask(app, handle, cause);
  if (sameHandle(result, handle)) return result;
  const named = await ask(app, { username: result.username, domain: result.domain }, cause);
  if (!sameHandle(named, result) || named.actorUri !== result.actorUri) {
    throw unacceptable("The servers of the handle and the actor do not confirm each other");
  }
  return named;
};

const SUBSCRIBE = "http://ostatus.org/schema/1.0/subscribe";

/**
 * Where a server takes its people to act on an address (`{uri}` in it stands for that), as it says of a handle of its
 * own; null: it does not say. Throws RemoteFault.
 */
export const subscribeTemplate = async (app: App, handle: Handle): Promise<string | null> => {
  const { body } = await fetchJrd(app, handle, "visitor");
  const jrd = parseRecord(body.toString("utf8"), MAX_DEPTH);
  const links = listOf(jrd?.["links"], 100).filter(isRecord);
  const template = textOf(links.find(({ rel }) => rel === SUBSCRIBE)?.["template"]) ?? "";
  // As secure as this server itself.
  const isAddress = httpUrl(template) !== null && template.startsWith(originOf(app, ""));
  return isAddress && template.includes("{uri}") ? template : null;
};
