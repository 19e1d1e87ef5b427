// The floor of serving files: nginx, where the system has it.

import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawnNginx, withoutNginx } from "../../test/nginx.ts";
import { freePort } from "../../test/free-port.ts";
import { trackChild } from "../server.ts";

export type Nginx = { port: number; pid: number; stop(): Promise<void> };

const configOf = (folder: string, port: number): string => `
  keepalive_requests 1000000;
  types { image/jpeg jpg; }
  server { listen 127.0.0.1:${port}; root ${folder}/files; }
`;

/** Serves the file as /file.jpg; returns null where there is no nginx. */
export const startNginx = async (folder: string, file: string): Promise<Nginx | null> => {
  if (withoutNginx) return null;
  const port = await freePort();
  mkdirSync(join(folder, "files"), { recursive: true });
  copyFileSync(file, join(folder, "files/file.jpg"));
  const child = spawnNginx(folder, configOf(folder, port));
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
