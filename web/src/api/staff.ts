// Says who belongs to the staff, by the permissions of a role.

/**
 * Bits of the permissions that open pages of the staff, as those of acts do on the server: up to delete_user_data, without
 * view_devops and invite_users.
 */
const OPENING = 0xe_ff_fd;

export const isStaff = (permissions: string | undefined): boolean =>
  (Number(permissions ?? 0) & OPENING) !== 0;
