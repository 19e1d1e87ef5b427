// The only script of these pages: the passkey library and a few lines that use it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { scriptOf } from "../../../../platform/http/assets.ts";

/** Returns the path of the library as one file for browsers, beside its modules. */
const libraryPath = (): string => {
  const main = createRequire(import.meta.url).resolve("@simplewebauthn/browser");
  return join(dirname(main), "..", "dist", "bundle", "index.umd.min.js");
};

const OWN = new URL("../../../../../assets/passkey.js", import.meta.url);

const library = readFileSync(libraryPath(), "utf8");
const { path, route } = scriptOf("passkey", `${library}\n${readFileSync(OWN, "utf8")}`);

export { path as PASSKEY_SCRIPT, route as passkeyScriptRoute };
