// A tagged template for server-rendered pages: every value is escaped, except results of the same template
// or of `raw`. Attribute values must be quoted.

const SAFE = Symbol("safe html");

/** Safe HTML, made only by `html` and `raw`; String(x) gives the text. */
export type Html = { readonly [SAFE]: true; toString(): string };

/** Values of a template: false, null and undefined write nothing, arrays write each member. */
export type HtmlValue = Html | string | number | bigint | boolean | null | undefined | HtmlValue[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for element content and for quoted attribute values. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** Turns plain text into HTML with paragraphs at blank lines, and line breaks. */
export const plainToHtml = (text: string): string =>
  text
    .trim()
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll("\n", "<br>")}</p>`)
    .join("");

/** Marks a string as safe HTML. Only for the output of the sanitiser or the formatter. */
export const raw = (text: string): Html => ({ [SAFE]: true, toString: () => text });

const isHtml = (value: unknown): value is Html =>
  typeof value === "object" && value !== null && SAFE in value;

const render = (value: HtmlValue): string => {
  if (value === null || value === undefined || typeof value === "boolean") return "";
  if (Array.isArray(value)) return value.map(render).join("");
  return isHtml(value) ? value.toString() : escapeHtml(String(value));
};

// Browsers skip control characters and white space in a scheme, so they are skipped here too.
const RUNS_SCRIPT =
  /^[\0-\x20]*(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:|^[\0-\x20]*d\s*a\s*t\s*a\s*:/i;

const renderAfter = (before: string, value: HtmlValue): string => {
  if (/=\s*$/.test(before) && /<[^>]*$/.test(before)) {
    throw new Error("an attribute value in an html template needs quotes");
  }
  const text = render(value);
  const isLink = /\b(?:href|src|action|formaction)\s*=\s*["']$/i.test(before);
  return isLink && RUNS_SCRIPT.test(text) ? "#" : text;
};

/** Makes HTML: in html`<p title="${name}">${text}</p>` values are escaped, nested templates are not. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html => {
  let out = strings[0] ?? "";
  values.forEach((value, index) => {
    out += renderAfter(strings[index] ?? "", value) + (strings[index + 1] ?? "");
  });
  return raw(out);
};
