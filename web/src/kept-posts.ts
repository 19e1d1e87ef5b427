// Draws a post once for everybody to whom the API gives the same of it. The key has all that the view depends on, the
// answer to this reader among it: what is kept is never wrong, and nobody is shown what they were not given. Only the
// server uses it.

import { createElement, Fragment } from "preact";
import type { FunctionComponent, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { App } from "./app.ts";
import { lookOf } from "./look.ts";
import { readingOf } from "./text/reading.ts";
import { ageStep } from "./text/time.ts";
import { replyLine } from "./views/post.tsx";
import type { PostProps } from "./views/post.tsx";

/** Posts as they were drawn, by key; the server bounds them in bytes. */
export type KeptPosts = {
  get(key: string): string | undefined;
  set(key: string, html: string): void;
};

/** Number that no post has in a list; it stands for every number in what is kept. */
const ANY = 0;

const numbered = (position: number): string => `aria-posinset="${position}"`;

/**
 * Returns the key of a post; null where it depends on more: on the token of a form, on how long it is until an end, or
 * on the place where filters apply.
 */
const keyOf = (app: App, { position, ...props }: PostProps): string | null => {
  const { status, isMain, isBelowParent } = props;
  const quoted =
    (status.quote && "quoted_status" in status.quote && status.quote.quoted_status) || null;
  const parts = quoted ? [status, quoted] : [status];
  const isAlone = parts.some(({ poll, event, filtered }) => poll || event || filtered?.length);
  if (isAlone || isMain) return null;
  const { me, locale, look, site } = app;
  const now = new Date();
  return JSON.stringify([
    props,
    position !== undefined,
    me && [me.id === status.account.id, readingOf(app)],
    [locale, site.domain, lookOf(look, "motion"), lookOf(look, "alt")],
    status.in_reply_to_id !== null && !isBelowParent && replyLine(app, status),
    parts.map(({ created_at }) => ageStep(created_at, now)),
  ]);
};

/** Returns what draws posts of a document by what was kept of them. */
export const keeping =
  (app: App, kept: KeptPosts) =>
  (post: VNode<PostProps>): VNode<any> => {
    const { position, ...props } = post.props;
    const key = keyOf(app, post.props);
    if (key === null) return post;
    const known = kept.get(key);
    const any = position !== undefined && { position: ANY };
    const View = post.type as FunctionComponent<any>;
    const html = known ?? renderToString(createElement(View, { ...props, ...any }));
    if (known === undefined) kept.set(key, html);
    // No text of a post can look like the attribute, whose quotation marks would be encoded.
    const placed = position === undefined ? html : html.replace(numbered(ANY), numbered(position));
    return createElement(Fragment, { tpl: [placed] } as object);
  };
