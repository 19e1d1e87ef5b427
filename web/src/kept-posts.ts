// Draws a post once for everybody to whom the API gives the same of it. The key has all that the view depends on, the
// answer to this reader among it: what is kept is never wrong, and nobody is shown what they were not given. Only the
// server uses it.

import { createElement, Fragment } from "preact";
import type { FunctionComponent, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { App } from "./app.ts";
import { lookOf } from "./look.ts";
import { bytesOf } from "./pieces.ts";
import type { Pieces } from "./pieces.ts";
import type { Kept, KeptPosts } from "./served/pages.ts";
import { readingOf } from "./text/reading.ts";
import { ageStep } from "./text/time.ts";
import { replyLine } from "./views/post.tsx";
import type { PostProps } from "./views/post.tsx";

/** Number that no post has in a list; it stands for every number in what is kept. */
const ANY = 0;

const names = new WeakMap<object, number>();
let last = 0;

/** Returns a number for a frozen object, which nothing changes; the server gives the same one to several pages. */
const named = <T extends object | undefined>(value: T): T | number => {
  if (!value || !Object.isFrozen(value)) return value;
  const name = names.get(value) ?? ++last;
  names.set(value, name);
  return name;
};

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
    { ...props, status: named(status), booster: named(props.booster) },
    position !== undefined,
    me && [me.id === status.account.id, readingOf(app)],
    [locale, site.domain, lookOf(look, "motion"), lookOf(look, "alt")],
    status.in_reply_to_id !== null && !isBelowParent && replyLine(app, status),
    parts.map(({ created_at }) => ageStep(created_at, now)),
  ]);
};

const divided = (html: string): Required<Omit<Kept, "body">> => {
  // No text of a post can look like the attribute, whose quotation marks would be encoded.
  const [before, after] = html.split(numbered(ANY)).map(bytesOf);
  const end = after ?? bytesOf("");
  return { bytes: html.length + 400, html: [before!, end] };
};

/** Returns what draws posts of a document by what was kept of them. */
export const keeping =
  (app: App, { kept, pieces }: { kept: KeptPosts; pieces: Pieces }) =>
  (post: VNode<PostProps>): VNode<any> => {
    const { position, ...props } = post.props;
    const key = keyOf(app, post.props);
    if (key === null) return post;
    let known = kept.get(key)?.html;
    if (!known) {
      const any = position !== undefined && { position: ANY };
      const View = post.type as FunctionComponent<any>;
      const drawn = divided(renderToString(createElement(View, { ...props, ...any })));
      kept.set(key, drawn);
      known = drawn.html;
    }
    const [before, after] = known.map((piece) => pieces.put(piece));
    const placed = position === undefined ? before! : `${before}${numbered(position)}${after}`;
    return createElement(Fragment, { tpl: [placed] } as object);
  };
