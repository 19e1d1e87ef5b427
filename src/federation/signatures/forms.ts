// Which form of signature a server takes: draft-cavage, which nearly all do, or RFC 9421. One that refuses the first is
// asked with the other, and what worked is remembered.

import type { App } from "../../platform/app.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import { signMessage } from "./rfc9421.ts";
import { signRequest } from "./sign.ts";
import type { SignedRequestParts } from "./sign.ts";

type Form = "cavage" | "rfc9421";

const DAY_SECONDS = 86_400;
const REMEMBERED_SECONDS = 7 * DAY_SECONDS;
/** A server that takes neither is asked twice at most so often. */
const PAUSE_SECONDS = 3600;

const formKey = (host: string): string => `signature-form:${host}`;

/** The headers of a request in one form. */
export type SignAs = (parts: SignedRequestParts) => Record<string, string>;

const SIGN: Record<Form, SignAs> = { cavage: signRequest, rfc9421: signMessage };

const isRefused = ({ status }: FetchAnswer): boolean => status === 400 || status === 401;
const isTaken = ({ status }: FetchAnswer): boolean => status >= 200 && status < 300;

/** Sends with the form that the host takes, and once more with the other one where it refuses that. */
export const sendSigned = async (
  app: App,
  host: string,
  send: (signAs: SignAs) => Promise<FetchAnswer>,
): Promise<FetchAnswer> => {
  const form: Form = (await app.kv.get(formKey(host))) === "rfc9421" ? "rfc9421" : "cavage";
  const answer = await send(SIGN[form]);
  if (!isRefused(answer)) return answer;
  if (!(await app.kv.add(`signature-refused:${host}`, "1", PAUSE_SECONDS))) return answer;
  const other: Form = form === "cavage" ? "rfc9421" : "cavage";
  const second = await send(SIGN[other]);
  if (!isTaken(second)) return answer;
  await app.kv.set(formKey(host), other, REMEMBERED_SECONDS);
  await app.kv.delete(`signature-refused:${host}`);
  return second;
};
