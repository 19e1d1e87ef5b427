// The interface of the doctor: its command, and single checks for a set-up.

export { doctorCommand, lookUp } from "./command.ts";
export { fault, linesOf, ok, warning } from "./finding.ts";
export type { Finding } from "./finding.ts";
export { judgeDisk, judgeStorage } from "./machine.ts";
export { judgeMail, judgeName } from "./network.ts";
