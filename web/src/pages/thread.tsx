// Shows a post in its thread.

import { isOpenToAll } from "../api/visibility.ts";
import { mayReply } from "../api/visibility.ts";
import type { Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Place } from "../app.ts";
import { followThread, goToSubject, unfoldForPrint } from "../window/live-thread.ts";
import { loadInGroups } from "../store/in-groups.ts";
import { knownThread, loadThread, threadState } from "../store/thread.ts";
import type { ThreadData } from "../store/thread.ts";
import type { StoredStatus } from "../store/store.ts";
import { summaryOf } from "../text/summary.ts";
import { Composer } from "../compose/composer.tsx";
import { FilterPlace } from "../views/filters.ts";
import { ColumnHead } from "../views/frame.tsx";
import { fullHandle, plainName, shownName } from "../elements/names.tsx";
import { PlainMenu } from "../elements/menu.tsx";
import { Skeletons } from "../elements/skeletons.tsx";
import { postMenu } from "../views/post-menu.ts";
import { PostOf } from "../views/post.tsx";
import { postPath } from "../views/shown-status.ts";
import { Above, Answers } from "../views/thread-tree.tsx";
import { Redirect } from "./page.ts";
import { homeOf } from "./profile.tsx";
import type { Page } from "./page.ts";

/** Returns the address where sites that get the post's address learn how to embed it (https://oembed.com/). */
const oEmbedPath = (url: string): string =>
  `/api/oembed?${new URLSearchParams({ url, format: "json" })}`;

/** Draws the composer that members always have below the post of the page. */
const ReplyTo = ({ id }: { id: string }) => {
  const { me, store, t } = useApp();
  const parent = store.statuses.get(id)?.value;
  if (!me || !parent) return null;
  if (!mayReply(parent)) return <p class="reply-refused soft">{t("replies.refused")}</p>;
  return (
    <div class="reply-to" data-reply-to={id}>
      <Composer opening={{ purpose: { kind: "reply", id } }} parent={parent} />
    </div>
  );
};

/** Placeholders of replies that are being loaded. */
const MAX_SKELETONS = 3;

/**
 * Whether the post was shown before what is above it had come: the post stays where it is, for which the page has to be
 * high enough.
 */
const useLate = ({ id, isPartial }: ThreadData): boolean => {
  const late = useRef<string | null>(null);
  if (isPartial) late.current = id;
  return late.current === id;
};

const isAt = ({ params }: Place, { account }: Pick<Status, "account">): boolean =>
  account.acct.toLowerCase() === params["acct"]!.toLowerCase();

/** Whose post it is is seen below, but heard here. */
const Title = ({ name }: { name: string }) => {
  const { t } = useApp();
  return (
    <>
      <span aria-hidden="true">{t("thread.post")}</span>
      <span class="invisible">{t("thread.title", { name })}</span>
    </>
  );
};

export const thread: Page<ThreadData> = {
  path: "/@:acct/:id(\\d+)",
  load: async ({ get, store, place, me }) => {
    const check = (status: Status): void => {
      if (!isAt(place, status)) throw new ApiError(404, "");
      const shown = status.reblog ?? status;
      const isElsewhere = shown.account.acct.includes("@");
      if (isElsewhere && !me) throw homeOf(shown.url ?? shown.uri);
      if (status.reblog) throw new Redirect(postPath(status.reblog));
    };
    const id = place.params["id"]!;
    const options = { after: place.query["after"], check };
    const loadGroups = async (status: StoredStatus | undefined): Promise<void> => {
      if (status && status.account.id === me?.id) await loadInGroups({ get, store }, status);
    };
    // What the window knows is enough to ask for all at once.
    const known = store.statuses.get(id)?.peek();
    const [loaded] = await Promise.all([
      loadThread({ get, store }, id, options),
      loadGroups(known).catch(() => {}),
    ]);
    if (!known) await loadGroups(store.statuses.get(id)!.peek());
    return loaded;
  },
  loadKnown: ({ store, place }) => {
    const status = store.statuses.get(place.params["id"]!)?.peek();
    const isShown = status && isAt(place, status) && !status.reblog && !status.isGone;
    return isShown && Object.keys(place.query).length === 0 ? knownThread(store, status.id) : null;
  },
  View: ({ data }) => {
    const app = useApp();
    const { store, t } = app;
    const state = threadState(store, data);
    useEffect(() => followThread(app, state), [data]);
    useEffect(() => goToSubject(state), [data]);
    useEffect(() => unfoldForPrint(app, state), [data]);
    const { account, isGone, replies_count: replies } = store.statuses.get(data.id)!.value;
    const hasAbove = data.above.length > 0;
    const isLate = useLate(data);
    return (
      <>
        <ColumnHead title={<Title name={shownName(account)} />} back />
        {hasAbove && (
          <div class="thread-above">
            <FilterPlace value="thread">
              <Above state={state} />
            </FilterPlace>
          </div>
        )}
        <div class={isLate ? "thread-rest late" : "thread-rest"}>
          {isGone && <p class="empty">{t("thread.gone")}</p>}
          <FilterPlace value={null}>
            <PostOf id={data.id} isMain isBelowParent={hasAbove} hasLineAbove={hasAbove} />
            <ReplyTo id={data.id} />
            {app.place.query["menu"] !== undefined && (
              <PlainMenu
                label={t("post.more")}
                items={postMenu(app, store.statuses.get(data.id)!.value)}
              />
            )}
          </FilterPlace>
          <FilterPlace value="thread">
            <Answers state={state} />
          </FilterPlace>
          {data.isPartial && <Skeletons count={Math.min(replies, MAX_SKELETONS)} />}
        </div>
      </>
    );
  },
  head: ({ id }, { store, site, t }) => {
    const status = store.statuses.get(id)!.value;
    const { account } = status;
    const name = plainName(account);
    const text = summaryOf(status, 60);
    const isOpen = isOpenToAll(status);
    const picture =
      status.sensitive || status.spoiler_text
        ? undefined
        : status.media_attachments.find(({ type }) => type === "image");
    return {
      title: text ? t("thread.by", { name, text }) : t("thread.title", { name }),
      description:
        summaryOf(status, 280) ||
        t("thread.attachments", { count: status.media_attachments.length }),
      type: "article",
      image: picture?.url ?? account.avatar,
      isLarge: picture !== undefined,
      isHidden: !account.indexable,
      ...(status.url && { url: status.url }),
      properties: {
        "article:published_time": status.created_at,
        ...(status.edited_at && { "article:modified_time": status.edited_at }),
        "profile:username": fullHandle(account, site.domain).slice(1),
      },
      links: [
        { rel: "alternate", type: "application/activity+json", href: status.uri },
        // A remote post is embedded by its own server.
        ...(isOpen && status.url && !account.acct.includes("@")
          ? [{ rel: "alternate", type: "application/json+oembed", href: oEmbedPath(status.url) }]
          : []),
      ],
    };
  },
};
