// The chart for Kubernetes: its processes, settings and probes are those that the server has.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../src/platform/config/config.ts";
import { findProgram } from "../src/platform/config/programs.ts";
import { VARIABLES } from "../src/platform/config/variables.ts";
import { ROLES } from "../src/roles/roles.ts";

const ROOT = join(import.meta.dirname, "..");
const CHART = join(ROOT, "deploy/helm");
const read = (path: string): string => readFileSync(join(CHART, path), "utf8");
const isVariable = (name: string): boolean => VARIABLES.some((variable) => variable.name === name);

test("the chart has the version of the server", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const chart = read("Chart.yaml");
  for (const name of ["version", "appVersion"])
    assert.ok(chart.includes(`\n${name}: ${version}\n`), name);
});

test("the Secret that it asks for has variables, by which several processes start", () => {
  const said = read("values.yaml").replaceAll("\n# ", " ");
  const list = /rookery\.env has [^;]*/.exec(said)?.[0] ?? "";
  const names = list.match(/[A-Z][A-Z_]+[A-Z]/g) ?? [];
  assert.ok(names.length >= 7, list);
  for (const name of names) assert.ok(isVariable(name), name);
});

test("the container may write where the chart has a volume, and has time to stop", () => {
  const processes = read("templates/processes.yaml");
  const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const [, data] = /DATA_DIR=(\S+)/.exec(dockerfile)!;
  assert.ok(processes.includes(`name: data, mountPath: ${data} `));
  assert.ok(processes.includes(`containerPort: ${/PORT=(\d+)/.exec(dockerfile)![1]} `));
  assert.ok(Number(/terminationGracePeriodSeconds: (\d+)/.exec(processes)![1]) > 30);
});

const helm = findProgram("helm");
const GIVEN = [
  "domain=social.example",
  "bucket=social",
  "image.repository=registry.example/rookery",
];

const rendered = (given: string[]): string =>
  execFileSync(
    helm!,
    ["template", "birds", CHART, ...given.flatMap((value) => ["--set-string", value])],
    { encoding: "utf8" },
  );

/** Each document of the chart, by its kind and name. */
const documentsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(/^---$/m).flatMap((part) => {
      const name = /^kind: (\w+)\nmetadata:\n {2}name: (.*)$/m.exec(part);
      return name ? [[`${name[1]} ${name[2]}`, part] as const] : [];
    }),
  );

test(
  "helm makes a process of each role, with settings that are read",
  { skip: helm ? false : "there is no helm" },
  () => {
    const documents = documentsOf(rendered([...GIVEN, "settings.SMTP_SERVER=mail.example"]));
    for (const role of ROLES) {
      const process = documents.get(`Deployment birds-${role}`)!;
      assert.match(process, new RegExp(`args: \\[start, --roles, ${role}\\]`));
      assert.ok(documents.has(`PodDisruptionBudget birds-${role}`));
    }
    const settings = documents.get("ConfigMap birds-settings")!;
    const env = Object.fromEntries(
      [...settings.matchAll(/^ {2}([A-Z_0-9]+): "(.*)"$/gm)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
    for (const name of Object.keys(env)) assert.ok(isVariable(name), name);
    assert.equal(readConfig(env).site.localDomain, "social.example");
    const ingress = documents.get("Ingress birds")!;
    assert.match(ingress, /path: \/api\/v1\/streaming\n +pathType: Prefix\n.*birds-streaming/);
  },
);

test(
  "helm refuses what lacks a domain, a bucket or an image",
  { skip: helm ? false : "there is no helm" },
  () => {
    for (const left of GIVEN) {
      const others = GIVEN.filter((value) => value !== left).flatMap((value) => ["--set", value]);
      const { status, stderr } = spawnSync(helm!, ["template", "birds", CHART, ...others], {
        encoding: "utf8",
      });
      assert.notEqual(status, 0);
      assert.ok(stderr.includes(`${left.split("=")[0]}: `), stderr);
    }
  },
);
