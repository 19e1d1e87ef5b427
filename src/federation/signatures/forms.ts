// Chooses the form of signature that a server takes: draft-cavage, which nearly all do, or RFC 9421 with RSA. A server
// that refuses the first is sent the other, and what worked is remembered. A server known to take Ed25519 gets that,
// which costs a fifth, until it refuses it (docs/design/signatures.md). Servers such as Mastodon get what anybody may
// forward with one shared signature (shared.ts).

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import { oneEachTurn } from "../../platform/event-loop-turns.ts";
import { softwareOf } from "../../domain/base/peers/peers.ts";
import type { Software } from "../../domain/base/peers/peers.ts";
import { knowsProofs } from "../integrity/readers.ts";
import { signMessage } from "./rfc9421.ts";
import type { SharedSignature } from "./shared.ts";
import { signRequest } from "./sign.ts";
import type { SignedRequestParts } from "./sign.ts";

/** `shared` is draft-cavage with one signature for all such servers, where possible. */
type Form = "cavage" | "shared" | "rfc9421" | "ed25519";

const DAY_SECONDS = 86_400;
const REMEMBERED_SECONDS = 7 * DAY_SECONDS;
/** Seconds after which a server that takes neither form is tried with both again. */
const PAUSE_SECONDS = 3600;

const formKey = (host: string): string => `signature-form:${host}`;
/**
 * Forms that this process looked up in the last minutes; a server that has changed since refuses, and is tried again.
 */
const formsKnown = boundedCache<Form>("signature forms", () => 16);
const noEd25519Key = (host: string): string => `signature-no-ed25519:${host}`;

/** Keys of a sender; the server's own actor has RSA alone. */
export type SigningKeys = { rsa: SigningKey; ed25519: SigningKey | null };
type SigningKey = Pick<SignedRequestParts, "keyId" | "privateKey">;

/** Returns the headers of a request signed in one form. */
export type SignAs = (
  parts: Omit<SignedRequestParts, keyof SigningKey> & { date: Date },
) => Record<string, string>;

const signAs = (
  form: Form,
  { rsa, ed25519 }: SigningKeys,
  shared: SharedSignature | null,
): SignAs => {
  if (form === "shared" && shared) return (parts) => shared.sign({ ...parts, ...rsa });
  if (form === "ed25519" && ed25519) return (parts) => signMessage({ ...parts, ...ed25519 });
  if (form === "rfc9421") return (parts) => signMessage({ ...parts, ...rsa });
  return (parts) => signRequest({ ...parts, ...rsa });
};

const isRefused = ({ status }: FetchAnswer): boolean => status === 400 || status === 401;
const isTaken = ({ status }: FetchAnswer): boolean => status >= 200 && status < 300;

const remember = async (app: App, host: string, form: Form): Promise<void> => {
  await app.kv.set(formKey(host), form, REMEMBERED_SECONDS);
  formsKnown(app).set(host, form);
};

/**
 * Remembers that a server signed with Ed25519, or runs software that does: it gets such signatures until it refuses
 * one.
 */
export const knowsEd25519 = async (app: App, host: string): Promise<void> => {
  await knowsProofs(app, host);
  if ((await app.kv.get(noEd25519Key(host))) !== null) return;
  await remember(app, host, "ed25519");
};

/** Software that accepts a POST whose host is not signed; Mastodon since 3.3. */
const SHARES = { software: "mastodon", since: [3, 3] } as const;

const takesShared = ({ software, version }: Software): boolean => {
  if (software !== SHARES.software) return false;
  const [major = 0, minor = 0] =
    /^v?(\d+)\.(\d+)/
      .exec(version ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  return major > SHARES.since[0] || (major === SHARES.since[0] && minor >= SHARES.since[1]);
};

/**
 * Returns the form for a host. What worked before comes first: a server that refused a shared signature has `cavage`
 * stored.
 */
const formOf = async (app: App, host: string, software: Software | undefined): Promise<Form> => {
  const stored = await app.kv.get(formKey(host));
  if (stored === "ed25519" || stored === "rfc9421" || stored === "cavage") return stored;
  return software && takesShared(software) ? "shared" : "cavage";
};

/** Reads what the hosts take, where this process has not done so lately, by one statement. */
export const learnForms = async (app: App, hosts: Iterable<string>): Promise<void> => {
  const unknown = [...hosts].filter((host) => formsKnown(app).get(host) === undefined);
  if (unknown.length === 0) return;
  const software = await softwareOf(app, unknown);
  for (const host of unknown)
    formsKnown(app).set(host, await formOf(app, host, software.get(host)));
};

/** Returns the form for a request, since not every sender and body can have each form. */
const formFor = async (
  app: App,
  host: string,
  { ed25519 }: SigningKeys,
  shared: SharedSignature | null,
): Promise<Form> => {
  if (!formsKnown(app).get(host)) await learnForms(app, [host]);
  const form = formsKnown(app).get(host) ?? "cavage";
  if (form === "ed25519" && !ed25519) return "rfc9421";
  return form === "shared" && !shared ? "cavage" : form;
};

/** Many hosts get a post at once, and each RSA signature takes a millisecond: requests are answered in between. */
const untilItsTurn = oneEachTurn();

/** Form sent instead of one that was refused, which is not tried again for a while. */
const INSTEAD = { ed25519: "rfc9421", shared: "cavage" } as const;

/**
 * Sends in the form that the host takes, and once more in another where it refuses that. `shared` is the signature of a
 * body that anybody may forward.
 */
export const sendSigned = async (
  app: App,
  host: string,
  keys: SigningKeys,
  send: (signAs: SignAs) => Promise<FetchAnswer>,
  shared: SharedSignature | null = null,
): Promise<FetchAnswer> => {
  const form = await formFor(app, host, keys, shared);
  if (form === "cavage" || form === "rfc9421") await untilItsTurn();
  const answer = await send(signAs(form, keys, shared));
  if (!isRefused(answer)) return answer;
  if (form === "ed25519" || form === "shared") {
    if (form === "ed25519") await app.kv.set(noEd25519Key(host), "1", REMEMBERED_SECONDS);
    await remember(app, host, INSTEAD[form]);
    return sendSigned(app, host, keys, send);
  }
  if (!(await app.kv.add(`signature-refused:${host}`, "1", PAUSE_SECONDS))) return answer;
  const other: Form = form === "cavage" ? "rfc9421" : "cavage";
  const second = await send(signAs(other, keys, null));
  if (!isTaken(second)) return answer;
  await remember(app, host, other);
  await app.kv.delete(`signature-refused:${host}`);
  return second;
};
