// Reads package-lock.json: which packages a server needs, and which of them are for a platform.

/** What the lock file says of a package. */
export type Locked = {
  name?: string;
  version: string;
  integrity?: string;
  license?: string;
  /** True when only developers need it. */
  dev?: boolean;
  /** True when it is a link to a folder of the repository. */
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** By the path of the package below the root, which is the empty one. */
export type Packages = Record<string, Locked>;

export type Lock = { lockfileVersion: number; packages: Packages };

/** As npm names them; `libc` is that of Linux. */
export type Platform = { os: string; cpu: string; libc?: string };

const FOLDER = "node_modules/";

/** Returns the folder around the innermost node_modules of a path. */
const above = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf(FOLDER))).replace(/\/$/, "");

/** Returns where a package finds another one by its name: in its own node_modules, or in one above. */
const find = (packages: Packages, from: string, name: string): string | null => {
  for (let at = from; ; at = above(at)) {
    const path = `${at === "" ? "" : `${at}/`}${FOLDER}${name}`;
    if (packages[path]) return path;
    if (at === "") return null;
  }
};

const needs = (locked: Locked): string[] => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
};

const isFor = ({ os, cpu, libc }: Locked, platform: Platform): boolean =>
  (os?.includes(platform.os) ?? true) &&
  (cpu?.includes(platform.cpu) ?? true) &&
  (libc === undefined || platform.libc === undefined || libc.includes(platform.libc));

/** Returns the paths of what a package needs by itself. */
export const neededBy = (packages: Packages, path: string): string[] =>
  needs(packages[path]!).flatMap((name) => find(packages, path, name) ?? []);

/** Returns the sorted paths of what these packages need, also by others: for a platform, or for all of them. */
const neededByAll = (
  packages: Packages,
  from: string[],
  platform: Platform | null = null,
): string[] => {
  const paths = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const next of neededBy(packages, path)) {
      const isWanted = platform === null || isFor(packages[next]!, platform);
      if (paths.has(next) || !isWanted) continue;
      paths.add(next);
      waiting.push(next);
    }
  return [...paths].sort();
};

/** Returns what the server needs, which is the root's; what its workspaces need is built already. */
export const serverPackages = (packages: Packages, platform: Platform | null = null): string[] =>
  neededByAll(packages, [""], platform);

/** Returns those of them that a running server can load: types are for compilers. */
export const loadedPackages = (packages: Packages, platform: Platform | null = null): string[] =>
  serverPackages(packages, platform).filter((path) => !nameOf(path).startsWith("@types/"));

/** What builds the client, and is not in it. */
const BUILDERS = new Set(["vite"]);

/** Returns the packages that are built into the web client. */
export const clientPackages = (packages: Packages): string[] => {
  const direct = neededBy(packages, "web").filter(
    (path) => !BUILDERS.has(path.slice(FOLDER.length)),
  );
  return [...new Set([...direct, ...neededByAll(packages, direct)])].sort();
};

/** Returns the name of the package at a path. */
export const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
