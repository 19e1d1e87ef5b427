// An auxiliary provider on loopback, made from the specification: it registers, checks how it is asked and signs what it
// answers, asks by itself, and remembers everything. It shares no code with the server.

import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, any>;
export type Asked = { method: string; path: string; json: Json | null };
type Sent = { status: number; json: any; text: string };

export type Told = {
  source: Json;
  category: string;
  eventType?: string;
  objectUris: string[];
} & Json;

/** How a request is made wrongly. */
export type Wrong = {
  key?: KeyObject;
  keyId?: string;
  created?: number;
  signedBody?: string;
  covered?: string[];
  unsigned?: boolean;
  url?: string;
};

const digest = (body: string) => `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
const rawKey = (key: KeyObject): Buffer =>
  Buffer.from(String(key.export({ format: "jwk" }).x), "base64url");
const fromRaw = (base64: string): KeyObject =>
  createPublicKey({
    format: "jwk",
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(base64, "base64").toString("base64url") },
  });
const newKeys = () => generateKeyPairSync("ed25519");

const baseOf = (values: [string, string][], parameters: string): string =>
  [
    ...values.map(([name, value]) => `"${name}": ${value}`),
    `"@signature-params": ${parameters}`,
  ].join("\n");

const signed = (values: [string, string][], key: KeyObject, more: string) => {
  const parameters = `(${values.map(([name]) => `"${name}"`).join(" ")})${more}`;
  const signature = sign(null, Buffer.from(baseOf(values, parameters)), key).toString("base64");
  return { "signature-input": `sig1=${parameters}`, signature: `sig1=:${signature}:` };
};

/** Whether the key signed exactly these components. */
const isSigned = (headers: Record<string, unknown>, values: [string, string][], key: KeyObject) => {
  const [, parameters = ""] = /^sig1=(.*)$/.exec(String(headers["signature-input"])) ?? [];
  const [, signature = ""] = /^sig1=:(.*):$/.exec(String(headers["signature"])) ?? [];
  const covers = parameters.startsWith(`(${values.map(([name]) => `"${name}"`).join(" ")})`);
  const text = Buffer.from(baseOf(values, parameters));
  return covers && verify(null, text, key, Buffer.from(signature, "base64"));
};

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

export const startProvider = async (now: () => number = Date.now) => {
  const { privateKey, publicKey } = newKeys();
  const asked: Asked[] = [];
  const faults: string[] = [];
  const answers = new Map<string, unknown>();
  const state = { key: privateKey, status: 200, created: 0, isUnsigned: false, base: "", id: "" };
  /** What the provider does before it answers. */
  const habits: { meanwhile?: (path: string) => unknown } = {};
  let serverKey: KeyObject | null = null;
  const seconds = () => Math.floor(now() / 1000);
  let last = 0;
  /** The same request twice in a second would have the same signature. */
  const ownSeconds = () => (last = Math.max(seconds(), last + 1));
  const info = {
    name: "Finder",
    privacyPolicy: [{ url: "https://finder.example/privacy", language: "en" }],
    capabilities: ["data_sharing", "account_search", "follow_recommendation", "trends", "callback"]
      .map((id) => ({ id, version: "0.1" }))
      .concat({ id: "unheard_of", version: "0.1" }, { id: "trends", version: "7.0" }),
    signInUrl: "https://finder.example/sign_in",
  };
  answers.set("/provider_info", info);

  const check = ({ headers, method = "" }: IncomingMessage, url: string, body: string) => {
    if (headers["content-digest"] !== digest(body)) faults.push(`digest of ${url}`);
    const values: [string, string][] = [
      ["@method", method],
      ["@target-uri", url],
      ["content-digest", digest(body)],
    ];
    if (!serverKey || !isSigned(headers, values, serverKey)) faults.push(`signature of ${url}`);
    if (!String(headers["signature-input"]).includes(`keyid="server-1"`)) faults.push("keyid");
  };

  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const path = request.url ?? "";
    check(request, origin + path, body);
    asked.push({ method: request.method!, path, json: body === "" ? null : JSON.parse(body) });
    await habits.meanwhile?.(path);
    const found = answers.get(path.split("?")[0]!);
    const isTold = request.method !== "GET";
    const status = state.status !== 200 ? state.status : isTold ? 204 : found ? 200 : 404;
    const text = isTold || found === undefined ? "" : JSON.stringify(found);
    const values: [string, string][] = [
      ["@status", String(status)],
      ["content-digest", digest(text)],
    ];
    const made = signed(values, state.key, `;created=${state.created || seconds()}`);
    response.writeHead(status, {
      "content-type": "application/json",
      "content-digest": digest(text),
      ...(state.isUnsigned ? {} : made),
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answerOf = async (response: Response, checked = true): Promise<Sent> => {
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    const values: [string, string][] = [
      ["@status", String(response.status)],
      ["content-digest", digest(text)],
    ];
    if (checked) assert.ok(serverKey && isSigned(headers, values, serverKey), "answer not signed");
    return { status: response.status, text, json: text === "" ? null : JSON.parse(text) };
  };

  return {
    origin,
    asked,
    /** What was wrong with requests of the server. */
    faults,
    /** Answers to GET by their path. */
    answers,
    /** How the provider answers: with another key, status, age, or no signature. */
    state,
    habits,
    privateKey,
    fingerprint: createHash("sha256").update(rawKey(publicKey)).digest("base64"),
    newKeys,
    told: (): Told[] =>
      asked
        .filter(({ path }) => path === "/data_sharing/v0/announcements")
        .map(({ json }) => json as Told),
    /** Registers at a server, whose address of it NodeInfo says. */
    async register(url: string, more: Json = {}): Promise<Sent> {
      const about = await fetch(`${url}/nodeinfo/2.0`);
      state.base = ((await about.json()) as Json)["metadata"].faspBaseUrl;
      const response = await fetch(`${state.base}/registration`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          name: "Finder",
          baseUrl: origin,
          serverId: "server-1",
          publicKey: rawKey(publicKey).toString("base64"),
          ...more,
        }),
      });
      if (response.status !== 201) return answerOf(response, false);
      const { faspId, publicKey: theirs } = (await response.clone().json()) as Json;
      state.id = faspId;
      serverKey = fromRaw(theirs);
      return answerOf(response);
    },
    /** Returns the headers of a request to the server. */
    headersOf(method: string, path: string, body: string, wrong: Wrong = {}) {
      const all: Record<string, string> = {
        "@method": method,
        "@target-uri": wrong.url ?? state.base + path,
        "content-digest": digest(wrong.signedBody ?? body),
      };
      const values = (wrong.covered ?? Object.keys(all)).map((name): [string, string] => [
        name,
        all[name]!,
      ]);
      const more = `;created=${wrong.created ?? ownSeconds()};keyid="${wrong.keyId ?? state.id}"`;
      return {
        "content-digest": all["content-digest"]!,
        ...(body !== "" && { "content-type": "application/json" }),
        ...(!wrong.unsigned && signed(values, wrong.key ?? privateKey, more)),
      };
    },
    /** Asks the server; `wrong` says what is wrong with the request. */
    async ask(method: string, path: string, json?: unknown, wrong?: Wrong): Promise<Sent> {
      const body = json === undefined ? "" : JSON.stringify(json);
      const headers = this.headersOf(method, path, body, wrong);
      const options = { method, headers, ...(body !== "" && { body }) };
      return answerOf(await fetch(state.base + path, options), wrong === undefined);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type Provider = Awaited<ReturnType<typeof startProvider>>;
