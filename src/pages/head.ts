// What stands in the head of a public page for machines: previews (https://ogp.me), the
// ActivityPub document, pages of the same person.

import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { PUBLIC_STYLE_PATH } from "./style.ts";

export type Preview = {
  type: "website" | "profile" | "article";
  title: string;
  /** Plain text. */
  description: string;
  url: string;
  image: string;
  /** A picture worth showing large (a post's own), not an avatar. */
  large?: boolean;
  site: string;
  /** More properties: profile:username, article:published_time … */
  extra?: Record<string, string>;
  /** The address of the ActivityPub document. */
  activity?: string;
  /** The address of the same for readers of RSS. */
  feed?: string;
  /** The address of the oEmbed document. */
  oEmbed?: string;
  /** Pages that the person calls their own. */
  me?: string[];
};

const property = ([name, content]: [string, string]): Html =>
  html`<meta property="${name}" content="${content}" />`;

const links = (preview: Preview): HtmlValue => [
  html`<link rel="canonical" href="${preview.url}" />`,
  preview.activity &&
    html`<link rel="alternate" type="application/activity+json" href="${preview.activity}" />`,
  preview.feed && html`<link rel="alternate" type="application/rss+xml" href="${preview.feed}" />`,
  preview.oEmbed &&
    html`<link rel="alternate" type="application/json+oembed" href="${preview.oEmbed}" />`,
  ...(preview.me ?? []).map((url) => html`<link rel="me" href="${url}" />`),
];

export const publicHead = (preview: Preview): Html => {
  const properties: [string, string][] = [
    ["og:site_name", preview.site],
    ["og:type", preview.type],
    ["og:title", preview.title],
    ["og:description", preview.description],
    ["og:url", preview.url],
    ["og:image", preview.image],
    ...Object.entries(preview.extra ?? {}),
  ];
  return html`<link rel="stylesheet" href="${PUBLIC_STYLE_PATH}" />
    <meta name="description" content="${preview.description}" />
    ${properties.map(property)}
    <meta name="twitter:card" content="${preview.large ? "summary_large_image" : "summary"}" />
    ${links(preview)}`;
};
