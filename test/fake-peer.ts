// A fake remote server on loopback: has actors and documents, signs what it sends, and records what it
// receives.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { signRequest } from "../src/federation/signatures/sign.ts";
import { parsePrivateKey } from "../src/federation/signatures/keys.ts";
import { toMultikey } from "../src/platform/text/multibase.ts";
import { TEST_KEYS } from "./keys.ts";

type Json = Record<string, unknown>;

export type Received = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
};

/** Who signs what is sent. */
export type Signer = { name: string; uri: string; keyId: string; privateKeyPem: string };

export type PeerActor = Signer & {
  document: Json;
  /**
   * Sends an activity to a server's inbox, which has to accept it, and waits for what follows. Context, id and actor are
   * added where they are missing.
   */
  deliver(this: PeerActor, to: Receiver, activity: Json, options?: PostOptions): Promise<void>;
};

/** The server that an actor delivers to. */
type Receiver = { url: string; runJobs(): Promise<void> };

export type PostOptions = {
  /** Body to send instead of the activity's JSON, signed as `signedBody` if that is given. */
  rawBody?: string;
  signedBody?: string;
  keyId?: string;
  date?: Date;
  headers?: Record<string, string>;
  contentType?: string;
};

export type Page = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

export type FakePeer = {
  origin: string;
  host: string;
  /** All requests received, in order. */
  received: Received[];
  /** The activities received by any inbox. */
  inbox(): Json[];
  /** Documents by path (with query); a number is an HTTP status. */
  documents: Map<string, Json | number>;
  /** Other answers by path (HTML, redirects …); they take precedence over `documents`. */
  pages: Map<string, Page>;
  /** The answer of all inboxes. */
  answer: { status: number; headers: Record<string, string>; hang: boolean };
  /** Requests that are answered with 401. */
  refuses: ((headers: IncomingMessage["headers"]) => boolean) | null;
  /** Paths of inboxes that answer with an error. */
  failing: Set<string>;
  /** Answers all requests that hang. */
  release(): void;
  actor(name: string, keyIndex?: number): PeerActor;
  /** Serves an actor's document, which has the public key of that index, and its WebFinger. */
  adopt(document: Json, keyIndex?: number): PeerActor;
  note(actor: PeerActor, path: string, members?: Json): Json;
  /** Signs as the actor and posts to `inbox`; returns the status and text of the answer. */
  post(
    inbox: string,
    actor: Signer,
    activity: Json,
    options?: PostOptions,
  ): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
};

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const CONTEXT = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"];

/** Decodes a path, and returns it unchanged where that fails. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

const actorDocument = (origin: string, name: string, publicKeyPem: string): Json => {
  const uri = `${origin}/users/${name}`;
  return {
    "@context": CONTEXT,
    id: uri,
    type: "Person",
    preferredUsername: name,
    name,
    summary: "",
    url: `${origin}/@${name}`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    featured: `${uri}/collections/featured`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
  };
};

const webfinger = (host: string, uri: string, name: string): Json => ({
  subject: `acct:${name}@${host}`,
  links: [{ rel: "self", type: "application/activity+json", href: uri }],
});

/** Listens on `address` (any of 127.0.0.0/8). */
export const startPeer = async (address = "127.0.0.1"): Promise<FakePeer> => {
  const received: Received[] = [];
  const documents = new Map<string, Json | number>();
  const pages = new Map<string, Page>();
  const answer: FakePeer["answer"] = { status: 202, headers: {}, hang: false };
  const failing = new Set<string>();
  const hanging: (() => void)[] = [];
  let delivered = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    const method = request.method ?? "";
    received.push({ method, path, headers: request.headers, body: await readAll(request) });
    if (peer.refuses?.(request.headers)) return void response.writeHead(401).end();
    if (method === "POST") {
      const status = failing.has(path) ? 500 : answer.status;
      const finish = () => void response.writeHead(status, answer.headers).end();
      return answer.hang ? void hanging.push(finish) : finish();
    }
    const page = pages.get(path) ?? pages.get(decoded(path));
    if (page) return void response.writeHead(page.status ?? 200, page.headers).end(page.body);
    const document = documents.get(path) ?? documents.get(decoded(path)) ?? 404;
    if (typeof document === "number") return void response.writeHead(document).end();
    const isFinger = path.startsWith("/.well-known/");
    const type = isFinger ? "application/jrd+json" : "application/activity+json";
    response.writeHead(200, { "content-type": type }).end(JSON.stringify(document));
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;

  const deliver: PeerActor["deliver"] = async function (to, activity, options) {
    const id = `${this.uri}#activities/${++delivered}`;
    const whole = { "@context": CONTEXT[0], id, actor: this.uri, ...activity };
    const { status, text } = await peer.post(`${to.url}/inbox`, this, whole, options);
    assert.equal(status, 202, text);
    await to.runJobs();
  };

  const peer: FakePeer = {
    origin,
    host,
    received,
    documents,
    pages,
    answer,
    failing,
    refuses: null,
    release() {
      for (const finish of hanging.splice(0)) finish();
    },
    inbox: () => received.filter((r) => r.method === "POST").map((r) => JSON.parse(r.body) as Json),
    actor(name, keyIndex = 0) {
      const { publicKeyPem } = TEST_KEYS[keyIndex]!;
      return peer.adopt(actorDocument(origin, name, publicKeyPem), keyIndex);
    },
    adopt(document, keyIndex = 0) {
      const [uri, name] = [String(document["id"]), String(document["preferredUsername"])];
      documents.set(uri.slice(origin.length), document);
      const finger = `/.well-known/webfinger?resource=acct:${name}@${host}`;
      documents.set(finger, webfinger(host, uri, name));
      const { privateKeyPem } = TEST_KEYS[keyIndex]!;
      const { id: keyId } = document["publicKey"] as { id: string };
      return { name, uri, keyId, privateKeyPem, document, deliver };
    },
    note(actor, path, members = {}) {
      const note: Json = {
        "@context": CONTEXT,
        id: `${origin}${path}`,
        type: "Note",
        attributedTo: actor.uri,
        content: "<p>hello</p>",
        published: "2026-01-02T03:04:05Z",
        to: [PUBLIC],
        cc: [`${actor.uri}/followers`],
        ...members,
      };
      documents.set(path, note);
      return note;
    },
    async post(inbox, actor, activity, options = {}) {
      const body = options.rawBody ?? JSON.stringify(activity);
      const { host: _host, ...signed } = signRequest({
        method: "POST",
        url: inbox,
        body: options.signedBody ?? body,
        keyId: options.keyId ?? actor.keyId,
        privateKey: parsePrivateKey(actor.privateKeyPem),
        contentType: options.contentType ?? "application/activity+json",
        ...(options.date && { date: options.date }),
      });
      const headers = { ...signed, ...options.headers };
      const response = await fetch(inbox, { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return peer;
};

/** Adds an Ed25519 key (FEP-521a) to the actor's document. */
export const addEd25519 = (actor: PeerActor, id = `${actor.uri}#ed25519-key`) => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKeyMultibase = toMultikey(privateKey);
  actor.document["assertionMethod"] = [
    { id, type: "Multikey", controller: actor.uri, publicKeyMultibase },
  ];
  return { keyId: id, privateKey };
};
