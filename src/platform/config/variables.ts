// Every environment variable that Rookery reads, with its default and description (variables.json): `rookery config`
// and the table of docs/CONFIGURATION.md come from this list. process.env is read in this folder and nowhere else.

import variables from "./variables.json" with { type: "json" };

type Variable = { name: string; default: string; help: string };

export const VARIABLES: readonly Variable[] = variables;

/** Writes the table of docs/CONFIGURATION.md. */
export const variablesTable = (): string =>
  [
    "| Variable | Default | Meaning |",
    "|---|---|---|",
    ...VARIABLES.map((v) => `| \`${v.name}\` | ${v.default} | ${v.help} |`),
  ].join("\n");
