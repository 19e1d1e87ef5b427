// Starts Debian's PgBouncer in transaction mode in front of a PostgreSQL on a socket.

import { spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = "/usr/sbin/pgbouncer";

const isThere = (): boolean => {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Value for tests' `skip`. With NEED_PGBOUNCER tests fail instead. */
export const withoutPgBouncer =
  !isThere() && process.env["NEED_PGBOUNCER"] === undefined
    ? "there is no pgbouncer (apt-get install pgbouncer)"
    : false;

/** Id of the user that runs it, since it refuses to run as root. */
const NOBODY = 65534;

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => resolve(socket.destroy() !== null));
  });

/** `size` is the number of connections to the database for all clients. */
export const startPgBouncer = async (
  databaseUrl: string,
  size: number,
): Promise<{ url: string; close(): Promise<void> }> => {
  const { username, pathname, hostname, port } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "rookery-bouncer-"));
  chmodSync(folder, 0o755);
  const host = decodeURIComponent(hostname);
  const user = decodeURIComponent(username) || "postgres";
  writeFileSync(join(folder, "users"), `"${user}" ""\n`);
  writeFileSync(
    join(folder, "ini"),
    `[databases]
* = host=${host} port=${port || 5432} user=${user}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
auth_file = ${join(folder, "users")}
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 100
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const child = spawn(PROGRAM, ["-q", join(folder, "ini")], {
    stdio: "ignore",
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const socket = join(folder, ".s.PGSQL.6432");
  for (let n = 0; n < 500 && !(await answers(socket)); n++) await sleep(10);
  return {
    url: `postgres://${user}@${encodeURIComponent(folder)}:6432${pathname}`,
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
