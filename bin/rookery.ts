#!/usr/bin/env node
// The one executable: the server and every administration command.

import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("../src/cli/run.ts");
await run(process.argv);
