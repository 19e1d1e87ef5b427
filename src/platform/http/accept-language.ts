// Reads which languages the person behind a request reads.

import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** DEFAULT_LOCALE. */
    ownLocale: string;
  }
}

const MAX_HEADER = 1000;

/** Returns the language ranges of an Accept-Language header, best first (RFC 9110, 12.5.4). */
export const acceptedRanges = (header: string | undefined): string[] =>
  (header ?? "")
    .slice(0, MAX_HEADER)
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { range, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ range, weight }) => range !== "" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ range }) => range);

/**
 * Returns the languages in which to draw a page, best first. `locale` is the setting of the signed-in person; the last
 * is the server's own.
 */
export const readingLanguages = (
  { headers, server }: FastifyRequest,
  locale?: string,
): string[] => [
  ...(locale ? [locale] : []),
  ...acceptedRanges(headers["accept-language"]),
  server.ownLocale,
];
