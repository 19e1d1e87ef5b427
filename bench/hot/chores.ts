// Hot spot: the server's chores on a large database, one after the other: scheduled jobs, statistics and searches,
// VACUUM and a backup; how long each takes, and what people wait for meanwhile who read and who write.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { crontab } from "../../src/jobs.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { runCommand } from "../server.ts";
import { authorNumber, tagName, tokenOf } from "../world.ts";
import type { Others } from "./others.ts";
import {
  appointOwner,
  deleteJobs,
  enqueueJobs,
  insertRecent,
  LARGE_TABLES,
  selectJobs,
  vacuum,
} from "./queries-chores.ts";
import type { Job } from "./queries-chores.ts";
import { OTHERS_MS, p99, timed } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";

/** One in this many statuses is of the last three days. */
const RECENT = 20;
/** Environment: what the servers of the other hot spots keep for ever is deleted by age here. */
const RETENTION = { NOTIFICATION_RETENTION_DAYS: "365", REMOTE_STATUS_RETENTION_DAYS: "30" };
/** Seconds after which chores that run in slices are stopped. */
const MOST_SECONDS = 30;
const WRITERS_MS = 100;
const SESSION = "bench-owner";
const DAY_MS = 86_400_000;

/** `run` says what was left, where it was stopped before its end. */
type Chore = { name: string; run(bench: Bench): Promise<string | void> };

const ownerNumber = ({ world }: Bench): number => authorNumber(world, 15);

/** Runs a job; returns false where it was stopped before its end. */
const runJob = async ({ server: { sql } }: Bench, job: Job, end: number): Promise<boolean> => {
  await enqueueJobs(sql, [job]);
  for (;;) {
    const isLate = performance.now() > end;
    const { waiting, fault } = await selectJobs(sql, [job.name]);
    if (fault !== null) throw new Error(`${job.name} failed: ${fault}`);
    if (waiting === 0) return !isLate;
    if (isLate) await deleteJobs(sql, [job.name]);
    await sleep(10);
  }
};

/** Runs the chosen scheduled jobs, one after the other, as each has a minute of its own. */
const ofClock = (name: string, chosen: (job: Job) => boolean): Chore => ({
  name,
  async run(bench) {
    const jobs = crontab
      .map(({ job, payload, key = job }): Job => ({ name: job, payload, key }))
      .filter(chosen);
    const end = performance.now() + MOST_SECONDS * Math.min(1, bench.seconds) * 1000;
    for (const job of jobs) {
      if (!(await runJob(bench, job, end))) return "stopped before its end";
    }
  },
});

const isPass = ({ payload }: Job): boolean =>
  "what" in payload && payload.what === "remote_statuses";
const isRetention = ({ name }: Job): boolean => name === "retention.due";
const ALONE = ["trends.refresh", "figures.count", "servers.count"];
/** Jobs that start a process of their own. */
const APART = ["backup.due", "doctor.due"];

const clockChores: Chore[] = [
  ...ALONE.map((name) => ofClock(name, (job) => job.name === name)),
  ofClock(
    "the other jobs of the clock",
    (job) => ![...ALONE, ...APART].includes(job.name) && !isRetention(job),
  ),
  ofClock("retention of everything but posts", (job) => isRetention(job) && !isPass(job)),
  ofClock("retention of others’ posts", isPass),
];

const lastDays = (days: number) => ({
  start_at: new Date(Date.now() - days * DAY_MS).toISOString(),
  end_at: new Date().toISOString(),
});

const ask = async (bench: Bench, name: string, body: object): Promise<void> => {
  await timed(bench, "POST", `/api/v1/admin/${name}`, tokenOf(ownerNumber(bench)), body);
};

const staffChores: Chore[] = [
  {
    name: "measures of three months",
    run: (bench) =>
      ask(bench, "measures", {
        keys: ["active_users", "new_users", "interactions", "posts", "media", "opened_reports"],
        ...lastDays(90),
      }),
  },
  {
    name: "measures of a server and a tag",
    run: (bench) =>
      ask(bench, "measures", {
        keys: [
          ...["accounts", "media_attachments", "reports", "statuses", "follows", "followers"].map(
            (key) => `instance_${key}`,
          ),
          ...["accounts", "uses", "servers"].map((key) => `tag_${key}`),
        ],
        ...Object.fromEntries(
          ["accounts", "media_attachments", "reports", "statuses", "follows", "followers"].map(
            (key) => [`instance_${key}`, { domain: "h1.example" }],
          ),
        ),
        ...Object.fromEntries(
          ["accounts", "uses", "servers"].map((key) => [`tag_${key}`, { id: "1" }]),
        ),
        ...lastDays(30),
      }),
  },
  {
    name: "dimensions and cohorts",
    async run(bench) {
      const keys = ["languages", "sources", "servers", "space_usage", "instance_accounts"];
      const about = { instance_accounts: { domain: "h1.example" } };
      await ask(bench, "dimensions", { keys, ...about, ...lastDays(30) });
      await ask(bench, "retention", { frequency: "month", ...lastDays(365) });
    },
  },
  {
    name: "the first page of the staff",
    async run({ world }) {
      const headers = { cookie: `rookery_session=${SESSION}` };
      for (const days of [30, 365]) {
        const url = `http://${world.host}/admin?days=${days}`;
        const { status } = await fetch(url, { headers, redirect: "manual" });
        if (status !== 200) throw new Error(`${url} answered ${status}`);
      }
    },
  },
];

const QUERIES = [
  ["accounts", ["stranger", "person 1", "u1", "r1@h", "@u7", "the rook builds", "zz"]],
  ["statuses", ["rook", "colony weather", '"young ones learn"', "rook from:u3"]],
  ["hashtags", ["topic", "t"]],
] as const;

const searches: Chore[] = QUERIES.map(([type, queries]) => ({
  name: `search: ${type}`,
  async run(bench) {
    for (const q of queries) {
      const path = `/api/v2/search?${new URLSearchParams({ q, type, limit: "40" })}`;
      await timed(bench, "GET", path, tokenOf(1));
    }
  },
}));

const pages: Chore = {
  name: "the directory, suggestions and trends",
  async run(bench) {
    for (const path of [
      "/api/v1/directory?order=active&limit=80",
      "/api/v1/directory?order=new&limit=80",
      "/api/v2/suggestions?limit=80",
      "/api/v1/trends/statuses?limit=40",
      "/api/v1/trends/tags?limit=20",
      "/api/v1/trends/links?limit=20",
      `/api/v1/timelines/tag/${tagName(1)}?limit=40`,
    ]) {
      await timed(bench, "GET", path, tokenOf(1));
    }
  },
};

const vacuums: Chore = {
  name: `VACUUM (ANALYZE) of ${LARGE_TABLES.length} tables`,
  async run({ server }) {
    for (const table of LARGE_TABLES) await vacuum(server.sql, table);
  },
};

const backup: Chore = {
  name: "rookery backup",
  async run({ server }) {
    const folder = join(server.dataDir, "backups");
    mkdirSync(folder, { recursive: true });
    await runCommand(server, ["backup", join(folder, `${Date.now()}.rookery`)]);
  },
};

const CHORES = [...clockChores, ...staffChores, ...searches, pages, vacuums, backup];

/** Measures a little longer than a short chore takes, because a percentile needs answers. */
const measure = async (
  bench: Bench,
  { name, run }: Chore,
  readers: Others,
  writers: Others,
): Promise<Figure[]> => {
  const [read, written] = [await readers.mark(), await writers.mark()];
  const began = performance.now();
  const left = await run(bench);
  const ms = performance.now() - began;
  await sleep(Math.max(0, bench.seconds * 1000 - ms));
  return [
    { what: left ? `${name} (${left})` : name, value: ms / 1000, unit: "s", most: null },
    p99(`p99 of those who read, ${name}`, await read(), OTHERS_MS),
    p99(`p99 of those who write, ${name}`, await written(), WRITERS_MS),
  ];
};

export const chores: Spot = {
  name: "chores",
  async prepare(bench) {
    const { sql } = bench.server;
    await insertRecent(sql, Math.ceil(bench.world.statuses / RECENT));
    await appointOwner(sql, ownerNumber(bench), SESSION);
  },
  restart: RETENTION,
  async run(bench, readers, everybody) {
    const writers = await everybody.writers(bench);
    const figures: Figure[] = [];
    for (const chore of [{ name: "nothing else", run: async () => {} }, ...CHORES]) {
      figures.push(...(await measure(bench, chore, readers, writers)));
    }
    await writers.stop();
    return figures;
  },
};
