// WebFinger of other servers: finds the actors of a handle (RFC 7033). A host may only name its own handles: a subject
// on another host is accepted if that host confirms it.

import type { App } from "../platform/app.ts";
import { httpUrl, isRecord, listOf, parseRecord, textOf } from "../platform/json/read.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import type { FetchAnswer } from "../platform/fetch/index.ts";
import { getPlain } from "./documents.ts";
import { RemoteFault, nullOnAnyFault, unacceptable } from "./faults.ts";
import { attribute, linkTags } from "./alternate.ts";
import { isLocalUri, normaliseDomain, originOf } from "./hosts.ts";
import { hasType, isActivityType } from "./media-types.ts";

/** The domain is normalised; the name is as the server writes it. */
export type Handle = { username: string; domain: string };
export type WebFingerResult = Handle & {
  /** The actor that people mean by the handle. */
  actorUri: string;
  /** All actors of the handle: a group and a person may share one (Lemmy, PieFed). */
  actorUris: string[];
};

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_NAME = 2048; // contract: activitypub.json, size_limits.preferredUsername
const ACCEPT = "application/jrd+json, application/json";

/** Parses `acct:name@host`, `@name@host` or `name@host`; null when invalid. */
export const parseAcct = (app: App, text: string): Handle | null => {
  if (text.length > MAX_NAME + 300) return null;
  const [, username, host] = /^(?:acct:)?@?([^\s@:/?#]+)@([^\s@]+)$/i.exec(text) ?? [];
  const domain = host ? normaliseDomain(app, host) : null;
  return username && domain ? { username, domain } : null;
};

export const sameHandle = (a: Handle, b: Handle): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase();

/** Media types that servers send for a file without an extension, as which some serve the document. */
const UNSPECIFIC = ["application/octet-stream", "text/plain"];

const isJrdType = (type: string | undefined): boolean =>
  !type?.trim() ||
  ["application/jrd+json", "application/json", ...UNSPECIFIC].some((known) => hasType(type, known));

const readJrd = ({ headers, body }: FetchAnswer): Record<string, unknown> => {
  if (!isJrdType(headers["content-type"])) {
    throw unacceptable("The WebFinger response has an unsupported media type");
  }
  const jrd = parseRecord(body.toString("utf8"), MAX_DEPTH);
  if (!jrd) throw unacceptable("The WebFinger response is unreadable");
  return jrd;
};

const getJrd = async (app: App, url: string, cause: Cause): Promise<Record<string, unknown>> => {
  if (isLocalUri(app, url))
    throw unacceptable("Handles of this server are not looked up elsewhere");
  return readJrd(await getPlain(app, url, { accept: ACCEPT, maxBytes: MAX_BYTES, cause }));
};

const HOST_META = "application/xrd+xml, application/xml;q=0.9, text/xml;q=0.8";

const isLrdd = (tag: string): boolean =>
  attribute(tag, "rel").toLowerCase().split(/\s+/).includes("lrdd");

/** Returns the template of the JSON answers where there are several templates. */
const templateIn = (page: string): string | null => {
  const tags = [...linkTags(page)].filter(isLrdd);
  const tag = tags.find((link) => /json/i.test(attribute(link, "type"))) ?? tags[0];
  const template = tag ? attribute(tag, "template") : "";
  return template.includes("{uri}") ? template : null;
};

/**
 * Returns WebFinger's address on a host (RFC 6415) when it is not the usual one, as of a bare domain whose server is on
 * another one: with `{uri}` for the resource; null where the host names none. Throws RemoteFault.
 */
const fetchTemplate = async (app: App, origin: string, cause: Cause): Promise<string | null> => {
  const url = `${origin}/.well-known/host-meta`;
  const { body } = await getPlain(app, url, { accept: HOST_META, maxBytes: MAX_BYTES, cause });
  return templateIn(body.toString("utf8"));
};

/**
 * Fetches the document. Where the usual address has none, host-meta may name another (RFC 6415), also on another host.
 */
const fetchJrd = async (app: App, { username, domain }: Handle, cause: Cause) => {
  const resource = encodeURIComponent(`acct:${username}@${domain}`);
  const origin = originOf(app, domain);
  const url = `${origin}/.well-known/webfinger?resource=${resource}`;
  try {
    return await getJrd(app, url, cause);
  } catch (error) {
    if (!(error instanceof RemoteFault) || error.kind === "unreachable") throw error;
    if (isLocalUri(app, url)) throw error;
    const template = await nullOnAnyFault(fetchTemplate(app, origin, cause));
    const named = httpUrl(template?.replaceAll("{uri}", resource));
    if (!named || named === url || !named.startsWith(originOf(app, ""))) throw error;
    return getJrd(app, named, cause);
  }
};

const MAX_SELVES = 5;
const TYPE = "https://www.w3.org/ns/activitystreams#type";

/**
 * Returns the actors of a handle, the one that people mean last: a group, else the last of the list, as Mastodon reads
 * it. Lemmy and PieFed list a person and a community of the same name.
 */
const selvesOf = (jrd: Record<string, unknown>): string[] => {
  const selfLinks = listOf(jrd["links"], 100)
    .filter(isRecord)
    .filter(({ rel, type }) => rel === "self" && isActivityType(textOf(type) ?? undefined));
  const isGroup = ({ properties }: Record<string, unknown>): boolean =>
    isRecord(properties) && properties[TYPE] === "Group";
  const ordered = [...selfLinks.filter((link) => !isGroup(link)), ...selfLinks.filter(isGroup)];
  const uris = ordered.flatMap(({ href }) => httpUrl(href) ?? []);
  return [...new Set(uris.toReversed())].slice(0, MAX_SELVES).toReversed();
};

const ask = async (app: App, handle: Handle, cause: Cause): Promise<WebFingerResult> => {
  const jrd = await fetchJrd(app, handle, cause);
  const subject = parseAcct(app, textOf(jrd["subject"]) ?? "");
  const actorUris = selvesOf(jrd);
  const actorUri = actorUris.at(-1);
  if (!subject || !actorUri)
    throw unacceptable("The WebFinger response has no subject or no actor");
  if (actorUris.some((uri) => isLocalUri(app, uri)))
    throw unacceptable("A remote handle cannot name an actor of this server");
  return { ...subject, actorUri, actorUris };
};

/**
 * Returns the actors of a handle, and its canonical handle. Redirects may lead anywhere, since the subject counts: if
 * it is another handle, that is looked up once, and has to name itself and the same actor. Throws RemoteFault.
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

export const SUBSCRIBE = "http://ostatus.org/schema/1.0/subscribe";
export const OBJECT_INTENT = "https://w3id.org/fep/3b86/Object";

/**
 * Returns the address at which a server lets its people act on a post (`{uri}` stands for the post), as it says of one
 * of its own handles; null if it does not say. Throws RemoteFault.
 */
export const subscribeTemplate = async (app: App, handle: Handle): Promise<string | null> => {
  const jrd = await fetchJrd(app, handle, "visitor");
  const links = listOf(jrd["links"], 100).filter(isRecord);
  const templateOf = (name: string) => textOf(links.find(({ rel }) => rel === name)?.["template"]);
  const intent = templateOf(OBJECT_INTENT)?.replaceAll("{object}", "{uri}");
  const template = templateOf(SUBSCRIBE) ?? intent ?? "";
  // The address must be as secure as this server itself.
  const isAddress = httpUrl(template) !== null && template.startsWith(originOf(app, ""));
  return isAddress && template.includes("{uri}") ? template : null;
};
