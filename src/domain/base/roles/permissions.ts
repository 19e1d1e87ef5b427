// Defines what a role may do, as bits, and who ranks above whom (limits.json of the contract, role_permission_bits).
// https://docs.joinmastodon.org/entities/Role/#permission-flags

export const PERMISSIONS = {
  administrator: 1,
  view_devops: 2,
  view_audit_log: 4,
  view_dashboard: 8,
  manage_reports: 16,
  manage_federation: 32,
  manage_settings: 64,
  manage_blocks: 128,
  manage_taxonomies: 256,
  manage_appeals: 512,
  manage_users: 1024,
  manage_invites: 2048,
  manage_rules: 4096,
  manage_announcements: 8192,
  manage_custom_emojis: 16384,
  manage_webhooks: 32768,
  invite_users: 65536,
  manage_roles: 131072,
  manage_user_access: 262144,
  delete_user_data: 524288,
  view_feeds: 1048576,
  invite_bypass_approval: 2097152,
  manage_email_subscriptions: 4194304,
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Returns the sum of the bits. */
export const bitsOf = (names: readonly Permission[]): number =>
  names.reduce((bits, name) => bits | PERMISSIONS[name], 0);

const ALL = bitsOf(PERMISSION_NAMES);

/** Adds everything else that an administrator may do. */
export const effectiveBits = (stored: number | bigint | string): number => {
  const bits = Number(stored);
  return bits & PERMISSIONS.administrator ? ALL : bits & ALL;
};

export const namesOf = (stored: number | string): Permission[] =>
  PERMISSION_NAMES.filter((name) => Number(stored) & PERMISSIONS[name]);

/** Returns whether the bits have one of the permissions. */
export const mayOneOf = (stored: number | string, permissions: readonly Permission[]): boolean =>
  (effectiveBits(stored) & bitsOf(permissions)) !== 0;

/** Permissions that everybody may be given, and that make nobody staff. */
export const FOR_EVERYBODY = [
  "invite_users",
  "invite_bypass_approval",
  "manage_email_subscriptions",
] as const;

/** Returns whether the bits have a permission that only the staff has. */
export const isStaff = (stored: number | string): boolean =>
  (effectiveBits(stored) & ~bitsOf(FOR_EVERYBODY)) !== 0;

/** Somebody who acts as staff. */
export type Actor = {
  /** Null for the command line, which may do everything. */
  accountId: string | null;
  permissions: number;
  /** The actor ranks above roles with a lower position. */
  position: number;
};

export const COMMAND_LINE: Actor = { accountId: null, permissions: ALL, position: Infinity };
