// Tells how a command is typed on this machine: `rookery` where it is installed as a program, otherwise through npm in
// the source folder.

import { findProgram } from "./config/programs.ts";

const PROGRAM = "rookery";
const BY_NPM = "npm run rookery --";

/** Replaces the commands in a text (`rookery doctor`) by what can be typed on this machine. */
export const asTyped = (text: string, isInstalled = findProgram(PROGRAM) !== null): string =>
  isInstalled ? text : text.replaceAll(/(?<![\w/-])rookery (?=[a-z])/g, `${BY_NPM} `);
