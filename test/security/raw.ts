// Makes requests and servers that no library would make: signatures over chosen headers, odd hosts, answers of any
// type.

import { createHash, sign } from "node:crypto";
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { TEST_KEYS } from "../keys.ts";

type Json = Record<string, unknown>;
export const ACTIVITY = "application/activity+json";

export type Crafted = {
  method?: string;
  path?: string;
  body?: string;
  /** Headers as sent; undefined leaves a usual one out. */
  headers?: Record<string, string | undefined>;
  /** Names of the signed headers. */
  signed?: string[];
  /** Values that are signed instead of those that are sent, by name. */
  pretend?: Record<string, string>;
  keyId: string;
  privateKeyPem: string;
  algorithm?: string;
  /** Parameters at the end of the Signature header. */
  extra?: string;
};

const USUAL = ["(request-target)", "host", "date", "digest"];

const readAll = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

export const digestOf = (body: string): string =>
  `SHA-256=${createHash("sha256").update(body).digest("base64")}`;

/** Signs by hand and sends; returns the status. */
export const craft = async (url: string, crafted: Crafted): Promise<number> => {
  const { method = "POST", path = "/inbox", body = "", signed = USUAL } = crafted;
  const usual: Record<string, string | undefined> = {
    host: new URL(url).host,
    date: new Date().toUTCString(),
    digest: digestOf(body),
    "content-type": "application/activity+json",
    ...crafted.headers,
  };
  const target = `${method.toLowerCase()} ${path}`;
  const valueOf = (name: string) =>
    crafted.pretend?.[name] ?? (name === "(request-target)" ? target : (usual[name] ?? ""));
  const text = signed.map((name) => `${name}: ${valueOf(name)}`).join("\n");
  const signature = sign("sha256", Buffer.from(text), crafted.privateKeyPem).toString("base64");
  const parameters =
    `keyId="${crafted.keyId}",algorithm="${crafted.algorithm ?? "rsa-sha256"}",` +
    `headers="${signed.join(" ")}",signature="${signature}"${crafted.extra ?? ""}`;
  const sent = Object.entries({ signature: parameters, ...usual }).filter(
    ([, value]) => value !== undefined,
  );
  return new Promise((resolve, reject) => {
    const options = { method, path, headers: Object.fromEntries(sent) as Record<string, string> };
    const request = httpRequest(url, options, (response) => {
      readAll(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
    request.on("error", reject);
    request.end(body);
  });
};

export type RawServer = {
  origin: string;
  host: string;
  connections: number;
  paths: string[];
  close(): Promise<void>;
};

/** Starts a server that answers whatever the test wants. */
export const startRaw = async (
  answer: RequestListener,
  address = "127.0.0.5",
): Promise<RawServer> => {
  const server = createServer((request, response) => {
    raw.paths.push(request.url ?? "");
    answer(request, response);
  });
  const raw: RawServer = {
    origin: "",
    host: "",
    connections: 0,
    paths: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on("connection", () => raw.connections++);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  raw.host = `${address}:${(server.address() as AddressInfo).port}`;
  raw.origin = `http://${raw.host}`;
  return raw;
};

/** Answers each path with its type and body; the rest is 404. */
export const answers =
  (
    table: () => Record<
      string,
      { type: string; body: unknown; status?: number; location?: string }
    >,
  ): RequestListener =>
  (request, response) => {
    const row = table()[decodeURIComponent(request.url ?? "")];
    if (!row) return void response.writeHead(404).end();
    const text = typeof row.body === "string" ? row.body : JSON.stringify(row.body);
    const location = row.location === undefined ? {} : { location: row.location };
    response.writeHead(row.status ?? 200, { "content-type": row.type, ...location }).end(text);
  };

/** Returns an actor `/a` that signs with the third of the test keys. */
export const actorAt = (origin: string, members: Json = {}): Json => ({
  id: `${origin}/a`,
  type: "Person",
  preferredUsername: "a",
  inbox: `${origin}/a/inbox`,
  publicKey: {
    id: `${origin}/a#main-key`,
    owner: `${origin}/a`,
    publicKeyPem: TEST_KEYS[2]!.publicKeyPem,
  },
  ...members,
});
export const keyAt = (origin: string, members: Json = {}): Json => ({
  id: `${origin}/k`,
  owner: `${origin}/a`,
  publicKeyPem: TEST_KEYS[2]!.publicKeyPem,
  ...members,
});
export const jrd = (subject: string, href: string) => ({
  type: "application/jrd+json",
  body: { subject, links: [{ rel: "self", type: ACTIVITY, href }] },
});
export const finger = (handle: string) => `/.well-known/webfinger?resource=acct:${handle}`;
