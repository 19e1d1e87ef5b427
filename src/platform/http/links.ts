// Link headers of pages: absolute addresses, `next` first (RFC 8288).

import type { FastifyReply, FastifyRequest } from "fastify";
import qs from "qs";

const PAGING = new Set(["max_id", "since_id", "min_id", "offset", "access_token"]);

const address = (request: FastifyRequest, origin: string, extra: Record<string, string>) => {
  const kept = Object.entries(request.query as Record<string, unknown>).filter(
    ([name]) => !PAGING.has(name),
  );
  // Names are encoded too: they come from outside, and a header takes neither line ends nor Unicode.
  const query = qs.stringify(
    { ...Object.fromEntries(kept), ...extra },
    { arrayFormat: "brackets" },
  );
  const path = request.url.split("?", 1)[0]!;
  // A comma inside an address would split the header for simple parsers, a bracket would end it.
  return `${origin}${path}?${query}`.replaceAll(/[,<>"]/g, encodeURIComponent);
};

const setLinks = (reply: FastifyReply, links: [string, string | null][]): void => {
  const parts = links.flatMap(([rel, url]) => (url ? [`<${url}>; rel="${rel}"`] : []));
  if (parts.length > 0) reply.header("link", parts.join(", "));
};

export type PageEdges = {
  origin: string;
  /** The ids that page this list, newest first, as they were found (before any filtering). */
  ids: string[];
  limit: number;
  /** What `prev` carries (contract: link_prev). */
  prev?: "min_id" | "since_id";
  /** A short page has a `next` too: what is hidden from it may have been in its place. */
  endless?: boolean;
};

/** `next` when the page is full (or the list `endless`), `prev` when there is anything. */
export const linkPage = (request: FastifyRequest, reply: FastifyReply, edges: PageEdges): void => {
  const { ids, limit, origin, prev = "min_id", endless = false } = edges;
  if (ids.length === 0) return;
  const next =
    endless || ids.length >= limit ? address(request, origin, { max_id: ids.at(-1)! }) : null;
  setLinks(reply, [
    ["next", next],
    ["prev", address(request, origin, { [prev]: ids[0]! })],
  ]);
};

/** Links of lists that are paged by offset. */
export const linkOffset = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: { origin: string; offset: number; limit: number; found: number },
): void => {
  const { origin, offset, limit, found } = page;
  const at = (value: number) => address(request, origin, { offset: String(value) });
  setLinks(reply, [
    ["next", found >= limit && limit > 0 ? at(offset + limit) : null],
    ["prev", offset > 0 ? at(Math.max(0, offset - limit)) : null],
  ]);
};
