// The page of a post, in its thread as anybody may see it.

import type { App } from "../platform/app.ts";
import { html } from "../platform/text/html.ts";
import type { Html } from "../platform/text/html.ts";
import { plainText } from "../platform/text/plain.ts";
import { instanceDetails } from "../domain/instance/details.ts";
import { mediaUrl } from "../domain/media/present.ts";
import { loadContext } from "../domain/statuses/context.ts";
import { isSensitive } from "../domain/statuses/rules.ts";
import type { SeenStatus } from "../domain/statuses/tables.ts";
import { embeddable, oEmbedUrl } from "./embed.ts";
import { publicHead } from "./head.ts";
import type { PublicPage } from "./layout.ts";
import { avatarUrl, countedText, handle, shorten, shownName, webUrl } from "./parts.ts";
import { post, postUrl } from "./post.ts";

/** A warning stands for what it warns of, in previews too. */
const summary = (view: SeenStatus): string => {
  const text = view.spoiler_text || plainText(view.content);
  const media =
    view.media.length > 0 && countedText(view.media.length, "attachment", "attachments");
  return shorten(text, 280) || media || "A post";
};

/** The first picture, unless it is better not shown unasked. */
const picture = (app: App, view: SeenStatus): string | null => {
  if (isSensitive(view) || view.spoiler_text) return null;
  const first = view.media.find((media) => media.type === "image");
  return first ? webUrl(mediaUrl(first, app.config.site)) : null;
};

const threadHead = (app: App, view: SeenStatus, site: string): Html => {
  const image = picture(app, view);
  return publicHead({
    type: "article",
    title: `${shownName(view.account)} (${handle(app.config.site, view.account)})`,
    description: summary(view),
    url: postUrl(view),
    image: image ?? avatarUrl(app.config.site, view.account),
    large: image !== null,
    site,
    extra: {
      "article:published_time": view.created_at.toISOString(),
      ...(view.edited_at && { "article:modified_time": view.edited_at.toISOString() }),
      "profile:username": handle(app.config.site, view.account).slice(1),
    },
    activity: view.uri,
    ...(embeddable(view) && { oEmbed: oEmbedUrl(app, view) }),
  });
};

/** `view`: one of ours that anybody may see, loaded without a viewer; no boost. */
export const threadPage = async (app: App, view: SeenStatus): Promise<PublicPage> => {
  const [details, context] = await Promise.all([instanceDetails(app), loadContext(app, view)]);
  const { ancestors, descendants } = context;
  return {
    details,
    title: `${shownName(view.account)}: “${shorten(summary(view), 60)}”`,
    noindex: !view.account.indexable,
    head: threadHead(app, view, details.title),
    body: html`<h1 class="invisible">Post by ${shownName(view.account)}</h1>
      ${ancestors.map((above) => post(app, above))} ${post(app, view, { main: true })}
      ${
        descendants.length > 0 &&
        html`<h2 class="section">Replies</h2>
          ${descendants.map((below) => post(app, below))}`
      }`,
  };
};
