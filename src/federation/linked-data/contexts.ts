// The JSON-LD contexts with which signatures are checked, as their publishers serve them. None is ever fetched: whoever
// serves a context decides what a signed document says.

import { readFile } from "node:fs/promises";

const FILES: Readonly<Record<string, string>> = {
  "https://www.w3.org/ns/activitystreams": "activitystreams",
  "https://w3id.org/security/v1": "security-v1",
  "https://w3id.org/identity/v1": "identity-v1",
  "https://w3id.org/security/data-integrity/v1": "security-data-integrity-v1",
  "https://w3id.org/security/multikey/v1": "security-multikey-v1",
  "https://www.w3.org/ns/cid/v1": "cid-v1",
  "https://purl.archive.org/socialweb/webfinger": "webfinger",
  "https://purl.archive.org/miscellany": "miscellany",
  "https://gotosocial.org/ns": "gotosocial",
  "https://join-lemmy.org/context.json": "join-lemmy",
  "http://joinmastodon.org/ns": "joinmastodon",
};

type Loaded = { document: unknown; documentUrl: string; contextUrl: null };

const loaded = new Map<string, Promise<Loaded>>();

const read = async (url: string, name: string): Promise<Loaded> => {
  const text = await readFile(new URL(`contexts/${name}.json`, import.meta.url), "utf8");
  return { document: JSON.parse(text), documentUrl: url, contextUrl: null };
};

/** Loads documents for jsonld; rejects for a context that is not stored here. */
export const loadContext = (url: string): Promise<Loaded> => {
  const name = Object.hasOwn(FILES, url) ? FILES[url] : undefined;
  if (name === undefined) return Promise.reject(new Error(`unknown context ${url}`));
  const context = loaded.get(url) ?? read(url, name);
  loaded.set(url, context);
  return context;
};
