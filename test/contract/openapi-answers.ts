// Generates src/domain/instance/openapi/answers.json from the contract and what this server does otherwise
// (own-members.ts). Run as a program it rewrites the file.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { asAnswered } from "./own-members.ts";
import { OWN_ENTITIES, OWN_ROUTES } from "./own-routes.ts";
import { ROWS, nameOf } from "./rows.ts";

const ENTITIES = new URL("./entities/", import.meta.url);
export const ANSWERS = new URL("../../src/domain/instance/openapi/answers.json", import.meta.url);

export const wantedAnswers = (): unknown => {
  const rows = ROWS.map((row) => [nameOf(row), { tag: row.group, responses: row.responses }]);
  const names = readdirSync(ENTITIES).toSorted();
  const entities = names.map((name) => [
    name.replace(/\.json$/, ""),
    JSON.parse(readFileSync(new URL(name, ENTITIES), "utf8")),
  ]);
  return {
    answers: { ...Object.fromEntries(rows), ...OWN_ROUTES },
    entities: { ...asAnswered(Object.fromEntries(entities)), ...OWN_ENTITIES },
  };
};

if (import.meta.main) writeFileSync(ANSWERS, `${JSON.stringify(wantedAnswers())}\n`);
