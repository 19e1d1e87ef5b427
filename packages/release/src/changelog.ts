// What is new in a version, of CHANGELOG.md.

import { readText } from "./version.ts";
import type { Version } from "./version.ts";

/** Returns what stands below a heading of the second level, up to the next one. */
const section = (text: string, name: string): string => {
  const [, rest] = text.split(`\n## [${name}]`);
  if (rest === undefined) return "";
  const [lines] = rest.split("\n## [");
  return lines!.slice(lines!.indexOf("\n")).trim();
};

/** Returns the changes of a version; what is not of any version yet is of the one that is released. */
export const changesOf = (
  { version }: Pick<Version, "version">,
  text = readText("CHANGELOG.md"),
): string => {
  const parts = [section(text, "Unreleased"), section(text, version)].filter((part) => part !== "");
  if (parts.length === 0) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `# Rookery ${version}\n\n${parts.join("\n\n")}\n`;
};
