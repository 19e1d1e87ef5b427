// Tells how a command is typed on this machine: `rookery` where it is installed as a program, by its path in a folder
// that was unpacked, otherwise through npm in the source folder.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findProgram } from "./config/programs.ts";

const PROGRAM = "rookery";
const BY_NPM = "npm run rookery --";

/** The executable beside compiled code, which lies in a folder `dist`; there is none above the sources. */
const UNPACKED = fileURLToPath(new URL("../../../bin/rookery", import.meta.url));

const typed = (): string => {
  if (findProgram(PROGRAM) !== null) return PROGRAM;
  return existsSync(UNPACKED) ? UNPACKED : BY_NPM;
};

/** Replaces the commands in a text (`rookery doctor`) by what can be typed on this machine. */
export const asTyped = (text: string, program = typed()): string =>
  program === PROGRAM ? text : text.replaceAll(/(?<![\w/-])rookery (?=[a-z])/g, `${program} `);
