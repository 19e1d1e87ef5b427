// Says who belongs to the staff, by the permissions of a role.

/** The first permissions beyond those of members. */
const MEMBERS = 0x1_00_00;

export const isStaff = (permissions: string | undefined): boolean =>
  Number(permissions ?? 0) > MEMBERS;
