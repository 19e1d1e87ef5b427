// Runs the stages of the Dockerfile without Docker: each has a folder with exactly the files that are copied into it,
// by the rules of .dockerignore, and its commands run there.

import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, matchesGlob } from "node:path";

const ROOT = join(import.meta.dirname, "..");

type Instruction = { word: string; rest: string };

export type Stage = { name: string; instructions: Instruction[] };

/** Returns the stages in order; the last one is the image. */
export const readStages = (dockerfile: string): Stage[] => {
  const stages: Stage[] = [];
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  for (const line of lines) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line.trim()) ?? [];
    if (word === undefined || rest === undefined) continue;
    if (word === "FROM") {
      const name = / AS (\S+)$/.exec(rest)?.[1] ?? "image";
      stages.push({ name, instructions: [] });
    } else stages.at(-1)!.instructions.push({ word, rest });
  }
  return stages;
};

/**
 * Returns whether a path is sent to Docker: the last line that matches it, or a folder of it, counts.
 * https://docs.docker.com/build/concepts/context/#dockerignore-files
 */
export const sentBy = (ignore: string): ((path: string) => boolean) => {
  const rules = ignore
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ isSent: line.startsWith("!"), pattern: line.replace(/^!/, "") }));
  const matches = (path: string, pattern: string): boolean => {
    for (let part = path; part !== "."; part = dirname(part))
      if (matchesGlob(part, pattern)) return true;
    return false;
  };
  return (path) => rules.findLast(({ pattern }) => matches(path, pattern))?.isSent ?? true;
};

export type StageOptions = {
  folder: string;
  /** Folders of the stages before. */
  others: Map<string, string>;
  /** Returns the replacement of a command; null to leave it out. */
  replace: (command: string) => string | null;
  env: NodeJS.ProcessEnv;
};

const isSent = sentBy(readFileSync(join(ROOT, ".dockerignore"), "utf8"));

const contextFiles = (source: string): string[] =>
  globSync([source, `${source}/**/*`], { cwd: ROOT, exclude: ["**/node_modules/**"] }).filter(
    (path) => statSync(join(ROOT, path)).isFile() && isSent(path),
  );

const copyFile = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
};

/** Copies a folder's content into the target; a file goes below the target if that is a folder. */
const copyFromContext = (sources: string[], target: string, folder: string): void => {
  for (const source of sources) {
    const inside = contextFiles(source);
    if (inside.length === 0) throw new Error(`COPY ${source}: nothing of it gets into the build`);
    for (const path of inside) {
      const name = path === source ? basename(path) : path.slice(source.length + 1);
      const isInto = path !== source || target.endsWith("/");
      copyFile(join(ROOT, path), isInto ? join(folder, target, name) : join(folder, target));
    }
  }
};

const copy = (rest: string, { folder, others }: StageOptions): void => {
  const words = rest.split(/\s+/);
  const [, stage] = /^--from=(.*)$/.exec(words[0]!) ?? [];
  const target = words.at(-1)!;
  const sources = words.slice(stage === undefined ? 0 : 1, -1);
  if (stage === undefined) return copyFromContext(sources, target, folder);
  for (const source of sources) {
    const from = join(others.get(stage)!, source.replace(/^\/rookery\//, ""));
    if (!statSync(from, { throwIfNoEntry: false })) throw new Error(`COPY ${rest}: not there`);
    copyFile(from, join(folder, target));
  }
};

/** Runs a stage; throws with the output of a command that fails. */
export const runStage = ({ instructions }: Stage, options: StageOptions): void => {
  const { folder, replace, env } = options;
  mkdirSync(folder, { recursive: true });
  for (const { word, rest } of instructions) {
    if (word === "COPY") copy(rest, options);
    if (word !== "RUN") continue;
    const command = replace(rest.replaceAll("/rookery", folder));
    if (command === null) continue;
    execFileSync("/bin/sh", ["-c", command], { cwd: folder, env, stdio: "pipe", encoding: "utf8" });
  }
};
