// The interface of backups: two commands, and what reads a backup for the doctor, tries a place for a set-up, and asks
// servers for a move.

export { PassphraseNeeded } from "./archive.ts";
export { backupCommand } from "./backup-command.ts";
export { checkBackup, findSource } from "./check.ts";
export { openPlace, openTarget } from "./place.ts";
export { restoreCommand } from "./restore-command.ts";
