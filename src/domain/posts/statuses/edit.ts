// Edits a status by its author, who sends a draft: write-edit.ts stores it. Also changes the descriptions of its files,
// who may quote it, and whether moderators hide its media behind a warning.

import { isBlank } from "../../../platform/text/count.ts";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import {
  Conflict,
  Forbidden,
  NotFound,
  Unprocessable,
  orNotFound,
} from "../../../platform/errors.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { changeMedia, changesMedia, checkCount } from "../../base/media/attach.ts";
import { defaultQuotePolicy } from "../../people/accounts/settings.ts";
import type { MediaChange } from "../../base/media/attach.ts";
import { checkEvent } from "../events/rules.ts";
import { checkPoll } from "../polls/rules.ts";
import { changeUpload, mediaChange, previewChange } from "../../base/media/upload.ts";
import type { UploadInput } from "../../base/media/upload.ts";
import { afterAct, ownTarget } from "./acts.ts";
import type { StatusChange } from "./new-status.ts";
import "./events.ts";
import { checkLimits } from "./audience.ts";
import { endOf } from "./expire.ts";
import { getAsServer, getOwn, getVisible } from "./load.ts";
import {
  checkAlone,
  checkMentions,
  checkText,
  chooseContentType,
  chooseLanguage,
  maxCharacters,
  renderText,
  withQuoteLine,
} from "./post.ts";
import type { Author, Draft } from "./post.ts";
import { insertEdit, lockStatus, updateSensitive, updateStatus } from "./queries-edit.ts";
import { editRefusal } from "./screen-edit.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { federates, visibilityMembers } from "./visibility.ts";
import { setTerms, editWithin } from "./write-edit.ts";

type PolicyInput = Pick<Draft, "quote_approval_policy" | "reply_approval_policy">;

/**
 * Sets who may quote and reply to one's own post. Where both are absent or null, quotes follow one's settings for new
 * posts.
 */
export const changePolicies = async (
  app: App,
  { id: accountId, settings }: Author,
  id: string,
  { quote_approval_policy: quote, reply_approval_policy: reply }: PolicyInput,
): Promise<SeenStatus> => {
  const viewer = asPerson(accountId);
  const view = await ownTarget(app, viewer, id);
  const keepsQuotes = quote === undefined && Boolean(reply);
  const quotePolicy = keepsQuotes
    ? undefined
    : (quote ?? (await defaultQuotePolicy(app, settings)));
  const policies = { quotePolicy, replyPolicy: reply ?? undefined };
  await app.sql.begin((tx) => setTerms(app, tx, view, policies));
  return afterAct(app, viewer, view);
};

/**
 * Changes the description of an attachment of a local status, as an edit; throws NotFound where it is no attachment any
 * more.
 */
const editAttachment = (app: App, id: string, mediaId: string, change: MediaChange) =>
  app.sql.begin(async (tx) => {
    if (!(await lockStatus(tx, id))) throw new NotFound();
    const before = await getAsServer(app, id, tx);
    const media = orNotFound(before.media.find((attachment) => attachment.id === mediaId));
    if (!changesMedia(media, change)) return;
    await insertEdit(tx, id);
    await changeMedia(tx, mediaId, change);
    await updateStatus(tx, id, { edited_at: app.clock.now() });
    await app.jobs.add(tx, "status.edited", { id });
  });

/** Keeps the quote, which an edit does not change. */
const withQuote = ({ quote }: StatusView, content: string): string =>
  quote
    ? withQuoteLine(content, { uri: quote.quoted_uri, url: quote.status?.url ?? null })
    : content;

/** Uses a warning without a text as the text, as in a new post. */
const textsOf = (view: StatusView, draft: Draft): { text: string; spoilerText: string } => {
  const text = draft.status ?? view.text;
  if (isBlank(text)) return { text: draft.spoiler_text ?? "", spoilerText: "" };
  const unchanged = draft.spoiler_text === null ? "" : view.spoiler_text;
  return { text, spoilerText: draft.spoiler_text ?? unchanged };
};

type EditDraft = Draft & { media_attributes?: MediaAttribute[] | null | undefined };
type MediaAttribute = { id: string } & Omit<UploadInput, "file">;
type Uploads = NonNullable<StatusChange["uploads"]>;
type ReadDraft = Draft & { uploads: Uploads };

/** Removes attachments that are not named, as with polls. Changes apply to those that stay, the last one to each. */
const readUploads = ({ media_ids: ids, media_attributes: attributes }: EditDraft) => {
  const distinct = [...new Set(ids)];
  checkCount(distinct);
  const changes = (attributes ?? []).filter(({ id }) => distinct.includes(id));
  return {
    ids: distinct,
    named: new Map(
      changes.map(({ id, thumbnail, ...texts }) => [
        id,
        { thumbnail, ...mediaChange(texts, "media_attributes[][description]") },
      ]),
    ),
  };
};

/** Stores the previews that a draft has for its files, and deletes them again where `write` fails. */
const withPreviews = async (
  app: App,
  accountId: string,
  draft: EditDraft,
  write: (draft: ReadDraft) => Promise<void>,
): Promise<void> => {
  const { ids, named } = readUploads(draft);
  const changes: Uploads["changes"] = new Map();
  try {
    for (const [id, { thumbnail, ...texts }] of named)
      changes.set(id, { ...texts, ...(await previewChange(app, accountId, thumbnail)) });
    await write({ ...draft, uploads: { ids, changes } });
  } catch (error) {
    await app.storage.delete([...changes.values()].flatMap(({ small }) => small?.key ?? []));
    throw error;
  }
};

/** Returns the change by the text and its attachments; throws 422 for what cannot be posted. */
const changeOf = async (
  app: App,
  view: StatusView,
  author: Author,
  draft: ReadDraft,
): Promise<StatusChange> => {
  const { text, spoilerText } = textsOf(view, draft);
  const { uploads } = draft;
  checkText(
    await maxCharacters(app, author),
    text,
    spoilerText,
    view.quote !== null || view.event !== null || Boolean(draft.event) || uploads.ids.length > 0,
  );
  checkAlone(draft, view.event !== null);
  const contentType = chooseContentType(draft, view.content_type);
  const rendered = await renderText(app, author.id, text, contentType);
  checkMentions(app, draft, rendered);
  return {
    text,
    contentType,
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
    event: draft.event ? checkEvent(draft.event, app.clock.now()) : undefined,
    quotePolicy: draft.quote_approval_policy ?? undefined,
    replyPolicy: draft.reply_approval_policy ?? undefined,
    expiresAt: endOf(draft, app.clock.now()),
    editedAt: null,
  };
};

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

/** Refuses what an edit cannot do. Apps send the visibility that the API showed them, which is no change. */
const checkAudience = (view: StatusView, draft: EditDraft): void => {
  const { visibility, local_only: staysHere, list_ids: lists } = draft;
  const told = [view.visibility, visibilityMembers(view).visibility];
  if ((visibility && !told.includes(visibility)) || (staysHere && federates(view)))
    throw invalid("The visibility of a post cannot be changed");
  if (lists?.length) throw invalid("The lists of a post cannot be changed");
  checkLimits(draft.limits, view.visibility);
};

/** Times that an edit is made again because another edit of the post came first. */
const MAX_TURNS = 10;

/** Returns whether something that a draft may leave out has changed meanwhile. */
const isOther = (view: StatusView, now: StatusView): boolean =>
  view.text !== now.text ||
  view.content_type !== now.content_type ||
  view.spoiler_text !== now.spoiler_text ||
  view.sensitive !== now.sensitive ||
  view.language !== now.language ||
  (view.event === null) !== (now.event === null);

/**
 * Writes the draft over the current post. The text is made before the post is locked, because mentioned people may have
 * to be fetched; where somebody edited it meanwhile, it is made again.
 */
const editFrom = async (
  app: App,
  author: Author,
  draft: ReadDraft,
  view: StatusView,
  turns = MAX_TURNS,
): Promise<void> => {
  const change = await changeOf(app, view, author, draft);
  const edited = { id: view.id, authorId: author.id };
  const result = await app.sql.begin(async (tx) => {
    const now = (await lockStatus(tx, view.id)) ? await getAsServer(app, view.id, tx) : null;
    return now && isOther(view, now) ? { now } : editWithin(app, tx, edited, change);
  });
  if (typeof result !== "object") return;
  if (!("now" in result)) throw editRefusal(result);
  if (turns === 0) throw new Conflict();
  await editFrom(app, author, draft, result.now, turns - 1);
};

/** Edits the author's own post, and returns it; throws Unprocessable where a rule against spam stops the edit. */
export const edit = async (
  app: App,
  author: Author,
  id: string,
  draft: EditDraft,
): Promise<SeenStatus> => {
  const viewer = asPerson(author.id);
  const view = await getOwn(app, id, viewer);
  if (view.reblog_of_id) throw new Forbidden();
  checkAudience(view, draft);
  await withPreviews(app, author.id, draft, (read) => editFrom(app, author, read, view));
  return getVisible(app, id, viewer);
};

/**
 * Changes the description, focus or preview of one's own upload. Where it is part of a post, this is an edit of the
 * post, which everybody who has it gets. Throws NotFound for others' uploads.
 */
export const changeAttachment = (app: App, accountId: string, id: string, input: UploadInput) =>
  changeUpload(app, accountId, id, input, (statusId, change) =>
    editAttachment(app, statusId, id, change),
  );

/** Returns those that were not sensitive before. Authors may change it again by editing the post. */
export const markSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, true);

export const unmarkSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, false);
