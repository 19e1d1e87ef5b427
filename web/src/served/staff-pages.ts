// The data of the staff's views by name (staff/).

import type serverTexts from "../../../texts/en/server.ts";

export type Role = {
  id: string;
  name: string;
  color: string;
  position: number;
  highlighted: boolean;
  max_characters: number | null;
  /** Names of its permissions. */
  permissions: readonly OfferedPermission[];
  isBuiltIn: boolean;
  /** True where the reader may change it. */
  isBelow: boolean;
};

/** The names that keys of texts have after a beginning. */
type NamesAfter<Key, Beginning extends string> = Key extends `${Beginning}.${infer Name}`
  ? Name
  : never;

/** Permissions that this server uses; only apps know others. */
export type OfferedPermission = NamesAfter<keyof typeof serverTexts, "staff.may">;

export type StaffPages = {
  roles: {
    roles: readonly Role[];
    /** All permissions, and those that the reader may give. */
    offered: readonly OfferedPermission[];
    mine: readonly OfferedPermission[];
    everybody: { offered: readonly OfferedPermission[]; permissions: readonly OfferedPermission[] };
    /** The server's own limit of a post's characters. */
    maxCharacters: number;
  };
  rules: { rules: readonly { id: string; text: string; hint: string }[] };
};
