// Runs the import command in a process of its own.

import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { join } from "node:path";
import { ENV_FILE } from "./old-server.ts";
import type { OldServer } from "./old-server.ts";

const PROGRAM = join(import.meta.dirname, "../../../bin/rookery.ts");

/** Returns the command as it is typed, with these options. */
export const importWords = ({ url, media }: OldServer, options: string[]): string[] => [
  "import",
  "mastodon",
  "--database",
  url,
  "--media",
  media,
  "--env",
  ENV_FILE,
  ...options,
];

type ImportOptions = {
  /** Its working folder, which contains DATA_DIR. */
  folder: string;
  /** Options of the command. */
  options?: string[];
  env?: Record<string, string>;
  stdio?: StdioOptions;
};

export const startImport = (
  old: OldServer,
  { folder, options = [], env, stdio = "pipe" }: ImportOptions,
): ChildProcess => {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, [PROGRAM, ...importWords(old, options)], {
    cwd: folder,
    stdio,
    env: { PATH, HOME, DATA_DIR: join(folder, "data"), LOCAL_DOMAIN: "old.test", ...env },
  });
};
