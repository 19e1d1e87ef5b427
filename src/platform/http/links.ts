// Link headers for pagination: absolute URLs, `next` first (RFC 8288).

import type { FastifyReply, FastifyRequest } from "fastify";
import qs from "qs";
import type { App } from "../app.ts";
import { inOrder, parsePage } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";

const PAGING = new Set(["max_id", "since_id", "min_id", "offset", "access_token"]);

/**
 * Returns the query without its paging parameters, encoded: a header must not have line breaks or Unicode, even in
 * names.
 */
const otherParameters = (request: FastifyRequest): string => {
  const query = request.query as Record<string, unknown>;
  const others: Record<string, unknown> = {};
  for (const name in query) if (!PAGING.has(name)) others[name] = query[name];
  const text = qs.stringify(others, { arrayFormat: "brackets" });
  return text === "" ? "" : `${text}&`;
};

/** Returns the URL up to the paging parameter. */
const addressBase = (request: FastifyRequest, origin: string): string => {
  const { url } = request;
  const end = url.indexOf("?");
  const base =
    end < 0 ? `${origin}${url}?` : `${origin}${url.slice(0, end)}?${otherParameters(request)}`;
  // A comma inside a URL would split the header for simple parsers, a bracket would end the URL.
  return /[,<>"]/.test(base) ? base.replaceAll(/[,<>"]/g, encodeURIComponent) : base;
};

const setLinks = (reply: FastifyReply, next: string | null, prev: string | null): void => {
  const first = next === null ? "" : `<${next}>; rel="next"`;
  const second = prev === null ? "" : `<${prev}>; rel="prev"`;
  const links = first && second ? `${first}, ${second}` : first || second;
  if (links) reply.header("link", links);
};

type PageEdges = {
  origin: string;
  /** Ids by which this list is paged, newest first, as read before any filtering. */
  ids: string[];
  limit: number;
  /** Name of the parameter of `prev` (contract: link_prev). */
  prev?: "min_id" | "since_id";
  /** Gives a short page a `next` too: the query may have left out rows that the viewer must not see. */
  endless?: boolean;
};

/** Sets `next` when the page is full (or the list `endless`), and `prev` when it is not empty. */
export const linkPage = (request: FastifyRequest, reply: FastifyReply, edges: PageEdges): void => {
  const { ids, limit, origin, prev = "min_id", endless = false } = edges;
  if (ids.length === 0) return;
  const base = addressBase(request, origin);
  const next = endless || ids.length >= limit ? `${base}max_id=${ids.at(-1)}` : null;
  setLinks(reply, next, `${base}${prev}=${ids[0]}`);
};

/** `most` is the default limit; `max` is the largest, twice as much without it. */
type Listing = { most: number; max?: number; prev?: "min_id" | "since_id" };

/**
 * Reads the page that the request asks for, by `page_id` or the id of its rows, and links to those beside it. Returns
 * the newest first, in whichever order they are read.
 */
export const readPage = async <Row extends { id?: string; page_id?: string }>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { most, max, prev = "min_id" }: Listing,
  read: (page: Page) => PromiseLike<readonly Row[]>,
): Promise<Row[]> => {
  const page = parsePage(request.query as object, most, max);
  const rows = inOrder(page, [...(await read(page))]);
  const ids = rows.map((row) => (row.page_id ?? row.id)!);
  linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit, prev });
  return rows;
};

/** Sets the links of lists that are paged by offset; there is a next page where `count` is no less than the limit. */
export const linkOffset = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: { origin: string; offset: number; limit: number; count: number },
): void => {
  const { origin, offset, limit, count } = page;
  const base = addressBase(request, origin);
  const at = (value: number) => `${base}offset=${value}`;
  setLinks(
    reply,
    count >= limit && limit > 0 ? at(offset + count) : null,
    offset > 0 ? at(Math.max(0, offset - limit)) : null,
  );
};
