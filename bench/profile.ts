// Takes a CPU profile of the server's node process while a scenario runs, through its inspector, and lists the
// statements that took PostgreSQL's time, the long turns of the event loop, and the size and misses of the caches.
// Profiling costs time, so the figures of such a run are worse.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { resetStatements, topStatements, trackStatements } from "./queries.ts";
import { cacheFigures } from "./server.ts";
import type { CacheFigures, Server } from "./server.ts";
import { END_TURNS, MARK_TURNS, placeOf, turnLines } from "./event-loop-turns.ts";
import type { Mark, Profile } from "./event-loop-turns.ts";

/** The result of an expression that gives a string. */
type Evaluated = { result: { value: string } };

type Session = {
  ask<T>(method: string, params?: object): Promise<T>;
  close(): void;
};

const openSession = async (address: string): Promise<Session> => {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 1 << 30 });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let next = 1;
  socket.on("message", (data) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  return {
    ask<T>(method: string, params: object = {}) {
      const id = next++;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise<T>((resolve) => waiting.set(id, resolve as (result: unknown) => void));
    },
    close: () => socket.close(),
  };
};

/** Returns the self time of each function as a share of all time that was not idle, largest first. */
const selfTimes = ({ nodes, samples, timeDeltas }: Profile): [string, number][] => {
  const names = new Map(nodes.map((node) => [node.id, placeOf(node)]));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const name = names.get(id)!;
    if (name === "(idle)") continue;
    const time = timeDeltas[index]!;
    busy += time;
    times.set(name, (times.get(name) ?? 0) + time);
  }
  return [...times]
    .map(([name, time]): [string, number] => [name, time / busy])
    .toSorted((a, b) => b[1] - a[1]);
};

type AllFigures = Map<string, CacheFigures>;

/** Returns what each cache was asked while the profile was taken, the one with the most misses first. */
const cacheLines = (before: AllFigures, after: AllFigures): string[] =>
  [...after]
    .map(([name, { hits, misses, bytes, limit }]) => {
      const earlier = before.get(name);
      const kilobytes = (of: number) => `${(of / 1024).toFixed(0)} KB`;
      return {
        name,
        size: `${kilobytes(bytes)} of ${kilobytes(limit)}`,
        hits: hits - (earlier?.hits ?? 0),
        misses: misses - (earlier?.misses ?? 0),
      };
    })
    .filter(({ hits, misses }) => hits + misses > 0)
    .toSorted((a, b) => b.misses - a.misses)
    .map(
      ({ name, size, hits, misses }) =>
        `${String(misses).padStart(8)} misses  ${String(hits).padStart(9)} hits  ${name}, ${size}`,
    );

type Marked = { profile: Profile; marks: Mark[] };

const summary = async (
  server: Server,
  { profile, marks }: Marked,
  before: AllFigures,
): Promise<string> => {
  const functions = selfTimes(profile)
    .slice(0, 30)
    .map(([name, part]) => `${(part * 100).toFixed(1).padStart(5)} %  ${name}`);
  const statements = (await topStatements(server.sql, 15)).map(
    ({ calls, total_ms, mean_ms, query }) =>
      `${total_ms.toFixed(0).padStart(7)} ms  ${String(calls).padStart(6)} × ${mean_ms.toFixed(3)} ms  ${query.trim().slice(0, 160)}`,
  );
  return [
    "Own time of functions, of the busy time of node",
    ...functions,
    "",
    "Statements by the time of PostgreSQL",
    ...statements,
    "",
    "Turns of the event loop",
    ...turnLines(profile, marks),
    "",
    "Caches",
    ...cacheLines(before, await cacheFigures(server.port)),
    "",
  ].join("\n");
};

/** Runs `work` under the profiler and writes NAME.cpuprofile and NAME.txt to `folder`. */
export const profiled = async <T>(
  server: Server,
  folder: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> => {
  if (!server.inspector) throw new Error("the server was not started for profiles");
  const session = await openSession(server.inspector);
  await trackStatements(server.sql, true);
  await sleep(100);
  await resetStatements(server.sql);
  const caches = await cacheFigures(server.port);
  await session.ask("Profiler.enable");
  await session.ask("Profiler.setSamplingInterval", { interval: 250 });
  await session.ask("Profiler.start");
  await session.ask("Runtime.evaluate", { expression: MARK_TURNS });
  try {
    return await work();
  } finally {
    const ended = await session.ask<Evaluated>("Runtime.evaluate", { expression: END_TURNS });
    const marks = JSON.parse(ended.result.value) as Mark[];
    const { profile } = await session.ask<{ profile: Profile }>("Profiler.stop");
    session.close();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
    writeFileSync(join(folder, `${name}.txt`), await summary(server, { profile, marks }, caches));
    await trackStatements(server.sql, false);
  }
};
