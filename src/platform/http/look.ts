// Reads and writes the choices of how pages look in this browser, from a cookie that the preferences set. The cookie
// holds only these choices, so that the first byte of a page already has the right theme.

import type { FastifyRequest } from "fastify";

/** Choices, the default first. The client's form has the same ones (web/src/look.ts). */
export const LOOK_CHOICES = {
  theme: ["auto", "light", "dark", "contrast"],
  text: ["normal", "small", "large", "huge"],
  motion: ["auto", "reduced"],
  density: ["comfortable", "compact"],
  alt: ["hidden", "shown"],
  keys: ["on", "off"],
} as const;

/** Choices that differ from the defaults. */
export type Look = { [N in keyof typeof LOOK_CHOICES]?: (typeof LOOK_CHOICES)[N][number] };

export const LOOK_COOKIE = "rookery_look";

/** Returns those of the values that are valid choices. */
export const readLook = (values: Readonly<Record<string, unknown>>): Look =>
  Object.fromEntries(
    Object.entries(LOOK_CHOICES).flatMap(([name, [, ...choices]]) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return (choices as readonly unknown[]).includes(value) ? [[name, value as string]] : [];
    }),
  );

/** Returns text such as `theme-dark.text-large`. */
export const lookCookie = (look: Look): string =>
  Object.entries(look)
    .map(([name, value]) => `${name}-${value}`)
    .join(".");

const COOKIE = new RegExp(`(?:^|;\\s*)${LOOK_COOKIE}=([a-z.-]{1,200})(?:;|$)`);

/** Reads the cookie without a parser, because some requests are outside the scopes in which cookies are parsed. */
export const lookOf = ({ headers }: FastifyRequest): Look => {
  const [, text = ""] = COOKIE.exec(headers.cookie ?? "") ?? [];
  const pairs = text.split(".").map((pair) => pair.split("-", 2) as [string, string]);
  return readLook(Object.fromEntries(pairs));
};
