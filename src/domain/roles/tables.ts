// Row types of the roles slice.

export type RoleRow = {
  id: string;
  name: string;
  /** #rrggbb, or "" for none. */
  color: string;
  /** The sum of the bits. */
  permissions: string;
  /** Shown on profiles. */
  highlighted: boolean;
  /** Higher is more powerful. */
  position: number;
};
