// Parses a remote Question into the poll to store, without I/O and bounded.
// https://www.w3.org/TR/activitystreams-vocabulary/#dfn-question

import { dateOf, isRecord, textOf, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { MAX_COUNT, STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import { bytesOf } from "../../../platform/text/cut.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import type { NewPoll } from "./tables.ts";

const { pollOptions, pollOptionLength, pollBytes } = STATUS_LIMITS;

const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
    ? value
    : 0;

const repliesTo = (option: Json): number => {
  const { replies } = option;
  return isRecord(replies) ? countOf(replies["totalItems"]) : 0;
};

const titleOf = (option: Json): string =>
  sanitiseName(textOf(option["name"]) ?? "", pollOptionLength);

const endOf = (question: Json): Date | null => {
  const { closed } = question;
  return dateOf(question["endTime"]) ?? dateOf(closed);
};

/**
 * Returns null unless it is a Question with at least two options that have a name. `closed: true` means it ended at
 * `now`.
 */
export const parseQuestion = (question: Json, now: Date): NewPoll | null => {
  if (!typesOf(question).includes("Question")) return null;
  const multiple = Array.isArray(question["anyOf"]);
  const list = multiple ? question["anyOf"] : question["oneOf"];
  if (!Array.isArray(list)) return null;
  const options = list
    .slice(0, pollOptions)
    .filter((item) => isRecord(item) && titleOf(item) !== "") as Json[];
  const titles = options.map(titleOf);
  if (titles.length < 2) return null;
  if (bytesOf(titles.join("")) > pollBytes) return null;
  const voters = question["votersCount"];
  return {
    options: titles,
    tallies: options.map(repliesTo),
    multiple,
    hideTotals: false,
    votersCount: typeof voters === "number" ? countOf(voters) : null,
    expiresAt: question["closed"] === true ? now : endOf(question),
  };
};
