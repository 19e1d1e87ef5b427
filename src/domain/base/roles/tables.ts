// Row types of the roles slice.

export type RoleRow = {
  id: string;
  name: string;
  /** `#rrggbb`, or "" for none. */
  color: string;
  /** Sum of the permissions' bits. */
  permissions: string;
  /** Whether profiles show the role. */
  highlighted: boolean;
  /** A higher position is more powerful. */
  position: number;
  /** Characters that posts of its members may have; null where the setting of the server applies. */
  max_characters: number | null;
};
