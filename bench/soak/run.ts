// npm run soak: an hour of everything (or --minutes N). A server of five processes; people who write, read and upload,
// other servers that write and attack, open apps; every minute (--kill-seconds N) a process is killed. At the end
// everything acknowledged is compared with what is stored, feeds with rebuilt feeds, counters with counts, and no work
// may be left; memory and table sizes are printed. Where there is a C compiler, the clock jumps by a day at times, and
// at the end by 100, after which what is deleted by age has to be gone. Exit code 1 where anything is wrong.

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "../../src/platform/db/index.ts";
import { startPeer } from "../../test/fake-peer.ts";
import { picture } from "../../test/files.ts";
import { startCluster } from "../../test/journeys/cluster.ts";
import type { Cluster } from "../../test/journeys/cluster.ts";
import { memoryOf } from "../measure.ts";
import { checkAll, checkRetention } from "./check.ts";
import type { Finding } from "./check.ts";
import { openClock } from "./clock.ts";
import { Gate } from "./gate.ts";
import { killByChance } from "./kills.ts";
import { makeLedger } from "./ledger.ts";
import { followAll, liveElsewhere } from "./others.ts";
import { usePeople } from "./people.ts";
import type { Stage } from "./people.ts";
import { selectSizes } from "./queries.ts";

const PEOPLE = ["alice", "bob", "carol", "dave", "erin", "frank"];
const MINUTE_MS = 60_000;
/** Factor by which the memory of all processes may grow after the first quarter. */
const MOST_GROWTH = 1.4;
const SHOWN = 10;
/** Pool size of each process, instead of the default. */
const POOL = process.env["DB_POOL"];

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    "kill-seconds": { type: "string", default: "60" },
  },
});
const minutes = Number(values.minutes);
const killSeconds = Number(values["kill-seconds"]);
if (!(minutes > 0 && killSeconds > 0)) throw new Error("--minutes and --kill-seconds are numbers");

const began = performance.now();
const say = (text: string): void => {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${String(seconds).padStart(5)} s  ${text}`);
};

const megabytesOf = (server: Cluster): number =>
  memoryOf(...server.parts.filter((part) => part.isAlive()).map((part) => part.pid())).total +
  memoryOf(server.database.pid).total;

/** Records MB every half a minute. */
const watchMemory = async (server: Cluster, isOver: () => boolean): Promise<number[]> => {
  const samples: number[] = [];
  while (!isOver()) {
    for (let wait = 0; wait < 30 && !isOver(); wait += 1) await sleep(1000);
    if (!isOver()) samples.push(Math.round(megabytesOf(server)));
  }
  return samples;
};

/** Judges growth; the first quarter is warming up, and too few samples prove nothing. */
const memoryFinding = (samples: number[]): Finding => {
  const warm = samples.slice(Math.ceil(samples.length / 4));
  const [first, last] = [warm.slice(0, 5), warm.slice(-5)].map((part) => Math.max(...part, 0));
  const isFlat = warm.length < 10 || last! <= first! * MOST_GROWTH;
  return {
    what: `memory (MB: ${samples.join(", ")})`,
    looked: samples.length,
    wrong: isFlat ? [] : [`grew from ${first} to ${last} MB`],
  };
};

const show = ({ what, looked, wrong }: Finding): void => {
  say(`${wrong.length === 0 ? "✔" : "✖"} ${what}: ${looked} looked at, ${wrong.length} wrong`);
  for (const text of wrong.slice(0, SHOWN)) say(`    ${text.slice(0, 300)}`);
};

const clock = await openClock();
if (!clock) say("clock.c is not compiled (there is no cc): the clock does not jump");
const [server, peer] = await Promise.all([
  startCluster({ environment: clock?.environment ?? {}, env: POOL ? { DB_POOL: POOL } : {} }),
  startPeer(),
]);
let isOver = false;
let daysAhead = 0;
let code = 1;
try {
  const people = [];
  for (const name of PEOPLE) people.push(await server.person(name));
  const stage: Stage = {
    server,
    people,
    ledger: makeLedger(),
    picture: await picture("png", 640, 480),
    isOver: () => isOver,
    gate: new Gate(),
    daysAhead: () => daysAhead,
  };
  const jump =
    clock &&
    ((days: number) =>
      stage.gate.whileClosed(async () => {
        daysAhead += days;
        clock.jump(days);
      }));
  const actors = await followAll(stage, peer);
  say(`${people.length} people and ${actors.length} accounts elsewhere begin`);
  const ends = sleep(minutes * MINUTE_MS).then(() => (isOver = true));
  const [{ killed, jumps }, samples] = await Promise.all([
    killByChance(server, killSeconds * 1000, { isOver: stage.isOver, jump, say }),
    watchMemory(server, stage.isOver),
    usePeople(stage),
    liveElsewhere(stage, peer, actors),
    ends,
  ]);
  const repeated = [...stage.ledger.repeated].map(([status, count]) => `${status}: ${count}`);
  say(
    `${stage.ledger.acts} acts were acknowledged, ${killed} processes killed, ${jumps} days jumped; tried again after ${repeated.join(", ") || "nothing"}`,
  );
  const url = await server.databaseUrl();
  const findings = [...(await checkAll(stage, peer, url)), memoryFinding(samples)];
  if (clock) findings.push(...(await checkRetention(stage, clock, url)));
  for (const finding of findings) show(finding);
  // These log lines say what each 500 was about.
  const failed = server
    .log()
    .split("\n")
    .filter((line) => line.includes('"request failed"'));
  for (const line of failed.slice(0, SHOWN)) say(`    ${line.slice(0, 2000)}`);
  const sql = connect(url, { max: 1, application: "soak" });
  const sizes = await selectSizes(sql);
  await sql.end({ timeout: 5 });
  const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);
  say(`tables (MB): ${sizes.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(", ")}`);
  code = findings.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
} finally {
  isOver = true;
  await server.remove();
  await peer.close();
}
say(code === 0 ? "nothing is lost" : "something is wrong");
process.exit(code);
