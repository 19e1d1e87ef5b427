// Generates src/domain/about/instance/openapi/answers.json from the contract, without what this server never answers
// (left-out.ts). Run as a program it rewrites the file.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import type { Documented } from "../../src/domain/about/instance/extensions.ts";
import { asPromised } from "./left-out.ts";
import { ROWS, nameOf } from "./rows.ts";

const ENTITIES = new URL("./entities/", import.meta.url);
export const ANSWERS = new URL(
  "../../src/domain/about/instance/openapi/answers.json",
  import.meta.url,
);

export const contractAnswers = (): Documented => {
  const rows = ROWS.flatMap((row) => {
    const parameters = row.params.filter((each) => each.in !== "path" && each.in !== "json");
    const described = {
      tag: row.group,
      responses: row.responses,
      ...(parameters.length > 0 && { parameters }),
    };
    return [row.method, ...(row.alt_methods ?? [])].map((method) => [
      nameOf({ ...row, method }),
      described,
    ]);
  });
  const names = readdirSync(ENTITIES).toSorted();
  const entities = names.map((name) => [
    name.replace(/\.json$/, ""),
    JSON.parse(readFileSync(new URL(name, ENTITIES), "utf8")),
  ]);
  return {
    answers: Object.fromEntries(rows),
    entities: asPromised(Object.fromEntries(entities)),
  };
};

if (import.meta.main) writeFileSync(ANSWERS, `${JSON.stringify(contractAnswers())}\n`);
