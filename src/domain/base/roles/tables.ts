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
  /** How long posts of people with it may be; null: as the server is set. */
  max_characters: number | null;
};
