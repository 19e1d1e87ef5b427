// Finds the contract's entity for a recorded request: every answer of ours is checked against it.

import { readFileSync } from "node:fs";
import { entityFaults } from "../schema.ts";
import type { Answer } from "../harness.ts";
import type { Exchange } from "./recording.ts";

type Row = { method: string; path: string; responses: Record<string, unknown> };

const file = new URL("../contract/endpoints.json", import.meta.url);
const rows = JSON.parse(readFileSync(file, "utf8")) as Row[];

const templateMatches = (template: string, path: string): boolean => {
  const [expected, actual] = [template.split("/"), path.split("/")];
  return (
    expected.length === actual.length &&
    expected.every((part, index) => part.startsWith("{") || part === actual[index])
  );
};

/** Returns the row of a request; of several matches the one with more literal parts. */
const findRow = (method: string, address: string): Row | undefined => {
  const path = address.split("?")[0]!;
  return rows
    .filter((row) => row.method === method && templateMatches(row.path, path))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
};

/** Returns faults of a successful answer as the contract's entity; none where the contract names no entity. */
export const contractFaults = ({ request }: Exchange, answer: Answer): string[] => {
  const entity = findRow(request.method, request.path)?.responses[String(answer.status)];
  if (typeof entity === "string" && entity !== "Empty" && answer.json !== undefined) {
    return entityFaults(entity, answer.json).map((fault) => `contract ${entity}: ${fault}`);
  }
  if (!Array.isArray(entity) || !Array.isArray(answer.json)) return [];
  return answer.json.flatMap((item) =>
    entityFaults(entity[0] as string, item).map((fault) => `contract ${entity[0]}: ${fault}`),
  );
};
