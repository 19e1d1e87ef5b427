// Parsers of HTML search all open elements for every end tag without a start tag: a megabyte of both takes
// 20 s. So the number of tags is bounded before anything is parsed; their callbacks are not told of such end tags.

/** The text up to the tag after `max` of them, counted as what begins with `<`. */
export const firstTags = (html: string, max: number): string => {
  let at = -1;
  for (let tags = 0; tags <= max; tags++) {
    at = html.indexOf("<", at + 1);
    if (at === -1) return html;
  }
  return html.slice(0, at);
};
