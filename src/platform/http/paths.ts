// Parses paths of requests: ids in them, doubled slashes, and forms that a route always answers.

import type { FastifyRequest } from "fastify";
import { parseId } from "../ids/index.ts";
import { NotFound } from "../errors.ts";

/** Parses an id in a path; throws 404 for anything else. */
export const pathId = (value: string): string => {
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};

/**
 * Removes doubled slashes from API paths. Scripts put `/api/v1/…` after an address that ends with a slash, and Rails
 * takes several slashes for one. Other paths are unchanged, so that none has two addresses.
 */
export const withoutDoubleSlashes = ({ url = "/" }: { url?: string }): string => {
  if (!url.includes("//")) return url;
  const [path = "", ...query] = url.split("?");
  if (!/^\/+(?:api|oauth)\//.test(path)) return url;
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
};

/**
 * Whether a request posts a status from a form. Its route always answers it with the text that was written, to be sent
 * again.
 */
export const isPostForm = ({ url }: FastifyRequest): boolean =>
  url.split("?", 1)[0] === "/web/act/statuses";
