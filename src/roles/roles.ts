// What a process can do; one does all of it, several share it.

export const ROLES = ["web", "streaming", "worker"] as const;

export type Role = (typeof ROLES)[number];
