// Floor of serving files: nginx, where the system has it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../../src/platform/config/programs.ts";
import { freePort, trackChild } from "../server.ts";

export type Nginx = { port: number; pid: number; stop(): Promise<void> };

const configOf = (folder: string, port: number): string => `
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
daemon off;
user root;
master_process off;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  types { image/jpeg jpg; }
  server { listen 127.0.0.1:${port}; root ${folder}/files; }
}
`;

/** Serves the file as /file.jpg; null: there is no nginx. */
export const startNginx = async (folder: string, file: string): Promise<Nginx | null> => {
  const program = findProgram("nginx") ?? findProgram("/usr/sbin/nginx");
  if (program === null) return null;
  const port = await freePort();
  mkdirSync(join(folder, "files"), { recursive: true });
  copyFileSync(file, join(folder, "files/file.jpg"));
  writeFileSync(join(folder, "nginx.conf"), configOf(folder, port));
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const child = spawn(program, args, { stdio: "ignore" });
  trackChild(child);
  for (let n = 0; ; n++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/file.jpg`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (n > 200) throw new Error("nginx does not answer");
    await sleep(20);
  }
  return {
    port,
    pid: child.pid!,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};
