// The rows of the contract, and which of them the contract test calls.

import { readFileSync } from "node:fs";

export type Parameter = {
  name: string;
  in: "path" | "query" | "form" | "header" | "json";
  type: string;
  required: boolean;
};

/** An entity's name, a list of an entity, or another shape. */
export type Body =
  | string
  | [string]
  | { oneOf: Body[] }
  | { shape: string; items?: string; values?: unknown; keys?: string[]; nullable?: boolean };

export type Row = {
  id: string;
  method: string;
  path: string;
  alt_methods?: string[];
  group: string;
  auth: "public" | "app" | "user" | "admin";
  scopes: string[];
  params: Parameter[];
  responses: Record<string, Body>;
  paginated: "none" | "link-id" | "link-offset" | "offset";
  link_prev?: "min_id" | "since_id";
  must_answer: boolean;
};

const file = new URL("./endpoints.json", import.meta.url);

export const ROWS = JSON.parse(readFileSync(file, "utf8")) as Row[];

/** Groups of rows that the contract test does not call, with the reason. */
export const NOT_CALLED: Record<string, string> = {
  streaming: "src/roles/streaming.test.ts",
};

/** Rows that a client may call, which the contract test calls; those for moderators as an owner. */
export const ASKED = ROWS.filter((row) => row.must_answer && !(row.group in NOT_CALLED));

export const nameOf = (row: Row): string => `${row.method} ${row.path}`;
