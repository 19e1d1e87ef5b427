// Shows in short what is replied to or quoted, beside the composer.

import { useApp } from "../app.ts";
import { plainText } from "../text/parse-html.ts";
import { withEmojis } from "../text/rich-text.tsx";
import { Avatar, Name, fullHandle, shownName } from "../elements/names.tsx";
import type { Draft } from "./draft.ts";

const Short = ({ id, label }: { id: string; label: string }) => {
  const { store, site } = useApp();
  const status = store.statuses.get(id)?.value;
  if (!status) return null;
  const { account, spoiler_text, content, emojis } = status;
  return (
    <aside class="composer-about" aria-label={label}>
      <Avatar account={account} size={24} />
      <p>
        <strong>
          <Name account={account} />
        </strong>{" "}
        <span class="handle">{fullHandle(account, site.domain)}</span>
        <br />
        <span class="composer-about-text">
          {withEmojis(spoiler_text || plainText(content ?? ""), emojis)}
        </span>
      </p>
    </aside>
  );
};

/** `isApart`: the post that is replied to is not visible. */
export const About = ({ draft, isApart }: { draft: Draft; isApart: boolean }) => {
  const { store, t } = useApp();
  const { quoted, inReplyTo } = draft;
  const parent = inReplyTo ? store.statuses.get(inReplyTo)?.value : undefined;
  const approval = quoted ? store.statuses.get(quoted)?.value.quote_approval : undefined;
  return (
    <>
      {isApart && inReplyTo && <Short id={inReplyTo} label={t("compose.answered")} />}
      {parent && draft.purpose.kind !== "edit" && (
        <p class="composer-to soft small">
          {t("compose.reply_to", { name: shownName(parent.account) })}
        </p>
      )}
      {quoted && <Short id={quoted} label={t("quote.label")} />}
      {approval?.current_user === "manual" && draft.purpose.kind !== "edit" && (
        <p class="soft small">{t("compose.quote_asks")}</p>
      )}
    </>
  );
};
