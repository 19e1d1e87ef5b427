// The interface of exports of a whole server for the command line.

export { exportCommand } from "./command.ts";
