// What a browser or an app says of the languages that its person reads.

import type { FastifyRequest } from "fastify";

const MAX_HEADER = 1000;

/** The ranges of an Accept-Language, best first (RFC 9110, 12.5.4). */
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

/** In which somebody reads pages, best first. `locale`: as who is signed in has set it. */
export const readingLanguages = ({ headers }: FastifyRequest, locale?: string): string[] => [
  ...(locale ? [locale] : []),
  ...acceptedRanges(headers["accept-language"]),
];
