// npm run bench -- --hostile runs attacks, each on a server of its own, and checks the bounds (docs/LIMITS.md).
// `--size`, `--only` and `--json` are as in the other runs.

import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { SMOKE } from "../options.ts";
import type { Options } from "../options.ts";
import { startReceivers } from "../receivers.ts";
import { freePort } from "../../test/free-port.ts";
import { copyFolder } from "../../test/journeys/process.ts";
import { makeFolder, removeFolder, startServer } from "../server.ts";
import { makeDataFolder } from "../setup.ts";
import { fillWorld, planWorld } from "../world.ts";
import { isKept } from "./attack.ts";
import type { Attack, Finding, Stage } from "./attack.ts";
import { databaseHangs, databaseKilled } from "./database.ts";
import { hidden } from "./hidden.ts";
import { largePosts } from "./large-posts.ts";
import { overload } from "./overload.ts";
import { madeUpKeys, profileLinks } from "./reflection.ts";
import { slowInboxes } from "./slow-inboxes.ts";
import { slowParents } from "./slow-parents.ts";
import { startStrangers } from "./strangers.ts";
import { unreadAnswers } from "./unread-answers.ts";
import { waitingDeliveries } from "./waiting-deliveries.ts";

const ATTACKS: Attack[] = [
  slowParents,
  ...slowInboxes,
  waitingDeliveries,
  largePosts,
  unreadAnswers,
  profileLinks,
  madeUpKeys,
  databaseHangs,
  databaseKilled,
  overload,
  hidden,
];

/** Milliseconds after which no further attack begins: the whole run takes at most ten minutes. */
const BEGIN_UNTIL_MS = 8.5 * 60_000;

/** Size of the world in each run; only the attack is scaled. */
const WORLD_SIZE = 0.01;
const HOSTS = 200;

/** `seen` is null if it exceeds what was waited for. */
export type HostileResult = {
  attack: string;
  what: string;
  bound: number | null;
  seen: number | null;
  unit: string;
  ok: boolean | null;
};

/**
 * Prepares what all attacks share: the addresses, and a data folder with the world. In a smoke run they share the server
 * as well.
 */
const prepare = async (size: number) => {
  const [port, receiverPort, strangerPort] = [await freePort(), await freePort(), await freePort()];
  const world = planWorld(WORLD_SIZE, port, receiverPort);
  const dataDir = makeDataFolder(size);
  const server = await startServer({ port, dataDir });
  await fillWorld(server.sql, world);
  if (size >= SMOKE) await server.stop();
  return { world, dataDir, server, strangerPort };
};

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Starts a server on a copy of the folder. */
const startCopy = async ({ world, dataDir: from }: Prepared) => {
  const dataDir = makeFolder();
  copyFolder(from, dataDir);
  const server = await startServer({ port: world.port, dataDir });
  const close = async () => {
    await server.stop();
    removeFolder(dataDir);
  };
  return { server, close };
};

/** Opens a server for an attack, with new peers. */
const openStage = async (prepared: Prepared, size: number, say: (text: string) => void) => {
  const { world, strangerPort } = prepared;
  const of = (count: number, least = 1) => Math.max(least, Math.round(count * size));
  const receivers = await startReceivers(world.hosts, world.receiverPort);
  const strangers = await startStrangers(strangerPort, of(HOSTS, 5));
  const shared = { server: prepared.server, close: async () => {} };
  const { server, close: closeServer } = size < SMOKE ? shared : await startCopy(prepared);
  const seconds = (count: number) => Math.max(Math.min(count, 2), count * Math.min(1, size));
  const stage: Stage = { world, server, receivers, strangers, of, seconds, say };
  const close = async () => {
    strangers.close();
    await closeServer();
    await receivers.close();
  };
  return { stage, close };
};

const resultOf = (attack: string, finding: Finding): HostileResult => ({
  attack,
  what: finding.what,
  bound: finding.most,
  seen: Number.isFinite(finding.seen) ? finding.seen : null,
  unit: finding.unit,
  ok: isKept(finding),
});

const figure = (value: number | null, unit: string): string => {
  if (value === null) return "too long";
  const text = Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toFixed(1)));
  return unit.startsWith("/") ? `${text}${unit}` : `${text} ${unit}`.trim();
};

/** Returns a Markdown table. */
const table = (results: HostileResult[]): string => {
  const rows = results.map(({ what, bound, seen, unit, ok }) => [
    what,
    bound === null ? "" : `≤ ${figure(bound, unit)}`,
    figure(seen, unit),
    ok === null ? "" : ok ? "yes" : "NO",
  ]);
  const all = [["what", "bound", "seen", "ok"], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const print = (row: string[]) =>
    `| ${row.map((cell, n) => cell.padEnd(widths[n]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [print(all[0]!), rule, ...all.slice(1).map(print)].join("\n");
};

export const runHostile = async (options: Options, say: (text: string) => void): Promise<void> => {
  const names = (options.only ?? "").split(",");
  const attacks = ATTACKS.filter(({ name }) => names.some((part) => name.includes(part)));
  if (attacks.length === 0) throw new Error(`there is no attack ${options.only}`);
  const results: HostileResult[] = [];
  const prepared = await prepare(options.size);
  for (const { name, run } of attacks) {
    const began = performance.now();
    if (began > BEGIN_UNTIL_MS) {
      say(`no time for ${name}`);
      continue;
    }
    const { stage, close } = await openStage(prepared, options.size, say);
    try {
      results.push(...(await run(stage)).map((finding) => resultOf(name, finding)));
    } finally {
      await close();
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    say(`${name}: ${seconds} s, load of the machine ${loadavg()[0]!.toFixed(1)}`);
  }
  await prepared.server.stop();
  removeFolder(prepared.dataDir);
  console.log(table(results));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
};
