// Chooses the recipients of posts for a circle (docs/design/audiences.md): the members of lists of the author at that
// moment, or, for a reply to such a post, the same people. They are addressed silently, so that nobody but the author
// learns who they are.

import type { App } from "../../../platform/app.ts";
import { Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { listAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { NewStatus } from "./new-status.ts";
import { getOwn } from "./load.ts";
import {
  countOwnLists,
  inCircleOf,
  inLists,
  selectCircleLists,
  selectReached,
} from "./queries-circle.ts";
import type { NewMention } from "./queries-write.ts";
import type { StatusView } from "./tables.ts";
import { isCircle } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

/**
 * Recipients of a post, each of which is a row that is loaded with it (other servers read as many addressees), and
 * lists.
 */
export const MAX_PEOPLE = STATUS_LIMITS.addressed;
export const MAX_LISTS = 50; // contract: limits.json, as many as a person has

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

/**
 * Returns the ids of lists, each once. Throws Unprocessable where the post is not for lists but names some, or the
 * reverse.
 */
const listsFor = (
  listIds: string[],
  status: VisibilityFacts,
  parent: VisibilityFacts | null,
): string[] => {
  const answersCircle = parent !== null && isCircle(parent);
  if (listIds.length > 0 && (answersCircle || !isCircle(status)))
    throw invalid(
      answersCircle
        ? "A reply to a post for a circle is for the people of that circle, not for lists"
        : 'Lists are for the visibility "circle": this post has another',
    );
  if (isCircle(status) && !answersCircle && listIds.length === 0)
    throw invalid("A post for a circle needs one list or more");
  if (listIds.length > MAX_LISTS) throw invalid(`A circle is of ${MAX_LISTS} lists at most`);
  return [...new Set(listIds.map((id) => parseId(id) ?? "0"))];
};

export type Circle = {
  /** Null where the post replies to one for a circle. */
  listIds: string[] | null;
  memberIds: string[];
};

type About = {
  status: VisibilityFacts;
  parent: StatusView | null;
  /** The post of the same thread that this one replies to, which is not stored yet. */
  after?: NewStatus | undefined;
  /** Whether the post stays on this server, because it replies to or quotes one that does. */
  hereOnly: boolean;
};

/**
 * Returns the circle of a post; null where it is for none. Throws Unprocessable for lists of others, where it would
 * reach nobody, and for too many people.
 */
export const chooseCircle = async (
  app: App,
  authorId: string,
  rawIds: string[],
  { status, parent, after, hereOnly }: About,
): Promise<Circle | null> => {
  const listIds = listsFor(rawIds, status, after?.row ?? parent);
  if (!isCircle(status)) return null;
  if (after && isCircle(after.row))
    return { listIds: null, memberIds: after.mentions.map(({ accountId }) => accountId) };
  const reach = { authorId, hereOnly, limit: MAX_PEOPLE + 1 };
  if (parent !== null && isCircle(parent)) {
    const memberIds = await selectReached(app.sql, inCircleOf(app.sql, parent.id), reach);
    return { listIds: null, memberIds };
  }
  if ((await countOwnLists(app.sql, authorId, listIds)) < listIds.length)
    throw invalid("One of these lists is not yours");
  const memberIds = await selectReached(app.sql, inLists(app.sql, authorId, listIds), reach);
  if (memberIds.length === 0) throw invalid("Nobody is in these lists whom the post could reach");
  if (memberIds.length > MAX_PEOPLE)
    throw invalid(`A circle has ${MAX_PEOPLE} people at most, and these lists have more`);
  return { listIds, memberIds };
};

/** Returns the people whom the text mentions, and the others of the circle silently. */
export const withCircle = (named: NewMention[], circle: Circle): NewMention[] => {
  const known = new Set(named.map(({ accountId }) => accountId));
  const others = circle.memberIds.filter((id) => !known.has(id));
  return [...named, ...others.map((accountId) => ({ accountId, silent: true }))];
};

export type WrittenFor = { lists: { id: string; title: string }[]; accounts: AccountView[] };

/**
 * Returns to its author alone the lists that still exist, and the people who got it; throws NotFound for any other
 * post.
 */
export const getCircle = async (app: App, viewer: KnownViewer, id: string): Promise<WrittenFor> => {
  const view = await getOwn(app, id, viewer);
  const lists = orNotFound(isCircle(view) ? await selectCircleLists(app.sql, id) : null);
  const ids = view.mentions.map((mention) => mention.id);
  return { lists, accounts: await listAccounts(app, ids) };
};
