// Measures what a process tree costs: CPU time from /proc/PID/stat, memory as PSS from smaps_rollup. Linux.

import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ: ticks per second in /proc/PID/stat, 100 on every Linux that Node runs on (proc(5)). */
const TICKS_PER_SECOND = 100;

type Stat = { pid: number; parent: number; name: string; seconds: number };

const readStat = (pid: number, thread = ""): Stat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/${thread}stat`, "latin1");
    const end = text.lastIndexOf(")");
    const fields = text.slice(end + 2).split(" ");
    // utime, stime, cutime and cstime also count children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    const name = text.slice(text.indexOf("(") + 1, end);
    return { pid, parent: Number(fields[1]), name, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null; // it has ended
  }
};

const allStats = (): Stat[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);

/** Returns the process and its descendants. */
const treeOf = (root: number): Stat[] => {
  const all = allStats();
  const tree = all.filter((stat) => stat.pid === root);
  for (const member of tree) tree.push(...all.filter((stat) => stat.parent === member.pid));
  return tree;
};

/** Returns the ids of the process and of its descendants. */
export const pidsOf = (root: number): number[] => treeOf(root).map(({ pid }) => pid);

const isValkey = (stat: Stat): boolean => /^(?:redis|valkey)-serv/.test(stat.name);
const isPostgres = (stat: Stat): boolean => stat.name.startsWith("postgres");

export type Cpu = { node: number; postgres: number; valkey: number; total: number };

/** Returns the CPU seconds so far of the process trees of `roots`, separately for PostgreSQL, Valkey and the others. */
export const cpuOf = (...roots: number[]): Cpu => {
  const cpu: Cpu = { node: 0, postgres: 0, valkey: 0, total: 0 };
  for (const stat of roots.flatMap(treeOf)) {
    cpu[isPostgres(stat) ? "postgres" : isValkey(stat) ? "valkey" : "node"] += stat.seconds;
    cpu.total += stat.seconds;
  }
  return cpu;
};

/** Returns the CPU seconds so far of the first threads of these processes, which run JavaScript. */
export const firstThreadsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (readStat(pid, `task/${pid}/`)?.seconds ?? 0), 0);

/** Returns the main postgres process in the tree of `root`. */
export const postgresOf = (root: number): number => {
  const postgres = treeOf(root).find(isPostgres);
  if (!postgres) throw new Error(`no postgres runs below process ${root}`);
  return postgres.pid;
};

/**
 * Least seconds of CPU that count: the clock's resolution is 10 ms per process, so a shorter time would give a
 * meaningless rate.
 */
export const LEAST_SECONDS = 0.01;

/** Runs `work`; returns its result and the CPU seconds that the trees used during it. */
export const whileWorking = async <T>(
  roots: number[],
  work: () => Promise<T>,
): Promise<{ result: T; cpu: Cpu }> => {
  const before = cpuOf(...roots);
  const result = await work();
  const after = cpuOf(...roots);
  const node = after.node - before.node;
  const postgres = after.postgres - before.postgres;
  const valkey = after.valkey - before.valkey;
  const total = Math.max(LEAST_SECONDS, node + postgres + valkey);
  return { result, cpu: { node, postgres, valkey, total } };
};

const pssOf = (pid: number): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended, or is a zombie
  }
};

/** `programs` is what the roots started, apart from PostgreSQL; a part of `node`. */
export type Memory = { node: number; postgres: number; programs: number; total: number };

/** Returns MB of memory of the trees of `roots` (PSS: a shared page counts in proportion). */
export const memoryOf = (...roots: number[]): Memory => {
  const memory: Memory = { node: 0, postgres: 0, programs: 0, total: 0 };
  for (const stat of roots.flatMap(treeOf)) {
    const megabytes = pssOf(stat.pid);
    if (!isPostgres(stat) && !roots.includes(stat.pid)) memory.programs += megabytes;
    memory[isPostgres(stat) ? "postgres" : "node"] += megabytes;
    memory.total += megabytes;
  }
  return memory;
};
