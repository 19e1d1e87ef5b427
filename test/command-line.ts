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

/** `output`: all that was printed; `out` and `err`: to each of the two streams. */
export type Ended = { code: number; output: string; out: string; err: string };

/** Runs a command with these variables alone; returns what it printed and its exit code. */
export const runCommand = async (env: NodeJS.ProcessEnv, words: string[]): Promise<Ended> => {
  const before = { env: process.env, code: process.exitCode };
  const lines: { stream: string; text: string }[] = [];
  const printTo =
    (stream: string) =>
    (...parts: unknown[]) => {
      const texts = parts.map((part) => (part instanceof Error ? part.stack : part));
      lines.push({ stream, text: texts.join(" ") });
    };
  const printed = (stream?: string): string =>
    lines
      .filter((line) => stream === undefined || line.stream === stream)
      .map(({ text }) => text)
      .join("\n");
  const printers = (["log", "error"] as const).map((name) =>
    mock.method(console, name, printTo(name)),
  );
  process.env = { PATH: before.env["PATH"], ...env };
  process.exitCode = 0;
  try {
    await run(["node", "rookery", ...words]);
    const code = Number(process.exitCode ?? 0);
    return { code, output: printed(), out: printed("log"), err: printed("error") };
  } finally {
    process.env = before.env;
    process.exitCode = before.code;
    for (const printer of printers) printer.mock.restore();
  }
};
