// Serves the only script of these pages: the passkey library and a few lines that use it. Its path contains its hash,
// so that browsers may cache it for ever.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UNCOUNTED } from "../../../../platform/http/request-rates.ts";
import type { Server } from "../../../../platform/http/server.ts";

/** Returns the path of the library as one file for browsers, beside its modules. */
const libraryPath = (): string => {
  const main = createRequire(import.meta.url).resolve("@simplewebauthn/browser");
  return join(dirname(main), "..", "dist", "bundle", "index.umd.min.js");
};

const OWN = new URL("../../../../../assets/passkey.js", import.meta.url);

const script = `${readFileSync(libraryPath(), "utf8")}\n${readFileSync(OWN, "utf8")}`;
const digest = createHash("sha256").update(script).digest("base64url").slice(0, 12);

export const PASSKEY_SCRIPT = `/assets/passkey-${digest}.js`;

export const passkeyScriptRoute = (server: Server): void => {
  server.get(PASSKEY_SCRIPT, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(script),
  );
};
