// Starts Debian's slapd as the directory of a city, on ports, in a folder and with a certificate of its own.

import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Attribute, Change, Client } from "ldapts";

const PROGRAM = "/usr/sbin/slapd";
export const BASE = "dc=city,dc=example";
export const READER = { dn: `cn=reader,${BASE}`, password: "the reader's secret" };
const ADMIN = { dn: `cn=admin,${BASE}`, password: "the admin's secret" };

const isThere = (): boolean => {
  try {
    accessSync(PROGRAM, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Value for tests' `skip`. With NEED_SLAPD tests fail instead. */
export const withoutSlapd =
  !isThere() && process.env["NEED_SLAPD"] === undefined
    ? "there is no slapd (apt-get install slapd)"
    : false;

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => resolve(socket.destroy() !== null));
  });

const makeCertificate = (folder: string): void => {
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  execFileSync(
    "openssl",
    [
      ...words.split(" "),
      "-keyout",
      join(folder, "key"),
      "-out",
      join(folder, "certificate"),
      "-subj",
      "/CN=localhost",
      "-addext",
      names,
    ],
    { stdio: "ignore" },
  );
};

/** The reader may read everything but passwords, as directories are set up for those who ask them. */
const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCertificateFile ${folder}/certificate
TLSCertificateKeyFile ${folder}/key
pidfile ${folder}/pid
argsfile ${folder}/args
database mdb
suffix "${BASE}"
rootdn "${ADMIN.dn}"
rootpw "${ADMIN.password}"
directory ${folder}/db
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by anonymous auth by * none
`;

export const startSlapd = async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-slapd-"));
  mkdirSync(join(folder, "db"));
  makeCertificate(folder);
  writeFileSync(join(folder, "conf"), configuration(folder));
  const [port, tlsPort] = [await freePort(), await freePort()];
  // The certificate is none of 127.0.0.2.
  const listens = [1, 2]
    .map((n) => `ldap://127.0.0.${n}:${port} ldaps://127.0.0.${n}:${tlsPort}`)
    .join(" ");
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(PROGRAM, ["-d", "0", "-f", join(folder, "conf"), "-h", listens], {
      stdio: "ignore",
    });
    for (let n = 0; n < 500 && !(await answers(tlsPort)); n++) await sleep(10);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  process.once("exit", () => child.kill("SIGKILL"));
  await start();

  const asAdmin = async (work: (client: Client) => Promise<void>): Promise<void> => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` });
    await client.bind(ADMIN.dn, ADMIN.password);
    await work(client);
    await client.unbind();
  };
  const dnOf = (uid: string): string => `uid=${uid},${BASE}`;
  const groupOf = (name: string): string => `cn=${name},${BASE}`;
  const change = (dn: string, operation: "add" | "replace" | "delete", values: object) =>
    asAdmin(async (client) => {
      for (const [type, value] of Object.entries(values)) {
        const modification = new Attribute({ type, values: [value] });
        await client.modify(dn, new Change({ operation, modification }));
      }
    });
  await asAdmin(async (client) => {
    await client.add(BASE, { objectClass: ["dcObject", "organization"], dc: "city", o: "City" });
    await client.add(READER.dn, {
      objectClass: ["organizationalRole", "simpleSecurityObject"],
      cn: "reader",
      userPassword: READER.password,
    });
  });
  return {
    port,
    tlsPort,
    certificatePath: join(folder, "certificate"),
    certificate: readFileSync(join(folder, "certificate"), "utf8"),
    groupOf,
    dnOf,
    addPerson: (uid: string, values: Record<string, string> = {}) =>
      asAdmin((client) =>
        client.add(dnOf(uid), {
          objectClass: "inetOrgPerson",
          cn: uid,
          sn: uid,
          mail: `${uid}@city.example`,
          userPassword: `${uid}'s password`,
          ...values,
        }),
      ),
    removePerson: (uid: string) => asAdmin((client) => client.del(dnOf(uid))),
    addGroup: (name: string, uid: string) =>
      asAdmin((client) =>
        client.add(groupOf(name), {
          objectClass: "groupOfNames",
          cn: name,
          member: [READER.dn, dnOf(uid)],
        }),
      ),
    join: (name: string, uid: string) => change(groupOf(name), "add", { member: dnOf(uid) }),
    leave: (name: string, uid: string) => change(groupOf(name), "delete", { member: dnOf(uid) }),
    replace: (uid: string, values: object) => change(dnOf(uid), "replace", values),
    rename: (uid: string, other: string) =>
      asAdmin((client) => client.modifyDN(dnOf(uid), `uid=${other}`)),
    /** Lets it answer nothing until `goOn`. */
    pause: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Slapd = Awaited<ReturnType<typeof startSlapd>>;
