// The paths of requests: ids in them, slashes that are doubled, and forms that a route answers in any case.

import type { FastifyRequest } from "fastify";
import { parseId } from "../ids/index.ts";
import { NotFound } from "../errors.ts";

/** An id from a path; 404 for what is not an id. */
export const pathId = (value: string): string => {
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};

/**
 * Scripts put `/api/v1/…` after an address that ends with a slash. Rails takes several slashes for one; here those of
 * the API alone, so that no other path has two addresses.
 */
export const withoutDoubleSlashes = ({ url = "/" }: { url?: string }): string => {
  if (!url.includes("//")) return url;
  const [path = "", ...query] = url.split("?");
  if (!/^\/+(?:api|oauth)\//.test(path)) return url;
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
};

/** A post from a form is answered by its route in any case: with what was written, to be sent again. */
export const isPostForm = ({ url }: FastifyRequest): boolean =>
  url.split("?", 1)[0] === "/web/act/statuses";
