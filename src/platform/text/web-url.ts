// Addresses for links on pages.

/** Only addresses that a browser may follow; anything else leads nowhere. */
export const webUrl = (url: string | null | undefined): string | null =>
  url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
