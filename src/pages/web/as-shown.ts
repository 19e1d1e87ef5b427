// Whether a form of the web client was drawn with what is saved now, so that saving it undoes nothing that was saved
// elsewhere since. It has what it shows as the API said it (`drawn`).

import { ChangedSince } from "../../platform/drawn.ts";
import { textOf } from "../../platform/http/inside.ts";
import type { InnerAnswer, InnerRequest } from "../../platform/http/inside.ts";
import { isRecord, parseRecord } from "../../platform/json/read.ts";

type Ask = (request: Omit<InnerRequest, "ip">) => Promise<InnerAnswer>;

/** Where the API says what a form shows, if that is not the address that changes it. */
const READ_AT: Record<string, string> = {
  "/api/v1/accounts/update_credentials": "/api/v1/profile",
};

/** Whether the whole has all of the part. */
const hasAll = (whole: unknown, part: unknown): boolean => {
  if (!isRecord(part) && !Array.isArray(part)) return whole === part;
  if (Array.isArray(part) && part.length !== (whole as unknown[] | null)?.length) return false;
  const inside = (whole ?? {}) as Record<string, unknown>;
  return Object.entries(part).every(([name, each]) => hasAll(inside[name], each));
};

/** Returns the refusal where something else is saved now than the form shows and says; null otherwise. */
export const refuseStale = async (
  ask: Ask,
  url: string,
  body: Record<string, unknown>,
): Promise<InnerAnswer | null> => {
  const drawn = parseRecord(String(body["drawn"] ?? ""));
  const answer = drawn && (await ask({ method: "GET", url: READ_AT[url] ?? url }));
  if (!answer || answer.status >= 400) return null;
  const now = parseRecord(textOf(answer)) ?? {};
  const isLost = (name: string): boolean =>
    !hasAll(now[name], drawn[name]) &&
    String(body[name]).replaceAll("\r\n", "\n") !== String(now[name]);
  const isStale = Object.keys(drawn).some(isLost);
  return isStale ? { ...answer, status: 409, body: "{}", error: new ChangedSince() } : null;
};
