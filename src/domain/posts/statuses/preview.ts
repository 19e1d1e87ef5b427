// Shows a text as it would look as a post, for the composer. It asks neither the database nor other servers, so that
// mentions are plain text.

import type { App } from "../../../platform/app.ts";
import { readWritten } from "../../../platform/text/written.ts";
import { emojisInTexts } from "../../base/emojis/load.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";
import { tagUrl } from "../tags/present.ts";
import { emojiText } from "./cache.ts";
import { checkMarkdown, checkText, chooseContentType, maxCharacters } from "./post.ts";
import type { Author, Draft } from "./post.ts";

type Preview = { content: string; emojis: EmojiRow[] };

/** Throws Unprocessable for a text that is too long for a post. */
export const previewText = async (app: App, author: Author, draft: Draft): Promise<Preview> => {
  const text = draft.status ?? "";
  checkText(await maxCharacters(app, author), text, "", true);
  const type = chooseContentType(draft, author.settings.content_type);
  checkMarkdown(text, type);
  const content = readWritten(text, type).html({
    mentions: new Map(),
    tagUrl: (name) => tagUrl(app.config.site, name),
  });
  const own = emojiText({ text, content, content_type: type, spoiler_text: "" });
  const [emojis] = await emojisInTexts(app, app.sql, [own]);
  return { content, emojis: emojis! };
};
