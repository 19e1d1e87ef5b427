// Parses sources, without those of tests, for the tests of what they say.

import { globSync } from "node:fs";
import { join } from "node:path";
import { parseSource } from "../web/texts.ts";
import type { Node } from "../web/texts.ts";
import { ROOT } from "./sources.ts";

export type ParsedSource = { path: string; tree: Node };

export const parsedSources = (pattern: string): ParsedSource[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => ({ path, tree: parseSource(join(ROOT, path)) }));
