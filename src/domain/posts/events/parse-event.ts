// Parses a remote Event into the calendar event to store, and its description in the text of its post, without I/O and
// bounded. https://www.w3.org/TR/activitystreams-vocabulary/#dfn-event, FEP-8a8e; locations are read as Mobilizon,
// Gancio, Friendica, Hubzilla and WordPress write them.

import {
  dateOf,
  httpUrl,
  isRecord,
  listOf,
  textOf,
  translated,
  typesOf,
} from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import { plainText, sanitiseName } from "../../../platform/text/plain.ts";
import { knownTimeZone } from "../../../platform/text/time-zone.ts";
import { linesOf } from "./lines.ts";
import { MAX_EVENT_MS } from "./rules.ts";
import type { NewEvent } from "./tables.ts";

const { titleLength, placeLength } = STATUS_LIMITS;
const CANCELLED = "❌ ";

/** Characters that are read of a text before it is cut. */
const MAX_READ = 5000;
/** Matches markup, which some software writes into names; a person may write `<old>` in one. */
const MARKUP = /<\/?(?:a|b|br|div|em|font|h[1-6]|i|img|p|script|span|strong|style|u)\b[^<>]*>/i;

const lineOf = (value: unknown, max: number): string => {
  const text = (textOf(value) ?? "").slice(0, MAX_READ);
  return sanitiseName(MARKUP.test(text) ? plainText(text) : text, max);
};

/** Returns the lines of a postal address by which people find it; postal code and country are left out. */
const addressOf = (address: unknown): unknown[] =>
  isRecord(address) ? [address["streetAddress"], address["addressLocality"]] : [address];

/**
 * Reads the first of several places. Hubzilla writes a text in place of a name; an online place without either is its
 * address.
 */
const placeOf = (location: unknown): string => {
  const [place] = listOf(location, 1);
  if (!isRecord(place)) return lineOf(place, placeLength);
  const parts = [place["name"] ?? place["content"], ...addressOf(place["address"])].map((part) =>
    lineOf(part, placeLength),
  );
  const named = [...new Set(parts.filter((part) => part !== ""))].join(", ");
  return sanitiseName(named || (httpUrl(place["url"]) ?? ""), placeLength);
};

const occasionOf = (event: Json) => {
  const startsAt = dateOf(event["startTime"]);
  const end = event["displayEndTime"] === false ? null : dateOf(event["endTime"]);
  const length = startsAt && end ? end.getTime() - startsAt.getTime() : 0;
  return {
    startsAt,
    endsAt: length > 0 && length <= MAX_EVENT_MS ? end : null,
    place: placeOf(event["location"]) || null,
  };
};

/** Sets a sign before the name of an event that is cancelled (Mobilizon, WordPress), as the language is unknown. */
const nameOf = (event: Json): string => {
  const isCancelled = (event["ical:status"] ?? event["status"]) === "CANCELLED";
  const sign = isCancelled ? CANCELLED : "";
  const name = lineOf(translated(event, "name"), titleLength - sign.length);
  return name && sign + name;
};

const isEvent = (object: Json): boolean => typesOf(object).includes("Event");

/** Returns null for other objects, and for an event without a name or a time. */
export const parseEvent = (object: Json): NewEvent | null => {
  if (!isEvent(object)) return null;
  const name = nameOf(object);
  const { startsAt, ...rest } = occasionOf(object);
  return name === "" || !startsAt ? null : { name, startsAt, ...rest };
};

/** Returns when and where it is, in its own time zone; nothing for other objects. */
export const eventLines = (object: Json): string[] =>
  isEvent(object) ? linesOf(occasionOf(object), knownTimeZone(textOf(object["timezone"]))) : [];
