// Parses a post's text as its author wrote it, in plain text or in Markdown: whom and what it names, and its HTML.

import { distinctMentions, distinctTags, extractEntities } from "./extract.ts";
import type { MentionEntity, TextEntity } from "./extract.ts";
import { formatText } from "./format.ts";
import type { FormatOptions } from "./format.ts";
import { formatMarkdown, parseMarkdown } from "./markdown.ts";

/** Content types by which clients say how a text is written. */
export const CONTENT_TYPES = ["text/plain", "text/markdown"] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

export const PLAIN = "text/plain";
export const MARKDOWN = "text/markdown";

/** UTF-16 units of Markdown that are parsed: this much takes up to 0.7 s of the processor (docs/design/posts.md). */
export const MAX_MARKDOWN = 100_000;

type Written = {
  mentions: MentionEntity[];
  /** Hashtags, each in the spelling that comes first. */
  tags: string[];
  html: (options: FormatOptions) => string;
};

const written = (entities: TextEntity[], html: Written["html"]): Written => ({
  mentions: distinctMentions(entities),
  tags: distinctTags(entities).map(({ display }) => display),
  html,
});

/** A null `type` means plain text. */
export const readWritten = (text: string, type: ContentType | null): Written => {
  if (type !== MARKDOWN)
    return written(extractEntities(text), (options) => formatText(text, options));
  const parsed = parseMarkdown(text);
  return written(parsed.entities, (options) => formatMarkdown(parsed, options));
};
