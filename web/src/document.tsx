// Draws the HTML document around a page: its head for machines, the client's files, and the state that the browser
// continues from. Only the server uses it.

import { renderToString } from "preact-render-to-string";
import type { App } from "./app.ts";
import type { Look } from "./look.ts";
import type { Head } from "./pages/page.ts";
import { IconSprite } from "./elements/icons.tsx";
import { pageDirection } from "./text/direction.ts";
import { titleOf } from "./text/title.ts";

declare const __FILES__: {
  scripts: string[];
  styles: string[];
  /** By language: what every page can say, and what parts loaded on demand say. */
  texts: Record<string, { first: string; rest: string }>;
  serversPage: string;
  servedStyle: string;
  staffStyle: string;
};

const BASE = "/web/";

type Document = {
  app: App;
  head: Head;
  body: string;
  /** True for a page whose own file is loaded on demand. */
  isLazy?: boolean;
  /** Null for a document without the client. */
  state: string | null;
  origin: string;
  /** Files of a page that the server has drawn itself. */
  files?: {
    script?: string | undefined;
    staff?: object | undefined;
  };
  /** True for frames on other pages. */
  isFramed?: boolean;
};

const absolute = (url: string, origin: string): string => new URL(url, origin).href;

const propertiesOf = ({ app, head, origin }: Document): [string, string][] => [
  ["og:site_name", app.site.title],
  ["og:type", head.type ?? "website"],
  ["og:title", head.title || app.site.title],
  ["og:description", head.description ?? ""],
  ["og:url", absolute(head.url ?? app.place.path, origin)],
  ["og:image", absolute(head.image ?? "/preview.png", origin)],
  ...Object.entries(head.properties ?? {}),
];

/** Returns the colour scheme that the browser paints before it has the styles. */
const schemeOf = (theme: Look["theme"]): string =>
  theme === "light" || theme === "dark" ? theme : "light dark";

/** Returns attributes such as ` data-theme="dark"`. */
const attributesOf = (look: Look): string =>
  Object.entries(look)
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join("");

const stylesOf = (files: Document["files"]): string[] => [
  ...__FILES__.styles,
  ...(files ? [__FILES__.servedStyle] : []),
  ...(files?.staff ? [__FILES__.staffStyle] : []),
];

const HeadView = ({ document }: { document: Document }) => {
  const { app, head, origin, isFramed, files } = document;
  const texts = __FILES__.texts[app.locale]!;
  const loaded = [...__FILES__.scripts, texts.first, ...(document.isLazy ? [texts.rest] : [])];
  const scripts = document.state ? loaded : [];
  const title = titleOf(head.title, app.site.title, app.store.unread.peek());
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{title}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content={schemeOf(app.look.theme)} />
      {head.isHidden && <meta name="robots" content="noindex" />}
      {isFramed && <base target="_blank" />}
      {stylesOf(files).map((path) => (
        <link key={path} rel="stylesheet" href={BASE + path} />
      ))}
      {app.site.accent && (
        <link rel="stylesheet" href={`/assets/accent/${app.site.accent.slice(1)}.css`} />
      )}
      {files && <script type="module" src={BASE + __FILES__.serversPage} />}
      {files?.script && <script src={files.script} defer />}
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="manifest" href="/manifest.json" />
      <meta name="description" content={head.description ?? ""} />
      {propertiesOf(document).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content={head.isLarge ? "summary_large_image" : "summary"} />
      <link rel="canonical" href={absolute(head.url ?? app.place.path, origin)} />
      {head.links?.map((link) => (
        <link key={link.href} {...link} />
      ))}
      {scripts.map((path, index) =>
        index === 0 ? (
          <script key={path} type="module" src={BASE + path} />
        ) : (
          <link key={path} rel="modulepreload" href={BASE + path} />
        ),
      )}
    </head>
  );
};

let drawnSprite: string | null = null;

const sprite = (): string => (drawnSprite ??= renderToString(<IconSprite />));

export const documentOf = (document: Document): string => {
  const head = renderToString(<HeadView document={document} />);
  const { app, body, state, isFramed } = document;
  const { first, rest } = __FILES__.texts[app.locale]!;
  const texts = `data-words="${BASE}${first} ${BASE}${rest}"`;
  const begin = `<!doctype html><html lang="${app.locale}" dir="${pageDirection(app.locale)}" ${texts}${attributesOf(app.look)}>${head}<body${isFramed ? ' class="embed"' : ""}>${sprite()}`;
  const data = state ? `<script type="application/json" id="state">${state}</script>` : "";
  return `${begin}<div id="app">${body}</div>${data}</body></html>`;
};
