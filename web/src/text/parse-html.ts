// Parses the HTML of the API (posts, bios, fields: sanitised by the server) into a tree of allowed elements. Anything
// else becomes text or is dropped, so that no HTML is ever inserted: the page needs no Trusted Types policy.

export type Node = string | Element;
export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
};

const ELEMENTS: Record<string, readonly string[]> = {
  a: ["href", "class", "rel", "translate"],
  b: [],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  i: [],
  li: ["value"],
  ol: ["start", "reversed"],
  p: ["class"],
  pre: [],
  rp: [],
  rt: [],
  ruby: [],
  s: [],
  span: ["class", "translate", "lang"],
  strong: [],
  u: [],
  ul: [],
};
/** Elements whose content is dropped with them. */
const SILENT = /^(?:script|style|template|textarea|title|iframe|noscript)$/;
const MAX_DEPTH = 20;

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** Decodes character references. */
export const decode = (text: string): string =>
  text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (name[0] !== "#") return NAMED[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
  });

/** Links that the server allows (platform/text/protocols.ts), mail, and our own addresses. */
const SAFE_LINK =
  /^(?:(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/|(?:mailto|xmpp|magnet):|\/(?![/\\]))/i;

const isSafeLink = (href: string): boolean => SAFE_LINK.test(href.trim());

const attributesOf = (name: string, text: string): Record<string, string> => {
  const attributes: Record<string, string> = {};
  for (const [, key, , double, single] of text.matchAll(
    /([a-z-]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'))?/gi,
  )) {
    const attribute = key!.toLowerCase();
    const value = decode(double ?? single ?? "");
    if (!ELEMENTS[name]!.includes(attribute)) continue;
    if (attribute === "href" && !isSafeLink(value)) continue;
    attributes[attribute] = value;
  }
  return attributes;
};

type Token =
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; rest: string }
  | { kind: "close"; name: string };

/** Returns where the tag ends, beyond any `>` in quoted values; -1 if it does not end. */
const endOfTag = (html: string, from: number): number => {
  let quote = "";
  for (let at = from; at < html.length; at += 1) {
    const character = html[at]!;
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return -1;
};

const TAG_NAME = /<(\/?)([a-z][a-z0-9]*)/iy;

/**
 * Yields tokens. Each character is read once or twice, whatever is open or unclosed: an unclosed tag is the last token.
 */
function* tokensOf(html: string): Generator<Token> {
  for (let at = 0; at < html.length;) {
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 4);
      if (end < 0) return;
      at = end + 3;
      continue;
    }
    TAG_NAME.lastIndex = at;
    const [start, slash, name] = TAG_NAME.exec(html) ?? [];
    if (start === undefined) {
      const next = html.indexOf("<", at + 1);
      const end = next < 0 ? html.length : next;
      yield { kind: "text", text: html.slice(at, end) };
      at = end;
      continue;
    }
    const from = at + start.length;
    const end = endOfTag(html, from);
    // This is no tag: the rest is shown as text.
    if (end < 0) return yield { kind: "text", text: html.slice(at) };
    const tag = name!.toLowerCase();
    if (slash) yield { kind: "close", name: tag };
    else yield { kind: "open", name: tag, rest: html.slice(from, end) };
    at = end + 1;
  }
}

type Open = Element & { children: Node[]; parent: Open | null; depth: number };

const close = (open: Open, name: string): Open => {
  for (let at: Open | null = open; at?.parent; at = at.parent)
    if (at.name === name) return at.parent;
  return open;
};

/** Returns the element that contains what follows. */
const openElement = (open: Open, name: string, rest: string): Open => {
  if (!Object.hasOwn(ELEMENTS, name) || open.depth >= MAX_DEPTH) return open;
  const attributes = attributesOf(name, rest);
  const element: Open = { name, attributes, children: [], parent: open, depth: open.depth + 1 };
  open.children.push(element);
  return name === "br" ? open : element;
};

const parse = (html: string): readonly Node[] => {
  const root: Open = { name: "", attributes: {}, children: [], parent: null, depth: 0 };
  let open = root;
  let silent = "";
  for (const token of tokensOf(html)) {
    if (silent) {
      if (token.kind === "close" && token.name === silent) silent = "";
    } else if (token.kind === "text") open.children.push(decode(token.text));
    else if (token.kind === "close") open = close(open, token.name);
    else if (SILENT.test(token.name)) silent = token.name;
    else open = openElement(open, token.name, token.rest);
  }
  return root.children;
};

/** Trees of what was parsed last: the same posts are drawn for many, and again with each change of a page. */
const trees = new Map<string, readonly Node[]>();
/** Characters of the HTML whose trees are kept. */
const MAX_KEPT = 500_000;
let kept = 0;

/** Returns the tree of a fragment of HTML. */
export const parseHtml = (html: string): readonly Node[] => {
  const known = trees.get(html);
  if (known) return known;
  const tree = parse(html);
  if (html.length > MAX_KEPT) return tree;
  trees.set(html, tree);
  kept += html.length;
  for (const oldest of trees.keys()) {
    if (kept <= MAX_KEPT) break;
    trees.delete(oldest);
    kept -= oldest.length;
  }
  return tree;
};

const hasClass = (node: Node, name: string): node is Element =>
  typeof node !== "string" && (node.attributes["class"] ?? "").split(/\s+/).includes(name);

/** Whether the node is the line that replaces a quote where that is not shown. */
const isQuoteLine = (node: Node): boolean => hasClass(node, "quote-inline");

const isBreak = (node: Node | undefined): boolean => typeof node === "object" && node.name === "br";

/** Returns the nodes without the line that replaces a quote, and the line breaks above it. */
export const withoutQuoteLines = (nodes: readonly Node[]): Node[] => {
  const kept = nodes.flatMap((node): Node[] => {
    if (typeof node === "string" || node.children.length === 0) return [node];
    const children = isQuoteLine(node) ? [] : withoutQuoteLines(node.children);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
  if (kept.length < nodes.length) while (isBreak(kept.at(-1))) kept.pop();
  return kept;
};

/** Whether the node is the line that replaces an event where that is not shown. */
export const isEventLine = (node: Node): boolean => hasClass(node, "event-inline");

/** Whether the node is the line that links to the page of an article, video or event elsewhere. */
export const isPageLine = (node: Node): node is Element => hasClass(node, "page-inline");

/** Returns the address that the last line of an article, video or event links to. */
export const pageOf = (html: string): string | null => {
  const link = parseHtml(html).find(isPageLine)?.children[0];
  const href = link === undefined || typeof link === "string" ? "" : link.attributes["href"];
  return href && URL.canParse(href) && /^https?:/i.test(href) ? href : null;
};

/** Returns the text alone, with line breaks. */
export const plainText = (html: string): string => {
  const read = (node: Node): string => {
    if (typeof node === "string") return node;
    if (isQuoteLine(node)) return "";
    if (node.name === "br") return "\n";
    return (
      node.children.map(read).join("") +
      (/^(?:p|li|h\d|pre|blockquote)$/.test(node.name) ? "\n\n" : "")
    );
  };
  return parseHtml(html).map(read).join("").trim();
};
