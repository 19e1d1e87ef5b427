// Counts the files of src that an act runs through with warm caches, which somebody has to open to follow it. `npm run
// passes` prints the numbers, `npm run passes -- files` the files and functions as well.

import { Session } from "node:inspector/promises";
import type { Profiler } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { eventTable } from "../src/events.ts";
import { startOutbox } from "../src/platform/outbox/worker.ts";
import { startTestApp } from "./harness.ts";

/** The functions that ran, by file. */
type Passed = Map<string, Set<string>>;

/**
 * Acts of each kind before the counted ones, and number of those: the lowest count had warm caches, and nothing else to
 * do, such as what timers begin on a busy machine.
 */
const WARM = 3;
const COUNTED = 6;

const session = new Session();
session.connect();

const ranIn = ({ functions }: Profiler.ScriptCoverage): string[] =>
  functions
    .filter(({ ranges: [whole] }) => whole!.count > 0 && whole!.startOffset > 0)
    .map(({ functionName }) => functionName || "(a function)");

/** Returns what ran since the last call. */
const take = async (): Promise<Passed> => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const passed: Passed = new Map();
  for (const script of result) {
    const path = /\/(src\/.*)$/.exec(script.url)?.[1];
    const names = path && !script.url.includes("node_modules") ? ranIn(script) : [];
    if (names.length > 0) passed.set(path!, new Set(names));
  }
  return passed;
};

const joined = (...parts: Passed[]): Passed => {
  const all: Passed = new Map();
  for (const [path, names] of parts.flatMap((part) => [...part])) {
    all.set(path, new Set([...(all.get(path) ?? []), ...names]));
  }
  return all;
};

const least = (counts: Passed[]): Passed => counts.toSorted((a, b) => a.size - b.size)[0]!;

/** Milliseconds for which events wait, so that what follows an act is not counted with its answer. */
const GATHER_MS = 300;

// Of the worker only the part runs that follows these acts, as in a real server; jobs and deliveries have none to do.
const server = await startTestApp({ worker: false });
const outbox = await startOutbox(server.app, eventTable, {
  gather: GATHER_MS,
  settle: 0,
  poll: 3_600_000,
  help: 0,
});

/** Waits for all that follows, and refuses jobs that would have to be counted as well. */
const allFollowed = async (): Promise<void> => {
  while (!outbox.isIdle()) await sleep(1);
  const jobs = server.enqueued.splice(0);
  if (jobs.length > 0) throw new Error(`not counted: ${jobs.map(({ name }) => name).join(", ")}`);
};

/** Returns the files that ran up to the answer, and those of all that follows as well. */
const count = async (act: () => Promise<unknown>): Promise<[answer: Passed, all: Passed]> => {
  for (let n = 0; n < WARM; n++) {
    await act();
    await allFollowed();
  }
  const [answers, alls]: [Passed[], Passed[]] = [[], []];
  for (let n = 0; n < COUNTED; n++) {
    await take();
    await act();
    const answer = await take();
    await allFollowed();
    answers.push(answer);
    alls.push(joined(answer, await take()));
  }
  return [least(answers), least(alls)];
};

const show = (name: string, passed: Passed): void => {
  console.log(`${name}: ${passed.size} files`);
  if (!process.argv.includes("files")) return;
  for (const [path, names] of [...passed].sort()) console.log(`  ${path}: ${[...names].join(" ")}`);
};

const alice = await server.person("alice");
const bob = await server.person("bob");
await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
while (!outbox.isIdle()) await sleep(1);
server.enqueued.length = 0;
const ids: string[] = [];
const post = async (): Promise<void> => {
  const json = { status: `post ${ids.length} #tag` };
  const response = await alice.post("/api/v1/statuses", json);
  ids.push(response.json.id);
};
const favourite = () => bob.post(`/api/v1/statuses/${ids.pop()}/favourite`);

await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const posted = await count(post);
const favoured = await count(favourite);
show("a post, to its answer", posted[0]);
show("a post, with all that follows", posted[1]);
show("a favourite, to its answer", favoured[0]);
show("a favourite, with all that follows", favoured[1]);
await outbox.stop();
await server.close();
