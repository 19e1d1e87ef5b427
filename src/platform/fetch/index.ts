// The guarded client for every outbound request: actors, keys, objects, WebFinger, deliveries, media, push. It refuses
// targets inside our network, and limits the size of bodies and the total time.

import { isIP } from "node:net";
import type { Readable } from "node:stream";
import type { Agent } from "undici";
import { addressPolicy } from "./addresses.ts";
import type { Lookup } from "./connect.ts";
import { FetchFailed, named } from "./errors.ts";
import { exchange } from "./exchange.ts";
import type { Answer, Head, Limit, Receiving } from "./exchange.ts";
import { boundBody, writeBody } from "./read-body.ts";
import { isRedirect, nextHop, type Hop } from "./redirect.ts";
import { parseTarget, type TargetRules } from "./target.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * Idle connections kept to all origins. A post to 20,000 hosts would otherwise keep a socket to each, more than a
 * process may have.
 */
const DEFAULT_MAX_KEPT = 500;
const DEFAULT_MAX_BYTES = 1024 * 1024;
const DEFAULT_GET_REDIRECTS = 3;
/** Statuses of answers whose body goes to the file that the caller names. */
const FILE_STATUSES = new Set([200, 206]);
/** Headers that the connection itself sets; a caller's values are ignored. */
const OWN_HEADERS = new Set(["host", "content-length", "transfer-encoding", "connection"]);

export type FetchSettings = {
  /** CIDRs or single addresses that may be reached although they are not public. */
  allowedPrivateAddresses: string[];
  userAgent: string;
  /** Whether plain http is allowed: only where this server itself uses http. */
  allowHttp: boolean;
  /** Milliseconds for a whole request; default 10,000. */
  timeoutMs?: number;
  /** Resolves names to addresses. */
  lookup: Lookup;
  /** Idle connections kept to all origins together; default 500. */
  maxKept?: number;
};

export type FetchOptions = {
  /** Default GET. */
  method?: string;
  headers?: Record<string, string>;
  /** Headers computed for each hop (a signature covers the target); they override `headers`. */
  headersFor?: (url: URL) => Record<string, string>;
  /**
   * Resolves the name before the headers are computed, because signing is expensive and the host may be gone. The
   * connection resolves it again, with its checks.
   */
  lookUpFirst?: boolean;
  body?: string | Uint8Array;
  /** Maximum bytes of the response body; default 1 MiB. */
  maxBytes?: number;
  /** Path of a file that gets the body of a response with status 200 or 206; `body` is then empty. */
  toFile?: string;
  /** Cuts a longer body instead of refusing it: of pages and videos the beginning may be enough. */
  cut?: boolean;
  /** Milliseconds for lookup, connection, redirects and body together. */
  timeoutMs?: number;
  /** How many redirects to follow; default 3 for GET and HEAD, else 0. With 0 the redirect is the response. */
  redirect?: number;
  signal?: AbortSignal;
  /** Called before each redirect is followed; an error it throws ends the request (a blocked domain). */
  onRedirect?: (from: URL, to: URL) => void | Promise<void>;
  /**
   * The URL comes from the configuration and contains no remote input: private addresses and plain
   * http are allowed. Redirects are not followed.
   */
  configured?: boolean;
};

/** Header names are lower case; repeated headers are joined with ", ". `url` is the final URL. */
export type FetchAnswer = {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: Buffer;
};

/** `body` must be read or destroyed. It fails once it is longer than `maxBytes` or takes longer than `bodyMs`. */
export type OpenAnswer = Omit<FetchAnswer, "body"> & { body: Readable };

/** `timeoutMs` covers everything up to the response head alone. */
export type OpenOptions = Pick<FetchOptions, "headers" | "maxBytes" | "timeoutMs"> & {
  bodyMs: number;
};

export type GuardedFetch = {
  /** Throws FetchRefused for an address that no request would go to, as far as its text says. */
  check(url: string): void;
  /** Throws FetchRefused or FetchFailed; a response with an error status is returned. */
  request(url: string | URL, options?: FetchOptions): Promise<FetchAnswer>;
  /** The same, with a body that is read while it arrives. */
  open(url: string | URL, options: OpenOptions): Promise<OpenAnswer>;
  close(): Promise<void>;
};

/**
 * Makes a client with one agent for all requests and one for configured services, each created at its first request.
 */
export const createFetch = (settings: FetchSettings): GuardedFetch => {
  const { lookup, timeoutMs = DEFAULT_TIMEOUT_MS, maxKept = DEFAULT_MAX_KEPT } = settings;
  const rules: TargetRules = {
    policy: addressPolicy(settings.allowedPrivateAddresses),
    allowHttp: settings.allowHttp,
  };
  const agents = new Map<TargetRules, Promise<Agent>>();
  const clientFor = (own: TargetRules): Client => {
    const makeAgent = async () =>
      (await import("./connect.ts")).createAgent(own, { lookup, timeoutMs, maxKept });
    const agent = () => agents.getOrInsertComputed(own, makeAgent);
    return { agent, lookup, rules: own, userAgent: settings.userAgent };
  };
  const client = clientFor(rules);
  const trusting = clientFor({ policy: addressPolicy(EVERYWHERE), allowHttp: true });
  return {
    check: (url) => void parseTarget(url, rules),
    request: (url, { configured = false, ...options } = {}) =>
      withinLimit(options.timeoutMs ?? timeoutMs, options.signal, (limit) =>
        configured
          ? ask(trusting, String(url), { ...options, redirect: 0 }, limit)
          : ask(client, String(url), options, limit),
      ),
    open: (url, options) =>
      withinLimit(options.timeoutMs ?? timeoutMs, undefined, (limit) =>
        open(client, String(url), options, limit),
      ),
    async close() {
      await Promise.all(agents.values().map(async (agent) => (await agent).destroy()));
    },
  };
};

const EVERYWHERE = ["0.0.0.0/0", "::/0"];

type Client = {
  agent: () => Promise<Agent>;
  lookup: Lookup;
  rules: TargetRules;
  userAgent: string;
};

/** Runs `work` with the time limit and the caller's signal; both end it with a FetchFailed. */
const withinLimit = <T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (limit: Limit) => Promise<T>,
): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const limit: Limit = { reason: null, stop: null };
  const end = (reason: FetchFailed) => {
    limit.reason = reason;
    limit.stop?.(reason);
    reject(reason);
  };
  const abort = () => end(new FetchFailed("aborted", "The request was given up"));
  const timer = setTimeout(
    () => end(new FetchFailed("timeout", `No answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  outer?.addEventListener("abort", abort, { once: true });
  if (outer?.aborted) abort();
  else work(limit).then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  });
};

const ask = async (
  client: Client,
  address: string,
  options: FetchOptions,
  limit: Limit,
): Promise<FetchAnswer> => {
  const { maxBytes = DEFAULT_MAX_BYTES, cut = false, toFile } = options;
  const isStreamed = ({ status }: Head) => toFile !== undefined && FILE_STATUSES.has(status);
  const receiving = { maxBytes, cut, isStreamed };
  const { hop, answer } = await follow(client, address, options, receiving, limit);
  const { stream, ...rest } = answer;
  if (stream) await writeBody({ ...rest, stream }, receiving, toFile!);
  return { ...rest, url: hop.url.href };
};

const open = async (
  client: Client,
  address: string,
  { bodyMs, maxBytes = DEFAULT_MAX_BYTES, ...options }: OpenOptions,
  limit: Limit,
): Promise<OpenAnswer> => {
  const receiving = { maxBytes, cut: false, isStreamed: (head: Head) => !isRedirect(head) };
  const { hop, answer } = await follow(client, address, options, receiving, limit);
  const { status, headers, stream } = answer;
  const body = boundBody({ status, headers, stream: stream! }, maxBytes, bodyMs);
  return { status, headers, url: hop.url.href, body };
};

const follow = async (
  client: Client,
  address: string,
  options: FetchOptions,
  receiving: Receiving,
  limit: Limit,
): Promise<{ hop: Hop; answer: Answer }> => {
  const method = (options.method ?? "GET").toUpperCase();
  const followed = method === "GET" || method === "HEAD" ? DEFAULT_GET_REDIRECTS : 0;
  const most = options.redirect ?? followed;
  const url = parseTarget(address, client.rules);
  let hop: Hop = { url, method, headers: options.headers ?? {}, body: options.body };
  for (let hops = 0; ; hops++) {
    const answer = await send(client, hop, options, receiving, limit);
    if (most === 0 || !isRedirect(answer)) return { hop, answer };
    if (hops >= most) throw new FetchFailed("redirects", `More than ${most} redirects`);
    const next = nextHop(hop, answer, client.rules);
    await options.onRedirect?.(hop.url, next.url);
    hop = next;
  }
};

/** Fails where the name has no address, as connecting would. */
const lookUp = async ({ lookup }: Client, { hostname }: URL): Promise<void> => {
  if (hostname.startsWith("[") || isIP(hostname)) return;
  try {
    const addresses = await lookup(hostname);
    if (addresses.length === 0) throw new FetchFailed("network", `${hostname} has no address`);
  } catch (error) {
    throw named(error);
  }
};

const send = async (
  client: Client,
  { url, method, headers, body }: Hop,
  { headersFor, lookUpFirst = false }: FetchOptions,
  receiving: Receiving,
  limit: Limit,
): Promise<Answer> => {
  const { agent, userAgent } = client;
  if (lookUpFirst) await lookUp(client, url);
  if (limit.reason) throw limit.reason;
  const own = headersFor?.(url) ?? {};
  // Without this header any content coding is allowed (RFC 9110, 12.5.3), and a limit on compressed bytes does not
  // limit what they expand to.
  const merged = mergeHeaders({ "user-agent": userAgent }, headers, own, {
    "accept-encoding": "identity",
  });
  const path = url.pathname + url.search;
  const request = { origin: url.origin, path, method, headers: merged, body: body ?? null };
  return exchange(await agent(), request, receiving, limit);
};

const mergeHeaders = (...parts: Record<string, string>[]): Record<string, string> => {
  const merged: Record<string, string> = {};
  for (const part of parts) {
    for (const name of Object.keys(part)) {
      const lower = name.toLowerCase();
      if (!OWN_HEADERS.has(lower)) merged[lower] = part[name]!;
    }
  }
  return merged;
};
