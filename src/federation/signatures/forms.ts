// Which form of signature a server takes: draft-cavage, which nearly all do, or RFC 9421 with RSA. One that refuses the
// first is asked with the other, and what worked is remembered. A server that is known to take Ed25519 gets that, which
// costs a fifth, until it refuses it (docs/decisions/0057-other-servers.md).

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import { knowsProofs } from "../integrity/readers.ts";
import { signMessage } from "./rfc9421.ts";
import { signRequest } from "./sign.ts";
import type { SignedRequestParts } from "./sign.ts";

type Form = "cavage" | "rfc9421" | "ed25519";

const DAY_SECONDS = 86_400;
const REMEMBERED_SECONDS = 7 * DAY_SECONDS;
/** A server that takes neither is asked twice at most so often. */
const PAUSE_SECONDS = 3600;

const formKey = (host: string): string => `signature-form:${host}`;
/** What this process asked for in the last minutes: a server that has changed since refuses, and is asked again. */
const formsKnown = boundedCache<Form>("signature forms", () => 16);
const noEd25519Key = (host: string): string => `signature-no-ed25519:${host}`;

/** The keys of a sender; the server's own actor has RSA alone. */
export type SigningKeys = { rsa: SigningKey; ed25519: SigningKey | null };
export type SigningKey = Pick<SignedRequestParts, "keyId" | "privateKey">;

/** The headers of a request in one form. */
export type SignAs = (parts: Omit<SignedRequestParts, keyof SigningKey>) => Record<string, string>;

const signAs = (form: Form, { rsa, ed25519 }: SigningKeys): SignAs => {
  if (form === "cavage") return (parts) => signRequest({ ...parts, ...rsa });
  return (parts) => signMessage({ ...parts, ...(form === "ed25519" && ed25519 ? ed25519 : rsa) });
};

const isRefused = ({ status }: FetchAnswer): boolean => status === 400 || status === 401;
const isTaken = ({ status }: FetchAnswer): boolean => status >= 200 && status < 300;

const remember = async (app: App, host: string, form: Form): Promise<void> => {
  await app.kv.set(formKey(host), form, REMEMBERED_SECONDS);
  formsKnown(app).set(host, form);
};

/** A server signed a request with Ed25519, or runs software that does: it gets such signatures until it refuses one. */
export const knowsEd25519 = async (app: App, host: string): Promise<void> => {
  await knowsProofs(app, host);
  if ((await app.kv.get(noEd25519Key(host))) !== null) return;
  await remember(app, host, "ed25519");
};

const askForm = async (app: App, host: string): Promise<Form> => {
  const stored = await app.kv.get(formKey(host));
  const form = stored === "ed25519" || stored === "rfc9421" ? stored : "cavage";
  formsKnown(app).set(host, form);
  return form;
};

const knownForm = async (app: App, host: string, { ed25519 }: SigningKeys): Promise<Form> => {
  const known = formsKnown(app).get(host) ?? (await askForm(app, host));
  return known === "ed25519" && !ed25519 ? "rfc9421" : known;
};

/** Sends with the form that the host takes, and once more with another one where it refuses that. */
export const sendSigned = async (
  app: App,
  host: string,
  keys: SigningKeys,
  send: (signAs: SignAs) => Promise<FetchAnswer>,
): Promise<FetchAnswer> => {
  const form = await knownForm(app, host, keys);
  const answer = await send(signAs(form, keys));
  if (!isRefused(answer)) return answer;
  if (form === "ed25519") {
    await app.kv.set(noEd25519Key(host), "1", REMEMBERED_SECONDS);
    await remember(app, host, "rfc9421");
    return sendSigned(app, host, keys, send);
  }
  if (!(await app.kv.add(`signature-refused:${host}`, "1", PAUSE_SECONDS))) return answer;
  const other: Form = form === "cavage" ? "rfc9421" : "cavage";
  const second = await send(signAs(other, keys));
  if (!isTaken(second)) return answer;
  await remember(app, host, other);
  await app.kv.delete(`signature-refused:${host}`);
  return second;
};
