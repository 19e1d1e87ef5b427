// Checks bodies against the contract's entity schemas (test/contract/entities).

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const FOLDER = new URL("./contract/entities/", import.meta.url);
const FILES = readdirSync(FOLDER);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
for (const name of FILES) {
  ajv.addSchema(JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")));
}

export const entityNames = (): string[] => FILES.map((name) => name.replace(/\.json$/, ""));

/** Returns the faults of a body as an entity ("Status"), each with its path; empty if it is valid. */
export const entityFaults = (entity: string, body: unknown): string[] => {
  const validate = ajv.getSchema(`${entity}.json`);
  if (!validate) throw new Error(`the contract has no entity ${entity}`);
  if (validate(body)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message}`);
};

/** Fails the test with every fault of the body. */
export const assertEntity = (entity: string, body: unknown): void => {
  assert.deepEqual(entityFaults(entity, body), [], `not a ${entity}: ${JSON.stringify(body)}`);
};
