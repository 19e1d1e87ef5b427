// Converts posts in Markdown (CommonMark without HTML, pictures, tables and references; with ~~struck~~ words and line
// breaks as typed) to HTML, with the same links, mentions and hashtags as plain text has.

import { shownHost } from "./hosts.ts";
import { createRequire } from "node:module";
import type { default as Library, MarkdownIt, StateInline, Token } from "markdown-it";
import { extractEntities, MAX_ENTITIES } from "./extract.ts";
import type { TextEntity } from "./extract.ts";
import { entityHtml, formatText, storable } from "./format.ts";
import type { FormatOptions } from "./format.ts";
import { escapeHtml } from "./html.ts";
import { storedText } from "./plain.ts";
import { LINK_PROTOCOLS } from "./protocols.ts";
import { sanitiseHtml } from "./sanitise.ts";

/** Depth of nested elements; the sanitiser keeps 64. */
const MAX_NESTING = 60;

const BLOCK_RULES = ["code", "fence", "blockquote", "list", "heading", "paragraph"];
const INLINE_RULES = ["newline", "escape", "backticks", "strikethrough", "emphasis", "link"];
const CORE_RULES = ["normalize", "block", "inline", "text_join"];

const isLinkable = (url: string): boolean => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme !== undefined && LINK_PROTOCOLS.includes(scheme) && URL.canParse(url);
};

/** Cuts an address that is the label of a link at the end of the label. */
const withinLabel = (entity: TextEntity): TextEntity => {
  const at = entity.type === "url" ? entity.url.indexOf("](") : -1;
  if (entity.type !== "url" || at < 0) return entity;
  return { ...entity, url: entity.url.slice(0, at), end: entity.start + at };
};

type Inline = { byStart: Map<number, TextEntity>; starts: number[] };

/** Entities of each text between block marks, found once; all texts together have as many as a plain text may have. */
const inlines = new WeakMap<object, { bySource: Map<string, Inline>; left: number }>();

const entitiesOf = ({ env, src }: StateInline): Inline => {
  const known = inlines.get(env) ?? { bySource: new Map<string, Inline>(), left: MAX_ENTITIES };
  inlines.set(env, known);
  let inline = known.bySource.get(src);
  if (!inline) {
    const entities = extractEntities(src).slice(0, known.left).map(withinLabel);
    known.left -= entities.length;
    inline = {
      byStart: new Map(entities.map((entity) => [entity.start, entity])),
      starts: entities.map(({ start }) => start),
    };
    known.bySource.set(src, inline);
  }
  return inline;
};

/** In the label of a link an entity stays text. */
const pushEntity = (state: StateInline, entity: TextEntity, end: number, silent: boolean): true => {
  if (!silent && state.linkLevel > 0) state.pending += state.src.slice(state.pos, end);
  else if (!silent) state.push("entity", "", 0).meta = entity;
  state.pos = end;
  return true;
};

/** Recognizes addresses, mentions and hashtags before anything in them counts as a mark; also `<https://…>`. */
const entityRule = (state: StateInline, silent: boolean): boolean => {
  const { byStart } = entitiesOf(state);
  if (byStart.size === 0) return false;
  const entity = byStart.get(state.pos);
  if (entity) return entity.end <= state.posMax && pushEntity(state, entity, entity.end, silent);
  const inside = state.src[state.pos] === "<" ? byStart.get(state.pos + 1) : undefined;
  if (inside?.type !== "url" || inside.end >= state.posMax) return false;
  return state.src[inside.end] === ">" && pushEntity(state, inside, inside.end + 1, silent);
};

/** Returns the first start after `at`; `end` where there is none. */
const nextStart = (starts: number[], at: number, end: number): number => {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return Math.min(starts[low] ?? end, end);
};

/** Characters that may begin something other than text. */
const MARKS = /[\n&*<>[\]\\_`~!]/g;

/** Consumes text up to the next mark or entity. */
const textRule = (state: StateInline, silent: boolean): boolean => {
  const { pos, src, posMax } = state;
  MARKS.lastIndex = pos;
  const mark = MARKS.exec(src)?.index ?? posMax;
  const end = nextStart(entitiesOf(state).starts, pos, Math.min(mark, posMax));
  if (end === pos) return false;
  if (!silent) state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
};

type Env = { write?: (entity: TextEntity) => string | null };

const code = (tokens: Token[], at: number): string =>
  `<pre><code>${escapeHtml(tokens[at]!.content.replace(/\n$/, ""))}</code></pre>`;

const make = (): MarkdownIt => {
  const library = createRequire(import.meta.url)("markdown-it") as typeof Library;
  const markdown = new library("zero", { html: false, linkify: false, maxNesting: MAX_NESTING });
  markdown.core.ruler.enableOnly(CORE_RULES);
  markdown.block.ruler.enableOnly(BLOCK_RULES);
  markdown.inline.ruler.at("text", textRule);
  markdown.inline.ruler.before("text", "own_entity", entityRule);
  markdown.inline.ruler.enableOnly(["own_entity", "text", "entity", ...INLINE_RULES]);
  markdown.inline.ruler2.enable(["strikethrough", "emphasis", "fragments_join"]);
  markdown.validateLink = isLinkable;
  Object.assign(markdown.renderer.rules, {
    entity: (tokens: Token[], at: number, _options: object, { write }: Env) => {
      const entity = tokens[at]!.meta as TextEntity;
      return write?.(entity) ?? escapeHtml(typed(entity));
    },
    softbreak: () => "<br />",
    hardbreak: () => "<br />",
    s_open: () => "<del>",
    s_close: () => "</del>",
    fence: code,
    code_block: code,
  });
  return markdown;
};

/** Returns an entity as it was typed. */
const typed = (entity: TextEntity): string => {
  if (entity.type === "url") return entity.url;
  if (entity.type === "hashtag") return `#${entity.name}`;
  return `@${entity.username}${entity.domain === null ? "" : `@${shownHost(entity.domain)}`}`;
};

let parser: MarkdownIt | null = null;
/** Loads markdown-it with the first text. */
const markdownIt = () => (parser ??= make());

export type ParsedMarkdown = { text: string; tokens: Token[]; entities: TextEntity[] };

/** Returns links, mentions and hashtags in order of appearance, except those in code and in the labels of links. */
export const parseMarkdown = (text: string): ParsedMarkdown => {
  const tokens = markdownIt().parse(storable(text), {});
  const entities = tokens
    .flatMap(({ children }) => children ?? [])
    .flatMap(({ type, meta }) => (type === "entity" ? [meta as TextEntity] : []));
  return { text, tokens, entities };
};

/** Returns safe HTML. A text of only marks is shown as it was typed. */
export const formatMarkdown = (parsed: ParsedMarkdown, options: FormatOptions): string => {
  const { text, tokens, entities } = parsed;
  const env: Env = { write: entityHtml(entities, options) };
  const { renderer, options: own } = markdownIt();
  const html = sanitiseHtml(renderer.render(tokens, own, env).replaceAll(/\n+(?=<)/g, ""));
  return storedText(html) === "" ? formatText(text, options) : html;
};
