// Runs commands as they are typed, in this process, with the environment in which they find the server of a test.

import { mock } from "node:test";
import { run } from "../src/cli/run.ts";
import type { TestApp } from "./harness.ts";

/** Sets the environment of this process; returns the function that restores it. */
export const enterCommandLine = ({ app, databaseUrl }: TestApp): (() => void) => {
  const before = { ...process.env };
  const { config } = app;
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    LOCAL_DOMAIN: config.site.localDomain,
    LOCAL_HTTPS: "false",
    ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  });
  return () => {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  };
};

/** Splits a line as a shell would, without anything after a #. */
export const wordsOf = (line: string): string[] =>
  [...line.replace(/\s+# .*$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  );

export type Ended = { code: number; output: string };

/** Runs a command with these variables alone; returns what it printed and its exit code. */
export const runCommand = async (env: NodeJS.ProcessEnv, words: string[]): Promise<Ended> => {
  const before = { env: process.env, code: process.exitCode };
  const lines: string[] = [];
  const print = (...parts: unknown[]) =>
    void lines.push(parts.map((part) => (part instanceof Error ? part.stack : part)).join(" "));
  const printers = [mock.method(console, "log", print), mock.method(console, "error", print)];
  process.env = { PATH: before.env["PATH"], ...env };
  process.exitCode = 0;
  try {
    await run(["node", "rookery", ...words]);
    return { code: Number(process.exitCode ?? 0), output: lines.join("\n") };
  } finally {
    process.env = before.env;
    process.exitCode = before.code;
    for (const printer of printers) printer.mock.restore();
  }
};
