// The names of a server where the environment does not say them.

import type { Env } from "./parse.ts";
import { optional } from "./parse.ts";

export type SiteNames = { localDomain: string; webDomain: string; https: boolean };

/** Whatever is set stays; a contradiction is refused where the names are stored (db/site-names.ts). */
export const withNames = (env: Env, { localDomain, webDomain, https }: SiteNames): Env => {
  const names = { LOCAL_DOMAIN: localDomain, WEB_DOMAIN: webDomain, LOCAL_HTTPS: String(https) };
  const unset = Object.entries(names).filter(([name]) => optional(env, name) === null);
  return { ...env, ...Object.fromEntries(unset) };
};
