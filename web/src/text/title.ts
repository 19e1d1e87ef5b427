// The title of a window.

/** `(3) Home - Example`: how much is unread, where one is, on which server. */
export const titleOf = (page: string, site: string, unread: number): string =>
  `${unread > 0 ? `(${unread}) ` : ""}${page ? `${page} - ` : ""}${site}`;
