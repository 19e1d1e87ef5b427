// Reads the NodeInfo of other servers, which says what software they run. The document is requested from the host
// itself, without redirects to others. Its texts are shown to the staff, and it says which signatures the server takes
// (signatures/forms.ts). https://nodeinfo.diaspora.software/protocol.html, FEP-f1d5

import type { App } from "../platform/app.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { httpUrl, isRecord, listOf, parseRecord, sameHost, textOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { sanitiseName } from "../platform/text/plain.ts";
import { claimCheck, storePeer } from "../domain/base/peers/peers.ts";
import { getPlain } from "./documents.ts";
import "./events.ts";
import { nullOnAnyFault, unacceptable } from "./faults.ts";
import { isLocalUri, originOf } from "./hosts.ts";
import { knowsEd25519 } from "./signatures/forms.ts";

/** Schemas, newest first. */
const SCHEMAS = ["2.1", "2.0", "1.1", "1.0"].map(
  (version) => `http://nodeinfo.diaspora.software/ns/schema/${version}`,
);
/** Software that checks signatures of Ed25519 in every version. */
const TAKES_ED25519 = new Set(["rookery"]);
const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_TEXT = 60;
/** Seconds between checks whether a server has to be asked. */
const LOOK_SECONDS = 86_400;
/** Milliseconds before a server is asked, since what is needed from it at the moment comes first. */
const DELAY_MS = 5 * 60_000;

/** Asks a server later, if it was not asked lately. */
export const wantPeer = async (app: App, host: string): Promise<void> => {
  if (!(await app.kv.add(`peer:${host}`, "1", LOOK_SECONDS))) return;
  const runAt = new Date(app.clock.now().getTime() + DELAY_MS);
  await app.jobs.add(app.sql, "peer.wanted", { host }, { runAt, key: `peer:${host}` });
};

const read = async (app: App, url: string): Promise<Json> => {
  const { body, url: from } = await getPlain(app, url, {
    accept: "application/json",
    maxBytes: MAX_BYTES,
    cause: "peer",
  });
  const document = sameHost(from, url) ? parseRecord(body.toString("utf8"), MAX_DEPTH) : null;
  if (!document) throw unacceptable("The NodeInfo is unreadable, or on another server");
  return document;
};

const documentUrl = (links: unknown, host: string): string | null => {
  const usable = listOf(links, 20).filter(isRecord);
  const urls = SCHEMAS.map((rel) => httpUrl(usable.find((link) => link["rel"] === rel)?.["href"]));
  return urls.find((url) => url !== null && new URL(url).host === host) ?? null;
};

const text = (value: unknown): string | null =>
  sanitiseName((textOf(value) ?? "").slice(0, 1000), MAX_TEXT) || null;

const readSoftware = async (app: App, host: string) => {
  const { links } = await read(app, `${originOf(app, host)}/.well-known/nodeinfo`);
  const url = documentUrl(links, host);
  const software = url && (await read(app, url))["software"];
  if (!isRecord(software)) return { software: null, version: null };
  return {
    software: text(software["name"])?.toLowerCase() ?? null,
    version: text(software["version"]),
  };
};

/** Handles the job `peer.wanted`. What was read before stays where the server does not answer. */
export const checkPeer = async (app: App, { host }: JobPayloads["peer.wanted"]): Promise<void> => {
  if (isLocalUri(app, `https://${host}/`) || !(await claimCheck(app, host))) return;
  const said = await nullOnAnyFault(readSoftware(app, host));
  if (!said) return;
  await storePeer(app, host, said);
  if (TAKES_ED25519.has(said.software ?? "")) await knowsEd25519(app, host);
};
