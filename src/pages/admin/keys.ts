// Keys to work through a queue: those of a page, the list of them that `?` opens, and the script that listens.

import { readFileSync } from "node:fs";
import type { KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import { scriptOf } from "../../platform/http/assets.ts";

const script = readFileSync(new URL("../../../assets/staff-keys.js", import.meta.url), "utf8");
const { path, route } = scriptOf("staff-keys", script);

export { path as KEYS_SCRIPT, route as keysScriptRoute };

export const TICK: KeyLine = ["x", "moderation.keys.tick"];
/** Lists the keys of a page with entries, beside those of every such page. */
export const keyList = (keys: readonly KeyLine[]): Part => ({ keys });
