// The media types of ActivityPub: recognises documents, and requests for one.
// https://www.w3.org/TR/activitypub/#retrieving-objects

import type { FastifyRequest } from "fastify";

export const ACTIVITY_TYPE = "application/activity+json; charset=utf-8";
const PROFILE = "https://www.w3.org/ns/activitystreams";
const MAX_HEADER = 2048;

/** Whether a Content-Type header names this type, whatever its parameters. */
export const hasType = (header: string | undefined, type: string): boolean =>
  header?.split(";", 1)[0]!.trim().toLowerCase() === type;

/** Whether a type is application/activity+json, or application/ld+json with the ActivityStreams profile. */
export const isActivityType = (header: string | undefined): boolean => {
  if (!header || header.length > MAX_HEADER) return false;
  if (hasType(header, "application/activity+json")) return true;
  if (!hasType(header, "application/ld+json")) return false;
  const profile = /;\s*profile\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(header);
  return (profile?.[1] ?? profile?.[2] ?? "").split(/\s+/).includes(PROFILE);
};

const JSON_TYPES = new Set([
  "application/activity+json",
  "application/ld+json",
  "application/json",
]);
const PAGE_TYPES = new Set(["text/html", "application/xhtml+xml"]);

/** Returns the highest q among the types of an Accept header; 0 if none of them is accepted. */
const quality = (accept: string, types: Set<string>): number => {
  const ranges = accept.slice(0, MAX_HEADER).split(",", 50);
  const qualities = ranges.map((part) => {
    const [type = "", ...parameters] = part.split(";");
    if (!types.has(type.trim().toLowerCase())) return 0;
    const q = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]{1,6})\s*$/i.exec(parameter)?.[1]);
    const value = Number(q.find((weight) => weight !== undefined) ?? 1);
    return Number.isNaN(value) ? 0 : value;
  });
  return Math.max(0, ...qualities);
};

/** Whether the request for a page (`/@name`, `/@name/ID`) asks for its ActivityPub document. */
export const wantsActivityJson = (request: FastifyRequest): boolean => {
  const accept = request.headers.accept ?? "";
  const json = quality(accept, JSON_TYPES);
  return json > 0 && json >= quality(accept, PAGE_TYPES);
};

/** Whether the request for a document (`/users/name`) prefers its page. */
export const wantsPage = (request: FastifyRequest): boolean =>
  quality(request.headers.accept ?? "", PAGE_TYPES) > 0 && !wantsActivityJson(request);
