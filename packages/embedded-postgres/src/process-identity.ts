// Identifies the process behind a process id. The system reuses ids, so this identity is stored with an id.

import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

/** Returns the fields of /proc/PID/stat from the third on, since the second, a name, may contain spaces. */
const statFields = (pid: number): string[] | null => {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

const psField = (pid: number, field: string): string | null => {
  try {
    return execFileSync("ps", ["-o", `${field}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
};

/**
 * Returns a text that stays the same while the process lives and that no other process ever has; null when there is no
 * such process or it is a zombie (proc(5), `stat`).
 */
export const processIdentity = (pid: number): string | null => {
  if (process.platform !== "linux") return psField(pid, "lstart");
  const fields = statFields(pid);
  if (!fields || fields[0] === "Z" || fields[0] === "X") return null;
  const boot = read("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${boot}/${fields[19]}`;
};

/**
 * Returns a text that says where this process's ids are valid: the same for processes that can look one another up by
 * their ids. It differs between containers and machines, and after a restart of the machine.
 */
export const processPlace = (): string => {
  if (process.platform !== "linux") return hostname();
  const boot = read("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  try {
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return boot;
  }
};

/** Whether `pid` is a running postgres whose data folder is `folder` (an absolute path without links). */
export const isPostgresOf = (pid: number, folder: string): boolean => {
  if (processIdentity(pid) === null) return false;
  if (process.platform !== "linux") return (psField(pid, "command") ?? "").includes(folder);
  if (read(`/proc/${pid}/comm`)?.trim() !== "postgres") return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder; // postgres always works in its data folder
  } catch (error) {
    // EACCES means a postgres of another user, which may be this one. Otherwise it has ended by now.
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
};

/** Whether the process that started `pid` is alive and is a node. */
export const isChildOfNode = (pid: number): boolean => {
  const parent = Number(process.platform === "linux" ? statFields(pid)?.[1] : psField(pid, "ppid"));
  if (!(parent > 1)) return false;
  const command =
    process.platform === "linux" ? read(`/proc/${parent}/cmdline`) : psField(parent, "command");
  const [program = ""] = (command ?? "").split(/[\0 ]/);
  return /(?:^|\/)node$/.test(program);
};
