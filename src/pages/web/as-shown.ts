// Whether a form of the web client was drawn with what is saved now, so that saving it undoes nothing that was saved
// elsewhere since. It has what it shows as the API said it (`drawn`).

import { ChangedSince } from "../../platform/drawn.ts";
import { textOf } from "../../platform/http/inside.ts";
import type { InnerAnswer, InnerRequest } from "../../platform/http/inside.ts";
import { lastOf } from "../../platform/http/validate.ts";
import { parseRecord } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";

/** Returns what a form says by a value: by rows not their ids nor a "no", and nothing where they are empty or go. */
const saidBy = (value: unknown): string => {
  if (typeof value !== "object") return String(value ?? "").replaceAll("\r\n", "\n");
  const { id: _id, verified_at: _at, _destroy, ...row } = { ...value } as Json;
  if (_destroy || (row["keyword"] ?? row["name"]) === "") return "";
  const said = Object.values(row).map(saidBy);
  return said.filter((text) => text !== "" && text !== "false").join("\n");
};

/** Returns what the API says of an input: some of a group's in its account. */
const ofInput = (said: Json, input: string): unknown => {
  const name = input.replace(/_attributes$/, "").replace(/^expires_in$/, "expires_at");
  return name in said ? said[name] : (said["account"] as Json | undefined)?.[name];
};

/** Refuses what undoes what was saved elsewhere; null otherwise. What a form leaves as it showed it stays as it is. */
export const refuseStale = async (
  ask: (request: Omit<InnerRequest, "ip">) => Promise<InnerAnswer>,
  url: string,
  body: Json,
): Promise<InnerAnswer | null> => {
  const drawn = parseRecord(String(body["drawn"] ?? ""));
  // What a form shows is read where it is changed, but one's profile elsewhere.
  const at = url.replace(/accounts\/update_credentials$/, "profile");
  const answer = drawn && (await ask({ method: "GET", url: at }));
  if (!answer || answer.status >= 400) return null;
  const now = parseRecord(textOf(answer)) ?? {};
  let isStale = false;
  for (const [name, sent] of Object.entries(body)) {
    const [before, after, entered] = [ofInput(drawn, name), ofInput(now, name), lastOf(sent)];
    const [was, is, says] = [before, after, entered].map(saidBy);
    if (before === undefined || was === is) continue;
    const isLeft = says === was || (name === "expires_in" && says === "keep");
    if (!isLeft && says !== is) isStale = true;
    else if (typeof entered === "string") delete body[name];
    else body[name] = after;
  }
  return isStale ? { ...answer, status: 409, body: "{}", error: new ChangedSince() } : null;
};
