// Proposes a handle to somebody new, made of what the provider calls them.

import type { Identity } from "../../sso/src/index.ts";
import { reservedFault, usernameFaults } from "./uses.ts";
import type { App } from "./uses.ts";

const MAX_LENGTH = 30;
const TRIES = 20;

const handleIn = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll(/[^\w]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase()
    .slice(0, MAX_LENGTH);

const isFree = async (app: App, handle: string): Promise<boolean> =>
  (await usernameFaults(app.sql, handle)).length === 0 &&
  (await reservedFault(app, handle)) === null;

/** Returns a free handle; "" where nothing that the provider said makes one. */
export const proposeHandle = async (
  app: App,
  { username, email, name }: Identity,
): Promise<string> => {
  const [base] = [username?.split("@", 1)[0], email?.split("@", 1)[0], name]
    .map((text) => handleIn(text ?? ""))
    .filter((text) => text !== "");
  if (!base) return "";
  for (let n = 1; n <= TRIES; n++) {
    const ending = n === 1 ? "" : String(n);
    const handle = `${base.slice(0, MAX_LENGTH - ending.length)}${ending}`;
    if (await isFree(app, handle)) return handle;
  }
  return "";
};
