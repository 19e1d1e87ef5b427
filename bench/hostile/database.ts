// Attack: the database hangs, or is killed.

import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf, postgresOf } from "../measure.ts";
import type { Attack, Stage } from "./attack.ts";
import { ask, timeUntil } from "./tools.ts";

const PERSON = 1;
const HANGING_SECONDS = 10;

const read = (stage: Stage) => ask(stage, PERSON, "/api/v1/timelines/home");
const post = (stage: Stage, status: string) => ask(stage, PERSON, "/api/v1/statuses", { status });

/** Sends a post each 100 ms, whatever becomes of them; returns the slowest 503 and the number of other answers. */
const watchPosts = (stage: Stage) => {
  const waiting: Promise<{ status: number; ms: number }>[] = [];
  const timer = setInterval(() => waiting.push(post(stage, "while it is away")), 100);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(waiting);
    const refused = answers.filter(({ status }) => status === 503);
    return {
      slowest: Math.max(...refused.map(({ ms }) => ms)),
      failed: answers.filter(({ status }) => status !== 503 && status !== 200).length,
    };
  };
};

export const databaseHangs: Attack = {
  name: "database_hangs",
  async run(stage) {
    await read(stage);
    const pids = pidsOf(stage.server.postgresPid);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const stop = watchPosts(stage);
    const told = await timeUntil(async () => (await read(stage)).status === 503, 30);
    const healthTold = (await ask(stage, null, "/health")).status === 503;
    await sleep(HANGING_SECONDS * 1000 - told);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    const back = await timeUntil(async () => (await post(stage, "again")).status === 200, 60);
    const { slowest, failed } = await stop();
    return [
      { what: "database hangs: time until 503", seen: told, unit: "ms", most: 5000 },
      { what: "slowest 503 of a post meanwhile", seen: slowest, unit: "ms", most: 5000 },
      { what: "answers other than 200 and 503", seen: failed, unit: "", most: 0 },
      { what: "/health did not tell", seen: healthTold ? 0 : 1, unit: "", most: 0 },
      { what: "time until posting works after it goes on", seen: back, unit: "ms", most: 5000 },
    ];
  },
};

export const databaseKilled: Attack = {
  name: "database_killed",
  async run(stage) {
    await read(stage);
    await post(stage, "before");
    process.kill(stage.server.postgresPid, "SIGKILL");
    await sleep(200);
    const back = await timeUntil(async () => (await post(stage, "again")).status === 200, 60);
    stage.server.postgresPid = postgresOf(stage.server.pid);
    const { body } = await ask(stage, PERSON, "/api/v1/accounts/verify_credentials");
    const lost = body.includes("statuses_count") ? 0 : 1;
    return [
      {
        what: "database killed: time until posting works",
        seen: back + 200,
        unit: "ms",
        most: 10_000,
      },
      { what: "reading fails afterwards", seen: lost, unit: "", most: 0 },
    ];
  },
};
