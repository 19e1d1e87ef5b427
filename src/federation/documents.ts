// Fetches ActivityPub documents of other servers. A document is accepted if it has an ActivityPub media
// type and comes from its own id; one found elsewhere is fetched again from there.

import type { App } from "../platform/app.ts";
import { isHostRefused } from "../domain/base/blocklists/domains.ts";
import { withPresentNames } from "../platform/config/names.ts";
import { takeFetch } from "../platform/fetch/budget.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { FetchFailed, FetchRefused } from "../platform/fetch/errors.ts";
import type { FetchAnswer } from "../platform/fetch/index.ts";
import { httpUrl, parseRecord } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { MAX_DOCUMENT_BYTES } from "../platform/remote-limits.ts";
import { alternateOf } from "./alternate.ts";
import { BudgetSpent, RemoteFault, unacceptable } from "./faults.ts";
import type { RemoteFaultKind } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { signedGet } from "./instance-actor.ts";
import { hasType, isActivityType } from "./media-types.ts";

export type Fetched = {
  id: string;
  document: Json;
  /** Maximum age in seconds of a copy from a cache; 0 if it is none. */
  staleSeconds: number;
};

type FetchDocumentOptions = {
  /**
   * Cause whose budget the request counts against. What a person asks for is requested even if it was refused lately.
   */
  cause: Cause;
  /** Also accepts the address of an HTML page that links to its document. */
  fromPage?: boolean;
};

const ACCEPT =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

const refuseLocal = (app: App, url: string): void => {
  if (isLocalUri(app, url)) throw unacceptable("Addresses of this server are not fetched");
};

/** Converts an error of the outbound client to the RemoteFault that callers expect. */
export const toRemoteFault = (error: unknown): unknown => {
  if (error instanceof FetchRefused) return unacceptable(error.message);
  if (!(error instanceof FetchFailed)) return error;
  const isTemporary = error.reason === "network" || error.reason === "timeout";
  return new RemoteFault(isTemporary ? "unreachable" : "unacceptable", error.message);
};

/** Throws unless the response is a success. */
export const checkStatus = ({ status, url }: FetchAnswer): void => {
  if (status >= 200 && status < 300) return;
  const { host } = new URL(url);
  if (status === 404 || status === 410) throw new RemoteFault("gone", `${host} has no such thing`);
  const isTemporary = status >= 500 || status === 429 || status === 408;
  throw new RemoteFault(isTemporary ? "unreachable" : "unacceptable", `${host} answered ${status}`);
};

/** Counts a request to the host of `url`. Throws BudgetSpent. */
export const spend = (app: App, cause: Cause, url: string): void => {
  if (!takeFetch(app, cause, url)) throw new BudgetSpent(new URL(url).host);
};

/** Throws for servers that moderators blocked, which are never asked for anything. */
const refuseBlocked = async (app: App, url: string): Promise<void> => {
  if (await isHostRefused(app, new URL(url).host)) {
    throw unacceptable("The server is blocked here");
  }
};

const get = async (app: App, url: string, accept: string, cause: Cause): Promise<FetchAnswer> => {
  refuseLocal(app, url);
  await refuseBlocked(app, url);
  spend(app, cause, url);
  const onRedirect = (from: URL, to: URL): void => {
    refuseLocal(app, to.href);
    if (to.host !== from.host) spend(app, cause, to.href);
  };
  try {
    const answer = await signedGet(app, url, { accept, maxBytes: MAX_DOCUMENT_BYTES, onRedirect });
    checkStatus(answer);
    await refuseBlocked(app, answer.url);
    return answer;
  } catch (error) {
    throw toRemoteFault(error);
  }
};

type GetPlain = { accept: string; maxBytes: number; cause: Cause };

/**
 * Makes an unsigned GET for something other than an ActivityPub document (WebFinger, host-meta, NodeInfo). Throws
 * RemoteFault.
 */
export const getPlain = async (
  app: App,
  url: string,
  { accept, maxBytes, cause }: GetPlain,
): Promise<FetchAnswer> => {
  await refuseBlocked(app, url);
  spend(app, cause, url);
  const onRedirect = (from: URL, to: URL): void => {
    if (to.host !== from.host) spend(app, cause, to.href);
  };
  try {
    const answer = await app.fetch.request(url, { headers: { accept }, maxBytes, onRedirect });
    checkStatus(answer);
    return answer;
  } catch (error) {
    throw toRemoteFault(error);
  }
};

/** Seconds that a reread waits for caches at most. */
const MAX_STALE_SECONDS = 600;

/** Returns the maximum age in seconds of a cached copy, by what its server allows caches. */
const staleSecondsOf = (header = ""): number => {
  if (/no-store|no-cache|private/i.test(header)) return 0;
  const ages = [...header.matchAll(/(?:s-maxage|max-age)\s*=\s*"?(\d{1,9})/gi)];
  return Math.min(Math.max(0, ...ages.map(([, age]) => Number(age))), MAX_STALE_SECONDS);
};

const parse = (app: App, { headers, body }: FetchAnswer): Fetched => {
  if (!isActivityType(headers["content-type"])) {
    throw unacceptable("The response is not an ActivityPub document");
  }
  const document = parseRecord(body.toString("utf8"));
  const id = httpUrl(document?.["id"]);
  if (!document || !id) throw unacceptable("The document is unreadable or has no id");
  if (isLocalUri(app, id)) throw unacceptable("The document claims an id of this server");
  return {
    id,
    document: withPresentNames(app.config.site, document),
    staleSeconds: staleSecondsOf(headers["cache-control"]),
  };
};

/** Removes the fragment, which is never sent. */
const withoutFragment = (url: string): string => {
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href;
};

/** Fetches a document from the id that it claims; only that origin may answer. */
const fetchById = async (app: App, id: string, cause: Cause): Promise<Fetched> => {
  const answer = await get(app, id, ACCEPT, cause);
  if (new URL(answer.url).origin !== new URL(id).origin) {
    throw unacceptable("The document's id points to another server");
  }
  const fetched = parse(app, answer);
  if (withoutFragment(fetched.id) !== withoutFragment(id))
    throw unacceptable("The document's id points to another document");
  return fetched;
};

const fromItsId = (app: App, answer: FetchAnswer, cause: Cause): Promise<Fetched> | Fetched => {
  const fetched = parse(app, answer);
  return withoutFragment(fetched.id) === withoutFragment(answer.url)
    ? fetched
    : fetchById(app, fetched.id, cause);
};

const request = async (
  app: App,
  url: string,
  { cause, fromPage }: FetchDocumentOptions,
): Promise<Fetched> => {
  const first = await get(app, url, fromPage ? `${ACCEPT}, text/html;q=0.1` : ACCEPT, cause);
  if (!fromPage || !hasType(first.headers["content-type"], "text/html")) {
    return fromItsId(app, first, cause);
  }
  const alternate = alternateOf(first);
  if (!alternate) throw unacceptable("The page does not link to an ActivityPub document");
  return fromItsId(app, await get(app, alternate, ACCEPT, cause), cause);
};

/** Seconds for which an address without a usable document is not requested again. */
const REFUSED_SECONDS = 300;

const refusedKey = (url: string): string => `fetch-refused:${withoutFragment(url)}`;

/** Whether a request is repeated at once: a person may know more, and a stored document was usable before. */
const isAlwaysAsked = (cause: Cause): boolean => cause === "person" || cause === "refresh";

/**
 * Returns the document at an address, with its id. Throws RemoteFault. Makes at most three requests (the page, its
 * document, the document at its own id), and none where it was missing or unusable a moment ago.
 */
export const fetchDocument = async (
  app: App,
  url: string,
  options: FetchDocumentOptions,
): Promise<Fetched> => {
  const refused = isAlwaysAsked(options.cause) ? null : await app.kv.get(refusedKey(url));
  if (refused) throw new RemoteFault(refused as RemoteFaultKind, "It was refused a moment ago");
  try {
    return await request(app, url, options);
  } catch (error) {
    const isRefused = error instanceof RemoteFault && error.kind !== "unreachable";
    if (isRefused) await app.kv.set(refusedKey(url), error.kind, REFUSED_SECONDS);
    throw error;
  }
};
