// The roles of a process; one process has all of them, or several share them.

export const ROLES = ["web", "streaming", "worker"] as const;

export type Role = (typeof ROLES)[number];
