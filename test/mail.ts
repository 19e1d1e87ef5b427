// Reads the mails that a test server wrote to its folder.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "./harness.ts";

/** Returns all mails so far, oldest first, decoded. */
export const mailsOf = ({ app }: TestApp): string[] => {
  const folder = join(app.config.dataDir, "mail");
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .map((text) => text.replaceAll("=\r\n", "").replaceAll("=3D", "="));
};

/** Returns the path of the newest confirmation link for this address. */
export const confirmationLink = (test: TestApp, email: string): string => {
  const mail = mailsOf(test).findLast((text) => text.includes(`To: ${email}`));
  const [, path] = /https?:\/\/[^/\s]+(\/auth\/confirmation\?\S+)/.exec(mail ?? "") ?? [];
  if (!path) throw new Error(`no link for ${email}`);
  return path;
};
