// Posts for a person: counts and checks the text, resolves its mentions, renders it as HTML, and adds its parent,
// attachments and quote. https://docs.joinmastodon.org/client/quotes/

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { escapeHtml } from "../../../platform/text/html.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { countCharacters, isBlank } from "../../../platform/text/count.ts";
import type { MentionEntity } from "../../../platform/text/extract.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { MARKDOWN, MAX_MARKDOWN, PLAIN, readWritten } from "../../../platform/text/written.ts";
import type { ContentType } from "../../../platform/text/written.ts";
import { authorizationUri } from "../../people/approvals/requests.ts";
import { findAccounts } from "../../people/accounts/find.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { accountEntity, defaultPrivacy } from "../../people/accounts/present.ts";
import { defaultQuotePolicy } from "../../people/accounts/settings.ts";
import type { AccountView, UserSettings } from "../../people/accounts/tables.ts";
import { checkCount, lockAttachable } from "../../base/media/attach.ts";
import { checkEvent } from "../events/rules.ts";
import type { EventDraft } from "../events/rules.ts";
import { checkPoll } from "../polls/rules.ts";
import type { PollDraft } from "../polls/rules.ts";
import { loadRelations } from "../../people/relationships/load.ts";
import { tagUrl } from "../tags/present.ts";
import { checkTags } from "../tags/use.ts";
import { checkLimits, checkStays, keptLocal } from "./audience.ts";
import type { Meant } from "./audience.ts";
import { chooseCircle, withCircle } from "./circle.ts";
import type { NewQuote, NewStatus } from "./new-status.ts";
import { createStatus, findIdempotent } from "./create.ts";
import { refuseStopped } from "./spam-check.ts";
import { ROW_ONLY } from "./new-status.ts";
import { endOf } from "./expire.ts";
import type { EndDraft } from "./expire.ts";
import { getJustCreated, getVisible, loadVisible } from "./load.ts";
import {
  checkInteraction,
  policyBits,
  quoteRight,
  dependsOnFollowing,
  replyBits,
  replyPolicyOf,
  restrictsReplies,
} from "./rules.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import {
  confinedTo,
  federates,
  isCircle,
  keptHere,
  narrower,
  openToFollowers,
} from "./visibility.ts";
import type { Visibility, VisibilityFacts } from "./visibility.ts";

/** Throws 404 for a status that the viewer may not see, 403 for one that they may not quote. */
const findQuoted = async (app: App, id: string, viewerId: string): Promise<StatusView> => {
  const missing = new NotFound("The post you are trying to quote does not appear to exist.");
  const known = parseId(id);
  const [view] = known === null ? [] : await loadVisible(app, [known], asPerson(viewerId));
  if (!view) throw missing;
  const quoted = view.reblog ?? view;
  if (quoteRight(quoted) === "denied")
    throw new Forbidden("You are not allowed to quote this post");
  return quoted;
};

/**
 * Narrows the visibility of a quote to the audience of the quoted post: one's own followers-only post is quoted for
 * followers.
 */
const quotingVisibility = (quoted: StatusView | null, visibility: Visibility): Visibility =>
  quoted ? confinedTo(quoted, visibility) : visibility;

/** Requires a direct post to mention the author whom it quotes, because the request for approval contains the post. */
const checkDirectQuote = (quoted: StatusView, authorId: string, mentionIds: string[]): void => {
  if (quoted.account_id === authorId || mentionIds.includes(quoted.account_id)) return;
  throw new Unprocessable("Validation failed: A direct post can only quote people mentioned in it");
};

/** Makes the quote. A local status needs no request, since the rules have already applied its author's policy. */
const newQuote = (quoted: StatusView): NewQuote => ({
  quotedUri: quoted.uri,
  quotedStatusId: quoted.id,
  quotedAccountId: quoted.account_id,
  accepted: quoted.local,
  legacy: false,
  approvalUri: null,
  approvalPrefix: quoted.local ? authorizationUri("quote", quoted.account.uri, "") : null,
  depth: 0,
});

type Addresses = { uri: string; url: string | null };

/** Puts a link before the text for software without quotes; clients that know quotes hide it. */
export const withQuoteLine = (content: string, quoted: Addresses): string => {
  const url = quoted.url ?? quoted.uri;
  const isLinked = [url, quoted.uri].some((address) =>
    content.includes(`href="${escapeHtml(address)}"`),
  );
  if (isLinked) return content;
  const href = escapeHtml(url);
  return `<p class="quote-inline">RE: <a href="${href}" rel="nofollow noopener" target="_blank">${href}</a></p>${content}`;
};

/** A post as a person sends it; undefined members are not given. */
export type Draft = EndDraft &
  Meant & {
    status?: string | null | undefined;
    content_type?: ContentType | null | undefined;
    spoiler_text?: string | null | undefined;
    visibility?: Visibility | null | undefined;
    sensitive?: boolean | null | undefined;
    language?: string | null | undefined;
    in_reply_to_id?: string | null | undefined;
    allowed_mentions?: string[] | null | undefined;
    media_ids?: string[] | null | undefined;
    poll?: PollDraft | null | undefined;
    event?: EventDraft | null | undefined;
    quoted_status_id?: string | null | undefined;
    list_ids?: string[] | null | undefined;
  };

/** The author without the account, which is read again for each post. */
export type Author = { id: string; settings: UserSettings; locale: string };

/** UTF-16 units that a character may take: a cluster of combining marks has no limit of its own. */
const MAX_UNITS_PER_CHARACTER = 20;

/** Returns the limit of the author's role, or else of the server. */
export const maxCharacters = async (app: App, { id }: Author): Promise<number> =>
  (await getAccount(app, id)).role?.max_characters ?? app.config.instance.maxCharacters;

/** With `mayBeBlank` (a quote, an event or media) no text is needed. */
export const checkText = (max: number, text: string, spoiler: string, mayBeBlank = false): void => {
  if (!mayBeBlank && isBlank(text) && isBlank(spoiler)) {
    throw new Unprocessable("Validation failed: Text can't be blank");
  }
  const tooLong = text.length + spoiler.length > max * MAX_UNITS_PER_CHARACTER;
  if (tooLong || countCharacters(text, spoiler) > max) {
    throw new Unprocessable(`Validation failed: Text character limit of ${max} exceeded`);
  }
};

/** Requires that a post is an event or a poll, not both. */
export const checkAlone = (
  { poll, event }: Pick<Draft, "poll" | "event">,
  isEvent = false,
): void => {
  if (!poll || !(event || isEvent)) return;
  throw new Unprocessable("Validation failed: A post cannot have both an event and a poll");
};

export const checkMarkdown = (text: string, type: ContentType | null): void => {
  if (type !== MARKDOWN || text.length <= MAX_MARKDOWN) return;
  throw new Unprocessable("Validation failed: Text is too long for Markdown");
};

/** Returns the stored content type of a text; `usual` applies where none is requested. */
export const chooseContentType = (
  { content_type: requested }: Draft,
  usual: ContentType | null | undefined,
): ContentType | null => {
  const type = requested ?? usual ?? PLAIN;
  return type === PLAIN ? null : type;
};

/** Returns the requested language, else the person's own choice, else the language of their pages. */
export const chooseLanguage = (
  requested: string | null | undefined,
  author: Author,
): string | null => {
  if (requested) {
    const known = normaliseLanguage(requested);
    if (known) return known;
  }
  return author.settings.language ?? normaliseLanguage(author.locale);
};

const findParent = async (app: App, id: string, viewerId: string): Promise<StatusView> => {
  const missing = new NotFound("The post you are trying to reply to does not appear to exist.");
  if (!/^\d{1,19}$/.test(id)) throw missing;
  const [view] = await loadVisible(app, [id], asPerson(viewerId));
  if (!view) throw missing;
  return view.reblog ?? view;
};

/** Throws Forbidden where the author does not let the person reply; returns true where the author has to be asked. */
const checkReply = async (app: App, parent: StatusView, viewerId: string): Promise<boolean> => {
  if (!dependsOnFollowing(parent)) return checkInteraction(parent, "reply");
  const { account_id: authorId } = parent;
  const relation = (await loadRelations(app, viewerId, [authorId])).get(authorId);
  return checkInteraction(parent, "reply", relation?.followed_by);
};

/**
 * Returns the authorization that proves to other servers that the local author allowed the reply; its number is
 * appended (insertStatuses).
 */
const replyAuthorization = (parent: StatusView | null, authorId: string): string | null =>
  parent?.local && parent.account_id !== authorId && restrictsReplies(parent)
    ? authorizationUri("reply", parent.account.uri, "")
    : null;

type Rendered = {
  content: string;
  mentions: { accountId: string; silent: boolean }[];
  accounts: AccountView[];
  tags: string[];
};

/** Finds accounts of typed handles; suspended accounts and those that block the author stay text. */
const findMentioned = async (app: App, authorId: string, mentions: MentionEntity[]) => {
  const accounts = await findAccounts(
    app,
    mentions.map(({ handle, username, domain }) => ({ key: handle, username, domain })),
  );
  const relations = await loadRelations(
    app,
    authorId,
    [...accounts.values()].map((account) => account.id),
  );
  return new Map(
    [...accounts].filter(
      ([, account]) => !account.suspended_at && !relations.get(account.id)?.blocked_by,
    ),
  );
};

/**
 * Renders a text as HTML with its mentions and tags. Unknown remote handles are looked up on their servers; throws 422
 * for a tag that moderators forbid.
 */
export const renderText = async (
  app: App,
  authorId: string,
  text: string,
  type: ContentType | null,
): Promise<Rendered> => {
  checkMarkdown(text, type);
  const { mentions, tags, html } = readWritten(text, type);
  const mentioned = await findMentioned(app, authorId, mentions);
  const content = html({
    mentions: mentioned,
    tagUrl: (name) => tagUrl(app.config.site, name),
  });
  await checkTags(app, tags);
  const accounts = [...new Map([...mentioned.values()].map((a) => [a.id, a])).values()];
  return {
    content,
    mentions: accounts.map((account) => ({ accountId: account.id, silent: false })),
    accounts,
    tags,
  };
};

/** Refuses mentions of accounts that the author did not expect. */
export const checkMentions = (app: App, draft: Draft, rendered: Rendered): void => {
  const { allowed_mentions: allowed } = draft;
  if (!allowed) return;
  const unexpected = rendered.accounts.filter((account) => !allowed.includes(account.id));
  if (unexpected.length === 0) return;
  throw new Unprocessable("Post would be sent to unexpected accounts", {
    unexpected_accounts: unexpected.map((account) => accountEntity(account, app.config.site)),
  });
};

const usualVisibility = async (app: App, { id, settings }: Author): Promise<Visibility> =>
  settings.privacy ?? defaultPrivacy(await getAccount(app, id), settings);

/** Returns the author's default; a reply is no more public than its parent. */
const defaultVisibility = (usual: Visibility, parent: VisibilityFacts | null): Visibility =>
  parent ? narrower(parent.visibility, usual) : usual;

/** Returns whether the post stays here, because its parent or quoted post does. */
const staysHere = (...about: (VisibilityFacts | null)[]): boolean =>
  about.some((view) => view !== null && !federates(view));

/** Restricts a reply to a post for a circle to its people, or fewer. */
const keptInside = (parent: VisibilityFacts | null, visibility: Visibility): Visibility =>
  parent && isCircle(parent) ? narrower(visibility, parent.visibility) : visibility;

/** Refuses mentions of people elsewhere in a post that stays here, unless it is for chosen people. */
const checkNamedHere = (visibility: Visibility, { accounts }: Rendered): void => {
  if (!federates({ visibility }) || accounts.every(({ domain }) => domain === null)) return;
  throw new Unprocessable(
    "Validation failed: This is about a post that stays on this server, so it can mention people of this server only",
  );
};

export type About = {
  appId: string | null;
  idempotencyKey: string | null;
  scheduledId?: string;
  /** When it is to be posted; undefined for now. */
  at?: Date | undefined;
  /** The post of the same thread that it replies to, which is not stored yet. */
  after?: NewStatus | undefined;
};

/** Throws Unprocessable, Forbidden or NotFound for what cannot be posted; writes nothing. */
export const composeStatus = async (
  app: App,
  author: Author,
  draft: Draft,
  { scheduledId, after, ...extra }: About,
): Promise<NewStatus> => {
  const spoilerText = draft.spoiler_text ?? "";
  // A warning without a text becomes the text.
  const text = draft.status?.trim() ? draft.status : spoilerText;
  const spoiler = draft.status?.trim() ? spoilerText : "";
  const mediaIds = draft.media_ids ?? [];
  const saysMore = Boolean(draft.quoted_status_id) || Boolean(draft.event) || mediaIds.length > 0;
  checkText(await maxCharacters(app, author), text, spoiler, saysMore);
  checkAlone(draft);
  if (mediaIds.length > 0) {
    checkCount(mediaIds);
    await lockAttachable(app.sql, author.id, mediaIds, { scheduledId });
  }
  const parent = draft.in_reply_to_id
    ? await findParent(app, draft.in_reply_to_id, author.id)
    : null;
  const mustAsk = parent !== null && (await checkReply(app, parent, author.id));
  const above = after?.row ?? parent;
  const quoted = draft.quoted_status_id
    ? await findQuoted(app, draft.quoted_status_id, author.id)
    : null;
  const contentType = chooseContentType(draft, author.settings.content_type);
  const rendered = await renderText(app, author.id, text, contentType);
  checkMentions(app, draft, rendered);
  const named =
    draft.visibility ??
    after?.row.visibility ??
    defaultVisibility(await usualVisibility(app, author), parent);
  const chosen = quotingVisibility(quoted, draft.local_only ? keptLocal(named) : named);
  const isKept = staysHere(above, quoted);
  const visibility = keptInside(above, isKept ? keptHere(chosen) : chosen);
  if (isKept) checkNamedHere(visibility, rendered);
  checkStays(draft.local_only, visibility);
  checkLimits(draft.limits, visibility);
  const about = { status: { visibility }, parent, after, hereOnly: isKept };
  const listIds = draft.list_ids ?? [];
  const isForSome = isCircle({ visibility }) || listIds.length > 0;
  const circle = isForSome ? await chooseCircle(app, author.id, listIds, about) : null;
  const mentioned = rendered.mentions.map((mention) => mention.accountId);
  if (quoted && !openToFollowers({ visibility })) checkDirectQuote(quoted, author.id, mentioned);
  const policy = draft.quote_approval_policy ?? (await defaultQuotePolicy(app, author.settings));
  const answers = replyPolicyOf(draft.reply_approval_policy, author.settings, { visibility });
  const now = extra.at ?? app.clock.now();
  const mayEnd = (draft.expires_in ?? draft.expires_at ?? null) !== null;
  return {
    ...ROW_ONLY,
    row: {
      account_id: author.id,
      local: true,
      text,
      content_type: contentType,
      content: quoted ? withQuoteLine(rendered.content, quoted) : rendered.content,
      spoiler_text: spoiler,
      visibility,
      sensitive: draft.sensitive ?? (author.settings.sensitive || spoiler !== ""),
      language: chooseLanguage(draft.language, author),
      in_reply_to_id: parent?.id ?? null,
      in_reply_to_account_id: parent?.account_id ?? null,
      conversation_id: parent?.conversation_id ?? null,
      app_id: extra.appId,
      circle_lists: circle?.listIds ?? null,
      quote_policy: policyBits(policy, { visibility }),
      interaction_policy: replyBits(answers),
      awaits_approval: mustAsk,
      approval_uri: replyAuthorization(parent, author.id),
      created_at: now,
      expires_at: (mayEnd && endOf(draft, now)) || null,
    },
    mentions: circle ? withCircle(rendered.mentions, circle) : rendered.mentions,
    tags: rendered.tags,
    uploads: mediaIds.length > 0 ? { ids: mediaIds, scheduledId } : null,
    poll: draft.poll ? checkPoll(draft.poll, now) : null,
    event: draft.event ? checkEvent(draft.event, now) : null,
    quote: quoted && newQuote(quoted),
    idempotencyKey: extra.idempotencyKey,
  };
};

/** Returns the post, also where an earlier request with the same key made it, whose attachments are taken by then. */
export const post = async (
  app: App,
  author: Author,
  draft: Draft,
  about: About,
): Promise<SeenStatus> => {
  const { idempotencyKey: key } = about;
  const earlier = key && (await findIdempotent(app, author.id, key));
  if (earlier) return getVisible(app, earlier, asPerson(author.id));
  if (key) await refuseStopped(app, author.id, [key]);
  const id = await createStatus(app, await composeStatus(app, author, draft, about));
  return getJustCreated(app, id, author.id);
};
