// What people change of their own posts: edits as they send them, and deleting.

import type { App } from "../../platform/app.ts";
import { Forbidden, NotFound } from "../../platform/errors.ts";
import { asPerson } from "../../platform/viewer.ts";
import { checkCount } from "../media/attach.ts";
import { mediaChange } from "../media/upload.ts";
import { checkPoll } from "../polls/rules.ts";
import { checkText, chooseLanguage, renderText } from "./compose.ts";
import type { Author, Draft } from "./compose.ts";
import { editStatus } from "./edit.ts";
import type { StatusChange } from "./new-status.ts";
import { getVisible } from "./load.ts";
import { withQuoteLine } from "./quotes/compose.ts";
import { removeStatus } from "./remove.ts";
import { editRefusal } from "./screen.ts";
import type { SeenStatus, StatusView } from "./tables.ts";

/** One's own status; another's is as if it were missing. */
const getOwn = async (app: App, id: string, accountId: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, asPerson(accountId));
  if (view.account_id !== accountId) throw new NotFound();
  return view;
};

/** An edit does not change what is quoted. */
const withQuote = ({ quote }: StatusView, content: string): string =>
  quote
    ? withQuoteLine(content, { uri: quote.quoted_uri, url: quote.status?.url ?? null })
    : content;

/** As in a new post, a warning without a text becomes the text. */
const textsOf = (view: StatusView, draft: Draft): { text: string; spoilerText: string } => {
  const text = draft.status ?? view.text;
  if (text.trim() === "") return { text: draft.spoiler_text ?? "", spoilerText: "" };
  const unchanged = draft.spoiler_text === null ? "" : view.spoiler_text;
  return { text, spoilerText: draft.spoiler_text ?? unchanged };
};

export type Changed = Draft & { media_attributes?: MediaAttribute[] | null | undefined };
type MediaAttribute = { id: string } & Parameters<typeof mediaChange>[0];

/** As with polls, what is not named is removed. What changes belongs to one that stays. */
const uploadsOf = ({ media_ids: ids, media_attributes: attributes }: Changed) => {
  const wanted = [...new Set(ids)];
  const changes = (attributes ?? []).filter(({ id }) => wanted.includes(id));
  return { ids: wanted, changes: new Map(changes.map((one) => [one.id, mediaChange(one)])) };
};

/** Everything that the text and its attachments say; throws 422 for what cannot be posted. */
const changeOf = async (
  app: App,
  view: StatusView,
  author: Author,
  draft: Changed,
): Promise<StatusChange> => {
  const { text, spoilerText } = textsOf(view, draft);
  const uploads = uploadsOf(draft);
  checkText(app, text, spoilerText, view.quote !== null || uploads.ids.length > 0);
  checkCount(uploads.ids, Boolean(draft.poll));
  const rendered = await renderText(app, author.id, text);
  return {
    text,
    content: withQuote(view, rendered.content),
    spoilerText,
    sensitive: draft.sensitive ?? (view.sensitive || spoilerText !== ""),
    language: draft.language === undefined ? view.language : chooseLanguage(draft.language, author),
    mentions: rendered.mentions,
    tags: rendered.tags,
    emojis: [],
    media: null,
    uploads,
    poll: draft.poll ? checkPoll(draft.poll, app.clock.now()) : null,
    quotePolicy: draft.quote_approval_policy ?? undefined,
    editedAt: null,
  };
};

/** Edits the author's own post, and gives it; 422 where a rule against spam stops the edit. */
export const editOwn = async (
  app: App,
  author: Author,
  id: string,
  draft: Changed,
): Promise<SeenStatus> => {
  const view = await getOwn(app, id, author.id);
  if (view.reblog_of_id) throw new Forbidden();
  const result = await editStatus(app, view.id, await changeOf(app, view, author, draft));
  if (typeof result === "object") throw editRefusal(result);
  return getVisible(app, view.id, asPerson(author.id));
};

/** Deletes the author's own post, and gives it as it was. */
export const removeOwn = async (
  app: App,
  accountId: string,
  id: string,
  options: { deleteMedia: boolean },
): Promise<SeenStatus> => {
  const view = await getOwn(app, id, accountId);
  await removeStatus(app, view.id, options);
  return view;
};
