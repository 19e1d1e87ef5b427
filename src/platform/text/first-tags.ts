// Limits the number of tags before HTML is parsed. Parsers search all open elements for every end tag without a start
// tag: a megabyte of both takes 20 s. Their callbacks do not report such end tags, so they cannot be counted while
// parsing.

/** Returns the text up to the tag after `max` tags; each `<` counts as one. */
export const firstTags = (html: string, max: number): string => {
  let at = -1;
  for (let tags = 0; tags <= max; tags++) {
    at = html.indexOf("<", at + 1);
    if (at === -1) return html;
  }
  return html.slice(0, at);
};
