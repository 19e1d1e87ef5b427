// Whether a form of the web client was drawn with what is saved now, so that saving it undoes nothing that was saved
// elsewhere since. It has what it shows as the API said it (`drawn`).

import { ChangedSince } from "../../platform/drawn.ts";
import { textOf } from "../../platform/http/inside.ts";
import type { InnerAnswer, InnerRequest } from "../../platform/http/inside.ts";
import { lastOf } from "../../platform/http/validate.ts";
import { isRecord, parseRecord } from "../../platform/json/read.ts";

/** Whether the whole has all of the part. */
const hasAll = (whole: unknown, part: unknown): boolean => {
  if (!isRecord(part) && !Array.isArray(part)) return whole === part;
  if (Array.isArray(part) && part.length !== (whole as unknown[] | null)?.length) return false;
  const inside = (whole ?? {}) as Record<string, unknown>;
  return Object.entries(part).every(([name, each]) => hasAll(inside[name], each));
};

const textOfField = (value: unknown): string => String(value ?? "").replaceAll("\r\n", "\n");

/** Refuses what undoes what was saved elsewhere; null otherwise. What a form leaves as it showed it stays as it is. */
export const refuseStale = async (
  ask: (request: Omit<InnerRequest, "ip">) => Promise<InnerAnswer>,
  url: string,
  body: Record<string, unknown>,
): Promise<InnerAnswer | null> => {
  const drawn = parseRecord(String(body["drawn"] ?? ""));
  // What a form shows is read where it is changed, but one's profile elsewhere.
  const at = url.replace(/accounts\/update_credentials$/, "profile");
  const answer = drawn && (await ask({ method: "GET", url: at }));
  if (!answer || answer.status >= 400) return null;
  const now = parseRecord(textOf(answer)) ?? {};
  const says = (name: string, saved: Record<string, unknown>): boolean => {
    const entered = lastOf(body[name]);
    return typeof entered === "string" && textOfField(entered) === textOfField(saved[name]);
  };
  const changed = Object.keys(drawn).filter((name) => !hasAll(now[name], drawn[name]));
  for (const name of changed) if (says(name, drawn)) body[name] = textOfField(now[name]);
  const isStale = changed.some((name) => !says(name, now));
  return isStale ? { ...answer, status: 409, body: "{}", error: new ChangedSince() } : null;
};
