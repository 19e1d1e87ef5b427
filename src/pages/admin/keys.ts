// Keys to work through a queue: those of a page, the list of them that `?` opens, and the script that listens.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import { UNCOUNTED } from "../../platform/http/request-rates.ts";
import type { Server } from "../../platform/http/server.ts";

const script = readFileSync(new URL("../../../assets/staff-keys.js", import.meta.url), "utf8");
const digest = createHash("sha256").update(script).digest("base64url").slice(0, 12);

export const KEYS_SCRIPT = `/assets/staff-keys-${digest}.js`;

export const keysScriptRoute = (server: Server): void => {
  server.get(KEYS_SCRIPT, UNCOUNTED, async (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(script),
  );
};

export const TICK: KeyLine = ["x", "moderation.keys.tick"];
/** Lists the keys of a page with entries, beside those of every such page. */
export const keyList = (keys: readonly KeyLine[]): Part => ({ keys });
