// How a command is typed here: `rookery` where it is installed as a program, otherwise by npm in the folder of the
// source.

import { findProgram } from "./config/programs.ts";

const PROGRAM = "rookery";
const BY_NPM = "npm run rookery --";

/** A text that names commands (`rookery doctor`), as they can be typed on this machine. */
export const asTyped = (text: string, isInstalled = findProgram(PROGRAM) !== null): string =>
  isInstalled ? text : text.replaceAll(/(?<![\w/-])rookery (?=[a-z])/g, `${BY_NPM} `);
