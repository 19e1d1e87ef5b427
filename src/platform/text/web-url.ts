// Checks addresses for links on pages.

/** Returns an http or https address unchanged, and null for anything else. */
export const webUrl = (url: string | null | undefined): string | null =>
  url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
