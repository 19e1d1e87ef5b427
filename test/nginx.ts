// Starts a real nginx, where the system has it, in a folder of its own.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../src/platform/config/programs.ts";

const program = findProgram("nginx") ?? findProgram("/usr/sbin/nginx");

/** Value for tests' `skip`. */
export const withoutNginx = program ? false : "there is no nginx (apt-get install nginx)";

const PARTS = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** Starts nginx as one process, which ends with a signal. `http` is its HTTP configuration. */
export const spawnNginx = (folder: string, http: string): ChildProcess => {
  const main = join(folder, "nginx.conf");
  const temporary = PARTS.map((part) => `${part}_temp_path ${folder}/${part};`).join("\n  ");
  const config = `
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
daemon off;
user root;
master_process off;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  ${temporary}
  ${http}
}
`;
  writeFileSync(main, config);
  return spawn(program!, ["-p", folder, "-c", main, "-e", join(folder, "error.log")], {
    stdio: "ignore",
  });
};
