// Writes src/api/entities.ts: the entities of the API as types, from the JSON Schemas of our OpenAPI document, so that
// a view that uses a removed member does not compile; and src/api/choices.ts: the words of members that take no others.

import { readFileSync, writeFileSync } from "node:fs";
import { withExtensions } from "../src/domain/about/instance/extensions.ts";
import type { Documented } from "../src/domain/about/instance/extensions.ts";

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
};

const SOURCE = new URL("../src/domain/about/instance/openapi/answers.json", import.meta.url);
const TYPES = new URL("./src/api/entities.ts", import.meta.url);
const CHOICES = new URL("./src/api/choices.ts", import.meta.url);
const HEAD = "// Made by web/entities.ts from our OpenAPI document; not to be edited.\n";

const SIMPLE: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const nameOf = (reference: string): string => reference.replace(/\.json$/, "");

const memberOf = (name: string, schema: Schema, isRequired: boolean): string =>
  `${JSON.stringify(name)}${isRequired ? "" : "?"}: ${typeOf(schema)};`;

const objectOf = ({ properties, required = [], additionalProperties }: Schema): string => {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "any";
    return `Record<string, ${values}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) =>
    memberOf(name, schema, required.includes(name)),
  );
  return `{ ${members.join(" ")} }`;
};

const plainOf = (type: string, schema: Schema): string => {
  if (type === "array") return `(${schema.items ? typeOf(schema.items) : "any"})[]`;
  if (type === "object") return objectOf(schema);
  return SIMPLE[type] ?? "any";
};

const typeOf = (schema: Schema): string => {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return some.map((each) => `(${typeOf(each)})`).join(" | ");
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each)})`).join(" & ");
  const types = [schema.type ?? (schema.properties ? "object" : [])].flat();
  return types.length > 0 ? types.map((type) => plainOf(type, schema)).join(" | ") : "any";
};

/** Returns the words of an entity's members, by names such as LIST_REPLIES_POLICY. */
const choicesOf = (entity: string, { properties = {} }: Schema): string[] =>
  Object.entries(properties).flatMap(([member, { type, enum: words, items }]) => {
    const choices = type === "array" ? items?.enum : words;
    if (!choices?.every((word) => typeof word === "string")) return [];
    const name = `${entity}_${member}`.replaceAll(/(?<=[a-z])(?=[A-Z])|\W+/g, "_");
    return `export const ${name.toUpperCase()} = ${JSON.stringify(choices)} as const;`;
  });

const fileOf = (lines: string[]): string => [HEAD, ...lines, ""].join("\n");

/** Returns the entities of the contract, with what features add to them. */
export const documentedEntities = (): Record<string, Schema> => {
  const contract = JSON.parse(readFileSync(SOURCE, "utf8")) as Documented;
  return withExtensions(contract) as Record<string, Schema>;
};

export const writeEntities = (): void => {
  const entities = Object.entries(documentedEntities());
  const types = entities.map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  writeFileSync(TYPES, fileOf(types));
  writeFileSync(CHOICES, fileOf(entities.flatMap(([name, schema]) => choicesOf(name, schema))));
};
