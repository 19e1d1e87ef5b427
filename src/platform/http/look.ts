// How pages look in this browser, as chosen in the preferences: kept in a cookie that holds nothing but the choices, so
// that the first byte of a page is drawn in the right theme.

import type { FastifyRequest } from "fastify";

/** What can be chosen, the default first. The form of the client has the same (web/src/look.ts). */
export const LOOK_CHOICES = {
  theme: ["auto", "light", "dark", "contrast"],
  text: ["normal", "small", "large", "huge"],
  motion: ["auto", "reduced"],
  density: ["comfortable", "compact"],
  alt: ["hidden", "shown"],
  keys: ["on", "off"],
} as const;

/** The choices other than the defaults. */
export type Look = Partial<Record<keyof typeof LOOK_CHOICES, string>>;

export const LOOK_COOKIE = "rookery_look";

/** Those of the values that can be chosen. */
export const readLook = (values: Readonly<Record<string, unknown>>): Look =>
  Object.fromEntries(
    Object.entries(LOOK_CHOICES).flatMap(([name, [, ...choices]]) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return (choices as readonly unknown[]).includes(value) ? [[name, value as string]] : [];
    }),
  );

/** `theme-dark.text-large` */
export const lookCookie = (look: Look): string =>
  Object.entries(look)
    .map(([name, value]) => `${name}-${value}`)
    .join(".");

const COOKIE = new RegExp(`(?:^|;\\s*)${LOOK_COOKIE}=([a-z.-]{1,200})(?:;|$)`);

/** Read without a parser: also of requests outside the scopes in which cookies are parsed. */
export const lookOf = ({ headers }: FastifyRequest): Look => {
  const [, text = ""] = COOKIE.exec(headers.cookie ?? "") ?? [];
  const pairs = text.split(".").map((pair) => pair.split("-", 2) as [string, string]);
  return readLook(Object.fromEntries(pairs));
};

/** As attributes of the document: ` data-theme="dark"`. */
export const lookAttributes = (look: Look): string =>
  Object.entries(look)
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join("");
