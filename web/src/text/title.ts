// Formats the title of a window.

/** Returns `(3) Home - Example`: the number of unread notifications, the page, the server. */
export const titleOf = (page: string, site: string, unread: number): string =>
  `${unread > 0 ? `(${unread}) ` : ""}${page ? `${page} - ` : ""}${site}`;
